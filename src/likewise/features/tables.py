"""Numbers for a table of mixed columns, by skrub; every column weighs the same."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from likewise._extras import extra_explained

Floats = npt.NDArray[np.float64]


def vectorise(frame: Any) -> tuple[Floats, list[str]]:
    """Return features of a narwhals frame, and the names of the columns whose gaps were filled.

    Where numbers are missing or infinite they become the column's median, and one more number says
    that the cell was empty.
    """
    blocks: dict[str, Floats] = {}
    filled = []
    for column in frame.iter_columns():
        if not column.dtype.is_numeric():
            continue
        numbers = column.to_numpy().astype(np.float64)
        gaps = ~np.isfinite(numbers)
        if gaps.any():
            filled.append(column.name)
            blocks[column.name] = _without_gaps(numbers, gaps)
        else:
            blocks[column.name] = numbers[:, None]
    others = [k for k, name in enumerate(frame.columns) if name not in blocks]
    if others:
        blocks |= _of_other_columns(frame[:, others])
    equal = [_of_unit_variance(blocks[name]) for name in frame.columns if name in blocks]
    # Columns that hold one value everywhere leave nothing: all items are then alike.
    return (np.hstack(equal) if equal else np.zeros((len(frame), 1))), filled


def _without_gaps(numbers: Floats, gaps: npt.NDArray[np.bool_]) -> Floats:
    """Fill the gaps of numbers with the median, and put beside them where the gaps were."""
    median = float(np.median(numbers[~gaps])) if not gaps.all() else 0.0
    spread = float(numbers[~gaps].std()) if not gaps.all() else 0.0
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


def _of_unit_variance(block: Floats) -> Floats:
    """Scale a block to mean zero, with variance one in all."""
    known = np.isfinite(block)
    mean = np.where(known, block, 0.0).sum(axis=0) / np.maximum(known.sum(axis=0), 1)
    # A missing date or text says nothing: it is put in the middle.
    centred = np.where(known, block - mean, 0.0)
    variance = float(centred.var(axis=0).sum())
    return centred / np.sqrt(variance) if variance > 0 else centred
