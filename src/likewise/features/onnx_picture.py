"""Models of pictures in the ONNX format, run by onnxruntime: a picture becomes one vector."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from likewise._extras import extra_explained
from likewise.errors import DataError
from likewise.features.onnx_session import described, open_session

_SIDE = 224  # pixels, where neither the model nor the file beside it says how many
# Of the photographs that most networks were trained with (ImageNet), channel by channel.
_MEAN, _DEVIATION = (0.485, 0.456, 0.406), (0.229, 0.224, 0.225)

Floats = npt.NDArray[np.float32]


class PictureEncoder:
    """A model of pictures in an ONNX file.

    Parameters
    ----------
    path : Path
        The ONNX file.
    mean, deviation : array (3,)
        What is taken from each channel, between 0 and 1, and what the rest is divided by.

    Raises
    ------
    DataError
        If the file cannot be run, or is a model of another kind.
    """

    def __init__(
        self, path: Path, mean: npt.ArrayLike = _MEAN, deviation: npt.ArrayLike = _DEVIATION
    ) -> None:
        self._session = open_session(path)
        self._input, self._channels_last, self._size = _input(path, self._session)
        self._output = _output(path, self._session)
        self._mean = np.asarray(mean, dtype=np.float32)
        self._deviation = np.asarray(deviation, dtype=np.float32)

    def encode(self, pictures: Sequence[Any]) -> Floats:  # (n, d), rows of length one
        """Return a vector of length one per Pillow image."""
        vectors = np.array([self._encode_one(picture) for picture in pictures], dtype=np.float32)
        lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
        return np.asarray(vectors / np.where(lengths > 0, lengths, 1), dtype=np.float32)

    def _encode_one(self, picture: Any) -> Floats:  # (d,)
        with extra_explained():
            from PIL import Image, ImageOps

        fitted = ImageOps.fit(picture, self._size, Image.Resampling.BICUBIC)
        pixels = np.asarray(fitted, dtype=np.float32) / 255
        scaled = (pixels - self._mean) / self._deviation
        if not self._channels_last:
            scaled = scaled.transpose(2, 0, 1)
        found: Floats = self._session.run([self._output], {self._input: scaled[None]})[0][0]
        if found.ndim == 3:  # a map of the picture
            found = found.mean(axis=(1, 2))
        return found if found.ndim == 1 else found.mean(axis=0)  # a vector, or one per patch


def _input(path: Path, session: Any) -> tuple[str, bool, tuple[int, int]]:
    """Return name, order and size of what the model looks at; refuse one that does not look."""
    inputs = session.get_inputs()
    shape = inputs[0].shape if inputs else []
    if len(inputs) != 1 or inputs[0].type != "tensor(float)" or len(shape) != 4:
        raise _of_another_kind(path, f"takes {described(inputs)}")
    last = shape[3] == 3 and shape[1] != 3
    if not last and isinstance(shape[1], int) and shape[1] != 3:
        raise _of_another_kind(path, f"takes {described(inputs)}")
    height, width = shape[1:3] if last else shape[2:4]
    size = tuple(side if isinstance(side, int) else _SIDE for side in (width, height))
    return inputs[0].name, last, (size[0], size[1])


def _output(path: Path, session: Any) -> str:
    """Return the output that holds vectors, one per picture rather than per patch."""
    outputs = [one for one in session.get_outputs() if one.type == "tensor(float)"]
    for axes in (2, 3, 4):
        for one in outputs:
            if len(one.shape) == axes:
                return str(one.name)
    raise _of_another_kind(path, f"returns {described(session.get_outputs())}")


def _of_another_kind(path: Path, what: str) -> DataError:
    return DataError(
        f"{path} is not a model of pictures: it {what}, but a model of pictures takes one batch of "
        "float pictures with 3 channels and returns a vector for each"
    )
