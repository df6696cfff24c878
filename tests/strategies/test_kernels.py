"""The compiled forest, held to its slow twin: every cut of every node tried, literally."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from hypothesis import given
from hypothesis import strategies as st

from likewise.strategies._kernels import best_cut, forest_leaves, ranks

BITS = 2


def purity(groups: npt.NDArray[np.int64]) -> float:
    """Σ over groups of n² / n, which Gini impurity falls with."""
    return float((np.bincount(groups) ** 2).sum() / len(groups))


@given(st.lists(st.tuples(st.integers(0, 5), st.integers(0, 3)), min_size=2, max_size=12))
def test_the_best_cut_leaves_the_purest_halves_of_all_cuts(rows: list[tuple[int, int]]) -> None:
    value, group = np.array(sorted(rows)).T
    shares = np.bincount(group, minlength=4).astype(float)
    found, last = best_cut((value << BITS) | group, BITS, shares, np.zeros(4))
    tried = {
        int(at): purity(group[value <= at]) + purity(group[value > at])
        for at in np.unique(value)[:-1]
    }
    if not tried:
        assert found == -1.0
        return
    np.testing.assert_allclose(found, max(tried.values()))
    np.testing.assert_allclose(tried[last], found)


def test_ranks_are_the_places_of_sorted_values() -> None:
    X = np.array([[2.0, 1.0], [1.0, 1.0], [2.0, -1.0]])
    assert ranks(X).tolist() == [[1, 0, 1], [1, 1, 0]]


def test_leaves_hold_one_group_of_the_rows_a_tree_has_seen() -> None:
    rng = np.random.default_rng(0)
    X, groups = rng.normal(size=(60, 4)), rng.integers(3, size=60)
    drawn = rng.integers(60, size=(5, 60))
    leaves, n_leaves = forest_leaves(X, groups, drawn, 2, np.array([7], dtype=np.uint64))
    assert leaves.min() == 0
    assert n_leaves == leaves.max() + 1
    for tree, seen in enumerate(drawn):
        for leaf in np.unique(leaves[seen, tree]):
            assert len(np.unique(groups[seen][leaves[seen, tree] == leaf])) == 1
    assert all(
        len(np.intersect1d(one, other)) == 0
        for one, other in zip(leaves.T[:-1], leaves.T[1:], strict=True)
    )


def test_items_that_are_alike_share_a_leaf_whatever_their_group() -> None:
    X = np.zeros((4, 3))
    drawn = np.array([[0, 1, 2, 3]])
    groups = np.array([0, 1, 0, 1])
    leaves, n_leaves = forest_leaves(X, groups, drawn, 1, np.array([7], dtype=np.uint64))
    assert leaves.ravel().tolist() == [0, 0, 0, 0]
    assert n_leaves == 1


def test_equal_seeds_give_equal_forests() -> None:
    X = np.array([[0.0, 3.0], [1.0, 1.0], [2.0, 2.0], [3.0, 0.0]])
    drawn = np.array([[0, 1, 2, 3], [3, 1, 1, 2]])
    groups = np.array([0, 1, 0, 1])
    leaves, _ = forest_leaves(X, groups, drawn, 1, np.array([5], dtype=np.uint64))
    again, _ = forest_leaves(X, groups, drawn, 1, np.array([5], dtype=np.uint64))
    assert leaves.tolist() == again.tolist()
