"""Kinds of runs that measure similarities."""

from __future__ import annotations

import numpy as np
import pytest

from likewise.bench import papers
from likewise.bench.experiment import Task
from likewise.bench.runner import attempt
from likewise.bench.task_data import load
from likewise.bench.tasks.similarity import _MedianOfThree, similarities
from likewise.simulation.oracles import Raters

PILE = (("n", 30), ("separation", 8.0))


def test_a_curve_falls_to_nothing_and_tells_its_balance() -> None:
    task = Task("iu-red-interleaved", "two-gaussians", 0, (0, 60, 435), "similarity", PILE)
    _, rows = attempt(task)
    assert [row["questions"] for row in rows] == [0, 60, 435]
    assert rows[-1]["misclustering"] == 0.0
    assert {row["status"] for row in rows} == {"ok"}
    assert 0.3 < rows[0]["balance"] <= 0.5


def test_a_single_step_is_averaged_over_restarts() -> None:
    task = Task("iu-red", "two-gaussians", 0, (120,), "similarity-step", PILE)
    _, (row,) = attempt(task)
    assert row["status"] == "ok", row["reason"]
    assert row["restarts"] > 50
    assert abs(row["decrease"]) < 0.5


@pytest.mark.parametrize(("looks", "per_query"), [("three", 3), ("adaptive", 1), ("one", 1)])
def test_money_is_counted_in_ratings(looks: str, per_query: int) -> None:
    pile = (("looks", looks), *PILE)
    task = Task("random", "two-gaussians", 0, (0, 180, 360), "similarity-money", pile)
    _, rows = attempt(task)
    assert {row["status"] for row in rows} == {"ok"}, rows[0]["reason"]
    assert [row["questions"] for row in rows] == [0, 180, 360]
    assert [row["spent"] for row in rows] == pytest.approx([0.0, 180 * 0.015, 360 * 0.015])
    assert all(row["dollars"] in [one["spent"] for one in rows] for row in rows)
    assert 180 % per_query == 0


def test_a_query_of_three_ratings_tells_their_median() -> None:
    W = np.array([[1.0, 0.5], [0.5, 1.0]])
    alone, together = (Raters(W, price=0.015, random_state=3) for _ in range(2))
    query = _MedianOfThree(together)
    assert query(0, 1) == np.median([alone(0, 1) for _ in range(3)])
    assert query.price == pytest.approx(0.045)


def test_ratings_that_nobody_knows_of_are_refused() -> None:
    task = Task("random", "two-gaussians", 0, (60,), "similarity-money", (("looks", "two"), *PILE))
    _, (row,) = attempt(task)
    assert row["status"] == "failed"
    assert "looks must be one of three, adaptive, one" in row["reason"]


def test_classes_and_rows_choose_items() -> None:
    task = Task("random", "iris", 0, (9,), "similarity", (("classes", "1-2"), ("rows", 40)))
    X, truth, _ = load(task)
    assert X.shape == (40, 4)
    assert set(truth.tolist()) == {0, 1}


def test_similarities_are_symmetric_and_between_0_and_1() -> None:
    X = np.random.default_rng(0).normal(size=(12, 3))
    X[:, 2] = 1.0  # a constant column
    for width in (0.0, 0.7):
        W = similarities(X, width, 0)
        np.testing.assert_array_equal(W, W.T)
        assert W.min() >= 0
        assert W.max() <= 1


@pytest.mark.parametrize("quick", [False, True])
def test_the_paper_s_figures_belong_to_its_runs(quick: bool) -> None:
    paper = papers.load("iu-red", quick=quick)
    runs = {(task.data_name, task.method) for task in paper.experiment.tasks}
    ends = {task.checkpoints[-1:] + task.shares for task in paper.experiment.tasks}
    # These pictures were never published.
    had = paper.published[~paper.published["data"].isin({"face", "photos"})]
    assert len(paper.published) - len(had) == 4
    for row in had.to_dict("records"):
        assert (row["data"], row["method"]) in runs
        assert ((row["questions"] if np.isnan(row["share"]) else row["share"]),) in ends
