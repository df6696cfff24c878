from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.datasets import load_digits

import likewise as lw
from interviews import Interview, blobs
from likewise.clusterers import DSL
from likewise.clusterers.dialogue.dsl import neighbour_tree

Array = npt.NDArray[np.float64]


def test_a_line_of_five_items() -> None:
    # 1 and 2 are each other's nearest, and so are 3 and 4; 0 points at 1.
    tree = neighbour_tree(np.array([[0.0], [1.0], [1.5], [9.0], [9.25]]))
    assert tree.parent.tolist() == [1, 1, 1, 1, 3]
    assert tree.length.tolist() == [1.0, 0.0, 0.5, 8.0, 0.25]


def parents_literally(X: Array) -> list[int]:
    """Level by level, as it is told."""
    parent, level = list(range(len(X))), list(range(len(X)))
    while len(level) > 1:
        nearest = {
            i: min((j for j in level if j != i), key=lambda j: float(np.linalg.norm(X[i] - X[j])))
            for i in level
        }
        pointing = list(nearest.values())
        above = dict(nearest)
        for i in level:
            j = nearest[i]
            if nearest[j] == i and i < j:
                above[i if pointing.count(i) >= pointing.count(j) else j] = -1
        for i in level:
            if above[i] >= 0:
                parent[i] = above[i]
        level = [i for i in level if above[i] < 0]
    return parent


@settings(max_examples=40)
@given(st.integers(2, 30), st.integers(0, 10_000))
def test_the_tree_is_the_one_that_is_described(n: int, seed: int) -> None:
    X = np.random.default_rng(seed).normal(size=(n, 3))
    assert neighbour_tree(X).parent.tolist() == parents_literally(X)


@settings(max_examples=60)
@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), min_size=2, max_size=40))
def test_ties_and_copies_give_a_tree_all_the_same(points: list[tuple[int, int]]) -> None:
    tree = neighbour_tree(np.array(points, dtype=float))
    at = np.arange(len(points))
    for _ in points:
        at = tree.parent[at]
    assert len(set(at.tolist())) == 1
    assert tree.parent[at[0]] == at[0]


def test_the_longest_edge_is_asked_first_and_cut_when_its_ends_differ() -> None:
    X, kinds = [[0.0], [1.0], [1.5], [9.0], [9.25]], [0, 0, 0, 1, 1]
    talk = Interview(DSL, X, kinds)
    assert talk.model.question_ == (3, 1)
    talk.answer(1)
    assert talk.score == 1.0
    talk.answer()
    # The other three edges are the same: n - 1 questions in all.
    assert talk.said == "DSSS"


def test_what_is_cut_off_is_asked_against_representatives_nearest_first() -> None:
    # Three clumps: the last belongs to the first, though the second lies between them.
    X = [[0.0], [0.1], [0.25], [5.0], [5.1], [5.25], [11.0], [11.1], [11.25]]
    kinds = [0, 0, 0, 1, 1, 1, 0, 0, 0]
    talk = Interview(DSL, X, kinds).answer()
    assert talk.score == 1.0
    assert talk.said.startswith("D")
    assert talk.said.count("D") <= 3


@settings(max_examples=6)
@given(order=st.permutations(range(60)))
def test_items_in_another_order_get_the_same_groups(order: list[int]) -> None:
    X, truth = blobs()
    assert Interview(DSL, X[order], truth[order]).answer(12).score == 1.0


@pytest.mark.parametrize("n_clusters", [10, None])
def test_digits_get_as_good_as_the_authors_say_of_theirs(n_clusters: int | None) -> None:
    # .97 after 200 questions, by the authors' program.
    X, kinds = load_digits(return_X_y=True)
    oracle = lw.oracles.FromLabels(kinds)
    result = lw.run(X, oracle, method="dsl", n_clusters=n_clusters, budget=200, checkpoints=[200])
    assert result.curve.ari.iloc[-1] > 0.95
