"""The faces on many photographs, found once and kept in the cache."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from likewise.errors import DataError
from likewise.features.cache import Progress, cached
from likewise.features.decoding import TooLarge, Unreadable
from likewise.features.faces.base import Face, FaceModel
from likewise.features.images import open_picture
from likewise.features.pictures.threads import in_threads

_BATCH = 16  # photographs between two looks at the clock
_SMALL = 64 * 2**20  # bytes that a photograph may take where several threads decode at once
_LATER = object()  # in place of faces: too large to be decoded beside others
_BOX = 4


def find_faces(
    model: FaceModel,
    paths: Sequence[Path],
    digests: Sequence[bytes],
    progress: Progress | None = None,
) -> dict[int, list[Face]]:
    """Return the faces on each photograph that can be read, by position, from left to right.

    Parameters
    ----------
    model : FaceModel
        Who finds them.
    paths : sequence of Path
        The photographs.
    digests : sequence of bytes
        Of the photographs' content.
    progress : callable, optional
        Called with how many photographs are done, of how many.
    """
    columns = _BOX + model.width

    def compute(missing: list[int]) -> Iterator[tuple[int, npt.NDArray[np.float32] | None]]:
        for first in range(0, len(missing), _BATCH):
            part = missing[first : first + _BATCH]
            found = in_threads(lambda k: _faces_of(model, paths[k], _SMALL), part)
            for k, faces in zip(part, found, strict=True):
                here = _faces_of(model, paths[k], None) if faces is _LATER else faces
                yield k, None if here is None else _packed(here, columns)

    kept = cached(
        model.cache_key,
        digests,
        compute,
        progress,
        is_whole=lambda vector: len(vector) == 1 + int(vector[0]) * columns,
    )
    return {k: _unpacked(vector, columns) for k, vector in kept.items()}


def _faces_of(model: FaceModel, path: Path, most: int | None) -> Any:
    """Return the faces on one photograph; None if it cannot be read."""
    try:
        picture = open_picture(path, model.side // 2, most=most)
    except TooLarge:
        return None if most is None else _LATER
    except Unreadable:
        return None
    faces = list(model.find_faces(picture))
    for face in faces:
        if face.vector.shape != (model.width,) or not np.isfinite(face.vector).all():
            raise DataError(
                f"the model {type(model).__name__} must return {model.width} finite numbers for a "
                f"face, but an array of shape {face.vector.shape} came"
            )
    return sorted(faces, key=lambda face: face.box)


def _packed(faces: list[Face], columns: int) -> npt.NDArray[np.float32]:
    """Return faces as one vector, as the cache keeps them: how many, then boxes and vectors."""
    rows = [np.concatenate([np.array(face.box, dtype=np.float32), face.vector]) for face in faces]
    table = np.array(rows, dtype=np.float32).reshape(len(faces), columns)
    return np.concatenate([np.array([len(faces)], dtype=np.float32), table.ravel()])


def _unpacked(vector: npt.NDArray[np.float32], columns: int) -> list[Face]:
    table = vector[1:].reshape(-1, columns)
    return [Face(tuple(row[:_BOX].tolist()), row[_BOX:]) for row in table]
