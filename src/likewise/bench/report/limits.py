"""What the data of results leave open: bits that features do not tell, questions without them."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

import pandas as pd

from likewise.bench.bounds import label_bits, placing_questions
from likewise.bench.experiment import Task
from likewise.bench.task_data import load
from likewise.errors import LikewiseError
from likewise.items import Items


def with_limits(frame: pd.DataFrame, folder: Path | None = None) -> pd.DataFrame:
    """Return the rows of results with the columns `bits` and `placing`, where data can be read.

    A generator draws other items for every seed: those of the first task of a data set count.

    Parameters
    ----------
    frame : DataFrame
        Rows as `Results.frame` gives them.
    folder : Path, optional
        Where relative paths of data files start.
    """
    found = {}
    for data, settings in frame.drop_duplicates("data").set_index("data")["settings"].items():
        found[data] = _limits(str(data), str(settings or ""), str(folder or ""))
    columns = zip(*(found[data] for data in frame["data"]), strict=True)
    return frame.assign(**dict(zip(("bits", "placing"), columns, strict=True)))


@lru_cache(maxsize=256)
def _limits(data: str, settings: str, folder: str) -> tuple[float, float]:
    """Return both of one task's data; NaN where they are not here.

    Rows from before settings were kept have the name alone, which does where there are none.
    """
    task = Task.from_settings(settings, folder=folder) if settings else Task("", data, 0, (1,))
    try:
        X, truth, _ = load(task)
    except LikewiseError:
        return float("nan"), float("nan")
    # In the units that methods see: neighbours in others would leave more open.
    return label_bits(Items.of(X).data, truth), float(placing_questions(truth))
