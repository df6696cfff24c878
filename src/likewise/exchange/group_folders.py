"""Groups as folders: pictures copied or linked, or a file of texts or rows for each group.

What would be written is planned first, so that it can be shown; nothing is ever overwritten.
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import count
from pathlib import Path

from likewise.errors import DataError, StoreError
from likewise.exchange.annotations import NONE, Annotations
from likewise.exchange.group_table import group_table
from likewise.exchange.spreadsheet_cells import csv_text
from likewise.features.regions import PictureRegion, file_of, whole_name
from likewise.items import Items
from likewise.items.encodable import encodable
from likewise.partitions import RepresentativeItems

_NAME_BYTES = 200  # of a group's name in that of its folder


@dataclass(frozen=True)
class PlannedFile:
    """A file that is to be: its name, and the file it is made from, or its content."""

    name: str
    source: Path | bytes


@dataclass(frozen=True)
class PlannedGroup:
    """What is to be written of one group.

    Parameters
    ----------
    group : int
        The group's number.
    folder : str
        The folder of its files; "" where the group is one file, which is called after it.
    inside : tuple of str
        The folders of the collection it lies in, the outermost first.
    size : int
        How many things of the pile are in it, copies too, and those that only also belong to it.
    files : tuple of PlannedFile
        What is written.
    """

    group: int
    folder: str
    size: int
    files: tuple[PlannedFile, ...]
    inside: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """What is found in the target folder, or in the folders of a collection in it."""
        return "/".join([*self.inside, self.folder or self.files[0].name])

    @property
    def folders(self) -> list[Path]:
        """The folders that its files need, from the target on; the outermost first."""
        parts = (*self.inside, *([self.folder] if self.folder else []))
        return [Path(*parts[: n + 1]) for n in range(len(parts))]


@dataclass(frozen=True)
class FolderPlan:
    """All that is to be written, a group after the other.

    Parameters
    ----------
    noun : str
        What the pile consists of: "picture", "text" or "row".
    groups : tuple of PlannedGroup
        By their numbers.
    pile : Path, optional
        The folder in which the pictures lie, if it is one folder: nothing is written into it.
    """

    noun: str
    groups: tuple[PlannedGroup, ...]
    pile: Path | None = None

    @property
    def n_files(self) -> int:
        """How many files are to be written."""
        return sum(len(group.files) for group in self.groups)


def no_folders_of(items: RepresentativeItems) -> str:
    """Return the sentence about rows that are too many for a file per group."""
    return (
        f"a file per group is not written of {items.n_rows:,} rows, most of which others stand "
        "for; --out FILE.csv or a folder has the group of each"
    )


def plan_folders(
    items: Items,
    labels: Sequence[int],
    names: Mapping[int, str],
    confidence: Sequence[float],
    noted: Annotations = NONE,
) -> FolderPlan:
    """Plan a folder of pictures, or a file of texts or rows, for each group.

    Collections are folders in which those of their groups lie; what belongs to further groups is in
    each of them.

    Parameters
    ----------
    items : Items
        What was grouped.
    labels, confidence : sequences
        The group of each item, and how sure that is.
    names : mapping
        What groups are called, by their numbers.
    noted : Annotations
        What was noted of items and groups.

    Raises
    ------
    DataError
        If the items are neither files nor texts nor rows, or stand for many rows.
    """
    if isinstance(items, RepresentativeItems):
        raise DataError(no_folders_of(items))
    members: dict[int, list[tuple[str, int]]] = {}
    for original, k in items.originals():
        members.setdefault(int(labels[k]), []).append((original, k))
    numbers = sorted(members)
    for original, k in items.originals():
        for further in noted.also.get(k, ()):
            members.setdefault(further, []).append((original, k))
    inside = _collection_folders(numbers, noted)
    if items.pictures is not None and all(file_of(one) is not None for one in items.pictures):
        groups = tuple(
            replace(_pictures(items, n, names.get(n, ""), members[n]), inside=inside[n])
            for n in numbers
        )
        return FolderPlan("picture", groups, _common_folder(items))
    if items.rows is not None:
        columns, rows = group_table(items, labels, names, confidence, noted.columns)
        row_of = dict(zip(items.originals(), rows, strict=True))
        files = {
            n: ("csv", csv_text(columns, [row_of[member] for member in members[n]]))
            for n in numbers
        }
    elif items.texts is not None:
        texts = items.texts
        files = {n: ("txt", "".join(f"{texts[k]}\n" for _, k in members[n])) for n in numbers}
    else:
        raise DataError(
            "only pictures that are files, texts and rows are sorted into folders; take the groups "
            "as a list"
        )
    written = [
        PlannedFile(
            f"{folder_name(n, names.get(n, ''))}.{files[n][0]}",
            files[n][1].encode(errors="surrogateescape"),
        )
        for n in numbers
    ]
    return FolderPlan(
        "text" if items.rows is None else "row",
        tuple(
            PlannedGroup(n, "", len(members[n]), (file,), inside[n])
            for n, file in zip(numbers, written, strict=True)
        ),
    )


def write_folders(plan: FolderPlan, to: Path, *, how: str = "copy") -> int:
    """Write what was planned into a new or empty folder; return how many files there are.

    Parameters
    ----------
    plan : FolderPlan
        What is written.
    to : Path
        The folder.
    how : {"copy", "link"}
        Whether pictures are copied, or symbolic links lead to where they are.

    Raises
    ------
    StoreError
        If the folder is in use or in the pile, or a file cannot be written; then everything that
        was written before is taken away again.
    """
    require_free(plan, to)
    made: list[Path] = []
    there: set[Path] = set()
    try:
        for folder in reversed([one for one in (to, *to.parents) if not one.exists()]):
            folder.mkdir()
            made.append(folder)
        for group in plan.groups:
            for inner in group.folders:
                if inner not in there:
                    (to / inner).mkdir()
                    made.append(to / inner)
                    there.add(inner)
            for file in group.files:
                made.append(to.joinpath(*group.inside, group.folder, file.name))
                try:
                    _write(file.source, made[-1], how)
                except FileExistsError:  # somebody else's, made meanwhile: it stays
                    made.pop()
                    raise
                except FileNotFoundError as error:
                    if isinstance(file.source, bytes) or file.source.exists():
                        raise
                    raise StoreError(
                        f"{file.source} is no longer there, so nothing was written; put it back, "
                        "or open the pile anew without it"
                    ) from error
    except OSError as error:
        _take_away(made)
        said = error.strerror or str(error)
        raise StoreError(f"{to} cannot be written: {said}; nothing was left there") from error
    except BaseException:
        _take_away(made)
        raise
    return plan.n_files


def require_free(plan: FolderPlan, to: Path) -> None:
    """Refuse a target that holds something, or that would make the pile grow by its own copies."""
    try:
        if to.is_symlink() and not to.exists():
            raise StoreError(f"{to} is a link that leads nowhere; give a new folder")
        if to.exists() and not to.is_dir():
            raise StoreError(f"{to} is a file; give a new folder, nothing is overwritten")
        if to.exists() and any(to.iterdir()):
            raise StoreError(f"{to} is not empty; give a new folder, nothing is overwritten")
        inside = plan.pile is not None and to.resolve().is_relative_to(plan.pile.resolve())
    except OSError as error:
        raise StoreError(f"{to} cannot be looked into: {error.strerror}") from error
    if inside:
        raise StoreError(
            f"{to} lies in the pile itself, which would grow by its own copies; give a folder "
            "outside it"
        )


def folder_name(group: int, name: str) -> str:
    """Return a folder's name for a group, with the group's name as far as file systems allow.

    >>> folder_name(3, "cats / dogs"), folder_name(0, "")
    ('3 cats - dogs', '0')
    """
    return f"{group} {_safe(name)}".strip(" .")


def _collection_folders(groups: Sequence[int], noted: Annotations) -> dict[int, tuple[str, ...]]:
    """Return the folders of the collection that each group lies in, the outermost first.

    Names that differ in case alone are one folder, since some file systems ignore case.
    """
    spelled: dict[tuple[str, ...], str] = {}
    found: dict[int, tuple[str, ...]] = {}
    for group in groups:
        names = [_level_name(level) for level in noted.collections.get(group, ())]
        folded = tuple(name.casefold() for name in names)
        found[group] = tuple(
            spelled.setdefault(folded[: n + 1], name) for n, name in enumerate(names)
        )
    return found


def _level_name(level: str) -> str:
    """Return a folder's name for a level of a collection.

    >>> _level_name("cats: big"), _level_name("..")
    ('cats - big', 'collection')
    """
    return _safe(level).strip(" .") or "collection"


def _safe(name: str) -> str:
    """Return a name as far as file systems allow it in that of a folder; may be empty."""
    safe = re.sub(r'\s*[/\\\\:*?"<>|\x00-\x1f]+\s*', " - ", name).strip(" .-")
    # File systems count bytes: eighty letters may be more of them than a name can have.
    return encodable(safe)[:80].encode()[:_NAME_BYTES].decode(errors="ignore")


def _pictures(
    items: Items, group: int, name: str, members: Sequence[tuple[str, int]]
) -> PlannedGroup:
    """Plan the folder of a group of pictures; names that occur twice are numbered.

    Of parts of pictures, such as faces, the whole picture is in the folder of every group that has
    a part of it, once.
    """
    assert items.pictures is not None
    taken: set[str] = set()
    wholes: set[Path] = set()
    files = []
    for original, k in members:
        called = _file_name(items.pictures[k], original)
        source = _source(items, called, k)
        if called != original and source in wholes:
            continue  # somebody is on it twice, in a mirror say
        wholes.add(source)
        files.append(PlannedFile(_free(Path(called).name or source.name, taken), source))
    return PlannedGroup(group, folder_name(group, name), len(members), tuple(files))


def _file_name(picture: object, named: str) -> str:
    """Return what the file is called that an item of this name is in."""
    return whole_name(named) if isinstance(picture, PictureRegion) else named


def _source(items: Items, original: str, k: int) -> Path:
    """Return the file of an item, or that of a copy, which lies in the same folder of pictures."""
    assert items.pictures is not None
    picture = file_of(items.pictures[k])
    assert picture is not None
    stacked = dict(items.stacks.get(k, ()))
    if original in stacked:
        return stacked[original]
    own = _file_name(items.pictures[k], items.ids[k])
    home = _home(picture, own)
    if original == own or home is None or not (home / original).is_file():
        return picture
    return home / original


def _home(picture: Path, own: str) -> Path | None:
    """Return the folder within which a picture is called by its id; None if it is called else."""
    parts = Path(own).parts
    return picture.parents[len(parts) - 1] if picture.parts[-len(parts) :] == parts else None


def _common_folder(items: Items) -> Path | None:
    """Return the folder in which all pictures are called by their ids."""
    assert items.pictures is not None
    homes = {
        None if (file := file_of(picture)) is None else _home(file, _file_name(picture, own))
        for picture, own in zip(items.pictures, items.ids, strict=True)
    }
    return homes.pop() if len(homes) == 1 else None


def _free(name: str, taken: set[str]) -> str:
    """Return a name that is not taken, numbered if it is; some file systems ignore case."""
    for tried in _numbered(name):
        if tried.casefold() not in taken:
            taken.add(tried.casefold())
            return tried
    raise AssertionError("names never run out")


def _numbered(name: str) -> Iterator[str]:
    """Yield the name, then the name with 2, 3 and so on."""
    yield name
    for number in count(2):
        yield f"{Path(name).stem} ({number}){Path(name).suffix}"


def _write(source: Path | bytes, to: Path, how: str) -> None:
    """Make one file; one that is there already is an error."""
    if isinstance(source, Path) and how == "link":
        to.symlink_to(source.resolve())
        return
    with to.open("xb") as file:
        if isinstance(source, bytes):
            file.write(source)
            return
        with source.open("rb") as original:
            shutil.copyfileobj(original, file)
    with suppress(OSError):  # some disks keep no times
        shutil.copystat(source, to)


def _take_away(made: Sequence[Path]) -> None:
    """Remove what was made, the last first; folders only as long as nothing else is in them."""
    for path in reversed(made):
        with suppress(OSError):
            path.rmdir() if path.is_dir() and not path.is_symlink() else path.unlink()
