"""Paired tests and ratios of a method against the others, held to what they are defined by."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import wilcoxon

from likewise.bench.paired import (
    against_each,
    holm,
    ratio_to_best_per_set,
    ratio_to_best_single,
)
from likewise.errors import DataError

P_VALUES = st.lists(st.floats(0.0, 1.0), min_size=1, max_size=12)


def literal_holm(p_values: list[float]) -> list[float]:
    """Step down: the least times the number of tests, the next times one less, and so on."""
    found: dict[int, float] = {}
    largest = 0.0
    for left, at in zip(
        range(len(p_values), 0, -1), sorted(range(len(p_values)), key=lambda k: p_values[k]),
        strict=True,
    ):  # fmt: skip
        largest = max(largest, min(1.0, left * p_values[at]))
        found[at] = largest
    return [found[at] for at in range(len(p_values))]


@given(P_VALUES)
def test_holm_s_correction_is_the_step_down(p_values: list[float]) -> None:
    assert holm(p_values).tolist() == pytest.approx(literal_holm(p_values))


@given(P_VALUES)
def test_a_correction_never_makes_a_difference_surer(p_values: list[float]) -> None:
    adjusted = holm(p_values)
    assert (adjusted >= np.asarray(p_values) - 1e-12).all()
    assert (adjusted <= 1).all()


def test_a_comparison_that_could_not_be_made_does_not_count() -> None:
    adjusted = holm([0.02, math.nan, 0.04])
    assert adjusted[[0, 2]].tolist() == pytest.approx([0.04, 0.04])
    assert math.isnan(adjusted[1])


def scores(seed: int, n_sets: int = 12) -> pd.DataFrame:
    rng = np.random.default_rng(seed)
    table = pd.DataFrame(rng.random((n_sets, 3)), columns=["a", "b", "c"])
    return table.assign(a=table["a"] + 0.3)


def test_each_other_method_is_tested_by_signed_ranks(seed: int) -> None:
    table = scores(seed)
    tests = against_each(table, "a")
    assert list(tests) == ["b", "c"]
    for other, test in tests.items():
        gaps = table["a"] - table[other]
        assert test.p_value == pytest.approx(wilcoxon(gaps).pvalue)
        assert test.difference == pytest.approx(gaps.mean())
        assert test.low < test.difference < test.high
        assert test.adjusted >= test.p_value


def test_sets_on_which_one_has_no_result_are_left_out_for_these_two(seed: int) -> None:
    table = scores(seed)
    table.loc[3, "b"] = math.nan
    tests = against_each(table, "a")
    assert tests["b"].p_value == against_each(table.drop(index=3), "a")["b"].p_value
    alone = against_each(table.assign(b=math.nan), "a")["b"]
    assert math.isnan(alone.p_value)
    assert math.isnan(alone.difference)


def test_intervals_are_as_wide_as_the_standard_error_says() -> None:
    rng = np.random.default_rng(0)
    table = pd.DataFrame({"a": rng.normal(1.0, 0.1, 400), "b": np.zeros(400)})
    test = against_each(table, "a")["b"]
    assert (test.high - test.low) / 2 == pytest.approx(1.96 * 0.1 / 20, rel=0.15)


@settings(max_examples=20)
@given(st.integers(0, 10**6))
def test_whoever_is_best_on_each_set_is_harder_to_beat_than_whoever_is_best(seed: int) -> None:
    table = scores(seed, 8)
    single, per_set = ratio_to_best_single(table, "a"), ratio_to_best_per_set(table, "a")
    assert per_set.value <= single.value + 1e-12
    assert single.low <= single.value <= single.high or single.low < single.high
    means = table.mean()
    assert single.value == pytest.approx(means["a"] / means[["b", "c"]].max())
    best = table[["b", "c"]].max(axis=1).mean()
    assert per_set.value == pytest.approx(means["a"] / best)


def test_a_method_without_some_results_cannot_be_the_best_single_one() -> None:
    table = pd.DataFrame({"a": [0.5, 0.5], "b": [1.0, math.nan], "c": [0.25, 0.25]})
    assert ratio_to_best_single(table, "a").value == 2.0
    assert ratio_to_best_per_set(table, "a").value == pytest.approx(0.5 / 0.625)


def test_a_ratio_to_nobody_is_refused() -> None:
    with pytest.raises(DataError, match="and of another method"):
        ratio_to_best_single(pd.DataFrame({"a": [0.5]}), "a")
    with pytest.raises(DataError, match="there is no method 'z'"):
        against_each(scores(0), "z")
