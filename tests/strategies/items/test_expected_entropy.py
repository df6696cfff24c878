"""Expected entropy against the paper's formula, pair by pair."""

from __future__ import annotations

import math
from itertools import combinations

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st

from likewise.strategies.items.expected_entropy import expected_reduction

Matrix = npt.NDArray[np.float64]


def entropy(p: float) -> float:
    return -sum(x * math.log(x) for x in (p, 1 - p) if x > 0)


def uncertainty(R: Matrix) -> float:
    """Q(R): the entropy of every pair, p_ij = r_i · r_j."""
    return sum(entropy(min(1.0, float(R[i] @ R[j]))) for i, j in combinations(range(len(R)), 2))


def literal_reduction(R: Matrix, i: int) -> float:
    """Q(R) − u(i), with u(i) of equation 9: the item in each group, weighed by its chance."""
    expected = 0.0
    for m in range(R.shape[1]):
        assumed = R.copy()
        assumed[i] = np.eye(R.shape[1])[m]
        expected += R[i, m] * uncertainty(assumed)
    return uncertainty(R) - expected


def some_memberships(seed: int, n: int, n_groups: int) -> Matrix:
    """Rows that sum to one: mixed ones, certain ones, even ones, and one twice."""
    rng = np.random.default_rng(seed)
    R = rng.dirichlet(np.full(n_groups, 0.5), size=n)
    R[rng.random(n) < 0.3] = np.eye(n_groups)[0]
    R[rng.random(n) < 0.2] = 1 / n_groups
    R[-1] = R[0]
    return R


def uncertain(R: Matrix) -> npt.NDArray[np.int64]:
    return np.flatnonzero((R < 1).all(axis=1))


@given(st.integers(0, 2**32 - 1), st.integers(2, 12), st.integers(1, 5))
def test_the_reduction_equals_the_papers_double_loop(seed: int, n: int, n_groups: int) -> None:
    R = some_memberships(seed, n, n_groups)
    ours = expected_reduction(R, np.arange(n), uncertain(R))
    literal = [literal_reduction(R, i) for i in range(n)]
    np.testing.assert_allclose(ours, literal, atol=1e-9)


@given(st.integers(0, 2**32 - 1), st.permutations(range(8)), st.permutations(range(3)))
def test_neither_the_order_of_items_nor_of_groups_matters(
    seed: int, items: list[int], groups: list[int]
) -> None:
    R = some_memberships(seed, 8, 3)
    renamed = R[items][:, groups]
    before = expected_reduction(R, np.arange(8), uncertain(R))
    after = expected_reduction(renamed, np.arange(8), uncertain(renamed))
    np.testing.assert_allclose(after, before[items], atol=1e-9)


def test_large_piles_are_worked_through_in_blocks(
    seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    R = some_memberships(seed, 40, 4)
    at_once = expected_reduction(R, np.arange(40), uncertain(R))
    monkeypatch.setattr("likewise.strategies.items.expected_entropy._BLOCK", 100)
    np.testing.assert_allclose(expected_reduction(R, np.arange(40), uncertain(R)), at_once)


def test_a_sample_of_the_others_stands_for_all_of_them(seed: int) -> None:
    R = some_memberships(seed, 9, 3)
    everyone = np.arange(9)
    # The mean over all ways to leave two others out is the sum over all of them.
    mixed = uncertain(R)
    inside = [i for i in everyone if i not in mixed]
    samples = [np.setdiff1d(mixed, [a, b]) for a, b in combinations(mixed.tolist(), 2)]
    estimates = np.mean([expected_reduction(R, everyone, sample) for sample in samples], axis=0)
    np.testing.assert_allclose(estimates[inside], expected_reduction(R, everyone, mixed)[inside])
    one = int(mixed[0])
    without = [s for s in samples if one not in s]
    estimate = np.mean([expected_reduction(R, np.array([one]), sample) for sample in without])
    assert estimate == pytest.approx(expected_reduction(R, np.array([one]), mixed)[0])


def test_a_certain_item_settles_nothing_of_its_own_group() -> None:
    R = np.array([[1.0, 0.0], [1.0, 0.0], [0.0, 1.0]])
    np.testing.assert_array_equal(
        expected_reduction(R, np.arange(3), np.empty(0, dtype=np.int64)), 0.0
    )
