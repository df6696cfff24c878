"""When, where and with what photographs were taken, as cameras write it into their files (EXIF)."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from likewise.features.decoding import read_exif
from likewise.features.pictures.threads import in_threads

Floats = npt.NDArray[np.float64]

_EXIF, _GPS = 0x8769, 0x8825  # where tags of the camera and of the place are
_TIMES = (0x9003, 0x9004)  # when it was taken, when it was stored
_MAKER, _MODEL = 0x010F, 0x0110
_FEWEST = 0.25  # of the photographs that must say it for a view of it
_CAMERAS = 20  # that are told apart
_MINUTE = 60.0


@dataclass(frozen=True)
class Taken:
    """What a camera wrote about a photograph; None for what it did not.

    Parameters
    ----------
    seconds : float, optional
        When, in seconds of the camera's clock.
    place : tuple of two float, optional
        Where, in degrees north and east.
    camera : str, optional
        With what: maker and model.
    """

    seconds: float | None = None
    place: tuple[float, float] | None = None
    camera: str | None = None


def taken_views(files: Sequence[Path]) -> dict[str, Floats]:  # (n, any) each
    """Return what of "time", "place" and "camera" enough of the photographs say, as features."""
    found = in_threads(read_taken, files)
    views = {
        "time": _times([one.seconds for one in found]),
        "place": _places([one.place for one in found]),
        "camera": _cameras([one.camera for one in found]),
    }
    return {name: view for name, view in views.items() if view is not None}


def read_taken(file: Path) -> Taken:
    """Read what a camera wrote into a file; whatever is damaged or absurd counts as not there."""
    tags = read_exif(file)
    if tags is None:
        return Taken()
    inner, place = (_inside(tags, where) for where in (_EXIF, _GPS))
    times = (_seconds(inner.get(tag)) for tag in _TIMES)
    return Taken(
        next((one for one in times if one is not None), None),
        _position(place),
        _camera(tags.get(_MAKER), tags.get(_MODEL)),
    )


def _inside(tags: Any, where: int) -> dict[int, Any]:
    try:
        return dict(tags.get_ifd(where))
    except Exception:  # noqa: BLE001 - a damaged block may raise anything
        return {}


def _seconds(written: Any) -> float | None:
    """Return a time as EXIF has it in seconds; cameras whose clock was never set say 0000.

    >>> _seconds("2024:05:01 12:00:00") - _seconds("2024:05:01 11:59:00")
    60.0
    >>> _seconds("0000:00:00 00:00:00")
    """
    try:
        when = datetime.strptime(str(written).strip("\0 ")[:19], "%Y:%m:%d %H:%M:%S")
    except ValueError:
        return None
    return (when - datetime(1970, 1, 1)).total_seconds()


def _position(tags: dict[int, Any]) -> tuple[float, float] | None:
    """Return degrees north and east of what GPS tags say; 0, 0 is what broken ones say."""
    try:
        north, east = (
            sum(float(part) / 60**k for k, part in enumerate(tags[at])) * (-1 if side in far else 1)
            for at, side, far in ((2, str(tags[1])[:1], "Ss"), (4, str(tags[3])[:1], "Ww"))
        )
    except Exception:  # noqa: BLE001 - a damaged block may hold anything
        return None
    is_place = abs(north) <= 90 and abs(east) <= 180 and (north, east) != (0.0, 0.0)
    return (north, east) if is_place else None


def _camera(maker: Any, model: Any) -> str | None:
    words = [str(word).strip("\0 ") for word in (maker, model) if isinstance(word, str)]
    return " ".join(filter(None, words)) or None


def _times(seconds: Sequence[float | None]) -> Floats | None:
    """Return how far along the pile each photograph was taken, pauses on a scale of logarithms.

    So photographs of a minute lie close to each other, those of a day closer than those of a year,
    and a long pause does not make all that lies between two of them equal.
    """
    known = np.array([one is not None for one in seconds])
    times = np.array([0.0 if one is None else one for one in seconds])
    order = np.flatnonzero(known)[np.argsort(times[known], kind="stable")]
    if not _says_enough(known, len(np.unique(times[known]))):
        return None
    along = np.zeros(len(times))
    along[order[1:]] = np.cumsum(np.log1p(np.diff(times[order]) / _MINUTE))
    return _with_unknown(along[:, None], known)


def _places(places: Sequence[tuple[float, float] | None]) -> Floats | None:
    """Return where on a ball each photograph was taken: near is near, also across the date line."""
    known = np.array([one is not None for one in places])
    if not _says_enough(known, len(set(places) - {None})):
        return None
    north, east = np.radians([(0.0, 0.0) if one is None else one for one in places]).T
    across = np.cos(north)
    ball = np.column_stack([across * np.cos(east), across * np.sin(east), np.sin(north)])
    return _with_unknown(ball, known)


def _cameras(cameras: Sequence[str | None]) -> Floats | None:
    """Return a column per camera, of those that took most."""
    known = np.array([one is not None for one in cameras])
    names = [name for name, _ in Counter(filter(None, cameras)).most_common(_CAMERAS)]
    if not _says_enough(known, len(names)):
        return None
    return np.array([[float(one == name) for name in names] for one in cameras])


def _says_enough(known: npt.NDArray[np.bool_], n_different: int) -> bool:
    return n_different > 1 and int(known.sum()) >= math.ceil(_FEWEST * len(known))


def _with_unknown(columns: Floats, known: npt.NDArray[np.bool_]) -> Floats:
    """Scale columns together; what is unknown is put aside, together and away from all else."""
    centred = columns - columns[known].mean(axis=0)
    spread = np.sqrt(centred[known].var(axis=0).sum())
    scaled = np.where(known[:, None], centred / max(float(spread), 1e-12), 0.0)
    if known.all():
        return scaled
    return np.column_stack([scaled, np.where(known, 0.0, 2 * np.abs(scaled).max())])
