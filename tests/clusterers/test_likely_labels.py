"""Links weighed: exact beside all assignments where links are a tree, and sensible at the ends."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from likewise.clusterers import COPRF
from likewise.clusterers.likely_labels import likely_labels, linked_chances


def test_chances_over_a_tree_of_links_are_those_of_all_assignments(seed: int) -> None:
    rng = np.random.default_rng(seed)
    n, k, error = 6, 3, 0.2
    own = rng.dirichlet(np.ones(k), n)
    pairs = np.array([[int(rng.integers(at)), at] for at in range(1, n)])
    same = rng.random(len(pairs)) < 0.5
    weighed = np.zeros((n, k))
    for assigned in product(range(k), repeat=n):
        labels = np.array(assigned)
        agree = (labels[pairs[:, 0]] == labels[pairs[:, 1]]) == same
        weight = own[np.arange(n), labels].prod() * np.where(agree, 1 - error, error).prod()
        weighed[np.arange(n), labels] += weight
    expected = weighed / weighed.sum(axis=1, keepdims=True)
    np.testing.assert_allclose(linked_chances(own, pairs, same, error), expected, atol=1e-4)


def test_links_that_tell_nothing_leave_the_labels_alone() -> None:
    labels, none = np.array([0, 1, 1, 0]), np.empty((0, 2), dtype=np.int64)
    graph = np.ones((4, 4))
    pairs, same = np.array([[0, 1], [2, 3]]), np.array([True, True])
    assert likely_labels(graph, labels, none, np.empty(0, dtype=bool), 0.1) is labels
    assert likely_labels(graph, labels, pairs, same, 0.5) is labels


def test_one_link_against_a_clear_graph_is_not_believed_and_several_are() -> None:
    block = np.kron(np.eye(2), np.ones((10, 10)))
    labels = np.repeat([0, 1], 10)
    one = likely_labels(block, labels, np.array([[0, 15]]), np.array([True]), 0.15)
    assert one.tolist() == labels.tolist()
    pairs = np.array([[0, 12], [0, 15], [0, 18], [0, 3], [0, 4]])
    several = likely_labels(block, labels, pairs, np.array([True] * 3 + [False] * 2), 0.15)
    assert several[0] == 1
    assert several[1:].tolist() == labels[1:].tolist()


def test_small_clusters_among_large_ones_keep_what_no_link_speaks_of() -> None:
    # Three items in the middle of thirty: every neighbourhood is mostly of the large cluster.
    graph, labels = np.ones((33, 33)), np.repeat([0, 1], [30, 3])
    pairs, same = np.array([[0, 1], [2, 3]]), np.array([True, True])
    assert likely_labels(graph, labels, pairs, same, 0.15).tolist() == labels.tolist()


def test_an_item_without_neighbours_goes_by_its_links() -> None:
    graph = np.kron(np.diag([1.0, 1.0, 0.0]), np.ones((4, 4)))[:9, :9]
    labels = np.array([0] * 4 + [1] * 4 + [0])
    pairs = np.array([[8, 4], [8, 5], [8, 6]])
    assert likely_labels(graph, labels, pairs, np.ones(3, dtype=bool), 0.1)[8] == 1


@pytest.mark.parametrize("weigh", [True, False])
def test_a_forest_told_that_answers_err_weighs_them_unless_told_otherwise(weigh: bool) -> None:
    rng = np.random.default_rng(0)
    truth = np.arange(60) % 2
    X = rng.standard_normal((60, 2))  # the features tell nothing
    pairs = np.array([[i, j] for i in range(60) for j in (i + 2, i + 3, i + 5) if j < 60])
    same = truth[pairs[:, 0]] == truth[pairs[:, 1]]
    same ^= rng.random(len(same)) < 0.1
    model = COPRF(n_clusters=2, n_trees=20, error_rate=0.1, weigh_links=weigh)
    labels = model.fit(X, must_link=pairs[same], cannot_link=pairs[~same]).labels_
    agreed = np.mean((labels[pairs[:, 0]] == labels[pairs[:, 1]]) == same)
    through_forest = COPRF(n_clusters=2, n_trees=20, error_rate=0.1, answers_win=False)
    through_forest.fit(X, must_link=pairs[same], cannot_link=pairs[~same])
    if weigh:
        before = through_forest.labels_
        assert agreed > np.mean((before[pairs[:, 0]] == before[pairs[:, 1]]) == same)
    else:
        assert labels.tolist() == through_forest.labels_.tolist()
