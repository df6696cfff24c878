"""Oracles that say how alike two items are, and runs that ask them."""

from __future__ import annotations

import threading
from typing import Any

import numpy as np
import pytest

import likewise as lw
from likewise.errors import CostLimit, DataError, MethodError

W = np.array([[1.0, 0.9, 0.2, 0.1], [0.9, 1, 0.1, 0.3], [0.2, 0.1, 1, 0.8], [0.1, 0.3, 0.8, 1]])


def test_hidden_entries_are_none() -> None:
    hidden = W.copy()
    hidden[0, 3] = hidden[3, 0] = np.nan
    oracle = lw.oracles.FromMatrix(hidden)
    assert oracle(0, 3) is None
    assert oracle(1, 0) == 0.9


@pytest.mark.parametrize(
    ("matrix", "sentence"),
    [
        (np.ones(3), "square"),
        (np.full((2, 2), 3.0), "between 0 and 1"),
        (np.array([[1, 0.2], [0.3, 1]]), "symmetric"),
    ],
)
def test_a_matrix_of_no_similarities_is_refused(matrix: Any, sentence: str) -> None:
    with pytest.raises(DataError, match=sentence):
        lw.oracles.FromMatrix(matrix)


def test_raters_differ_but_not_between_runs() -> None:
    def ratings(order: list[tuple[int, int]]) -> dict[tuple[int, int, int], float | None]:
        oracle = lw.oracles.Raters(W, random_state=3)
        said: dict[tuple[int, int, int], float | None] = {}
        for i, j in order:
            look = sum(key[:2] == (i, j) for key in said)
            said[i, j, look] = oracle(i, j)
        return said

    order = [(0, 1), (0, 1), (0, 2), (0, 1), (2, 3)]
    first = ratings(order)
    assert first == ratings(order[::-1])
    assert all(value in {k / 10 for k in range(1, 11)} for value in first.values())
    many = lw.oracles.Raters(W, random_state=3)
    values = [many(0, 1) for _ in range(200)]
    assert len(set(values)) > 3
    assert np.median([v for v in values if v is not None]) == pytest.approx(0.9, abs=0.1)


def test_a_costly_function_is_called_once_per_pair_and_side_by_side() -> None:
    calls: list[tuple[int, int]] = []
    meeting = threading.Barrier(3, timeout=30)

    def slow(i: int, j: int) -> float:
        calls.append((i, j))
        meeting.wait()  # passes only if three run at a time
        return float(W[i, j])

    oracle = lw.oracles.Costly(slow, workers=3, price=0.5)
    assert oracle.many([(0, 1), (2, 1), (3, 2), (1, 0)]) == [0.9, 0.1, 0.8, 0.9]
    assert sorted(calls) == [(0, 1), (1, 2), (2, 3)]
    assert oracle(1, 2) == 0.1
    assert oracle.cost == 1.5


def test_a_cost_limit_ends_a_run_before_it_is_passed() -> None:
    oracle = lw.oracles.Costly(lambda i, j: float(W[i, j]), price=2.0, limit=9.0)
    run = lw.run_similarity(oracle, 4, budget=6, reference=[0, 0, 1, 1])
    assert run.interrupted
    assert oracle.cost == run.study.cost == 8.0
    with pytest.raises(CostLimit, match="only 1 is left"):
        oracle.many([(i, j) for i in range(4) for j in range(i + 1, 4)])


def test_a_run_knows_its_curve() -> None:
    oracle = lw.oracles.FromMatrix(W)
    run = lw.run_similarity(oracle, 4, budget=6, reference=[0, 0, 1, 1], batch=2)
    assert run.curve.measurements.tolist() == [0, 2, 4, 6]
    assert run.curve.fraction.iloc[-1] == 1.0
    assert run.curve.error.iloc[-1] == 0.0
    assert run.labels_.tolist() == [0, 0, 1, 1]
    with pytest.raises(MethodError, match="budget"):
        lw.run_similarity(oracle, 4, budget=0)
    with pytest.raises(DataError, match="reference"):
        lw.run_similarity(oracle, 4, budget=3, reference=[0, 1])


def test_complete_labels_are_those_of_a_study_of_everything(seed: int) -> None:
    rng = np.random.default_rng(seed)
    M = rng.random((12, 12))
    M = (M + M.T) / 2
    sim = lw.SimilarityStudy(12, method="random", random_state=seed)
    while (pair := sim.ask()) is not None:
        sim.tell(pair, float(M[pair]))
    np.testing.assert_array_equal(sim.labels_, lw.complete_labels(M))
