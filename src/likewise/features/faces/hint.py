"""Whether pictures show faces, by a look at some of them: to say so, not to find them all."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from likewise.features.cache import cached, file_digests
from likewise.features.decoding import Unreadable
from likewise.features.images import open_picture

_LOOKED_AT = 24  # pictures, spread evenly over the pile
_SIDE = 320  # pixels of a picture that are enough to see a face as large as people photograph them
_LEAST = 256  # pixels to which smaller pictures are enlarged
_CLEARLY = 0.0  # score of dlib's quick detector; at this one none of 120 things had a face
_OFTEN = 0.5  # share of the pictures from which on it is worth a word


def about_faces(files: Sequence[Path]) -> list[str]:
    """Return a sentence where at least half of some pictures show a face.

    None where dlib, of the extra `faces`, is not installed: nothing else that comes with likewise
    can tell.
    """
    if find_spec("dlib") is None:
        return []
    chosen = [files[k] for k in np.unique(np.linspace(0, len(files) - 1, _LOOKED_AT).astype(int))]
    known = file_digests(chosen)
    readable = sorted(known)
    scores = cached(
        "face-hint-1",
        [known[k] for k in readable],
        lambda missing: _scores([chosen[readable[k]] for k in missing], missing),
        width=1,
    )
    n = sum(float(score[0]) >= _CLEARLY for score in scores.values())
    if len(scores) < 2 or n < _OFTEN * len(scores):
        return []
    return [f"{n} of {len(scores)} pictures that were looked at show a face; --faces groups people"]


def _scores(
    files: Sequence[Path], positions: Sequence[int]
) -> Iterator[tuple[int, npt.NDArray[np.float32] | None]]:
    """Yield how clearly each picture shows a face; None for one that cannot be read."""
    if not files:
        return
    import dlib

    detector: Any = dlib.get_frontal_face_detector()
    for position, file in zip(positions, files, strict=True):
        try:
            picture = open_picture(file, _SIDE)
        except Unreadable:
            yield position, None
            continue
        if (scale := _LEAST / max(picture.size)) > 1:
            picture = picture.resize([max(round(side * scale), 1) for side in picture.size])
        _, found, _ = detector.run(np.ascontiguousarray(picture, dtype=np.uint8), 0, -1.0)
        yield position, np.array([max(found, default=-9.0)], dtype=np.float32)
