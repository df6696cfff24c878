"""Compiled k-means beside scikit-learn's, and beside all there is to try where that is little."""

from __future__ import annotations

from itertools import product

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.cluster import KMeans
from sklearn.datasets import load_wine

from likewise.clusterers.dialogue._kmeans_kernels import best_kmeans

Array = npt.NDArray[np.float64]


def cost(points: Array, labels: npt.NDArray[np.int64]) -> float:
    parts = [points[labels == label] for label in np.unique(labels)]
    return float(sum(((part - part.mean(axis=0)) ** 2).sum() for part in parts))


def seeded(seed: int) -> npt.NDArray[np.uint64]:
    return np.random.default_rng(seed).integers(1, 2**63, size=1).astype(np.uint64)


@given(st.integers(1, 10_000))
def test_halves_are_the_best_of_all_there_are(seed: int) -> None:
    points = np.random.default_rng(seed).normal(size=(8, 2)) + [[4.0, 0.0], [-4.0, 0.0]] * 4
    labels = best_kmeans(points, 2, 20, 100, seeded(seed))
    halves = (np.array([0, *rest]) for rest in product([0, 1], repeat=7) if any(rest))
    assert cost(points, labels) == pytest.approx(min(cost(points, half) for half in halves))


@pytest.mark.parametrize("n_parts", [2, 5, 25])
def test_parts_are_about_as_tight_as_those_of_scikit_learn(n_parts: int) -> None:
    X = load_wine().data
    X = (X - X.mean(axis=0)) / X.std(axis=0)
    ours = np.mean([cost(X, best_kmeans(X, n_parts, 10, 300, seeded(s))) for s in range(1, 6)])
    model = KMeans(n_parts, n_init=10, tol=0.0)
    theirs = np.mean([model.set_params(random_state=s).fit(X).inertia_ for s in range(1, 6)])
    assert ours == pytest.approx(theirs, rel=0.01)


@given(st.integers(1, 10_000), st.integers(2, 6))
def test_every_item_is_with_the_nearest_mean(seed: int, n_parts: int) -> None:
    points = np.random.default_rng(seed).normal(size=(30, 2))
    labels = best_kmeans(points, n_parts, 3, 100, seeded(seed))
    assert len(np.unique(labels)) == n_parts  # where items differ no part is empty
    means = np.array([points[labels == part].mean(axis=0) for part in range(n_parts)])
    away = ((points[:, None] - means) ** 2).sum(axis=2)
    np.testing.assert_allclose(away[np.arange(30), labels], away.min(axis=1))


def test_fewer_different_items_than_parts_make_fewer_parts() -> None:
    points = np.repeat([[-1.0, 0.0], [1.0, 0.0]], 5, axis=0)
    labels = best_kmeans(points, 4, 5, 100, seeded(3))
    assert len(np.unique(labels)) == 2
    assert len(np.unique(labels[:5])) == len(np.unique(labels[5:])) == 1


def test_equal_seeds_give_equal_parts() -> None:
    points = np.random.default_rng(0).normal(size=(50, 3))
    one, other = (best_kmeans(points, 7, 1, 100, seeded(9)) for _ in range(2))
    assert one.tolist() == other.tolist()
