"""What is grouped: the items' features, the names their owner gave them, and what to show of them.

Whatever a person brings (an array, a sparse matrix, a table of mixed columns, texts, a matrix of
similarities or distances) becomes `Items` here, checked once; nothing behind this file has to ask
again whether there are gaps or a single row.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp

from likewise._summaries import html_table, one_line
from likewise.errors import DataError
from likewise.features.feature_views import FeatureViews
from likewise.features.records import Records
from likewise.features.regions import PictureRegion
from likewise.items._matrices import (
    Matrix,
    as_csr,
    as_floats,
    blocks,
    doubles,
    require_columns,
    require_two,
    symmetric,
)
from likewise.items.encoders import Encoder
from likewise.items.frame_rows import FrameRows
from likewise.items.given import Table, Texts, table_or_texts
from likewise.items.labelling import numbered, shown_beside
from likewise.items.made import made_of_table, made_of_texts
from likewise.items.number_ranges import number_ranges
from likewise.items.units import SCALINGS, Units, require_scaling

_SHOWN = ("ids", "rows", "texts", "pictures")
_SHORT = 3  # ids that stand for all of them


@dataclass(frozen=True, repr=False)
class Items:
    """A pile: `features` (n, d), or a precomputed `affinity` or `distances` (n, n) instead.

    Use `Items.of`, `Items.from_affinity` or `Items.from_distances`; they check what they are given.

    Parameters
    ----------
    features : array or csr_matrix (n, d), optional
        What items are compared by, in units in which columns can be compared.
    affinity : array or csr_matrix (n, n), optional
        How alike two items are; larger is more alike. Given instead of features.
    distances : array (n, n), optional
        How far apart two items are. Given instead of features.
    ids : list of str
        The items' names, all different; their owner's where there are any.
    rows, texts, pictures : sequences, optional
        What to show of each item: cells by column name, a text, a picture (its file, a part of
        one, or its pixels as bytes (height, width) or (height, width, 3)). Without any, its number
        is all there is.
    copies : mapping of int to list of str
        By position, the ids of further items that are exactly equal to the one there.
    stacks : mapping of int to list of tuple
        By position, id and file of each further photograph of the same burst; their ids are among
        the copies, too.
    places : array of int (n,), optional
        By which numbers a journal knows the items; None: by their positions. They differ once items
        have vanished, of which only the journal still speaks.
    digests : sequence of bytes
        Of what each item holds, by which it is recognised; empty: by its row of numbers.
    content : str
        The fingerprint, where features may differ by a hair between machines; empty: it is
        computed.
    prepare : callable, optional
        Makes features of further rows, in the same units; None where rows alone do not say how.
    encoder : Encoder, optional
        How features were made of what is shown, so that those of further items can be made alike.
    scaling : str
        A sentence: whether columns were brought to unit variance, and why; empty where neither was
        in question.
    notes : sequence of str
        Sentences: what was guessed about a table, and what was filled in.
    records : Records, optional
        The rows of a table that is compared by its columns, in case that they are duplicates of
        each other.
    views : FeatureViews, optional
        Several views of each item, where there are more than one; `features` are their mixture.
    off : frozenset of str
        The names of the views that do not count; see `switched`.

    Examples
    --------
    >>> pile = Items.of([[0.0, 10.0], [1.0, 20.0], [2.0, 30.0]])
    >>> len(pile), pile.ids
    (3, ['0', '1', '2'])
    """

    features: Matrix | None = None
    affinity: Matrix | None = None
    distances: Matrix | None = None
    ids: list[str] = field(default_factory=list)
    rows: Sequence[Mapping[str, Any]] | None = None
    texts: Sequence[str] | None = None
    pictures: Sequence[Path | PictureRegion | npt.NDArray[np.uint8]] | None = None
    copies: Mapping[int, Sequence[str]] = field(default_factory=dict)
    stacks: Mapping[int, Sequence[tuple[str, Path]]] = field(default_factory=dict)
    places: npt.NDArray[np.int64] | None = None
    digests: Sequence[bytes] = ()
    content: str = ""
    prepare: Callable[[Any], Matrix] | None = field(default=None, compare=False, repr=False)
    encoder: Encoder | None = field(default=None, compare=False, repr=False)
    scaling: str = field(default="", compare=False)
    notes: Sequence[str] = field(default=(), compare=False)
    records: Records | None = field(default=None, compare=False)
    views: FeatureViews | None = field(default=None, compare=False)
    off: frozenset[str] = frozenset()

    @classmethod
    def of(
        cls,
        X: Any,
        *,
        ids: Sequence[Any] | None = None,
        texts: Sequence[str] | None = None,
        pictures: Sequence[Any] | None = None,
        scaling: str = "auto",
    ) -> Items:
        """Make items of anything with a row per item.

        Columns weigh the same whatever their unit: in an array or a table of numbers alone each is
        brought to unit variance, unless they evidently share one unit. They do if rows have length
        one (embeddings), if columns have the same range (pixels, ratings), if they spread alike
        (embeddings, maps), or if they look like principal components. `Items.scaling` says what
        was done. A sparse matrix stays as it is; of other tables every column weighs the same.

        A table is taken as `load_items` takes the same table in a file: a column called "id" with
        a different value in every row names the items, a column called "text" (or the only one)
        that holds texts is what they are compared by, and gaps in columns of numbers become the
        median. Without such a column the index of a pandas frame names the items, unless it only
        counts them. `Items.notes` says what was guessed.

        Parameters
        ----------
        X : array (n, d), sparse matrix (n, d), table, texts or Items
            A table is a frame of pandas, polars (lazy ones too), pyarrow (record batches too) or
            duckdb, a dataset of Hugging Face, a list of dicts, a dict of columns or a series, and
            may hold numbers, categories, dates and texts. Texts are a list or a series of them.
            Items are returned with what is given beside them. An array of single precision stays
            one, and is not copied, if it has more than 67 million numbers.
        ids : sequence of n, optional
            Names for the items, all different; they become text. Instead of those in a table.
        texts, pictures : sequences of n, optional
            What to show of each item beside what it is compared by: a text; the file of a picture,
            or its pixels as bytes (height, width) or (height, width, 3).
        scaling : {"auto", "columns", "none"}
            "columns" brings every column of numbers to unit variance, "none" none.

        Raises
        ------
        DataError
            If there are fewer than two rows, no columns, gaps or infinite numbers in a matrix, or
            if ids, texts and pictures are not one for each item, or ids not different.

        Examples
        --------
        >>> pile = Items.of([[0.0, 1.0], [1.0, 0.0]], ids=["doc-1", "doc-2"], texts=["One", "Two"])
        >>> pile.ids
        ['doc-1', 'doc-2']
        """
        require_scaling(scaling)
        items = X if isinstance(X, Items) else cls._made_of(X, scaling)
        if ids is None and texts is None and pictures is None:
            return items
        return replace(items, **shown_beside(len(items), ids, texts, pictures))

    @classmethod
    def _made_of(cls, X: Any, scaling: str, *, guess: bool = True) -> Items:
        """Make items of a sparse matrix, a table, texts or an array."""
        if sp.issparse(X):
            features: Matrix = as_csr(X)
            require_columns(features)
            prepare: Callable[[Any], Matrix] = as_csr
        elif (given := table_or_texts(X)) is not None:
            if isinstance(given, Texts):
                return cls(**made_of_texts(given))
            return cls(**made_of_table(given, scaling, guess=guess))
        else:
            features = as_floats(X)
            prepare = Units.of(features, scaling)
            features = prepare(features)
        require_two(features.shape[0])
        said = getattr(prepare, "why", "")
        ids = numbered(features.shape[0])
        return cls(features=features, ids=ids, prepare=prepare, scaling=said)

    @classmethod
    def recognised(cls, X: Any, fingerprint: str) -> Items:
        """Make items of `X` in those units in which they have a fingerprint; if none, the usual."""
        usual = cls.of(X)
        if fingerprint == usual.fingerprint():
            return usual
        if isinstance(X, Items):
            # Some journals of before know them by their numbers, where now what they hold counts.
            is_known = usual.content and fingerprint == _fingerprint(usual.data)
            return replace(usual, content="") if is_known else usual
        others = (cls.of(X, scaling=scaling) for scaling in SCALINGS if scaling != "auto")
        found = next((one for one in others if one.fingerprint() == fingerprint), None)
        return found or cls._without_guesses(X, fingerprint) or usual

    @classmethod
    def _without_guesses(cls, X: Any, fingerprint: str) -> Items | None:
        """Make items of a table by all its columns, as studies of version 0.1 were begun."""
        if not isinstance(table_or_texts(X), Table):
            return None
        for scaling in SCALINGS:
            items = cls._made_of(X, scaling, guess=False)
            if items.fingerprint() == fingerprint:
                return items
        return None

    @classmethod
    def from_views(
        cls, views: Mapping[str, Any], *, weights: Mapping[str, float] | None = None
    ) -> Items:
        """Make items that can be seen in several ways, of what there is of each.

        `auto` finds out from the answers which views count; other methods see the mixture of all.
        `Study.switch_views` leaves one out.

        Parameters
        ----------
        views : mapping of str to array, table or texts
            By the name of each view, what `Items.of` takes: rows in the same order.
        weights : mapping of str to float, optional
            The share of variance of each view in the mixture; 1 where none is given. A view of
            weight 0 is left out of it: only answers give it a say.

        Raises
        ------
        DataError
            If there is no view, a weight is not for one or negative, or they differ in length.

        Examples
        --------
        >>> colours, prices = [[0.0, 1.0], [0.1, 0.9], [1.0, 0.0]], [[5.0], [70.0], [6.0]]
        >>> pile = Items.from_views({"colour": colours, "price": prices})
        >>> list(pile.views.blocks), pile.switched(["colour"]).features.shape
        (['colour', 'price'], (3, 1))
        """
        from likewise.items.viewed import made_of_views

        made = {str(name): cls.of(one) for name, one in views.items()}
        return cls(**made_of_views(made, dict(weights or {})))

    @classmethod
    def from_affinity(cls, affinity: Any) -> Items:  # (n, n), sparse or dense, larger = more alike
        """Make items of how alike they are: symmetric, not negative, diagonal ignored.

        In a sparse matrix what is not stored counts as 0, not alike at all.
        """
        matrix = symmetric(affinity, "an affinity matrix")
        if matrix.min() < 0:
            raise DataError("an affinity matrix must not hold negative numbers; shift or clip it")
        return cls(affinity=matrix, ids=numbered(matrix.shape[0]))

    @classmethod
    def from_distances(cls, distances: Any) -> Items:  # (n, n), dense
        """Make items of a matrix of how far apart they are: symmetric, not negative.

        The matrix must be dense: a distance that is missing is not a distance of 0.
        """
        matrix = symmetric(distances, "a distance matrix")
        if sp.issparse(matrix):
            raise DataError("a distance matrix must be dense: a missing distance is not a zero")
        if matrix.min() < 0:
            raise DataError("a distance matrix must not hold negative numbers")
        return cls(distances=matrix, ids=numbered(matrix.shape[0]))

    def __len__(self) -> int:
        return int(self.data.shape[0])

    def __repr__(self) -> str:
        return one_line(type(self).__name__, self._facts())

    def _repr_html_(self) -> str:
        return html_table(type(self).__name__, self._facts())

    def _facts(self) -> dict[str, Any]:
        """Return what the pile is, without its numbers."""
        if all(matrix is None for matrix in (self.features, self.affinity, self.distances)):
            return {"ids": self.ids[:_SHORT]}
        compared = {"n_features": self.data.shape[1]} if self.features is not None else {}
        seen = {} if self.views is None else {"views": list(self.views.blocks)}
        shown = [name for name in _SHOWN[1:] if getattr(self, name) is not None]
        return {
            "n_items": len(self),
            **compared,
            **seen,
            "ids": [*self.ids[:_SHORT], *(["…"] if len(self.ids) > _SHORT else [])],
            **({"shown": shown} if shown else {}),
            **({"n_copies": n} if (n := sum(map(len, self.copies.values()))) else {}),
            **({"n_stacks": len(self.stacks)} if self.stacks else {}),
            **({"notes": list(self.notes)} if self.notes else {}),
        }

    @property
    def data(self) -> Matrix:
        """The one matrix there is: features, affinity or distances."""
        for matrix in (self.features, self.affinity, self.distances):
            if matrix is not None:
                return matrix
        raise DataError("items need features, an affinity matrix or a distance matrix")

    def originals(self) -> Iterator[tuple[str, int]]:
        """Yield the id of everything in the pile, copies too, with the position of its item.

        >>> list(Items(ids=["a", "b"], copies={0: ["a2"]}).originals())
        [('a', 0), ('a2', 0), ('b', 1)]
        """
        for k, name in enumerate(self.ids):
            yield name, k
            for copy in self.copies.get(k, ()):
                yield copy, k

    def switched(self, off: Collection[str]) -> Items:
        """Return the same items, compared without some of their views.

        Names of views that there are not say nothing; without any view left, all of them count.
        """
        names = self.off_of(off)
        if self.views is None or names == self.off:
            return self
        return replace(self, features=self.views.mixture(names), off=names)

    def off_of(self, names: Collection[str]) -> frozenset[str]:
        """Return which views are off where those of some names are to be."""
        there = frozenset(() if self.views is None else self.views.blocks)
        found = frozenset(names) & there
        return frozenset() if found == there else found

    @cached_property
    def views_on(self) -> Mapping[str, Matrix]:
        """The views that count, by name; empty where there is one only."""
        if self.views is None:
            return {}
        return {name: one for name, one in self.views.blocks.items() if name not in self.off}

    def take(self, positions: npt.NDArray[np.int64]) -> Items:
        """Return some of the items, in the order given.

        Fingerprint, places and the units of further rows are not taken along: it is another pile.
        """
        if self.features is None:
            square = self.data[positions][:, positions]
            matrix = {"affinity" if self.affinity is not None else "distances": square}
        else:
            matrix = {"features": doubles(self.features[positions])}
        shown = {name: _taken(getattr(self, name), positions) for name in _SHOWN}
        taken = list(enumerate(positions.tolist()))
        copies = {k: self.copies[p] for k, p in taken if p in self.copies}
        stacks = {k: self.stacks[p] for k, p in taken if p in self.stacks}
        digests = [self.digests[p] for p in positions.tolist()] if self.digests else []
        return Items(
            **matrix,
            **shown,
            copies=copies,
            stacks=stacks,
            digests=digests,
            records=None if self.records is None else self.records.take(positions),
            views=None if self.views is None else self.views.take(positions),
            off=self.off,
        )

    def continues(self, earlier: Items) -> bool:
        """Return whether all earlier items are here under the same numbers, by name or content."""
        n = len(earlier)
        if len(self) < n:
            return False
        both = zip(self.ids[:n], earlier.ids, strict=True)
        renamed = [k for k, (now, before) in enumerate(both) if now != before]
        if renamed and not (self.digests and earlier.digests):
            return False
        return all(self.digests[k] == earlier.digests[k] for k in renamed)

    def stands_for_others_than(self, earlier: Items) -> bool:
        """Return whether there are other items than earlier, or others that follow one of them."""
        both = (self.copies, self.stacks), (earlier.copies, earlier.stacks)
        return len(self) != len(earlier) or both[0] != both[1]

    def position(self) -> dict[str, int]:
        """Return where each id lies; a copy lies where the item does to which it is equal."""
        return self._positions

    def fingerprint(self) -> str:
        """Return a short name for exactly these items, by which a journal recognises its pile.

        It is made of the numbers rounded to six digits, not of ids or of what is shown, so that
        renamed items are the same pile and another machine's last bit is none.
        """
        if self.content:
            return self.content
        return _fingerprint(self.data)

    def fingerprint_of(self, position: int) -> str:
        """Return a short name for what one item holds; of equal items it is the same.

        It survives a change of the other items where digests are known, as of every pile that is
        read from a file or folder.
        """
        if self.digests:
            return self.digests[position].hex()[:16]
        if position not in self._fingerprints:
            self._fingerprints[position] = _fingerprint(self.data[[position]])
        return self._fingerprints[position]

    @cached_property
    def number_ranges(self) -> dict[str, tuple[float, float]]:
        """Between which values the numbers of each column of the rows usually lie."""
        return {} if self.rows is None else number_ranges(self.rows)

    @cached_property
    def _positions(self) -> dict[str, int]:
        found = {name: at for at, names in self.copies.items() for name in names}
        return found | {name: at for at, name in enumerate(self.ids)}

    @cached_property
    def _fingerprints(self) -> dict[int, str]:
        """Those of single items that were computed so far."""
        return {}


def _fingerprint(matrix: Matrix) -> str:
    """Return a digest of numbers."""
    digest = hashlib.sha256(str(matrix.shape).encode())
    parts = [matrix.indptr, matrix.indices, matrix.data] if sp.issparse(matrix) else [matrix]
    for part in parts:
        for some in blocks(len(part), part[:1].size):
            # Rounded, so that the last bit of another machine's arithmetic is not another pile.
            rounded = np.round(np.asarray(part[some], dtype=np.float64), 6) + 0.0
            digest.update(np.ascontiguousarray(rounded).tobytes())
    return digest.hexdigest()[:16]


def _taken(sequence: Any, positions: npt.NDArray[np.int64]) -> Any:
    """Return what is shown of some items; None stays None."""
    if sequence is None:
        return None
    if isinstance(sequence, FrameRows):
        return sequence.take(positions)
    return [sequence[k] for k in positions.tolist()]
