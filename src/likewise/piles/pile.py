"""A pile as it was found, and as items once copies are put together and features are there."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from likewise.errors import DataError
from likewise.features.cache import Progress
from likewise.features.feature_views import FeatureViews
from likewise.features.records import Records
from likewise.features.regions import PictureRegion
from likewise.items import FrameRows, Items, Matrix
from likewise.items.digests import content_fingerprint
from likewise.items.encoders import Encoder

# Features of the items at some positions; items that turn out to be unusable are not in the dict.
ComputeFeatures = Callable[[list[int], Progress | None], "Features"]


@dataclass(frozen=True)
class Features:
    """The features of those positions that have any, and what there is to say about them.

    Parameters
    ----------
    positions : list of int
        Which of the positions asked for; the others turned out to be unusable.
    matrix : array or csr_matrix (len(positions), d)
        Their features, in that order.
    notes : list of str
        Sentences for the user.
    views : FeatureViews, optional
        Of which `matrix` is the mixture, where there are several.
    """

    positions: list[int]
    matrix: Matrix
    notes: list[str] = field(default_factory=list)
    views: FeatureViews | None = None


@dataclass(frozen=True)
class Contents:
    """What a reader has found, before anything is computed.

    Parameters
    ----------
    noun : str
        What one item is called: "picture", "face", "text", "row", "vector".
    ids : list of str
        The items' names.
    digests : list of bytes
        Of what each item holds; equal ones are copies.
    features : callable
        Makes the features of some positions; slow, and only called for one of each copies.
    compared_by : str
        The end of a sentence: "compared by height, colour".
    ahead : callable, optional
        Computes into the cache what is slow about the features of some positions; None: nothing is.
    n_later : int
        How many items there are beside these, which take long and are to join later.
    named_by : str, optional
        What the ids are; None: the items' numbers in the pile, "": they need no explanation.
    rows, texts, pictures : sequences, optional
        What to show of each item.
    notes : list of str
        Sentences for the user.
    by_content : bool
        Whether features may differ by a hair between machines, so that items are recognised by what
        they hold.
    records : Records, optional
        The rows of a table that is compared by its columns.
    encoder : Encoder, optional
        How the features are made, for items that come later.
    prepare : callable, optional
        The same for vectors: brings further rows into the same units.
    """

    noun: str
    ids: list[str]
    digests: list[bytes]
    features: ComputeFeatures
    compared_by: str
    ahead: Callable[[list[int]], object] | None = None
    n_later: int = 0
    named_by: str | None = None
    rows: FrameRows | None = None
    texts: Sequence[str] | None = None
    pictures: Sequence[Path | PictureRegion] | None = None
    notes: list[str] = field(default_factory=list)
    by_content: bool = False
    records: Records | None = None
    encoder: Encoder | None = None
    prepare: Callable[[Any], Matrix] | None = None


@dataclass(frozen=True)
class Pile:
    """Items, and what a person should know about how they were read.

    Parameters
    ----------
    path : Path
        The folder or file.
    items : Items
        What is grouped.
    digests : list of bytes
        Of what each item holds; empty for representatives.
    noun : str
        What one item is called: "picture", "face", "text", "row", "vector".
    compared_by : str
        The end of a sentence: "compared by height, colour".
    named_by : str or None
        What the ids are; None: the items' numbers in the pile, "": they need no explanation.
    notes : list of str
        Sentences for the user: what was guessed, left out or put together.
    changes : list of str
        Those of the notes that say what has changed since the study was last gone on with.
    altered : list of str
        The ids of items with other content than was answered about.
    n_later : int
        How many further items there are whose features take long: they join when it is read again.
    """

    path: Path
    items: Items
    digests: list[bytes]
    noun: str
    compared_by: str
    named_by: str | None
    notes: list[str]
    changes: list[str] = field(default_factory=list)
    altered: list[str] = field(default_factory=list)
    n_later: int = 0

    def names(self) -> list[str]:
        """Return what to call each item.

        >>> from likewise.items import Items
        >>> items = Items.of([[0.0], [1.0]])
        >>> Pile(Path("t.csv"), items, [], "row", "", None, []).names()
        ['row 0', 'row 1']
        """
        if self.named_by == "":  # a file's name needs no explanation
            of = {k: f" (one of {len(others) + 1})" for k, others in self.items.stacks.items()}
            return [f"{name}{of.get(k, '')}" for k, name in enumerate(self.items.ids)]
        word = self.noun if self.named_by is None else self.named_by
        return [f"{word} {name}" for name in self.items.ids]


def about_scaling(done: str) -> list[str]:
    """Return what to say about `Items.scaling`, with how to choose otherwise; nothing if asked for.

    >>> about_scaling("numbers are compared as they are, since the columns spread alike")
    ['numbers are compared as they are, since the columns spread alike; --scaling columns brings
      each to unit variance']
    """
    if not done or done.endswith("as asked for"):
        return []
    if done.startswith("every column"):
        return [f"{done}; --scaling none compares them as they are"]
    return [f"{done}; --scaling columns brings each to unit variance"]


def assemble(
    path: Path,
    contents: Contents,
    *,
    vectors: npt.NDArray[np.float64] | None = None,
    near_duplicates: Callable[[list[int]], Mapping[int, int]] | None = None,
    stacks: Callable[[list[int]], Mapping[int, int]] | None = None,
    collapse: bool = True,
    progress: Progress | None = None,
) -> Pile:
    """Assemble the pile of what was found: copies collapsed, features computed for one of each.

    Parameters
    ----------
    path : Path
        Where it was found.
    contents : Contents
        What the reader found.
    vectors : array (n, d), optional
        Features for everything found, in its order; then none are computed.
    near_duplicates : callable, optional
        Finds near duplicates: which position is almost which earlier one.
    stacks : callable, optional
        Finds bursts: which position is shown as which other one.
    collapse : bool
        Without it, copies remain items of their own.
    progress : callable, optional
        Called with how many features are done, of how many.

    Raises
    ------
    DataError
        If fewer than two different items are left.
    """
    notes = list(contents.notes)
    first = _first_of_equal(contents.digests) if collapse else list(range(len(contents.ids)))
    kept = [k for k, earlier in enumerate(first) if k == earlier]
    if near_duplicates is not None:
        almost = near_duplicates(kept)
        first = [almost.get(k, k) for k in first]
        kept = [k for k in kept if k not in almost]
    stacked = {} if stacks is None else stacks(kept)
    if stacked and len(kept) - len(stacked) < 2:
        notes.append("all photographs are of one burst, so they are not stacked")
        stacked = {}
    first = [stacked.get(k, k) for k in first]
    kept = [k for k in kept if k not in stacked]
    _require_different(path, contents.noun, len(kept), len(first) - len(kept), notes)
    made = contents.features(kept, progress) if vectors is None else Features(kept, vectors[kept])
    notes += made.notes
    copies: dict[int, list[str]] = {}
    place = {k: position for position, k in enumerate(made.positions)}
    for k, earlier in enumerate(first):
        if k != earlier and earlier in place:
            copies.setdefault(place[earlier], []).append(contents.ids[k])
    in_stacks: dict[int, list[tuple[str, Path]]] = {}
    for k, shown in stacked.items():
        picture = None if contents.pictures is None else contents.pictures[k]
        if shown in place and isinstance(picture, Path):
            in_stacks.setdefault(place[shown], []).append((contents.ids[k], picture))
    n_stacked = sum(map(len, in_stacks.values()))
    n_copies = sum(map(len, copies.values()))
    _require_different(path, contents.noun, len(made.positions), n_copies, notes)
    if n_copies > n_stacked:
        near = near_duplicates is not None
        notes.append(_about_copies(n_copies - n_stacked, contents.noun, near))
    if stacks is not None:
        notes.append(_about_stacks(len(in_stacks), n_stacked))
    if contents.n_later:
        notes.append(f"{contents.n_later:,} more join as they are read")
    chosen, pictures = np.array(made.positions, dtype=np.int64), contents.pictures
    digests = [contents.digests[k] for k in made.positions]
    items = Items(
        features=made.matrix,
        views=made.views,
        ids=[contents.ids[k] for k in made.positions],
        rows=None if contents.rows is None else contents.rows.take(chosen),
        texts=None if contents.texts is None else [contents.texts[k] for k in made.positions],
        pictures=None if pictures is None else [pictures[k] for k in made.positions],
        copies=copies,
        stacks=in_stacks,
        digests=digests,
        content=content_fingerprint(digests) if contents.by_content else "",
        records=None if contents.records is None else contents.records.take(chosen),
        encoder=contents.encoder,
        prepare=contents.prepare,
    )
    return Pile(
        path,
        items,
        digests,
        contents.noun,
        contents.compared_by,
        contents.named_by,
        notes,
        n_later=contents.n_later,
    )


def _first_of_equal(digests: Sequence[bytes]) -> list[int]:
    first: dict[bytes, int] = {}
    return [first.setdefault(value, k) for k, value in enumerate(digests)]


def _require_different(path: Path, noun: str, n: int, n_copies: int, notes: Sequence[str]) -> None:
    if n >= 2:
        return
    if n_copies:
        raise DataError(
            f"all {n_copies + 1} {noun}s of {path} are equal; grouping needs at least 2 items "
            "that differ"
        )
    about = f" ({'; '.join(notes)})" if notes else ""
    raise DataError(
        f"grouping needs at least 2 items but got {n} in {path}{about}; add {noun}s to it"
    )


def _about_stacks(n: int, n_others: int) -> str:
    """Say how many photographs are shown as stacks.

    >>> _about_stacks(2, 5)
    '7 photographs taken within seconds look alike: they are 2 stacks, each asked about as one;
      labels list them all'
    """
    if not n:
        return "no photographs that were taken within seconds look alike, so there are no stacks"
    stacks = "1 stack," if n == 1 else f"{n:,} stacks, each"
    return (
        f"{n + n_others:,} photographs taken within seconds look alike: they are {stacks} asked "
        "about as one; labels list them all"
    )


def _about_copies(n: int, noun: str, near: bool) -> str:
    equal = "equal or nearly equal to" if near else "exactly equal to"
    subject = f"1 {noun} is" if n == 1 else f"{n:,} {noun}s are"
    return f"{subject} {equal} another and will not be asked about; labels list them all"
