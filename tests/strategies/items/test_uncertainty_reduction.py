"""URASC's gradient and step scale against the paper's literal formulas."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st

from likewise.affinities.neighbour_votes import neighbour_votes, strongest_edges
from likewise.errors import MethodError
from likewise.strategies import UncertaintyReduction, eigenvector_gradient


def random_graph(rng: np.random.Generator, n: int) -> npt.NDArray[np.float64]:
    W = np.triu(rng.random((n, n)), 1)
    return W + W.T


def literal_gradient(
    W: npt.NDArray[np.float64], n_leading: int, j: int, representatives: list[int]
) -> float:
    """Equation 7 as it is printed, with every e_j and every p."""
    n = len(W)
    values, V = np.linalg.eigh(np.diag(W.sum(axis=1)) - W)
    unit = np.eye(n)
    total = 0.0
    for i in range(n_leading):
        change = np.zeros(n)
        for k in representatives:
            dL = np.outer(unit[j] - unit[k], unit[j] - unit[k])
            for p in range(n):
                if p != i:
                    change += (V[:, i] @ dL @ V[:, p]) / (values[i] - values[p]) * V[:, p]
        total += float(np.linalg.norm(change))
    return total


@given(st.integers(0, 2**32 - 1), st.integers(4, 9), st.integers(1, 3), st.integers(1, 3))
def test_the_gradient_equals_the_papers_triple_sum(
    seed: int, n: int, n_leading: int, n_representatives: int
) -> None:
    rng = np.random.default_rng(seed)
    W = random_graph(rng, n)
    values, V = np.linalg.eigh(np.diag(W.sum(axis=1)) - W)
    representatives = [int(k) for k in rng.choice(n, n_representatives, replace=False)]
    candidates = np.setdiff1d(np.arange(n), representatives)
    ours = eigenvector_gradient(
        V,
        values,
        n_leading=n_leading,
        candidates=candidates,
        representatives=np.array(representatives),
    )
    literal = [literal_gradient(W, n_leading, int(j), representatives) for j in candidates]
    np.testing.assert_allclose(ours, literal, rtol=1e-6, atol=1e-9)


def test_the_gradient_is_the_derivative_of_the_eigenvectors(seed: int) -> None:
    rng = np.random.default_rng(seed)
    W = random_graph(rng, 8)

    def leading(weights: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
        vectors = np.linalg.eigh(np.diag(weights.sum(axis=1)) - weights)[1][:, 1]
        return np.asarray(vectors * np.sign(vectors[0]))

    step = np.zeros_like(W)
    step[2, 5] = step[5, 2] = 1e-6
    measured = np.linalg.norm(leading(W + step) - leading(W - step)) / 2e-6
    values, V = np.linalg.eigh(np.diag(W.sum(axis=1)) - W)
    both, first = (
        eigenvector_gradient(
            V, values, n_leading=k, candidates=np.array([2]), representatives=np.array([5])
        )[0]
        for k in (2, 1)
    )
    assert both - first == pytest.approx(measured, rel=1e-5)


def test_repeated_eigenvalues_are_left_out_instead_of_divided_by() -> None:
    values, V = np.array([0.0, 0.5, 0.5]), np.eye(4)[:, :3]
    moved = eigenvector_gradient(
        V, values, n_leading=3, candidates=np.arange(1, 4), representatives=np.array([0])
    )
    assert np.isfinite(moved).all()


def test_neighbour_votes_are_the_clusters_shares_of_similarity(seed: int) -> None:
    rng = np.random.default_rng(seed)
    W, labels = random_graph(rng, 12), rng.integers(3, size=12)
    votes = neighbour_votes(W, labels)
    for j in range(12):
        for c in range(votes.shape[1]):
            assert votes[j, c] == pytest.approx(W[j, labels == c].sum() / W[j].sum())


def test_only_the_strongest_edges_are_kept(seed: int) -> None:
    W = random_graph(np.random.default_rng(seed), 10)
    kept = strongest_edges(W, 3).toarray()
    for row, full in zip(kept, W, strict=True):
        assert sorted(row[row > 0]) == sorted(np.sort(full)[-3:])


def test_a_step_that_does_not_exist_is_refused() -> None:
    with pytest.raises(MethodError, match="step must be"):
        UncertaintyReduction(step="neighbors")
    with pytest.raises(MethodError, match="step must be"):
        UncertaintyReduction(step=None, gradient=False)
