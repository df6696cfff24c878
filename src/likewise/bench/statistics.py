"""The arithmetic of a comparison: curves to numbers, numbers to ranks, ranks to what they prove.

A *curve* is a frame with the columns `questions` and one or more metrics, one row per checkpoint.
A *table* has data sets as rows, methods as columns, and larger is better. The tests over data sets
are those of Demšar, "Statistical comparisons of classifiers over multiple data sets", 2006.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import numpy.typing as npt

from likewise.errors import DataError

if TYPE_CHECKING:
    import pandas as pd

Floats = npt.NDArray[np.float64]


class Band(NamedTuple):
    """A mean and its interval, arrays of one shape; the interval of a single value is NaN."""

    mean: Floats
    low: Floats
    high: Floats


class Significance(NamedTuple):
    """A test's statistic and how probable one as extreme is if nothing differs."""

    statistic: float
    p_value: float


class WinTieLoss(NamedTuple):
    """On how many data sets one method is better, as good, worse; and the paired test's p."""

    wins: int
    ties: int
    losses: int
    p_value: float


def area(curve: pd.DataFrame, *, metric: str = "ari", budget: int | None = None) -> float:
    """Return the mean height of a curve, by the trapezoid rule.

    Parameters
    ----------
    curve : DataFrame
        The columns `questions` and `metric`; rows without a value are left out.
    metric : str
        Whose curve.
    budget : int, optional
        Where the curve ends; its own end unless given. The last value is carried forward to it,
        the first one back to 0.

    Returns
    -------
    float
        Between the smallest and the largest value; NaN when there is none.

    Examples
    --------
    >>> import pandas as pd
    >>> curve = pd.DataFrame({"questions": [0, 10], "ari": [0.0, 1.0]})
    >>> area(curve), area(curve, budget=20)
    (0.5, 0.75)
    """
    questions, values = _points(curve, metric)
    if not len(values):
        return math.nan
    end = float(questions[-1] if budget is None else budget)
    if end <= questions[0]:
        return float(values[0])
    inside = questions[(questions > 0) & (questions < end)]
    grid = np.concatenate([[0.0], inside, [end]])
    return float(np.trapezoid(np.interp(grid, questions, values), grid) / end)


def questions_to_reach(curve: pd.DataFrame, level: float, *, metric: str = "ari") -> int | None:
    """Return the first checkpoint at which the metric is at least `level`; None if it never is.

    >>> import pandas as pd
    >>> curve = pd.DataFrame({"questions": [0, 10, 20], "ari": [0.2, 0.9, 0.7]})
    >>> questions_to_reach(curve, 0.8), questions_to_reach(curve, 0.95)
    (10, None)
    """
    questions, values = _points(curve, metric)
    reached = np.flatnonzero(values >= level)
    return int(questions[reached[0]]) if len(reached) else None


def confidence_band(values: npt.ArrayLike, *, level: float = 0.95) -> Band:
    """Return the mean over the first axis (seeds) and its interval by Student's t.

    Parameters
    ----------
    values : array of shape (seeds, ...)
        One seed gives no interval: its ends are NaN.
    level : float
        How often such intervals cover the true mean.

    Raises
    ------
    DataError
        When there is no seed at all.

    Examples
    --------
    >>> mean, low, high = confidence_band([[0.4], [0.5], [0.6]])
    >>> mean.round(3), low.round(3), high.round(3)
    (array([0.5]), array([0.252]), array([0.748]))
    """
    from scipy.stats import t

    array = np.asarray(values, dtype=np.float64)
    if not array.size:
        raise DataError("a confidence band needs the values of at least one seed")
    n, mean = len(array), np.asarray(array.mean(axis=0))
    if n == 1:
        return Band(mean, np.full_like(mean, np.nan), np.full_like(mean, np.nan))
    half = t.ppf((1 + level) / 2, n - 1) * array.std(axis=0, ddof=1) / math.sqrt(n)
    return Band(mean, np.asarray(mean - half), np.asarray(mean + half))


def average_ranks(table: pd.DataFrame) -> pd.Series:
    """Return the mean rank of each method, 1 for the best; equals share their ranks.

    A method without a result on a data set (NaN) ranks last there.

    >>> import pandas as pd
    >>> average_ranks(pd.DataFrame({"a": [0.9, 0.8], "b": [0.7, 0.8]})).to_dict()
    {'a': 1.25, 'b': 1.75}
    """
    return _ranks(table).mean(axis=0)


def friedman(table: pd.DataFrame) -> Significance:
    """Test whether the methods differ at all: Friedman's test on their ranks.

    It needs three methods and two data sets; with fewer, both numbers are NaN.

    References
    ----------
    Demšar: Statistical comparisons of classifiers over multiple data sets, 2006, section 3.2.2.

    Examples
    --------
    >>> import pandas as pd
    >>> scores = pd.DataFrame({"a": [3, 3, 3], "b": [2, 2, 2], "c": [1, 1, 1]})
    >>> friedman(scores).statistic
    6.0
    """
    from scipy.stats import friedmanchisquare

    n_sets, n_methods = table.shape
    if n_methods < 3 or n_sets < 2:
        return Significance(math.nan, math.nan)
    ranks = _ranks(table).to_numpy()
    if (ranks == ranks[0, 0]).all():
        return Significance(0.0, 1.0)
    found = friedmanchisquare(*ranks.T)
    return Significance(float(found.statistic), float(found.pvalue))


def nemenyi_critical_difference(n_methods: int, n_sets: int, alpha: float = 0.05) -> float:
    """Return how far two mean ranks must be apart for the two methods to differ.

    Parameters
    ----------
    n_methods, n_sets : int
        How many methods were ranked, and on how many data sets.
    alpha : float
        How often methods that are alike may seem to differ, over all pairs of them.

    References
    ----------
    Demšar: Statistical comparisons of classifiers over multiple data sets, 2006, section 3.2.2.

    Examples
    --------
    >>> round(nemenyi_critical_difference(4, 14), 2)
    1.25
    """
    from scipy.stats import studentized_range

    if n_methods < 2 or n_sets < 1 or not 0 < alpha < 1:
        raise DataError(
            "a critical difference needs at least 2 methods, 1 data set and an alpha between 0 "
            f"and 1, but got {n_methods}, {n_sets} and {alpha}"
        )
    q = float(studentized_range.ppf(1 - alpha, n_methods, np.inf)) / math.sqrt(2)
    return q * math.sqrt(n_methods * (n_methods + 1) / (6 * n_sets))


def win_tie_loss(a: pd.DataFrame, b: pd.DataFrame) -> WinTieLoss:
    """Compare method a with method b, each a frame of data sets as rows and seeds as columns.

    The two are paired by seed. A data set is a tie when the mean difference is 0 or smaller than
    its standard error over seeds; a method that has no result there has lost. The test is
    Wilcoxon's signed ranks over the data sets where both have results, 1.0 when nothing differs.

    >>> import pandas as pd
    >>> a = pd.DataFrame({0: [0.9, 0.5, 0.7], 1: [0.8, 0.7, 0.7]}, index=["x", "y", "z"])
    >>> b = pd.DataFrame({0: [0.5, 0.6, 0.7], 1: [0.5, 0.6, 0.7]}, index=["x", "y", "z"])
    >>> win_tie_loss(a, b)[:3]
    (1, 2, 0)
    """
    rows = a.index.union(b.index)
    seeds = a.columns.union(b.columns)
    ours, theirs = a.reindex(rows, columns=seeds), b.reindex(rows, columns=seeds)
    difference = ours - theirs
    mean, error = difference.mean(axis=1), difference.sem(axis=1).fillna(0.0)
    tie = (mean == 0) | (mean.abs() < error)
    # Without a common seed the mean is NaN: whoever has results at all has won.
    has, have = ours.notna().any(axis=1), theirs.notna().any(axis=1)
    wins = int((~tie & (mean > 0)).sum() + (has & ~have).sum())
    losses = int((~tie & (mean < 0)).sum() + (have & ~has).sum())
    return WinTieLoss(wins, len(rows) - wins - losses, losses, signed_ranks(mean.dropna()))


def signed_ranks(differences: pd.Series) -> float:
    """Return how probable such differences are by chance: Wilcoxon's signed ranks.

    Differences of 0 are left out; 1 where nothing differs.

    References
    ----------
    Demšar: Statistical comparisons of classifiers over multiple data sets, 2006, section 3.1.3.

    Examples
    --------
    >>> import pandas as pd
    >>> signed_ranks(pd.Series([0.4, 0.2, 0.2, 0.3, 0.2]))
    0.0625
    """
    from scipy.stats import wilcoxon

    values = differences.to_numpy(np.float64)
    values = values[values != 0]
    return float(wilcoxon(values).pvalue) if len(values) else 1.0


def growth_exponent(n: npt.ArrayLike, seconds: npt.ArrayLike) -> float:
    """Return the b of seconds = a nᵇ, by least squares on logarithms; NaN without two sizes.

    >>> round(growth_exponent([100, 200, 400], [1.0, 4.0, 16.0]), 6)
    2.0
    """
    from scipy.stats import linregress

    sizes, times = np.asarray(n, dtype=np.float64), np.asarray(seconds, dtype=np.float64)
    if sizes.shape != times.shape:
        raise DataError(f"sizes and seconds must be as many, not {sizes.shape} and {times.shape}")
    usable = (sizes > 0) & (times > 0)
    x, y = np.log(sizes[usable]), np.log(times[usable])
    if len(np.unique(x)) < 2:
        return math.nan
    return float(linregress(x, y).slope)


def _points(curve: pd.DataFrame, metric: str) -> tuple[Floats, Floats]:
    """Return questions and values of the rows that have one, in the order of the questions."""
    if "questions" not in curve or metric not in curve:
        raise DataError(f"a curve must hold the columns 'questions' and {metric!r}")
    rows = curve[["questions", metric]].dropna().sort_values("questions", kind="stable")
    return rows["questions"].to_numpy(np.float64), rows[metric].to_numpy(np.float64)


def _ranks(table: pd.DataFrame) -> pd.DataFrame:
    if table.empty:
        raise DataError("ranks need a table with at least one data set and one method")
    return table.rank(axis=1, ascending=False, method="average", na_option="bottom")
