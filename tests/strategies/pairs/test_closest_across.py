"""The closest pair of different clusters, against a loop over all pairs."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import likewise as lw
from likewise.strategies import ClosestAcross, View
from likewise.strategies.pairs.selection import OpenPairs


def literal(view: View) -> tuple[float, bool]:
    """The length of the pair that is wanted, and whether it lies across clusters."""
    n = len(view.components)
    distance = view.distances(np.arange(n), np.arange(n))
    labels = view.clustering.labels_
    known = view.constraints
    undecided = [(i, j) for i, j in combinations(range(n), 2) if known.implied(i, j) is None]
    across = [distance[p] for p in undecided if labels[p[0]] != labels[p[1]]]
    within = [distance[p] for p in undecided if labels[p[0]] == labels[p[1]]]
    return (min(across), True) if across else (max(within), False)


@given(st.integers(0, 2**32 - 1), st.integers(4, 18), st.integers(0, 20))
def test_the_closest_open_pair_of_different_clusters_is_asked(
    seed: int, n: int, n_answers: int
) -> None:
    rng = np.random.default_rng(seed)
    X, kinds = rng.random((n, 2)), rng.integers(2, size=n)
    study = lw.Study(X, method="closest", n_clusters=2)
    for _ in range(n_answers):
        i, j = rng.choice(n, 2, replace=False)
        study.tell((int(i), int(j)), bool(kinds[i] == kinds[j]))
    question = study.ask()
    if question is None:
        return
    view = study._view(frozenset())
    length, across = literal(view)
    i, j = question.pair
    assert (view.clustering.labels_[i] != view.clustering.labels_[j]) == across
    found = view.distances(np.array([i]), np.array([j]))[0, 0]
    assert found == pytest.approx(length, rel=1e-5)


def test_neighbours_come_before_all_other_pairs() -> None:
    X, _ = lw.datasets.load("iris")
    study = lw.Study(X, method="closest", n_clusters=3)
    view = study._view(frozenset())
    neighbours, others, _ = ClosestAcross().pairs(view, np.random.default_rng(0))
    graph = view.affinity.affinity_
    assert all(graph[i, j] > 0 for i, j in neighbours)
    labels = view.clustering.labels_
    assert (labels[others[:, 0]] != labels[others[:, 1]]).all()
    lengths = [view.distances(np.array([i]), np.array([j]))[0, 0] for i, j in neighbours]
    assert (np.diff(lengths) >= -1e-5 * max(lengths)).all()


@given(st.integers(0, 2**32 - 1), st.integers(2, 12), st.integers(0, 15))
def test_open_pairs_are_those_that_nothing_implies(seed: int, n: int, n_answers: int) -> None:
    rng = np.random.default_rng(seed)
    study = lw.Study(rng.random((n, 2)), method="random")
    kinds = rng.integers(3, size=n)
    for _ in range(n_answers):
        i, j = rng.choice(n, 2, replace=False)
        study.tell((int(i), int(j)), bool(kinds[i] == kinds[j]))
    view = study._view(frozenset())
    grid = OpenPairs(view).with_all(np.arange(n))
    pairs = np.array(list(combinations(range(n), 2)))
    listed = OpenPairs(view).among(pairs)
    for (i, j), is_open in zip(pairs.tolist(), listed.tolist(), strict=True):
        assert is_open == (view.constraints.implied(i, j) is None)
        assert grid[i, j] == grid[j, i] == is_open
    assert not grid.diagonal().any()
    some, others = rng.permutation(n)[: n // 2], rng.permutation(n)
    between = OpenPairs(view).between(some, others)
    np.testing.assert_array_equal(between, grid[np.ix_(some, others)])
