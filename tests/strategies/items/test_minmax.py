"""MinMax against its formula with a Gaussian similarity: the width makes no difference."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import likewise as lw
from likewise.strategies import MinMax


def least_explained(X: list[list[float]], placed: list[int], percentile: float) -> int:
    """argmin over the rest of the largest exp(−d²/2σ²) to a placed item, σ a distance's rank."""
    x = np.asarray(X)
    distance = np.linalg.norm(x[:, None] - x[None], axis=2)
    sigma = np.percentile(distance[~np.eye(len(x), dtype=bool)], percentile)
    similarity = np.exp(-(distance**2) / (2 * sigma**2))
    rest = np.setdiff1d(np.arange(len(x)), placed)
    # Logarithms, since far items are equally unlike in floating point: both underflow.
    explained = np.log(np.maximum(similarity[rest][:, placed], 1e-300)).max(axis=1)
    return int(rest[explained.argmin()])


@given(st.integers(0, 2**32 - 1), st.integers(4, 12), st.floats(20, 90))
def test_the_least_explained_item_is_the_farthest_whatever_the_width(
    seed: int, n: int, percentile: float
) -> None:
    rng = np.random.default_rng(seed)
    X = rng.random((n, 2)).tolist()
    study = lw.Study(X, method="ffqs")
    placed = [int(i) for i in rng.choice(n, 3, replace=False)]
    study.tell((placed[0], placed[1]), "different")
    study.tell((placed[0], placed[2]), "same")
    view = study._view(frozenset())
    assume(view.placed.sum() == 3)
    features = view.features
    assert features is not None
    chosen = MinMax().rank(view, np.flatnonzero(~view.placed), 1, rng)
    assert chosen == [least_explained(features.tolist(), placed, percentile)]


def test_the_worked_example_ends_in_a_tie_for_the_first_item() -> None:
    X = [[0.0], [1.0], [10.0], [11.0], [20.0]]
    study = lw.Study(X, method="ffqs")
    study.tell((0, 2), "different")
    study.tell((0, 4), "different")
    study.tell((2, 4), "different")
    view = study._view(frozenset())
    assert np.flatnonzero(view.placed).tolist() == [0, 2, 4]
    assert MinMax().rank(view, np.array([1, 3]), 1, np.random.default_rng(0)) == [1]
    distance = np.abs(np.subtract.outer(X, X)).squeeze()
    sigma = np.percentile(distance[~np.eye(5, dtype=bool)], 20)
    assert sigma == pytest.approx(7.4)
    assert np.exp(-1 / (2 * sigma**2)) == pytest.approx(0.990911, abs=1e-6)
