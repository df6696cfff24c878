"""The compiled forest, held to its slow twin: every cut of every node tried, literally."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from hypothesis import given
from hypothesis import strategies as st

from likewise.strategies.items._kernels import best_cut, forest_leaves, ranks, sorted_keys

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
    codes, ascending = ranks(X)
    assert codes.tolist() == [[1, 0, 1], [1, 1, 0]]
    assert np.take_along_axis(codes, ascending, axis=1).tolist() == [[0, 1, 1], [0, 1, 1]]


@given(st.integers(0, 10_000), st.integers(1, 60))
def test_large_nodes_are_counted_and_small_ones_sorted_to_the_same_end(seed: int, m: int) -> None:
    rng = np.random.default_rng(seed)
    X = rng.integers(12, size=(40, 1)).astype(float)
    groups, rows = rng.integers(4, size=40), rng.integers(40, size=m)
    codes, ascending = ranks(X)
    often = np.bincount(rows, minlength=40)
    keys = np.empty(m, dtype=np.int64)
    sorted_keys(codes[0], ascending[0], rows, often, groups, BITS, keys)
    expected = sorted(zip(codes[0][rows].tolist(), groups[rows].tolist(), strict=True))
    found = [(int(key >> BITS), int(key & 3)) for key in keys]
    assert [rank for rank, _ in found] == [rank for rank, _ in expected]
    assert sorted(found) == expected  # the order of equal ranks decides nothing


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
