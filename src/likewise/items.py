"""What is grouped: the items' features, the names their owner gave them, and what to show of them.

Whatever a person brings (an array, a sparse matrix, a table of mixed columns, a matrix of
similarities or distances) becomes `Items` here, checked once; nothing behind this file has to ask
again whether there are gaps or a single row.
"""

from __future__ import annotations

import hashlib
import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, NoReturn

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp

from likewise.errors import DataError

Matrix = Any  # a float64 array or a scipy csr_matrix; scipy carries no types to say so with

_LARGEST = 1e150  # squares of larger numbers overflow


@dataclass(frozen=True)
class Items:
    """A pile: `features` (n, d), or a precomputed `affinity` or `distances` (n, n) instead.

    Use `Items.of`, `Items.from_affinity` or `Items.from_distances`; they check what they are given.

    >>> pile = Items.of([[0.0, 10.0], [1.0, 20.0], [2.0, 30.0]])
    >>> len(pile), pile.ids
    (3, ['0', '1', '2'])
    """

    features: Matrix | None = None
    affinity: Matrix | None = None
    distances: Matrix | None = None
    ids: list[str] = field(default_factory=list)
    # What to show of each item: cells by column name, a text, a picture (its file, or its pixels
    # as an array (height, width) or (height, width, 3) of bytes). None: its number is all there is.
    rows: Sequence[Mapping[str, Any]] | None = None
    texts: Sequence[str] | None = None
    pictures: Sequence[Path | npt.NDArray[np.uint8]] | None = None
    # Makes features of further rows, in the same units; None where rows alone do not say how.
    prepare: Callable[[Any], Matrix] | None = field(default=None, compare=False, repr=False)

    @classmethod
    def of(cls, X: Any) -> Items:  # array, sparse matrix, data frame or Items
        """Items from anything with a row per item.

        Columns of a table weigh the same whatever their unit. In an array, columns are brought to
        unit variance unless they evidently share one unit: all the same range (pixels, ratings),
        rows of length one (embeddings) or a sparse matrix.
        """
        if isinstance(X, Items):
            return X
        if sp.issparse(X):
            features: Matrix = _as_csr(X)
            _require_columns(features)
            prepare: Callable[[Any], Matrix] = _as_csr
        elif hasattr(X, "columns"):
            return cls._of_table(X)
        else:
            array = _as_floats(X)
            prepare = Units.of(array)
            features = prepare(array)
        _require_two(features.shape[0])
        return cls(features=features, ids=_numbered(features.shape[0]), prepare=prepare)

    @classmethod
    def from_affinity(cls, affinity: Any) -> Items:  # (n, n), sparse or dense, larger = more alike
        """Items known only by how alike they are: symmetric, not negative, diagonal ignored."""
        matrix = _square(affinity, "an affinity matrix")
        if matrix.min() < 0:
            raise DataError("an affinity matrix must not hold negative numbers; shift or clip it")
        return cls(affinity=matrix, ids=_numbered(matrix.shape[0]))

    @classmethod
    def from_distances(cls, distances: Any) -> Items:  # (n, n), dense
        """Items known only by how far apart they are: symmetric, not negative."""
        matrix = _square(distances, "a distance matrix")
        if sp.issparse(matrix):
            raise DataError("a distance matrix must be dense: a missing distance is not a zero")
        if matrix.min() < 0:
            raise DataError("a distance matrix must not hold negative numbers")
        return cls(distances=matrix, ids=_numbered(matrix.shape[0]))

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
        _require_two(len(frame))
        _require_columns(frame)
        rows = frame.rows(named=True)
        return cls(features=_vectorise(frame), ids=_numbered(len(rows)), rows=rows)

    def __len__(self) -> int:
        return int(self.data.shape[0])

    @property
    def data(self) -> Matrix:
        """The one matrix there is: features, affinity or distances."""
        for matrix in (self.features, self.affinity, self.distances):
            if matrix is not None:
                return matrix
        raise DataError("items need features, an affinity matrix or a distance matrix")

    def fingerprint(self) -> str:
        """A short name for exactly these items, by which a journal recognises its pile."""
        digest = hashlib.sha256(str(self.data.shape).encode())
        matrix = self.data
        parts = [matrix.indptr, matrix.indices, matrix.data] if sp.issparse(matrix) else [matrix]
        for part in parts:
            # Rounded, so that the last bit of another machine's arithmetic is not another pile.
            rounded = np.round(np.asarray(part, dtype=np.float64), 6) + 0.0
            digest.update(np.ascontiguousarray(rounded).tobytes())
        return digest.hexdigest()[:16]


def load_items(
    path: Any,
    *,
    drop: Sequence[str] = (),
    id_column: str | None = None,
    representatives: int | None = None,
    client: Any = None,
) -> Items:
    """The rows of a CSV file as items; `drop` leaves columns out, `id_column` names the rows.

    Without `id_column`, a column called "id" that holds a different value in every row is used.

    With `representatives` the path may name Parquet or .npy files too large for memory, and that
    many items stand for all rows; see `likewise.partitions.load_partitioned`, which works on a
    dask `client` if there is one.
    """
    if representatives is not None:
        from likewise.partitions import load_partitioned

        return load_partitioned(
            path, representatives, drop=drop, id_column=id_column, client=client
        )
    path = Path(path)
    table = _read_csv(path)
    wanted = [*drop, *([id_column] if id_column is not None else [])]
    missing = [name for name in wanted if name not in table.columns]
    if missing:
        raise DataError(
            f"{path} has no column {missing[0]!r}; its columns are {', '.join(table.columns)}"
        )
    if id_column is None:
        named_id = [c for c in table.columns if c.lower() == "id" and c not in drop]
        id_column = next((c for c in named_id if table[c].is_unique), None)
    ids = _numbered(len(table))
    if id_column is not None:
        # As text: an id like 007 is a name, not a number.
        ids = _read_csv(path, dtype=str, keep_default_na=False)[id_column].tolist()
        if len(set(ids)) < len(ids):
            raise DataError(
                f"column {id_column!r} of {path} names several rows alike; ids must differ"
            )
    features = table.drop(columns=[*drop, *([id_column] if id_column is not None else [])])
    if features.shape[1] == 0:
        raise DataError(f"{path} has no column left to compare items by; drop fewer columns")
    return replace(Items.of(features), ids=ids)


def _read_csv(path: Path, **options: Any) -> Any:
    """The table in a file separated by commas, semicolons or tabs, whichever its header uses."""
    import pandas as pd

    try:
        with path.open(encoding="utf-8-sig") as file:
            header = file.readline()
        separator = max(",;\t", key=header.count)
        with warnings.catch_warnings():
            # Lines longer than the header would lose fields with no more than a warning.
            warnings.simplefilter("error", pd.errors.ParserWarning)
            table = pd.read_csv(path, sep=separator, index_col=False, **options)
    except FileNotFoundError as error:
        raise DataError(f"there is no file {path}; check the name") from error
    except pd.errors.EmptyDataError as error:
        raise DataError(f"{path} is empty; it needs a header line and a line per item") from error
    except pd.errors.ParserWarning as error:
        raise DataError(f"{path} has lines with more fields than its header; mend them") from error
    except (pd.errors.ParserError, UnicodeDecodeError, OSError) as error:
        raise DataError(f"{path} cannot be read as CSV: {str(error).strip()}") from error
    return table.rename(columns=str)


def _as_floats(X: Any) -> npt.NDArray[np.float64]:
    array = _numbers(X)
    _require_two(array.shape[0])
    return array


def _numbers(X: Any) -> npt.NDArray[np.float64]:
    """A matrix of finite numbers of any number of rows."""
    try:
        if np.iscomplexobj(X):
            raise TypeError("complex numbers have no order")
        array = np.asarray(X, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise DataError(
            "items must be rows of numbers; give a table (data frame) for columns of other kinds"
        ) from error
    if array.ndim != 2:
        raise DataError(
            f"items must be a matrix with a row per item but got an array of shape {array.shape}"
        )
    _require_columns(array)
    _require_finite(array)
    if np.abs(array).max(initial=0.0) > _LARGEST:
        raise DataError(f"numbers must stay within ±{_LARGEST:g}; rescale the columns first")
    return array


def _as_csr(X: Any) -> sp.csr_matrix:
    """The matrix in the one form in which equal matrices are stored alike."""
    matrix = sp.csr_matrix(X, dtype=np.float64, copy=True)
    matrix.sum_duplicates()
    matrix.eliminate_zeros()
    bad = np.flatnonzero(~np.isfinite(matrix.data))
    if len(bad):
        row = int(np.searchsorted(matrix.indptr, bad[0], side="right")) - 1
        _refuse_number(row, int(matrix.indices[bad[0]]), matrix.data[bad[0]], len(bad))
    return matrix


def _require_columns(matrix: Matrix) -> None:
    if matrix.shape[1] == 0:
        raise DataError("items need at least one column to be compared by")


def _square(matrix: Any, what: str) -> Matrix:
    if sp.issparse(matrix):
        square: Matrix = _as_csr(matrix)
    else:
        square = _as_floats(matrix)
    if square.shape[0] != square.shape[1]:
        raise DataError(f"{what} must be square but has shape {square.shape}")
    _require_two(square.shape[0])
    gap = float(abs(square - square.T).max())
    scale = max(1.0, float(abs(square).max()))
    if gap > 1e-8 * scale:
        raise DataError(f"{what} must be symmetric; take the mean of it and its transpose")
    return square


def _require_two(n: int) -> None:
    if n < 2:
        raise DataError(f"grouping needs at least 2 items but got {n}")


def _require_finite(array: npt.NDArray[np.float64]) -> None:
    bad = ~np.isfinite(array)
    if bad.any():
        row, column = np.argwhere(bad)[0]
        _refuse_number(int(row), int(column), array[row, column], int(bad.sum()))


def _refuse_number(row: int, column: int, number: float, how_many: int) -> NoReturn:
    raise DataError(
        f"every number must be finite but row {row}, column {column} holds {number} "
        f"({how_many} such in all); fill or drop them first"
    )


def _numbered(n: int) -> list[str]:
    return [str(i) for i in range(n)]


@dataclass(frozen=True)
class Units:
    """Columns brought to unit variance, unless they share a unit already: then nothing is done."""

    mean: npt.NDArray[np.float64]  # (d,)
    spread: npt.NDArray[np.float64]  # (d,)

    @classmethod
    def of(cls, array: npt.NDArray[np.float64]) -> Units:
        """What suits these rows."""
        unit_rows = bool(np.allclose(np.linalg.norm(array, axis=1), 1.0, atol=1e-3))
        low, high = array.min(axis=0), array.max(axis=0)
        return cls.fitting(low, high, array.mean(axis=0), array.std(axis=0), unit_rows=unit_rows)

    @classmethod
    def fitting(
        cls,
        low: npt.NDArray[np.float64],
        high: npt.NDArray[np.float64],
        mean: npt.NDArray[np.float64],
        spread: npt.NDArray[np.float64],
        *,
        unit_rows: bool,
    ) -> Units:
        """What suits rows of which only this much is known, column by column.

        `unit_rows`: all of them have length one.
        """
        varying = high > low
        share_range = bool(varying.any()) and (
            _share_of_commonest(low[varying]) > 0.5 and _share_of_commonest(high[varying]) > 0.5
        )
        if not varying.any() or (len(mean) > 1 and (unit_rows or share_range)):
            return cls(np.zeros(len(mean)), np.ones(len(mean)))
        # Constant columns, and those so small that their squares are zero, stay as they are.
        return cls(mean, np.where(varying & (spread > 0), spread, 1.0))

    def __call__(self, rows: Any) -> npt.NDArray[np.float64]:
        """Rows in these units."""
        array = _numbers(rows)
        if array.shape[1] != len(self.mean):
            raise DataError(f"rows need {len(self.mean)} numbers each but have {array.shape[1]}")
        if not self.mean.any() and (self.spread == 1).all():
            return array
        scaled: npt.NDArray[np.float64] = (array - self.mean) / self.spread
        return scaled


def _share_of_commonest(values: npt.NDArray[np.float64]) -> float:
    counts = np.unique(values, return_counts=True)[1]
    return float(counts.max() / len(values))


def _vectorise(frame: Any) -> npt.NDArray[np.float64]:
    """Numbers for a table of mixed columns (a narwhals frame); every column weighs the same."""
    from skrub import StringEncoder, TableVectorizer

    for column in frame.iter_columns():
        if column.dtype.is_numeric() and not np.isfinite(column.to_numpy().astype(float)).all():
            raise DataError(
                f"column {column.name!r} has gaps or infinite numbers; fill them, or drop the "
                "column or the rows"
            )
    native = frame.to_pandas() if frame.implementation.is_pyarrow() else frame.to_native()
    if frame.implementation.is_pandas():
        native = native.rename(columns=str)  # numbers as column names confuse the vectoriser
    vectoriser = TableVectorizer(
        high_cardinality=StringEncoder(n_components=20, random_state=0), n_jobs=1
    )
    numbers = vectoriser.fit_transform(native)
    features = numbers.to_numpy().astype(np.float64)
    known = np.isfinite(features)
    mean = np.where(known, features, 0.0).sum(axis=0) / np.maximum(known.sum(axis=0), 1)
    # A missing date or text says nothing: it is put in the middle.
    features = np.where(known, features - mean, 0.0)
    position = {name: k for k, name in enumerate(numbers.columns)}
    for outputs in vectoriser.input_to_outputs_.values():
        block = [position[name] for name in outputs if name in position]  # empty ones are gone
        variance = features[:, block].var(axis=0).sum()
        if variance > 0:
            features[:, block] /= np.sqrt(variance)
    # Columns that hold one value everywhere leave nothing: all items are then alike.
    return features if features.shape[1] else np.zeros((len(frame), 1))
