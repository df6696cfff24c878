"""What lies between the pictures of a folder and cannot be read: named, never passed over.

Movies of live photographs, raw files of cameras, what programs for photographs leave beside them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import PurePath

MOVIES = (".mov", ".mp4", ".m4v", ".avi", ".mkv", ".3gp", ".webm", ".mts", ".mpg", ".mpeg")
RAW = (
    *(".cr2", ".cr3", ".crw", ".nef", ".nrw", ".arw", ".srf", ".sr2", ".dng", ".raf", ".orf"),
    *(".rw2", ".pef", ".srw", ".x3f", ".raw", ".rwl", ".iiq", ".3fr", ".erf", ".kdc"),
)
_LISTED = 5  # files named in one sentence


def about_other_files(others: Iterable[str], pictures: Iterable[str]) -> list[str]:
    """Say what was found besides pictures, in a sentence for each kind.

    Parameters
    ----------
    others : iterable of str
        The files that are not read, by their paths in the folder.
    pictures : iterable of str
        Those that are.

    Examples
    --------
    >>> about_other_files(["IMG_1.MOV", "beach.mp4", "list.txt"], ["IMG_1.HEIC"])
    ['1 movie is part of a live photograph and left out: IMG_1.MOV',
     '1 movie is left out, since movies are not read: beach.mp4', '1 file is no picture: list.txt']
    """
    stems = {_stem(name) for name in pictures}
    live: list[str] = []
    movies: list[str] = []
    developed: list[str] = []
    raw: list[str] = []
    rest: list[str] = []
    for name in sorted(others):
        suffix, beside = PurePath(name).suffix.lower(), _stem(name) in stems
        if suffix in MOVIES:
            (live if beside else movies).append(name)
        elif suffix in RAW:
            (developed if beside else raw).append(name)
        else:
            rest.append(name)
    notes = []
    if live:
        what = _n(
            live, "movie is part of a live photograph", "movies are parts of live photographs"
        )
        notes.append(f"{what} and left out: {listed(live)}")
    if movies:
        what = _n(movies, "movie is", "movies are")
        notes.append(f"{what} left out, since movies are not read: {listed(movies)}")
    if developed:
        what = _n(developed, "raw file is", "raw files are")
        notes.append(f"{what} left out for the picture of the same name: {listed(developed)}")
    if raw:
        what = _n(raw, "raw file of a camera is", "raw files of a camera are")
        notes.append(f"{what} not read (export JPEG from them): {listed(raw)}")
    if rest:
        notes.append(f"{_n(rest, 'file is no picture', 'files are no pictures')}: {listed(rest)}")
    return notes


def listed(names: Sequence[str]) -> str:
    """Return some names as part of a sentence, and how many more there are."""
    more = f" and {len(names) - _LISTED:,} more" if len(names) > _LISTED else ""
    return ", ".join(names[:_LISTED]) + more


def _stem(name: str) -> str:
    return str(PurePath(name).with_suffix("")).lower()


def _n(names: Sequence[str], one: str, several: str) -> str:
    return f"1 {one}" if len(names) == 1 else f"{len(names):,} {several}"
