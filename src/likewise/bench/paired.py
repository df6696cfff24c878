"""One method against each of the others over data sets: paired tests, and by how much it is ahead.

Nemenyi's critical difference answers for all pairs of methods at once, and with many methods
separates hardly any. Whoever asks about one method compares it with each other one, data set by
data set, and corrects for the number of comparisons: Wilcoxon's signed ranks with Holm's
correction, as Demšar ("Statistical comparisons of classifiers over multiple data sets", 2006,
section 3.2.2) and Benavoli, Corani and Mangili ("Should we really use post-hoc tests based on
mean-ranks?", 2016) advise.

A *table* has data sets as rows, methods as columns, and larger is better.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import numpy.typing as npt

from likewise.bench.statistics import signed_ranks
from likewise.errors import DataError

if TYPE_CHECKING:
    import pandas as pd

Floats = npt.NDArray[np.float64]

_RESAMPLES = 10_000
_CHUNK = 500  # resamples at a time: a table of 50 x 30 then takes 6 MB


class PairedTest(NamedTuple):
    """How one method compares with another over the data sets where both have results.

    Attributes
    ----------
    difference : float
        The mean of the differences, positive where the first method is ahead.
    low, high : float
        Its interval by the bootstrap over data sets.
    p_value : float
        Of Wilcoxon's signed ranks, by itself; 1 where nothing differs, NaN without a common set.
    adjusted : float
        The same by Holm's correction for as many comparisons as were made.
    """

    difference: float
    low: float
    high: float
    p_value: float
    adjusted: float


class Ratio(NamedTuple):
    """A ratio of mean scores, and its interval by the bootstrap over data sets."""

    value: float
    low: float
    high: float


def holm(p_values: npt.ArrayLike) -> Floats:
    """Return p-values corrected for their number: Holm's step-down method.

    NaN stands for a comparison that could not be made; it stays NaN and does not count.

    References
    ----------
    Holm: A simple sequentially rejective multiple test procedure, 1979.

    Examples
    --------
    >>> holm([0.01, 0.04, 0.03]).round(3).tolist()
    [0.03, 0.06, 0.06]
    """
    given = np.asarray(p_values, dtype=np.float64)
    adjusted = np.full(given.shape, np.nan)
    order = np.argsort(given)[: int(np.isfinite(given).sum())]
    factors = np.arange(len(order), 0, -1)
    adjusted[order] = np.minimum(np.maximum.accumulate(given[order] * factors), 1.0)
    return adjusted


def against_each(table: pd.DataFrame, method: str, *, seed: int = 0) -> dict[str, PairedTest]:
    """Compare a method with each other one over data sets.

    Parameters
    ----------
    table : DataFrame
        Scores: data sets x methods. Sets where one of two methods has none are left out for them.
    method : str
        A column of it.
    seed : int
        Of the bootstrap.

    Examples
    --------
    >>> import pandas as pd
    >>> table = pd.DataFrame({"a": [0.9, 0.8, 0.7, 0.9, 0.6], "b": [0.5, 0.6, 0.5, 0.6, 0.4]})
    >>> test = against_each(table, "a")["b"]
    >>> round(test.difference, 2), test.p_value
    (0.26, 0.0625)
    """
    _require_method(table, method)
    others = [str(name) for name in table.columns if name != method]
    found: dict[str, tuple[float, float, float]] = {}
    p_values = []
    for other in others:
        gaps = (table[method] - table[other]).dropna()
        p_values.append(math.nan if gaps.empty else signed_ranks(gaps))
        found[other] = _bootstrapped_mean(gaps.to_numpy(np.float64), seed)
    return {
        other: PairedTest(*found[other], p_value, float(adjusted))
        for other, p_value, adjusted in zip(others, p_values, holm(p_values), strict=True)
    }


def ratio_to_best_single(table: pd.DataFrame, method: str, *, seed: int = 0) -> Ratio:
    """Return mean score over that of the best other method, the same one on every data set.

    Each resample of the data sets chooses its own best other method: whoever is best is not known
    beforehand either. Only data sets on which the method has a score count; another method that
    lacks one there cannot be the best.

    >>> import pandas as pd
    >>> table = pd.DataFrame({"a": [0.8, 0.6], "b": [0.8, 0.0], "c": [0.2, 0.6]})
    >>> round(ratio_to_best_single(table, "a").value, 3)
    1.75
    """
    own, others = _scores(table, method)
    complete = others[:, ~np.isnan(others).any(axis=0)]
    if not complete.shape[1]:
        return Ratio(math.nan, math.nan, math.nan)
    return _bootstrapped_ratio(own, complete, seed)


def ratio_to_best_per_set(table: pd.DataFrame, method: str, *, seed: int = 0) -> Ratio:
    """Return mean score over the mean of the best other score on each data set.

    Nobody knows beforehand which method is best where, so this is the harder comparison: 1 means
    as good as whoever is best, set by set.

    >>> import pandas as pd
    >>> table = pd.DataFrame({"a": [0.8, 0.6], "b": [0.8, 0.0], "c": [0.2, 0.6]})
    >>> ratio_to_best_per_set(table, "a").value
    1.0
    """
    own, others = _scores(table, method)
    known = ~np.isnan(others).all(axis=1)
    if not known.any():
        return Ratio(math.nan, math.nan, math.nan)
    return _bootstrapped_ratio(own[known], np.nanmax(others[known], axis=1)[:, None], seed)


def _scores(table: pd.DataFrame, method: str) -> tuple[Floats, Floats]:
    """Return the method's scores and all others', on the data sets where it has any."""
    _require_method(table, method)
    there = table[table[method].notna()]
    if there.empty or table.shape[1] < 2:
        raise DataError(f"a ratio needs scores of {method!r} and of another method")
    others = there.drop(columns=method).to_numpy(np.float64)
    return there[method].to_numpy(np.float64), others


def _require_method(table: pd.DataFrame, method: str) -> None:
    if method not in table.columns:
        raise DataError(f"there is no method {method!r}; there are {', '.join(table.columns)}")


def _bootstrapped_mean(values: Floats, seed: int) -> tuple[float, float, float]:
    """Return the mean and its 95 % interval; one value alone has none."""
    if not len(values):
        return math.nan, math.nan, math.nan
    if len(values) == 1:
        return float(values[0]), math.nan, math.nan
    draws = np.random.default_rng(seed).integers(len(values), size=(_RESAMPLES, len(values)))
    low, high = np.quantile(values[draws].mean(axis=1), [0.025, 0.975])
    return float(values.mean()), float(low), float(high)


def _bootstrapped_ratio(own: Floats, others: Floats, seed: int) -> Ratio:
    """Return mean(own) / max of column means of others, and its 95 % interval over rows."""
    value = float(own.mean() / others.mean(axis=0).max())
    if len(own) == 1:
        return Ratio(value, math.nan, math.nan)
    rng = np.random.default_rng(seed)
    ratios = []
    for _ in range(_RESAMPLES // _CHUNK):
        draws = rng.integers(len(own), size=(_CHUNK, len(own)))
        ratios.append(own[draws].mean(axis=1) / others[draws].mean(axis=1).max(axis=1))
    low, high = np.quantile(np.concatenate(ratios), [0.025, 0.975])
    return Ratio(value, float(low), float(high))
