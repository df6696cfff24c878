from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st

from likewise.clusterers.spectral import propagation
from likewise.clusterers.spectral.propagation import propagate, signed_links
from likewise.errors import DataError

Array = npt.NDArray[np.float64]
Link = tuple[int, int]


def path() -> Array:
    W = np.zeros((4, 4))
    for i, j, weight in [(0, 1, 1.0), (1, 2, 0.1), (2, 3, 1.0)]:
        W[i, j] = W[j, i] = weight
    return W


def random_graph(n: int, seed: int, density: float = 0.4) -> Array:
    rng = np.random.default_rng(seed)
    half = np.triu(rng.random((n, n)) * (rng.random((n, n)) < density), 1)
    return np.asarray(half + half.T)


def normalised(W: Array) -> Array:
    degree = W.sum(axis=1)
    scale = np.array([1 / np.sqrt(d) if d > 0 else 0.0 for d in degree])
    return np.outer(scale, scale) * W


def closed_form(W: Array, Z: Array, alpha: float) -> Array:
    inverse = np.linalg.inv(np.eye(len(W)) - alpha * normalised(W))
    return np.asarray((1 - alpha) ** 2 * inverse @ Z @ inverse)


def iterated(W: Array, Z: Array, alpha: float) -> Array:
    """The paper's two propagations, one column and then one row after the other."""
    S = normalised(W)
    vertical = Z.copy()
    for _ in range(400):
        vertical = alpha * S @ vertical + (1 - alpha) * Z
    horizontal = vertical.copy()
    for _ in range(400):
        horizontal = alpha * horizontal @ S + (1 - alpha) * vertical
    return horizontal


@st.composite
def problems(draw: Any) -> tuple[Array, sp.csr_matrix]:
    n = draw(st.integers(2, 12))
    W = random_graph(n, draw(st.integers(0, 10_000)), draw(st.sampled_from([0.1, 0.4, 1.0])))
    item = st.integers(0, n - 1)
    link = st.tuples(item, item).filter(lambda pair: pair[0] != pair[1])
    linked = st.lists(link, max_size=15)
    return W, signed_links(n, draw(linked), draw(linked))


@pytest.mark.parametrize("dense_up_to", [0, 2000])
@pytest.mark.parametrize("form", [np.asarray, sp.csr_matrix])
def test_a_lone_cannot_link_on_a_path_has_the_known_scores(
    dense_up_to: int, form: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(propagation, "DENSE", dense_up_to)
    F = propagate(form(path()), signed_links(4, None, [(0, 3)]), 0.8).dense()
    assert F[0, 3] == pytest.approx(-0.239600, abs=5e-7)
    assert F[0, 1] == pytest.approx(-0.050629, abs=5e-7)
    assert F[1, 2] == pytest.approx(-0.145792, abs=5e-7)


@pytest.mark.parametrize("dense_up_to", [0, 2000])
def test_a_hub_has_a_score_far_above_one(dense_up_to: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(propagation, "DENSE", dense_up_to)
    W = np.zeros((51, 51))
    W[0, 1:] = W[1:, 0] = 1.0
    leaves = [(i, j) for i in range(1, 51) for j in range(i + 1, 51)]
    scores = propagate(sp.csr_matrix(W), signed_links(51, leaves, None), 0.8)
    assert scores.dense()[0, 0] == pytest.approx(9.679012, abs=5e-7)


@settings(max_examples=40)
@given(problems(), st.sampled_from([0.0, 0.3, 0.8, 0.95]))
def test_iteration_closed_form_and_product_agree(
    problem: tuple[Array, sp.csr_matrix], alpha: float
) -> None:
    W, Z = problem
    expected = closed_form(W, Z.toarray(), alpha)
    np.testing.assert_allclose(propagate(W, Z, alpha).dense(), expected, atol=1e-10)
    if alpha < 0.9:
        np.testing.assert_allclose(iterated(W, Z.toarray(), alpha), expected, atol=1e-10)


@settings(max_examples=40)
@given(problems(), st.sampled_from([0.0, 0.3, 0.8, 0.99]))
def test_without_a_factorisation_the_scores_are_the_same(
    problem: tuple[Array, sp.csr_matrix], alpha: float
) -> None:
    W, Z = problem
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(propagation, "DENSE", 0)
        patch.setattr(propagation, "_CELLS", 7)  # several blocks of pairs and of rows
        scores = propagate(sp.csr_matrix(W), Z, alpha)
        expected = closed_form(W, Z.toarray(), alpha)
        np.testing.assert_allclose(scores.dense(), expected, atol=1e-9)
        i, j = np.nonzero(np.ones_like(W))
        np.testing.assert_allclose(scores.at(i, j), expected.ravel(), atol=1e-9)
        whole = np.vstack([block for _, block in scores.rows()])
        starts = [first for first, _ in scores.rows()]
        assert starts == list(range(0, len(W), starts[1] if len(starts) > 1 else len(W)))
        np.testing.assert_allclose(whole, expected, atol=1e-9)


def test_contradictory_answers_cancel_out_and_repeated_ones_count_once() -> None:
    Z = signed_links(4, [(0, 1), (1, 0), (2, 3)], [(2, 3), (0, 3)]).toarray()
    assert Z[0, 1] == Z[1, 0] == 1.0
    assert Z[2, 3] == Z[3, 2] == 0.0
    assert Z[0, 3] == -1.0
    np.testing.assert_array_equal(Z, Z.T)


def test_nothing_reaches_items_without_edges_or_answers_in_their_piece() -> None:
    W = np.zeros((6, 6))
    W[0, 1] = W[1, 0] = W[2, 3] = W[3, 2] = 1.0  # two pieces, and items 4 and 5 without edges
    scores = propagate(W, signed_links(6, [(0, 1)], None), 0.8).dense()
    assert scores[0, 1] > 0
    assert (scores[2:] == 0).all()
    assert (propagate(W, signed_links(6, None, None), 0.8).dense() == 0).all()


def test_links_that_name_no_items_are_refused() -> None:
    with pytest.raises(DataError, match="between 0 and 3"):
        signed_links(4, [(0, 4)], None)
