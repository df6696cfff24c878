"""Bursts: photographs that were taken within seconds of each other and look alike."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt

from likewise.features.cache import cached
from likewise.features.decoding import Unreadable
from likewise.features.images import open_picture
from likewise.features.pictures.taken import Taken, read_taken
from likewise.features.pictures.threads import in_threads

Small = npt.NDArray[np.float32]  # (_SIDE, _SIDE, 3) in [0, 1]

SECONDS = 3.0  # between one photograph of a burst and the next; most cameras tell whole seconds
ALIKE = 0.85  # correlation of two small pictures, the one moved against the other as fits best
_SIDE = 20  # pixels of a small picture
_MOVED = 2  # pixels: a tenth of the picture, as a hand moves
_DECODED = 64


def burst_stacks(files: Sequence[Path], digests: Sequence[bytes]) -> list[list[int]]:
    """Return the bursts among photographs: positions in the order in which they were taken.

    Photographs of one camera follow each other within three seconds, and every one looks like the
    first of its burst. One whose file does not say when it was taken is in no burst.

    Parameters
    ----------
    files : sequence of Path
        The photographs.
    digests : sequence of bytes
        Of their contents, by which small pictures are found in the cache.
    """
    taken = in_threads(read_taken, files)
    runs = list(_runs(taken, [file.name for file in files]))
    wanted = [k for run in runs for k in run]
    looks = _small_pictures([files[k] for k in wanted], [digests[k] for k in wanted])
    small = {wanted[place]: picture for place, picture in looks.items()}
    seconds = [one.seconds or 0.0 for one in taken]
    stacks = (stack for run in runs for stack in _alike(run, seconds, small))
    return sorted(stack for stack in stacks if len(stack) > 1)


def _runs(taken: Sequence[Taken], names: Sequence[str]) -> Iterator[list[int]]:
    """Yield photographs of one camera that follow each other within seconds, two at least."""
    dated = [(one.camera or "", one.seconds, names[k], k) for k, one in enumerate(taken)
             if one.seconds is not None]  # fmt: skip
    run: list[int] = []
    before: tuple[str, float] | None = None
    for camera, seconds, _, k in sorted(dated):
        if before is None or before[0] != camera or seconds - before[1] > SECONDS:
            if len(run) > 1:
                yield run
            run = []
        run.append(k)
        before = camera, seconds
    if len(run) > 1:
        yield run


def _alike(
    run: Sequence[int], seconds: Sequence[float], small: dict[int, Small]
) -> list[list[int]]:
    """Divide a run into stacks: each photograph joins the first that is recent and alike."""
    stacks: list[list[int]] = []
    for k in run:
        if k not in small:  # it cannot be read
            continue
        for stack in stacks:
            recent = seconds[k] - seconds[stack[-1]] <= SECONDS
            if recent and likeness(small[stack[0]], small[k]) >= ALIKE:
                stack.append(k)
                break
        else:
            stacks.append([k])
    return stacks


def likeness(one: Small, other: Small) -> float:
    """Return how far two small pictures correlate, the one moved against the other as fits best.

    A hand moves between two photographs, by a tenth of the picture at most.

    >>> picture = np.random.default_rng(0).random((20, 20, 3)).astype(np.float32)
    >>> round(likeness(picture, np.roll(picture, 2, axis=1)), 2)
    1.0
    >>> likeness(picture, 1 - picture) < 0.3
    True
    """
    best = -1.0
    for down in range(-_MOVED, _MOVED + 1):
        for right in range(-_MOVED, _MOVED + 1):
            a, b = _overlap(one, down, right), _overlap(other, -down, -right)
            a, b = a - a.mean(), b - b.mean()
            size = float(np.linalg.norm(a) * np.linalg.norm(b))
            # Of one colour each, or nearly: nothing can be told.
            best = max(best, float((a * b).sum()) / size if size > 1e-6 else -1.0)
    return best


def _overlap(picture: Small, down: int, right: int) -> npt.NDArray[np.float64]:
    height, width = picture.shape[:2]
    rows = slice(max(down, 0), height + min(down, 0))
    columns = slice(max(right, 0), width + min(right, 0))
    return picture[rows, columns].astype(np.float64)


def _small_pictures(files: Sequence[Path], digests: Sequence[bytes]) -> dict[int, Small]:
    """Return a small picture of every photograph that can be read."""

    def compute(missing: list[int]) -> Iterator[tuple[int, npt.NDArray[np.float32] | None]]:
        for k in missing:
            try:
                yield k, small_picture(open_picture(files[k], _DECODED)).ravel()
            except Unreadable:
                yield k, None

    found = cached("burst-1", digests, compute, width=_SIDE * _SIDE * 3)
    return {k: vector.reshape(_SIDE, _SIDE, 3) for k, vector in found.items()}


def small_picture(picture: object) -> Small:
    """Return a picture of Pillow's so small that only what is where in it can be told."""
    from PIL import Image

    assert isinstance(picture, Image.Image)
    shrunk = picture.convert("RGB").resize((_SIDE, _SIDE), Image.Resampling.BOX)
    return (np.asarray(shrunk) / 255).astype(np.float32)
