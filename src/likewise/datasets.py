"""Data sets by name: the items and the grouping that a simulated person has in mind.

A name is looked up in three places, in this order: the sets that come with scikit-learn, the
generators below, and the files `NAME.csv` (a header row, numbers, `label` as the last column) in
the folder that the environment variable LIKEWISE_DATA names. `-` and `_` mean the same in a name.
"""

from __future__ import annotations

import csv
import difflib
import inspect
import math
import numbers
import os
from array import array
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from likewise.errors import DataError

Dataset = tuple[npt.NDArray[np.float64], npt.NDArray[np.int64]]  # X (n, d), y (n,) in 0..k-1

_BUNDLED = ("iris", "wine", "breast_cancer", "digits")
_MISSING = frozenset({"", "?", "na", "nan", "null", "none"})


def load(name: str, /, *, random_state: int = 0, **params: object) -> Dataset:
    """The data set called `name` as (X, y): float64 features and labels coded 0 to k - 1.

    `params` and `random_state` go to a generator; all other sets are fixed and take no `params`.
    Codes follow the order of the original labels, by value where all of them are numbers.

    >>> X, y = load("two-gaussians", n=50, separation=4.0, random_state=1)
    >>> X.shape, np.bincount(y).tolist()
    ((50, 2), [25, 25])
    """
    if not isinstance(name, str):
        raise DataError(f"the name of a data set must be a string, got {name!r}")
    if ".." in name or "/" in name or "\\" in name:
        raise DataError(f"{name!r} is a path; give the name of a data set, without folder or '.csv'")
    key = _plain(name)
    generator = GENERATORS.get(key)
    accepted = list(inspect.signature(generator).parameters)[1:] if generator else []
    if key not in map(_plain, _BUNDLED) and generator is None and key not in map(_plain, _files()):
        raise DataError(_unknown(name))
    if unknown := sorted(params.keys() - set(accepted)):
        takes = ", ".join(accepted) if accepted else "none"
        raise DataError(f"{name!r} has no parameter {unknown[0]!r}; it takes: {takes}")
    if generator is not None:
        return generator(random_state, **params)
    return _bundled(key) if key in map(_plain, _BUNDLED) else _from_csv(_file(name))


def names() -> list[str]:
    """Every name that `load` accepts here and now; files that hold text are left out.

    >>> names()[:4]
    ['iris', 'wine', 'breast_cancer', 'digits']
    """
    ours = [*_BUNDLED, *GENERATORS]
    taken = {_plain(name) for name in ours}
    return ours + [name for name, path in _files().items() if _plain(name) not in taken and _numeric(path)]
