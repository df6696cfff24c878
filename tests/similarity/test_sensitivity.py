"""Sensitivities against the literal sums and finite differences, the search against all pairs."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from likewise.similarity._kernels import projected_solve
from likewise.similarity._pair_search import best_open_pair
from likewise.similarity.graph import SimilarityGraph
from likewise.similarity.laplacian import (
    SMALL,
    Laplacian,
    kernel_arguments,
    lowest_eigenpairs,
)
from likewise.similarity.rules import _nearest_first
from likewise.similarity.sensitivity import entry_sensitivity, vector_sensitivity

Array = npt.NDArray[np.float64]
CARD = {(0, 1): 0.9, (0, 2): 0.2, (0, 3): 0.1, (1, 2): 0.1, (1, 3): 0.3, (2, 3): 0.8}


def graph_from(W: Array) -> SimilarityGraph:
    i, j = np.nonzero(np.triu(W, 1))
    return SimilarityGraph.of(len(W), i, j, W[i, j], np.ones(len(i), dtype=np.int64))


def random_weights(n: int, density: float, seed: int) -> Array:
    rng = np.random.default_rng(seed)
    W = np.triu(rng.uniform(0.05, 1.0, (n, n)) * (rng.random((n, n)) < density), 1)
    W[0, 1:] = np.maximum(W[0, 1:], 0.05)  # connected
    return np.asarray(W + W.T)


def laplacian_of(W: Array, normalised: bool) -> Array:
    degrees = W.sum(axis=1)
    L = np.diag(degrees) - W
    return np.asarray(L / np.sqrt(np.outer(degrees, degrees))) if normalised else L


def test_the_four_items_of_the_handout() -> None:
    W = np.zeros((4, 4))
    for pair, w in CARD.items():
        W[pair] = W[pair[::-1]] = w
    laplacian = Laplacian.of(graph_from(W), normalised=False)
    spectrum = lowest_eigenpairs(laplacian, 1)
    assert spectrum.values[0] == pytest.approx(0.693326, abs=1e-6)
    i, j = np.triu_indices(4, 1)
    squares = vector_sensitivity(laplacian, spectrum).at(i, j) ** 2
    expected = [0.003640, 0.435625, 0.706888, 0.685182, 0.437413, 0.006777]
    np.testing.assert_allclose(squares, expected, atol=1e-6)


@pytest.mark.parametrize("n", [12, SMALL + 22])
def test_both_rules_equal_the_literal_sum_of_equation_7(n: int, seed: int) -> None:
    W = random_weights(n, 0.2, seed)
    laplacian = Laplacian.of(graph_from(W), normalised=False)
    spectrum = lowest_eigenpairs(laplacian, 1)
    values, vectors = np.linalg.eigh(laplacian_of(W, normalised=False))
    v = vectors[:, 1]
    k = int(np.argmin(np.abs(v)))
    pairs = np.random.default_rng(seed).integers(n, size=(60, 2))
    i, j = pairs[pairs[:, 0] != pairs[:, 1]].T
    literal = np.zeros((len(i), n))
    for at, (one, other) in enumerate(zip(i, j, strict=True)):
        e = np.zeros(n)
        e[one], e[other] = 1.0, -1.0
        for p in range(2, n):
            literal[at] += (v @ e) * (e @ vectors[:, p]) / (values[1] - values[p]) * vectors[:, p]
    one_entry = entry_sensitivity(laplacian, spectrum, k, np.ones(1)).at(i, j)
    whole = vector_sensitivity(laplacian, spectrum).at(i, j)
    np.testing.assert_allclose(one_entry, np.abs(literal[:, k]), atol=1e-5 * one_entry.max())
    np.testing.assert_allclose(whole, np.linalg.norm(literal, axis=1), atol=1e-8 * whole.max())


@pytest.mark.parametrize("normalised", [False, True])
@pytest.mark.parametrize("m", [1, 3])
def test_both_rules_equal_finite_differences(normalised: bool, m: int, seed: int) -> None:
    n, step = 25, 1e-5
    W = random_weights(n, 0.3, seed)
    laplacian = Laplacian.of(graph_from(W), normalised=normalised)
    spectrum = lowest_eigenpairs(laplacian, m)
    rng = np.random.default_rng(seed)
    direction = rng.normal(size=m)
    i, j = np.triu_indices(n, 1)
    some = rng.choice(len(i), 30, replace=False)
    i, j = i[some], j[some]

    def vectors(W: Array) -> Array:
        found = np.linalg.eigh(laplacian_of(W, normalised))[1][:, 1 : m + 1]
        return np.asarray(found * np.sign((found * spectrum.vectors).sum(axis=0)))

    one_entry: list[float] = []
    whole: list[float] = []
    for one, other in zip(i, j, strict=True):
        change = np.zeros((n, n))
        change[one, other] = change[other, one] = step
        slope = (vectors(W + change) - vectors(W - change)) / (2 * step)
        one_entry.append(float(abs(slope[3] @ direction)))
        whole.append(float(np.linalg.norm(slope)))
    ours = entry_sensitivity(laplacian, spectrum, 3, direction).at(i, j)
    np.testing.assert_allclose(ours, one_entry, atol=1e-6 * max(one_entry))
    both = vector_sensitivity(laplacian, spectrum).at(i, j)
    np.testing.assert_allclose(both, whole, atol=1e-6 * max(whole))


@settings(max_examples=60)
@given(
    n=st.integers(2, 60),
    m=st.integers(1, 3),
    share=st.sampled_from([0.0, 0.1, 0.5, 0.9, 1.0]),
    rounded=st.booleans(),
    seed=st.integers(0, 10**6),
)
def test_the_search_equals_all_pairs(
    n: int, m: int, share: float, rounded: bool, seed: int
) -> None:
    rng = np.random.default_rng(seed)
    a, b, e = rng.normal(size=(n, m)), rng.normal(size=(n, m)), rng.normal(size=n)
    if rounded:  # many equal scores: the first pair must win
        a, b, e = np.round(a), np.round(b), np.round(e)
    i, j = np.triu_indices(n, 1)
    scores = np.abs(((a[i] - a[j]) * (b[i] - b[j])).sum(axis=1) + e[i] + e[j])
    taken = rng.random(len(i)) < share
    # The best ones are taken: what is left lies deep inside the order.
    taken[np.argsort(-scores)[: int(share * len(i))]] = True
    known = SimilarityGraph.of(
        n, i[taken], j[taken], np.ones(taken.sum()), np.ones(taken.sum(), dtype=np.int64)
    )
    found = best_open_pair(a, b, e, known)
    if taken.all():
        assert found is None
        return
    scores[taken] = -1.0
    best = int(np.argmax(scores >= scores.max() * (1 - 1e-6)))
    assert found is not None
    assert found[0] == pytest.approx(scores.max())
    assert found[1] == (i[best], j[best])


@pytest.mark.parametrize("normalised", [False, True])
def test_the_best_open_pair_of_all_items_together_equals_all_pairs(
    normalised: bool, seed: int
) -> None:
    W = random_weights(300, 0.1, seed)  # more than one block of rows
    graph = graph_from(W)
    laplacian = Laplacian.of(graph, normalised=normalised)
    sensitivity = vector_sensitivity(laplacian, lowest_eigenpairs(laplacian, 1))
    i, j = np.nonzero(np.triu(W == 0, 1))
    scores = sensitivity.at(i, j)
    best = int(np.argmax(scores >= scores.max() * (1 - 1e-6)))
    found = sensitivity.best_open(graph)
    assert found is not None
    assert found[0] == pytest.approx(scores.max())
    assert found[1] == (i[best], j[best])


def test_a_projected_solution_comes_with_what_it_is_turned_into(seed: int) -> None:
    W = random_weights(80, 0.3, seed)
    laplacian = Laplacian.of(graph_from(W), normalised=False)
    basis, right = laplacian.null[None, :], np.random.default_rng(seed).standard_normal(80)
    shift = -0.5
    x, turned, how = projected_solve(
        *kernel_arguments(laplacian), shift, basis, right, 1e-10, 1_000
    )
    matrix = laplacian.dense() - shift * np.eye(80)
    assert how == 0
    assert abs(float(laplacian.null @ x)) < 1e-9
    np.testing.assert_allclose(turned, matrix @ x, atol=1e-8)
    np.testing.assert_allclose(turned - turned.mean(), right - right.mean(), atol=1e-7)


@given(st.lists(st.integers(0, 4), min_size=1, max_size=8), st.integers(0, 20))
def test_items_come_by_their_margins_from_a_rank_on_and_then_around(
    margins: list[int], rank: int
) -> None:
    order = sorted(range(len(margins)), key=lambda item: (margins[item], item))
    at = rank % len(order)
    found = list(_nearest_first(np.array(margins, dtype=float) / 3, rank))
    assert found == order[at:] + order[:at]
