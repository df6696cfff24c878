"""The numbers of a comparison are those of the textbook, of scipy, and of counting by hand."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd
import pytest
import scipy.stats
from hypothesis import given
from hypothesis import strategies as st

from likewise.bench.statistics import (
    area,
    average_ranks,
    confidence_band,
    friedman,
    growth_exponent,
    nemenyi_critical_difference,
    questions_to_reach,
    win_tie_loss,
)
from likewise.errors import DataError

SHARES = st.floats(0, 1, allow_nan=False)
CURVES = st.lists(st.tuples(st.integers(0, 200), SHARES), min_size=1, unique_by=lambda row: row[0])
# Coarse values, so that ties happen.
TABLES = st.integers(2, 5).flatmap(
    lambda k: st.lists(
        st.lists(st.integers(0, 4), min_size=k, max_size=k), min_size=2, max_size=6
    ).map(lambda rows: pd.DataFrame(rows, columns=[f"m{j}" for j in range(k)], dtype=float))
)


def curve(*rows: tuple[int, float]) -> pd.DataFrame:
    return pd.DataFrame(list(rows), columns=["questions", "ari"])


def test_the_area_of_a_ramp_is_half_and_its_last_value_is_carried_forward() -> None:
    ramp = curve((0, 0.0), (10, 1.0))
    assert area(ramp) == 0.5
    assert area(ramp, budget=40) == pytest.approx((5 + 30) / 40)


def test_the_area_up_to_a_smaller_budget_cuts_the_curve_there() -> None:
    assert area(curve((0, 0.0), (10, 1.0)), budget=5) == 0.25


def test_the_area_does_not_mind_the_order_of_rows_nor_rows_without_a_value() -> None:
    rows = curve((20, 1.0), (10, math.nan), (0, 0.0))
    assert area(rows) == 0.5
    assert math.isnan(area(curve((0, math.nan))))


def test_a_single_checkpoint_is_its_own_area() -> None:
    assert area(curve((0, 0.3))) == 0.3
    assert area(curve((7, 0.3)), budget=20) == pytest.approx(0.3)


@given(CURVES, st.integers(1, 300))
def test_the_area_of_shares_is_a_share(rows: list[tuple[int, float]], budget: int) -> None:
    assert -1e-12 <= area(curve(*rows), budget=budget) <= 1 + 1e-12


@given(CURVES, st.lists(SHARES, min_size=1))
def test_a_curve_that_lies_higher_has_no_smaller_area(
    rows: list[tuple[int, float]], lifts: list[float]
) -> None:
    higher = [(q, max(v, lifts[k % len(lifts)])) for k, (q, v) in enumerate(rows)]
    assert area(curve(*higher), budget=200) >= area(curve(*rows), budget=200) - 1e-12


@given(CURVES)
def test_the_area_is_what_summing_over_every_question_gives(rows: list[tuple[int, float]]) -> None:
    rows = sorted(rows)
    every = np.interp(np.arange(201), [q for q, _ in rows], [v for _, v in rows])
    by_hand = (every[1:] + every[:-1]).sum() / 2 / 200
    assert area(curve(*rows), budget=200) == pytest.approx(by_hand)


def test_a_level_is_reached_at_the_first_checkpoint_that_has_it() -> None:
    rows = curve((0, 0.1), (10, 0.8), (20, 0.7), (30, 0.9))
    assert questions_to_reach(rows, 0.8) == 10
    assert questions_to_reach(rows, 0.85) == 30
    assert questions_to_reach(rows, 0.95) is None
    assert questions_to_reach(curve((0, math.nan)), 0.1) is None


def test_a_curve_without_the_metric_is_refused() -> None:
    with pytest.raises(DataError, match="'nmi'"):
        area(curve((0, 1.0)), metric="nmi")


def test_the_band_is_scipys_t_interval(seed: int) -> None:
    values = np.random.default_rng(seed).normal(size=(6, 3))
    band = confidence_band(values)
    error = values.std(axis=0, ddof=1) / math.sqrt(6)
    low, high = scipy.stats.t.interval(0.95, 5, loc=values.mean(axis=0), scale=error)
    np.testing.assert_allclose([band.low, band.high], [low, high])
    np.testing.assert_allclose(band.mean, values.mean(axis=0))


def test_one_seed_has_a_mean_and_no_interval() -> None:
    band = confidence_band([[0.5, 0.7]])
    assert band.mean.tolist() == [0.5, 0.7]
    assert np.isnan(band.low).all()
    assert np.isnan(band.high).all()
    with pytest.raises(DataError, match="at least one seed"):
        confidence_band([])


def test_equals_share_ranks_and_the_missing_rank_last() -> None:
    table = pd.DataFrame({"a": [0.9, 0.5], "b": [0.9, math.nan], "c": [0.1, 0.7]})
    assert average_ranks(table).to_dict() == {"a": 1.75, "b": 2.25, "c": 2.0}


@given(TABLES)
def test_ranks_sum_to_what_ranks_sum_to(table: pd.DataFrame) -> None:
    k = table.shape[1]
    assert average_ranks(table).sum() == pytest.approx(k * (k + 1) / 2)


@given(TABLES, st.randoms(use_true_random=False))
def test_permuting_methods_permutes_their_ranks(table: pd.DataFrame, chance: object) -> None:
    names = list(table.columns)
    chance.shuffle(names)  # type: ignore[attr-defined]
    pd.testing.assert_series_equal(average_ranks(table[names]), average_ranks(table)[names])


@given(TABLES)
def test_a_rank_is_one_more_than_the_better_and_half_the_equal(table: pd.DataFrame) -> None:
    values = table.to_numpy()
    better = (values[:, None, :] > values[:, :, None]).sum(axis=2)
    equal = (values[:, None, :] == values[:, :, None]).sum(axis=2)
    np.testing.assert_allclose(average_ranks(table), (better + (equal + 1) / 2).mean(axis=0))


def test_friedmans_test_is_scipys(seed: int) -> None:
    table = pd.DataFrame(np.random.default_rng(seed).normal(size=(9, 4)), columns=list("abcd"))
    expected = scipy.stats.friedmanchisquare(*table.to_numpy().T)
    assert friedman(table) == pytest.approx((expected.statistic, expected.pvalue))


def test_friedmans_test_needs_three_methods_and_calls_equals_equal() -> None:
    assert math.isnan(friedman(pd.DataFrame({"a": [1, 2], "b": [2, 1]})).p_value)
    assert friedman(pd.DataFrame({"a": [1, 1], "b": [1, 1], "c": [1, 1]})) == (0.0, 1.0)


@pytest.mark.parametrize(
    ("n_methods", "q"), [(2, 1.960), (3, 2.343), (4, 2.569), (5, 2.728), (10, 3.164)]
)
def test_the_critical_difference_is_the_published_one(n_methods: int, q: float) -> None:
    expected = q * math.sqrt(n_methods * (n_methods + 1) / (6 * 14))
    assert nemenyi_critical_difference(n_methods, 14) == pytest.approx(expected, abs=0.002)


def test_four_methods_on_fourteen_sets_must_be_a_rank_and_a_quarter_apart() -> None:
    assert nemenyi_critical_difference(4, 14) == pytest.approx(1.25, abs=0.01)
    with pytest.raises(DataError, match="at least 2 methods"):
        nemenyi_critical_difference(1, 14)


def frame(rows: dict[str, list[float]]) -> pd.DataFrame:
    return pd.DataFrame(rows).T


def test_a_difference_within_its_error_over_seeds_is_a_tie() -> None:
    ours = frame({"won": [0.9, 0.8, 0.9], "tied": [0.5, 0.7, 0.6], "lost": [0.1, 0.1, 0.1]})
    theirs = frame({"won": [0.5, 0.5, 0.5], "tied": [0.6, 0.6, 0.6], "lost": [0.2, 0.2, 0.2]})
    assert win_tie_loss(ours, theirs)[:3] == (1, 1, 1)
    assert win_tie_loss(theirs, ours)[:3] == (1, 1, 1)


def test_the_paired_test_is_wilcoxons_over_data_sets(seed: int) -> None:
    rng = np.random.default_rng(seed)
    ours, theirs = pd.DataFrame(rng.random((8, 3))), pd.DataFrame(rng.random((8, 3)))
    expected = scipy.stats.wilcoxon(ours.mean(axis=1) - theirs.mean(axis=1)).pvalue
    assert win_tie_loss(ours, theirs).p_value == pytest.approx(expected)


def test_who_has_no_result_has_lost() -> None:
    ours = frame({"x": [0.5, 0.6], "y": [math.nan, math.nan]})
    theirs = frame({"x": [math.nan, math.nan], "y": [0.1, 0.1], "z": [math.nan, math.nan]})
    assert win_tie_loss(ours, theirs) == (1, 1, 1, 1.0)


def test_seeds_are_paired_where_both_finished() -> None:
    ours, theirs = frame({"x": [0.5, math.nan]}), frame({"x": [0.4, 0.9]})
    assert win_tie_loss(ours, theirs)[:3] == (1, 0, 0)


@given(st.floats(-1, 4), st.floats(1e-3, 1e3))
def test_the_exponent_of_a_power_law_is_found(exponent: float, factor: float) -> None:
    n = np.array([50, 100, 400, 1000])
    assert growth_exponent(n, factor * n**exponent) == pytest.approx(exponent, abs=1e-9)


def test_one_size_has_no_growth() -> None:
    assert math.isnan(growth_exponent([100, 100], [1.0, 2.0]))
    assert math.isnan(growth_exponent([100, 200], [1.0, 0.0]))
    with pytest.raises(DataError, match="as many"):
        growth_exponent([1, 2], [1.0])
