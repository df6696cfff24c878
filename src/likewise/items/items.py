"""What is grouped: the items' features, the names their owner gave them, and what to show of them.

Whatever a person brings (an array, a sparse matrix, a table of mixed columns, a matrix of
similarities or distances) becomes `Items` here, checked once; nothing behind this file has to ask
again whether there are gaps or a single row.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp

from likewise.errors import DataError
from likewise.features.tables import vectorise
from likewise.items._matrices import (
    Matrix,
    as_csr,
    as_floats,
    require_columns,
    require_two,
    symmetric,
)
from likewise.items.frame_rows import FrameRows
from likewise.items.units import Units

_SHOWN = ("ids", "rows", "texts", "pictures")


@dataclass(frozen=True)
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
        What to show of each item: cells by column name, a text, a picture (its file, or its pixels
        as bytes (height, width) or (height, width, 3)). Without any, its number is all there is.
    copies : mapping of int to list of str
        By position, the ids of further items that are exactly equal to the one there.
    places : array of int (n,), optional
        By which numbers a journal knows the items; None: by their positions. They differ once items
        have vanished, of which only the journal still speaks.
    content : str
        The fingerprint, where features may differ by a hair between machines; empty: it is
        computed.
    prepare : callable, optional
        Makes features of further rows, in the same units; None where rows alone do not say how.

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
    pictures: Sequence[Path | npt.NDArray[np.uint8]] | None = None
    copies: Mapping[int, Sequence[str]] = field(default_factory=dict)
    places: npt.NDArray[np.int64] | None = None
    content: str = ""
    prepare: Callable[[Any], Matrix] | None = field(default=None, compare=False, repr=False)

    @classmethod
    def of(cls, X: Any) -> Items:  # array, sparse matrix, data frame or Items
        """Make items of anything with a row per item.

        Columns of a table weigh the same whatever their unit. In an array, columns are brought to
        unit variance unless they evidently share one unit: all the same range (pixels, ratings),
        rows of length one (embeddings) or a sparse matrix.

        Parameters
        ----------
        X : array (n, d), sparse matrix (n, d), data frame or Items
            A frame may be of pandas, polars or pyarrow and hold numbers, categories, dates and
            texts. Items are returned as they are.

        Raises
        ------
        DataError
            If there are fewer than two rows, no columns, gaps, or numbers that are not finite.
        """
        if isinstance(X, Items):
            return X
        if sp.issparse(X):
            features: Matrix = as_csr(X)
            require_columns(features)
            prepare: Callable[[Any], Matrix] = as_csr
        elif hasattr(X, "columns"):
            return cls._of_table(X)
        else:
            array = as_floats(X)
            prepare = Units.of(array)
            features = prepare(array)
        require_two(features.shape[0])
        return cls(features=features, ids=numbered(features.shape[0]), prepare=prepare)

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

    @classmethod
    def _of_table(cls, table: Any) -> Items:
        import narwhals as nw

        try:
            frame = nw.from_native(table, eager_only=True)
        except TypeError as error:
            raise DataError(
                f"a table must be a pandas, polars or pyarrow frame but got {type(table)}"
            ) from error
        except nw.exceptions.DuplicateError as error:
            raise DataError("the columns of a table need different names; rename some") from error
        require_two(len(frame))
        require_columns(frame)
        return cls(features=vectorise(frame)[0], ids=numbered(len(frame)), rows=FrameRows(frame))

    def __len__(self) -> int:
        return int(self.data.shape[0])

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

    def take(self, positions: npt.NDArray[np.int64]) -> Items:
        """Return some of the items, in the order given.

        Fingerprint, places and the units of further rows are not taken along: it is another pile.
        """
        if self.features is None:
            square = self.data[positions][:, positions]
            matrix = {"affinity" if self.affinity is not None else "distances": square}
        else:
            matrix = {"features": self.features[positions]}
        shown = {name: _taken(getattr(self, name), positions) for name in _SHOWN}
        copies = {k: self.copies[p] for k, p in enumerate(positions.tolist()) if p in self.copies}
        return Items(**matrix, **shown, copies=copies)

    def position(self) -> dict[str, int]:
        """Return where each id lies; a copy lies where the item does to which it is equal."""
        found = {name: at for at, names in self.copies.items() for name in names}
        return found | {name: at for at, name in enumerate(self.ids)}

    def fingerprint(self) -> str:
        """Return a short name for exactly these items, by which a journal recognises its pile.

        It is made of the numbers rounded to six digits, not of ids or of what is shown, so that
        renamed items are the same pile and another machine's last bit is none.
        """
        if self.content:
            return self.content
        digest = hashlib.sha256(str(self.data.shape).encode())
        matrix = self.data
        parts = [matrix.indptr, matrix.indices, matrix.data] if sp.issparse(matrix) else [matrix]
        for part in parts:
            # Rounded, so that the last bit of another machine's arithmetic is not another pile.
            rounded = np.round(np.asarray(part, dtype=np.float64), 6) + 0.0
            digest.update(np.ascontiguousarray(rounded).tobytes())
        return digest.hexdigest()[:16]


def _taken(sequence: Any, positions: npt.NDArray[np.int64]) -> Any:
    """Return what is shown of some items; None stays None."""
    if sequence is None:
        return None
    if isinstance(sequence, FrameRows):
        return sequence.take(positions)
    return [sequence[k] for k in positions.tolist()]


def numbered(n: int) -> list[str]:
    """Return ids for items that have none: their numbers.

    >>> numbered(3)
    ['0', '1', '2']
    """
    return [str(i) for i in range(n)]
