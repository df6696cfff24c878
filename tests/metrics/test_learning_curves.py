"""AUC and the area under its curve, against their definitions and the paper's own figures."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import roc_auc_score

from likewise.errors import DataError
from likewise.metrics import alc, auc


@given(st.lists(st.tuples(st.booleans(), st.integers(-3, 3)), min_size=2, max_size=30))
def test_auc_counts_pairs_in_the_right_order_and_ties_half(drawn: list[tuple[bool, int]]) -> None:
    truth, scores = zip(*drawn, strict=True)
    positive = [score for kind, score in drawn if kind]
    negative = [score for kind, score in drawn if not kind]
    if not positive or not negative:
        with pytest.raises(DataError, match="two kinds"):
            auc(truth, scores)
        return
    won = sum((p > n) + 0.5 * (p == n) for p in positive for n in negative)
    assert auc(truth, scores) == pytest.approx(won / (len(positive) * len(negative)))
    assert auc(truth, scores) == pytest.approx(roc_auc_score(truth, scores))
    assert auc(truth, [-score for score in scores]) == pytest.approx(1 - auc(truth, scores))


def test_only_the_order_of_scores_matters() -> None:
    rng = np.random.default_rng(0)
    truth, scores = rng.integers(0, 2, 50), rng.normal(size=50)
    assert auc(truth, scores) == auc(np.where(truth == 1, "yes", "no"), np.exp(scores))


@pytest.mark.parametrize(
    ("first", "last", "published"),
    [
        (0.1922, 0.8496, 0.0419),  # ALG1 on data set A: the AUC of its first step is in the text
        (0.4180, 0.9627, 0.3807),  # and on F
    ],
)
def test_a_curve_of_two_points_has_the_area_that_the_paper_reports(
    first: float, last: float, published: float
) -> None:
    assert alc([1, 5000], [first, last], 5000) == pytest.approx(published, abs=2e-4)


def test_the_score_of_a_single_point_is_how_far_it_is_above_guessing() -> None:
    assert alc([1], [0.1922], 5000) == pytest.approx(-0.6155, abs=2e-4)  # as printed in the paper
    assert alc([1], [0.4180], 5000) == pytest.approx(-0.1641, abs=2e-4)


@given(st.lists(st.floats(0, 1), min_size=1, max_size=8), st.integers(0, 5))
def test_the_area_is_the_sum_of_trapezia_over_the_logarithm(heights: list[float], k: int) -> None:
    labels = 2 ** np.arange(len(heights))
    n_items = int(labels[-1] * 2**k) + 1
    x = [*np.log2(labels).tolist(), float(np.log2(n_items))]
    y = [*heights, heights[-1]]
    area = sum((x[i + 1] - x[i]) * (y[i] + y[i + 1]) / 2 for i in range(len(heights)))
    assert alc(labels, heights, n_items) == pytest.approx(2 * area / x[-1] - 1)


def test_perfect_from_the_start_is_one_and_guessing_is_nothing() -> None:
    assert alc([1, 2, 4], [1.0, 1.0, 1.0], 100) == pytest.approx(1.0)
    assert alc([1, 2, 4], [0.5, 0.5, 0.5], 100) == pytest.approx(0.0)


@pytest.mark.parametrize(
    ("labels", "heights", "n_items"),
    [([1, 1], [0.5, 0.6], 9), ([0], [0.5], 9), ([10], [0.5], 9), ([1, 2], [0.5], 9), ([], [], 9)],
)
def test_curves_that_make_no_sense_are_refused(
    labels: list[int], heights: list[float], n_items: int
) -> None:
    with pytest.raises(DataError):
        alc(labels, heights, n_items)
