"""Folders of this computer as a list to choose from: names alone, never what files hold."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import unquote, urlsplit

from likewise.errors import AnswerError
from likewise.piles.glance import reads
from likewise.piles.picture_files import SUFFIXES

_MOST = 500  # folders, and files, that are listed
_LIKELY = ("", "Desktop", "Downloads", "Documents", "Pictures", "Photos", "Bilder")


@dataclass
class ListedFolder:
    """A folder: what is in it that can be chosen.

    Attributes
    ----------
    path
        Where it really is: links are followed before anything is listed.
    folders, files
        The names of folders, and of files that can be piles.
    pictures
        How many pictures lie directly in it.
    others
        How many entries are not listed: hidden ones, links, names that are no text, too many.
    """

    path: Path
    folders: list[str] = field(default_factory=list)
    files: list[str] = field(default_factory=list)
    pictures: int = 0
    others: int = 0


def typed_path(text: str) -> Path:
    """Return the path that somebody has typed or pasted.

    >>> str(typed_path(' "/tmp/my photos" ')), str(typed_path("file:///tmp/a%20b"))
    ('/tmp/my photos', '/tmp/a b')
    """
    given = text.strip().strip("\"'").strip()
    if given.lower().startswith("file://"):
        given = unquote(urlsplit(given).path)
    try:
        path = Path(given).expanduser()
    except RuntimeError as error:
        raise AnswerError(
            f"nobody here is called as {given!r} says; give the whole path"
        ) from error
    if not given or not path.is_absolute():
        raise AnswerError(
            "give the whole path, from the root of the disk on, or choose from the list"
        )
    return path


def list_folder(path: Path) -> ListedFolder:
    """List a folder.

    Links are not listed, so that nobody ends up elsewhere than it looks; a link that is typed is
    followed first, and the place says where it led.

    Raises
    ------
    AnswerError
        If it is no folder, or may not be looked into.
    """
    try:
        place = ListedFolder(path.resolve(strict=True))
        with os.scandir(place.path) as entries:
            for entry in entries:
                _sort_in(entry, place)
    except NotADirectoryError as error:
        raise AnswerError(f"{path.name} is a file, not a folder") from error
    except (OSError, RuntimeError, ValueError) as error:
        said = getattr(error, "strerror", None) or "it leads in a circle"
        raise AnswerError(f"{path.name or path} cannot be looked into: {said}") from error
    for names in (place.folders, place.files):
        names.sort(key=str.casefold)
        place.others += max(len(names) - _MOST, 0)
        del names[_MOST:]
    return place


def _sort_in(entry: os.DirEntry[str], place: ListedFolder) -> None:
    """Put an entry where it belongs."""
    try:
        entry.name.encode()
        hidden = entry.name.startswith(".") or entry.is_symlink()
        if not hidden and entry.is_dir(follow_symlinks=False):
            place.folders.append(entry.name)
        elif not hidden and Path(entry.name).suffix.lower() in SUFFIXES:
            place.pictures += 1
        elif not hidden and reads(entry.name) and entry.is_file(follow_symlinks=False):
            place.files.append(entry.name)
        else:
            place.others += 1
    except (OSError, UnicodeEncodeError):
        place.others += 1


def find_dropped(
    name: str, sizes: Sequence[tuple[str, int]], places: Sequence[Path]
) -> Path | None:
    """Return where something lies that was dropped on the page; None if that cannot be told.

    A browser tells the names and sizes of what was dropped, not where it is. So it is looked for
    where people keep things, and taken only if what is there has these files of these sizes.

    Parameters
    ----------
    name
        The name of the folder or file.
    sizes
        Names, within it if it is a folder, and sizes in bytes of some of its files.
    places
        Folders to look in besides those that most people have.
    """
    if not name or name in (".", "..") or "/" in name or "\\" in name or "\0" in name:
        return None
    homes = [*places, *(Path.home() / one for one in _LIKELY)]
    found = {(home / name).resolve() for home in homes if _holds(home / name, sizes)}
    return found.pop() if len(found) == 1 else None


def _holds(path: Path, sizes: Sequence[tuple[str, int]]) -> bool:
    """Return whether there is such a folder or file, with these files."""
    try:
        if not path.is_dir():
            return path.is_file() and all(path.stat().st_size == size for _, size in sizes)
        inside = [(path / one, size) for one, size in sizes if ".." not in Path(one).parts]
        return all(file.is_file() and file.stat().st_size == size for file, size in inside)
    except OSError:
        return False
