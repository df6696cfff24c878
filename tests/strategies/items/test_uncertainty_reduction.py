"""URASC's gradient and step scale against the paper's literal formulas."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pytest
import scipy.sparse as sp
from hypothesis import given
from hypothesis import strategies as st
from sklearn.datasets import make_blobs

import likewise as lw
from likewise.affinities import Gaussian
from likewise.affinities.neighbour_votes import neighbour_votes, strongest_edges
from likewise.clusterers import SpectralLearning
from likewise.clusterers.spectral.eigenvectors import LinkedGraph, laplacian_eigenpairs
from likewise.errors import MethodError
from likewise.strategies import (
    Placing,
    UncertaintyReduction,
    eigenvector_gradient,
    unlike_in_effect,
)
from likewise.strategies.items.uncertainty_reduction import eigenvector_changes


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


@pytest.mark.parametrize("normalisation", ["none", "additive", "symmetric"])
def test_the_gradient_is_the_derivative_of_the_eigenvectors(seed: int, normalisation: str) -> None:
    rng = np.random.default_rng(seed)
    W = random_graph(rng, 8)

    def pairs(weights: npt.NDArray[np.float64]) -> tuple[npt.NDArray[np.float64], ...]:
        graph = LinkedGraph.unlinked(weights)
        found = laplacian_eigenpairs(graph, 8, normalisation=normalisation)
        return found.values, found.vectors * np.sign(found.vectors[0])

    step = np.zeros_like(W)
    step[2, 5] = step[5, 2] = 1e-6
    apart = pairs(W + step)[1] - pairs(W - step)[1]
    measured = np.linalg.norm(apart[:, :3], axis=0).sum() / 2e-6
    values, V = pairs(W)
    ours = eigenvector_gradient(
        V,
        values if normalisation != "additive" else values * W.sum(axis=1).max(),
        n_leading=3,
        candidates=np.array([2]),
        representatives=np.array([5]),
        degrees=W.sum(axis=1) if normalisation == "symmetric" else None,
    )
    assert ours[0] == pytest.approx(measured, rel=1e-5)


def test_the_degrees_of_a_clustering_are_those_of_its_linked_graph() -> None:
    X = make_blobs(14, centers=3, random_state=1)[0]
    W = Gaussian(n_neighbours=None).fit(X).affinity_.copy()
    fitted = SpectralLearning(n_clusters=2, affinity="precomputed").fit(
        W, must_link=[(0, 1)], cannot_link=[(0, 2)]
    )
    W[0, 1] = W[1, 0] = 1.0
    W[:2, 2] = W[2, :2] = 0.0
    np.testing.assert_allclose(fitted.degrees_, W.sum(axis=1))


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
    with pytest.raises(MethodError, match="derivative must be"):
        UncertaintyReduction(derivative="exact")
    with pytest.raises(MethodError, match="n_candidates must be at least 1"):
        UncertaintyReduction(n_candidates=0)
    with pytest.raises(MethodError, match="n_neighbours must be at least 1"):
        UncertaintyReduction(n_neighbours=0)


def test_the_derivative_of_the_clusterers_own_laplacian_ranks_as_its_gradient_does() -> None:
    X = make_blobs(40, centers=3, cluster_std=3.0, random_state=3)[0]
    strategy = Placing(UncertaintyReduction(step=None, derivative="own"))
    study = lw.Study(X, method=lw.Recipe("own derivative", lambda: strategy), n_clusters=3)
    study.tell((0, 1), "different")
    question = study.ask()
    assert question is not None
    fitted = study.clustering_
    others = np.arange(2, 40)
    gradient = eigenvector_gradient(
        fitted.eigenvectors_,
        fitted.eigenvalues_,
        n_leading=3,
        candidates=others,
        representatives=np.array(study.constraints.representatives),
        degrees=fitted.degrees_,
    )
    assert question.pair.i == others[gradient.argmax()]


def test_the_literal_form_has_the_whole_spectrum_of_the_unnormalised_laplacian() -> None:
    X = make_blobs(20, centers=2, random_state=0)[0]
    study = lw.Study(X, method="urasc-literal", n_clusters=2)
    study.tell((0, 1), "different")
    question = study.ask()
    assert question is not None
    W = Gaussian(width="median", n_neighbours=None).fit(study.items.features).affinity_.copy()
    W[0, 1] = W[1, 0] = -1.0
    values = np.linalg.eigvalsh(np.diag(W.sum(axis=1)) - W)
    fitted = study.clustering_
    assert isinstance(fitted, SpectralLearning)
    np.testing.assert_allclose(fitted.eigenvalues_, values, atol=1e-9)


def test_the_literal_form_needs_features_in_an_array() -> None:
    with pytest.raises(MethodError, match="needs features in a dense array"):
        lw.Study(lw.Items.of(sp.eye(5, format="csr")), method="urasc-literal").ask()


def test_the_gradient_is_the_length_of_the_changes(seed: int) -> None:
    W = random_graph(np.random.default_rng(seed), 9)
    values, V = np.linalg.eigh(np.diag(W.sum(axis=1)) - W)
    changes = eigenvector_changes(
        V, values, n_leading=2, candidates=np.arange(2, 9), representatives=np.array([0, 1])
    )
    lengths = np.linalg.norm(changes, axis=2).sum(axis=1)
    gradient = eigenvector_gradient(
        V, values, n_leading=2, candidates=np.arange(2, 9), representatives=np.array([0, 1])
    )
    np.testing.assert_allclose(lengths, gradient)


@given(st.integers(0, 2**32 - 1), st.integers(2, 8), st.integers(2, 5))
def test_items_chosen_together_span_the_most_step_by_step(seed: int, m: int, p: int) -> None:
    effects = np.random.default_rng(seed).normal(size=(m, p))
    length = np.linalg.norm(effects, axis=1)
    chosen = unlike_in_effect(effects, length, min(m, p))
    assert len(set(chosen)) == len(chosen)
    for size in range(1, len(chosen) + 1):
        # Of all that could have come next, the chosen one spans the largest volume.
        before = chosen[: size - 1]
        volumes = {
            other: np.linalg.det(effects[[*before, other]] @ effects[[*before, other]].T)
            for other in range(m)
            if other not in before
        }
        assert volumes[chosen[size - 1]] >= max(volumes.values()) * (1 - 1e-4) - 1e-12


def test_what_has_the_same_effect_comes_last() -> None:
    effects = np.array([[1.0, 0.0], [1.0, 0.0], [0.0, 0.5]])
    assert unlike_in_effect(effects, np.array([3.0, 2.0, 1.0]), 3) == [0, 2, 1]
    assert unlike_in_effect(np.zeros((2, 2)), np.array([0.0, 0.0]), 2) == [0, 1]


def test_several_items_at_once_begin_with_the_one_that_is_worth_most_per_question() -> None:
    X = make_blobs(60, centers=3, cluster_std=3.0, random_state=3)[0]
    study = lw.Study(X, method="urasc", n_clusters=3)
    study.tell((0, 1), "different")
    batch = study.ask(6)
    assert len(batch) == 6
    assert len({question.pair.i for question in batch}) == 6


def test_the_additive_form_is_for_two_groups() -> None:
    X = make_blobs(20, centers=2, random_state=0)[0]
    assert lw.Study(X, method="urasc-additive").n_clusters == 2
    with pytest.raises(MethodError, match="tells 2 groups apart"):
        lw.Study(X, method="urasc-additive", n_clusters=3)
