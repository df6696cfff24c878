"""Numbers for a table of mixed columns, by skrub; every column weighs the same."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from likewise._extras import extra_explained

Floats = npt.NDArray[np.float64]


def vectorise(frame: Any, n_known: int | None = None) -> tuple[Floats, list[str]]:
    """Return features of a narwhals frame, and the names of the columns whose gaps were filled.

    Where numbers are missing or infinite they become the column's median, and one more number says
    that the cell was empty.

    Parameters
    ----------
    frame : narwhals.DataFrame
        The table.
    n_known : int, optional
        How many rows, the first ones, say what medians and variances are; None: all of them.
    """
    known = slice(n_known)
    blocks: dict[str, Floats] = {}
    filled = []
    for column in frame.iter_columns():
        if not column.dtype.is_numeric():
            continue
        numbers = column.to_numpy().astype(np.float64)
        gaps = ~np.isfinite(numbers)
        if gaps.any():
            filled.append(column.name)
            blocks[column.name] = _without_gaps(numbers, gaps, known)
        else:
            blocks[column.name] = numbers[:, None]
    others = [k for k, name in enumerate(frame.columns) if name not in blocks]
    if others:
        blocks |= _of_other_columns(frame[:, others])
    equal = [_of_unit_variance(blocks[name], known) for name in frame.columns if name in blocks]
    # Columns that hold one value everywhere leave nothing: all items are then alike.
    return (np.hstack(equal) if equal else np.zeros((len(frame), 1))), filled


def _without_gaps(numbers: Floats, gaps: npt.NDArray[np.bool_], known: slice) -> Floats:
    """Fill the gaps of numbers with the median, and put beside them where the gaps were."""
    given = numbers[known][~gaps[known]]
    median, spread = (float(np.median(given)), float(given.std())) if len(given) else (0.0, 0.0)
    # As wide apart as numbers of the column usually are.
    return np.column_stack([np.where(gaps, median, numbers), gaps * (spread or 1.0)])


def _of_other_columns(frame: Any) -> dict[str, Floats]:
    """Return numbers for columns of text, dates and categories, by column."""
    with extra_explained():
        from skrub import StringEncoder, TableVectorizer

    native = frame.to_pandas() if frame.implementation.is_pyarrow() else frame.to_native()
    if frame.implementation.is_pandas():
        native = native.rename(columns=str)  # numbers as column names confuse the vectoriser
    vectoriser = TableVectorizer(
        high_cardinality=StringEncoder(n_components=20, random_state=0), n_jobs=1
    )
    numbers = vectoriser.fit_transform(native)
    position = {name: k for k, name in enumerate(numbers.columns)}
    features = numbers.to_numpy().astype(np.float64)
    outputs = vectoriser.input_to_outputs_
    blocks = {
        name: features[:, [position[made] for made in outputs[str(name)] if made in position]]
        for name in frame.columns
    }
    return {name: block for name, block in blocks.items() if block.shape[1]}


def _of_unit_variance(block: Floats, known: slice) -> Floats:
    """Scale a block so that its known rows have mean zero, with variance one in all."""
    finite = np.isfinite(block)
    n_finite = np.maximum(finite[known].sum(axis=0), 1)
    mean = np.where(finite, block, 0.0)[known].sum(axis=0) / n_finite
    # A missing date or text says nothing: it is put in the middle.
    centred = np.where(finite, block - mean, 0.0)
    variance = float(centred[known].var(axis=0).sum())
    return centred / np.sqrt(variance) if variance > 0 else centred
