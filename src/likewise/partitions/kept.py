"""Representatives that were found before: reading a large table again takes no second time.

They are kept in the folder of the cache, by the files they were found in and what was asked for, as
arrays and JSON. Beside them lie the parts into which CSV files were written. The cache can be
deleted at any time; what was found longest ago goes by itself.
"""

from __future__ import annotations

import hashlib
import json
import os
from contextlib import suppress
from dataclasses import asdict
from glob import glob
from pathlib import Path
from shutil import rmtree
from typing import Any
from uuid import uuid4
from weakref import finalize
from zipfile import BadZipFile

import numpy as np

from likewise.features.cache import folder as cache_folder
from likewise.items import Units
from likewise.partitions._assignments import RowAssigner
from likewise.partitions._local_kmeans import CentredUnits
from likewise.partitions._row_units import RowUnits
from likewise.partitions.partition import NumpyPartition, ParquetPartition
from likewise.partitions.representative_items import RepresentativeItems

try:
    import fcntl
except ImportError:  # pragma: no cover - Windows has no fcntl; there what was wanted last is left
    fcntl = None  # type: ignore[assignment]

_VERSION = 3  # raised when the same files would have other representatives
_FOLDER, _IN_USE = "parts", "in-use"
_MOST = 8  # piles of which representatives are kept
_WORTH_IT = 1_000_000  # bytes; of less, representatives are found in a second or two
_PARTS: dict[str, Any] = {"ParquetPartition": ParquetPartition, "NumpyPartition": NumpyPartition}


def place_for(source: Any, *wanted: Any) -> Path | None:
    """Return where representatives of these files are kept, or are to be; None: nowhere.

    Files of this machine are known by name, size and time of change; what comes from elsewhere,
    or from memory, is not known again.
    """
    if not isinstance(source, str | Path) or "://" in str(source):
        return None
    path = Path(source)
    try:
        names = sorted(glob(str(path / "*" if path.is_dir() else path)))
        stats = [(os.path.abspath(name), os.stat(name)) for name in names]
        if sum(one.st_size for _, one in stats) < _WORTH_IT:
            return None
        known = [(name, one.st_size, one.st_mtime_ns) for name, one in stats]
        key = hashlib.blake2b(repr((_VERSION, known, wanted)).encode(), digest_size=16)
        place = cache_folder() / _FOLDER / key.hexdigest()
        place.mkdir(parents=True, exist_ok=True)
    except (OSError, UnicodeEncodeError):  # a full disk costs time, nothing else
        return None
    return place


def place_within(place: Path | None, *known: Any) -> Path | None:
    """Return where representatives are kept that rest on these and on what is known of others."""
    if place is None:
        return None
    return place / hashlib.blake2b(repr(known).encode(), digest_size=16).hexdigest()


def own_folder(place: Path) -> Path:
    """Return a folder there for files that nobody else writes."""
    folder = place / uuid4().hex
    folder.mkdir()
    return folder


class InUse:
    """Says to all programs that somebody needs a place, for as long as this object lives."""

    def __init__(self, place: Path) -> None:
        self.place = place
        with suppress(OSError):
            file = os.open(place / _IN_USE, os.O_RDWR | os.O_CREAT)
            finalize(self, os.close, file)
            if fcntl is not None:
                fcntl.flock(file, fcntl.LOCK_SH)

    def __reduce__(self) -> tuple[Any, ...]:
        return InUse, (self.place,)


def _is_in_use(place: Path) -> bool:
    try:
        file = os.open(place / _IN_USE, os.O_RDWR)
    except OSError:
        return False
    try:
        if fcntl is not None:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return True
    finally:
        os.close(file)
    return False


def load_kept(
    place: Path, *, client: Any, n_jobs: int, keep_alive: Any = None
) -> RepresentativeItems | None:
    """Return the representatives that are kept there; None if they are not, or not whole."""
    try:
        with (place / "arrays.npz").open("rb") as file:
            found = dict(np.load(file, allow_pickle=False))
        said = json.loads((place / "items.json").read_text(encoding="utf-8"))
        units = Units(found["mean"], found["spread"], said["why"])
        frame = CentredUnits(units, found["origin"])
        assigners = []
        for k, (kind, fields, first) in enumerate(said["parts"]):
            lists = {
                name: tuple(one) if isinstance(one, list) else one for name, one in fields.items()
            }
            part = _PARTS[kind](**lists)
            if not Path(part.path).is_file():
                return None
            centres, candidates, shown = (
                found[f"{name}-{k}"] for name in ("centres", "candidates", "shown")
            )
            assigners.append(
                RowAssigner(
                    part, frame, centres, candidates, found["representatives"], first, shown
                )
            )
        items = RepresentativeItems(
            features=found["features"],
            ids=said["ids"],
            rows=said["rows"],
            texts=said["texts"],
            digests=[row.tobytes() for row in found["digests"]],
            content=said["content"],
            prepare=RowUnits.of(assigners[0].part, units),
            sizes=found["sizes"],
            rows_digest=bytes.fromhex(said["rows_digest"]),
            partitions=assigners,
            client=client,
            n_jobs=n_jobs,
            keep_alive=keep_alive,
            kept_in=place if place.parent.name == _FOLDER else None,
        )
    except (OSError, ValueError, KeyError, TypeError, BadZipFile):
        return None
    with suppress(OSError):
        os.utime(place)  # it was wanted
    return items


def keep(items: RepresentativeItems, place: Path) -> None:
    """Keep representatives, in one piece; that the disk is full is no reason to stop."""
    first = items.partitions[0]
    frame = first.frame
    arrays = {
        "features": items.features, "sizes": items.sizes, "mean": frame.units.mean,
        "spread": frame.units.spread, "origin": frame.origin,
        "representatives": first.representatives,
        "digests": np.array([list(one) for one in items.digests], dtype=np.uint8),
    }  # fmt: skip
    parts = []
    for k, one in enumerate(items.partitions):
        arrays[f"centres-{k}"], arrays[f"candidates-{k}"] = one.centres, one.candidates
        arrays[f"shown-{k}"] = one.shown
        if type(one.part).__name__ not in _PARTS:
            return
        parts.append((type(one.part).__name__, asdict(one.part), one.first))  # type: ignore[call-overload]
    said = {
        "why": frame.units.why, "ids": list(items.ids), "parts": parts,
        "rows": None if items.rows is None else [dict(row) for row in items.rows],
        "texts": None if items.texts is None else list(items.texts),
        "content": items.content, "rows_digest": items.rows_digest.hex(),
    }  # fmt: skip
    with suppress(OSError, UnicodeEncodeError):
        text = json.dumps(said, default=str)
        (place / "items.tmp").write_text(text, encoding="utf-8")
        with (place / "arrays.tmp").open("wb") as file:
            np.savez(file, **arrays)  # type: ignore[arg-type]
        (place / "arrays.tmp").replace(place / "arrays.npz")
        (place / "items.tmp").replace(place / "items.json")
        if place.parent.name == _FOLDER:
            _forget_oldest(place.parent)


def _forget_oldest(folder: Path) -> None:
    """Leave those that were wanted last, and those whose parts may still be read."""
    places = sorted(folder.iterdir(), key=lambda one: one.stat().st_mtime)
    for place in places[:-_MOST]:
        if not _is_in_use(place):
            rmtree(place, ignore_errors=True)
