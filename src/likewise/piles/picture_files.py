"""Pictures: the files of a folder, or those that a column of a table names."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path

import numpy as np

from likewise.errors import DataError
from likewise.features import images, models
from likewise.features.base import FeatureModel
from likewise.features.cache import Progress, file_digests, known_file_digests
from likewise.features.faces.hint import about_faces
from likewise.features.pictures.raw_previews import SUFFIXES as RAW_PREVIEWS
from likewise.features.pictures.taken import taken_views
from likewise.items import FrameRows
from likewise.items.encodable import file_name
from likewise.items.encoders import PicturePileEncoder
from likewise.items.table_features import other_columns
from likewise.partitions.discover import PARTITIONED
from likewise.piles.first_reading import FirstReading
from likewise.piles.other_files import about_other_files, listed
from likewise.piles.pile import Contents, Features

SUFFIXES = (
    *(".jpg", ".jpeg", ".png", ".webp", ".gif", ".bmp", ".tif", ".tiff", ".heic", ".heif"),
    *RAW_PREVIEWS,
)
_LISTED = 5  # files named in one sentence
_ENOUGH = 200  # pictures that take some seconds to be seen
_LOOKS = "what is on them, edges, texture and colour"


def read_pictures(
    folder: Path, *, model: str | FeatureModel | None, first: FirstReading | None = None
) -> Contents:
    """Find the pictures in a folder and below it, named by their paths within it."""
    found, notes = picture_files(folder)
    require_pictures(folder, found, notes)
    ids, files = [name for name, _ in found], [file for _, file in found]
    return picture_contents(ids, files, "", _LOOKS, notes + about_faces(files), model, first=first)


def picture_contents(
    ids: list[str],
    files: list[Path],
    named_by: str | None,
    compared_by: str,
    notes: list[str],
    model: str | FeatureModel | None,
    *,
    rows: FrameRows | None = None,
    column: str | None = None,
    first: FirstReading | None = None,
) -> Contents:
    """Return pictures, compared by how they look; those that cannot be read are left out."""
    n_all = len(files)
    if first is not None:
        now = _read_first(ids, files, models.PICTURES if model is None else model, first)
        ids, files = [ids[k] for k in now], [files[k] for k in now]
        rows = None if rows is None else rows.take(np.array(now, dtype=np.int64))
    found = file_digests(files)
    # A file that cannot be read is nobody's copy.
    digests = [found.get(k, b"unreadable" + str(k).encode()) for k in range(len(files))]

    def seen_by(named: str | FeatureModel, kept: list[int], progress: Progress | None) -> Features:
        readable = [k for k in kept if k in found]
        paths, keys = [files[k] for k in readable], [digests[k] for k in readable]
        places, views = models.embed_pictures(named, paths, keys, progress)
        usable = [readable[place] for place in places]
        left_out = [k for k in kept if k not in set(usable)]
        about = [about_unreadable([ids[k] for k in left_out], [files[k] for k in left_out])]
        if not usable:
            raise DataError(f"{about[0]}; there is no picture left")
        views = views.beside(taken_views([files[k] for k in usable]))
        if rows is not None and column is not None:
            views = views.beside(other_columns(rows.take(np.array(usable)).narwhals, column))
        return Features(usable, views.whole, about if left_out else [], views.several)

    def ahead(some: list[int]) -> None:
        readable = [k for k in some if k in found]
        paths, keys = [files[k] for k in readable], [digests[k] for k in readable]
        models.picture_vectors(models.PICTURES if model is None else model, paths, keys)

    return Contents(
        noun="picture",
        ids=ids,
        digests=digests,
        features=partial(seen_by, models.PICTURES if model is None else model),
        ahead=ahead,
        n_later=n_all - len(files),
        compared_by=compared_by
        if model is None
        else f"{compared_by}, seen by {models.name_of(model)}",
        named_by=named_by,
        rows=rows,
        pictures=files,
        notes=notes,
        by_content=True,
        encoder=PicturePileEncoder(models.PICTURES if model is None else model, column),
    )


def _read_first(
    ids: list[str], files: list[Path], model: str | FeatureModel, first: FirstReading
) -> list[int]:
    """Return which pictures are read now; no other file is so much as opened."""
    known = known_file_digests(files)
    if first.misses(set(ids), {digest.hex() for digest in known.values()}):
        known = file_digests(files)  # it may have another name by now
    places = sorted(known)
    there = models.computed_before(model, [known[k] for k in places], of="pictures")
    computed = dict(zip(places, there, strict=True))
    return first.positions(
        ids,
        [computed.get(k, False) for k in range(len(files))],
        [known[k].hex() if k in known else "" for k in range(len(files))],
        _ENOUGH,
    )


def near_duplicates(
    files: Sequence[Path], digests: Sequence[bytes], kept: list[int]
) -> Mapping[int, int]:
    """Return which pictures are almost an earlier one, by a perceptual hash."""
    hashes = images.perceptual_hashes([files[k] for k in kept], [digests[k] for k in kept])
    return {kept[k]: kept[first] for k, first in images.nearly_equal(hashes).items()}


def require_pictures(folder: Path, found: Sequence[object], notes: Sequence[str]) -> None:
    """Refuse a folder in which no picture was found."""
    if not found:
        about = f" ({'; '.join(notes)})" if notes else ""
        # Whoever has tables there does not want to hear which pictures could be read.
        raise DataError(
            f"there are no pictures in {folder}{about}; "
            + (
                "rows are read from one file, or from a folder that holds nothing but several .csv "
                "or .npy files, or .parquet files: name the file, or move those of one pile into "
                "a folder of their own, without folders in it"
                if _holds_rows(folder)
                else f"likewise reads {', '.join(suffix[1:] for suffix in SUFFIXES)}"
            )
        )


def _holds_rows(folder: Path) -> bool:
    """Return whether any file in a folder, or in one of its folders, may be a table."""
    names = (name for _, _, names in os.walk(folder) for name in names)
    return any(Path(name).suffix.lower() in (*PARTITIONED, ".npy") for name in names)


def picture_files(folder: Path) -> tuple[list[tuple[str, Path]], list[str]]:
    """List the picture files below a folder, each with its name in it, and what was left out."""
    files: list[Path] = []
    raw: list[Path] = []
    others: list[Path] = []
    closed: list[str] = []
    outside: list[str] = []
    home = folder.resolve()

    def refused(error: OSError) -> None:
        closed.append(str(error.filename))

    for place, folders, names in os.walk(folder, onerror=refused, followlinks=False):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in names:
            file = Path(place, name)
            if name.startswith("."):
                continue
            if file.suffix.lower() not in SUFFIXES:
                others.append(file)
            elif file.is_symlink() and not is_within(file, home):
                outside.append(name)
            elif file.is_file():
                (raw if file.suffix.lower() in RAW_PREVIEWS else files).append(file)
    # A raw file is shown by its preview, unless a picture was made of it.
    stems = {str(file.with_suffix("")).lower() for file in files}
    for file in raw:
        (others if str(file.with_suffix("")).lower() in stems else files).append(file)
    notes = []
    if closed:
        notes.append(f"no permission to look into {listed(closed)}")
    if outside:
        notes.append(f"links that lead out of the folder are left out: {listed(outside)}")
    files.sort(key=lambda file: file.relative_to(folder).parts)
    names, rest = (
        [file_name(file.relative_to(folder).as_posix()) for file in some]
        for some in (files, others)
    )
    notes += about_other_files(rest, names)
    return list(zip(names, files, strict=True)), notes


def is_within(file: Path, home: Path) -> bool:
    """Return whether a file lies in a folder (resolved), links followed; it need not exist."""
    try:
        return file.resolve().is_relative_to(home)
    except (OSError, RuntimeError, ValueError):  # a circle of links, or no path at all
        return False


def about_unreadable(ids: list[str], files: list[Path]) -> str:
    """Say which pictures are left out, and why."""
    reasons = []
    for name, file in list(zip(ids, files, strict=True))[:_LISTED]:
        reasons.append(f"{name} ({images.why_unreadable(file)})")
    more = f" and {len(ids) - _LISTED:,} more" if len(ids) > _LISTED else ""
    subject = "1 picture is" if len(ids) == 1 else f"{len(ids):,} pictures are"
    return f"{subject} left out: {', '.join(reasons)}{more}"
