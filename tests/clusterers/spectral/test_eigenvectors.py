from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
import scipy.linalg
import scipy.sparse as sp
from hypothesis import given
from hypothesis import strategies as st
from sklearn.datasets import make_blobs

from likewise.affinities import Gaussian
from likewise.clusterers import LinkedGroups
from likewise.clusterers.spectral._eigensolvers import Operator, largest_eigenpairs
from likewise.clusterers.spectral.eigenvectors import Eigenpairs, LinkedGraph, laplacian_eigenpairs
from likewise.errors import MethodError

Array = npt.NDArray[np.float64]
Link = tuple[int, int]
NORMALISATIONS = ["symmetric", "additive", "none"]
SMALL, LARGE = 60, 400  # solved densely, solved by iteration
every_normalisation = pytest.mark.parametrize("normalisation", NORMALISATIONS)
every_size = pytest.mark.parametrize("n", [SMALL, LARGE])
both_values = pytest.mark.parametrize("apart", [0.0, -1.0])

FOUR = np.array([[0, 0.9, 0.2, 0.1], [0.9, 0, 0.1, 0.2], [0.2, 0.1, 0, 0.8], [0.1, 0.2, 0.8, 0]])


def explicit(W: Array, links: LinkedGroups, together: float, apart: float) -> Array:
    """The matrix with the entries of linked pairs replaced, written out."""
    result = W.copy()
    for g in range(links.n_groups):
        result[np.ix_(links.group == g, links.group == g)] = together
    for a, b in links.differing:
        result[np.ix_(links.group == a, links.group == b)] = apart
        result[np.ix_(links.group == b, links.group == a)] = apart
    np.fill_diagonal(result, 0.0)
    return result


def laplacian(W: Array, normalisation: str) -> Array:
    d = W.sum(axis=1)
    if normalisation == "symmetric":
        scale = np.array([1 / np.sqrt(x) if x > 1e-12 else 0.0 for x in d])
        return np.asarray(np.eye(len(W)) - scale[:, None] * W * scale[None])
    L = np.diag(d) - W
    return np.asarray(L / d.max() if normalisation == "additive" else L)


def projector(vectors: Array) -> Array:
    basis = np.linalg.qr(vectors)[0]
    return np.asarray(basis @ basis.T)


def graph_of(affinity: Any, links: LinkedGroups | None = None, apart: float = 0.0) -> LinkedGraph:
    no_links = LinkedGroups.of(affinity.shape[0], None, None)
    return LinkedGraph.of(affinity, links or no_links, cannot_link_value=apart)


def assert_leading(found: Eigenpairs, W: Array, normalisation: str) -> None:
    """The smallest eigenvalues, and the space of their vectors where a gap defines it."""
    values, vectors = np.linalg.eigh(laplacian(W, normalisation))
    m = len(found.values)
    np.testing.assert_allclose(found.values, values[:m], atol=1e-6 * max(1.0, values[-1]))
    np.testing.assert_allclose(found.vectors.T @ found.vectors, np.eye(m), atol=1e-6)
    for k in range(1, m + 1):
        if k == len(values) or values[k] - values[k - 1] > 1e-3 * values[-1]:
            expected = projector(vectors[:, :k])
            np.testing.assert_allclose(projector(found.vectors[:, :k]), expected, atol=1e-4)


def blobs(n: int, centres: int = 4, seed: int = 0) -> tuple[sp.csr_matrix, npt.NDArray[np.int64]]:
    corners = 5.0 * np.array([[0, 0], [1, 0.3], [0.4, 1.1], [1.2, 1.6]])[:centres]
    X, truth = make_blobs(n, centers=corners, random_state=seed)
    return Gaussian(n_neighbours=10).fit(X).affinity_, truth


def truthful(truth: npt.NDArray[np.int64], n_links: int) -> LinkedGroups:
    rng = np.random.default_rng(1)
    drawn = [tuple(rng.choice(len(truth), 2, replace=False)) for _ in range(n_links)]
    must = [(int(i), int(j)) for i, j in drawn if truth[i] == truth[j]]
    cannot = [(int(i), int(j)) for i, j in drawn if truth[i] != truth[j]]
    return LinkedGroups.of(len(truth), must, cannot)


@st.composite
def linked_graphs(draw: st.DrawFn) -> tuple[Array, LinkedGroups]:
    n = draw(st.integers(2, 9))
    truth = draw(st.lists(st.integers(0, 2), min_size=n, max_size=n))
    item = st.integers(0, n - 1)
    linked = draw(st.lists(st.tuples(item, item).filter(lambda p: p[0] != p[1]), max_size=n))
    half = np.triu(np.random.default_rng(draw(st.integers(0, 99))).uniform(size=(n, n)), 1)
    half[half < 0.3] = 0.0
    must = [(i, j) for i, j in linked if truth[i] == truth[j]]
    cannot = [(i, j) for i, j in linked if truth[i] != truth[j]]
    return half + half.T, LinkedGroups.of(n, must, cannot)


@given(linked_graphs(), st.sampled_from([0.0, -1.0]), st.booleans())
def test_a_linked_graph_multiplies_like_the_matrix_written_out(
    drawn: tuple[Array, LinkedGroups], apart: float, sparse: bool
) -> None:
    W, links = drawn
    graph = graph_of(sp.csr_matrix(W) if sparse else W, links, apart)
    expected = explicit(W, links, 1.0, apart)
    block = np.random.default_rng(0).normal(size=(len(W), 3))
    np.testing.assert_allclose(graph.times(np.eye(len(W))), expected, atol=1e-12)
    np.testing.assert_allclose(graph.times(block), expected @ block, atol=1e-12)
    np.testing.assert_allclose(graph.times(block[:, 0]), expected @ block[:, 0], atol=1e-12)
    np.testing.assert_allclose(graph.degrees(), expected.sum(axis=1), atol=1e-12)


def test_linked_cliques_are_not_written_out() -> None:
    affinity, truth = blobs(LARGE)
    reps = [int(np.flatnonzero(truth == c)[0]) for c in range(4)]
    must = [(reps[truth[i]], i) for i in range(LARGE) if i not in reps]
    links = LinkedGroups.of(LARGE, must, [(a, b) for a in reps for b in reps if a < b])
    graph = graph_of(affinity, links, -1.0)
    stored = graph.edges.nnz + graph.member.nnz + graph.relation.nnz
    assert stored <= affinity.nnz + 2 * LARGE + 16
    np.testing.assert_allclose(graph.degrees(), 99.0 - 300.0)


def test_four_items_have_the_eigenvalues_worked_out_by_hand() -> None:
    graph = graph_of(FOUR)
    np.testing.assert_allclose(graph.degrees(), [1.2, 1.2, 1.1, 1.1])
    additive = laplacian_eigenpairs(graph, 4, normalisation="additive").values
    np.testing.assert_allclose(1 - additive, [1, 0.5, -0.548816, -0.784518], atol=1e-6)
    plain = laplacian_eigenpairs(graph, 4, normalisation="none").values
    np.testing.assert_allclose(additive, plain / 1.2, atol=1e-9)


@pytest.mark.parametrize(
    ("apart", "degrees", "first", "smallest"),
    [
        (0.0, [1.1, 0.3, 1.9, 1.1], [1, 0.806449, 0.355839, -0.478078], 0.0),
        (-1.0, [0.1, -0.7, 1.9, 1.1], [1.764977, 1], -1.453457),
    ],
)
def test_two_replaced_entries_move_the_eigenvalues_as_worked_out_by_hand(
    apart: float, degrees: list[float], first: list[float], smallest: float
) -> None:
    # 0 = 2 and 0 ≠ 1 taken alone, without 1 ≠ 2, which follows from them.
    W = FOUR.copy()
    W[0, 2] = W[2, 0] = 1.0
    W[0, 1] = W[1, 0] = apart
    graph = graph_of(W)
    np.testing.assert_allclose(graph.degrees(), degrees)
    additive = laplacian_eigenpairs(graph, 4, normalisation="additive").values
    np.testing.assert_allclose(1 - additive[: len(first)], first, atol=1e-6)
    plain = laplacian_eigenpairs(graph, 4, normalisation="none").values
    assert plain[0] == pytest.approx(smallest, abs=1e-6)


@both_values
def test_links_are_closed_before_they_replace_entries(apart: float) -> None:
    links = LinkedGroups.of(4, [(0, 2)], [(0, 1)])
    W = FOUR.copy()
    W[0, 2] = W[2, 0] = 1.0
    W[[0, 1, 2, 1], [1, 0, 1, 2]] = apart
    np.testing.assert_allclose(graph_of(FOUR, links, apart).times(np.eye(4)), W, atol=1e-12)


@every_size
@every_normalisation
def test_leading_eigenvectors_are_those_of_the_explicit_laplacian(
    n: int, normalisation: str
) -> None:
    affinity, _ = blobs(n)
    found = laplacian_eigenpairs(graph_of(affinity), 6, normalisation=normalisation)
    assert_leading(found, affinity.toarray(), normalisation)


@every_size
@every_normalisation
@both_values
def test_leading_eigenvectors_follow_the_links(n: int, normalisation: str, apart: float) -> None:
    affinity, truth = blobs(n)
    links = truthful(truth, n // 4)
    found = laplacian_eigenpairs(graph_of(affinity, links, apart), 6, normalisation=normalisation)
    assert_leading(found, explicit(affinity.toarray(), links, 1.0, apart), normalisation)


@every_size
@every_normalisation
def test_every_piece_of_a_graph_adds_an_eigenvalue_of_zero(n: int, normalisation: str) -> None:
    pieces = [blobs(n // 5, centres=1, seed=seed)[0] for seed in range(5)]
    affinity = sp.csr_matrix(sp.block_diag(pieces))
    found = laplacian_eigenpairs(graph_of(affinity), 6, normalisation=normalisation)
    assert_leading(found, affinity.toarray(), normalisation)


@every_size
@every_normalisation
def test_items_without_edges_do_no_harm(n: int, normalisation: str) -> None:
    affinity = sp.csr_matrix(sp.block_diag([blobs(n - 2)[0], sp.csr_matrix((2, 2))]))
    found = laplacian_eigenpairs(graph_of(affinity), 5, normalisation=normalisation)
    assert np.isfinite(found.vectors).all()
    assert_leading(found, affinity.toarray(), normalisation)


@every_normalisation
def test_a_graph_without_any_edge_has_finite_eigenvectors(normalisation: str) -> None:
    found = laplacian_eigenpairs(graph_of(np.zeros((5, 5))), 2, normalisation=normalisation)
    assert np.isfinite(found.values).all()
    assert np.isfinite(found.vectors).all()


def test_dense_and_sparse_graphs_have_the_same_spectrum() -> None:
    affinity, truth = blobs(LARGE)
    links = truthful(truth, 50)
    of_sparse = laplacian_eigenpairs(graph_of(affinity, links), 4, normalisation="symmetric")
    of_dense = laplacian_eigenpairs(
        graph_of(affinity.toarray(), links), 4, normalisation="symmetric"
    )
    np.testing.assert_allclose(of_sparse.values, of_dense.values, atol=1e-6)
    np.testing.assert_allclose(projector(of_sparse.vectors), projector(of_dense.vectors), atol=1e-4)


@pytest.mark.parametrize("columns", [14, 5, 1])
@pytest.mark.parametrize("n_links", [0, 5, 100])
@every_normalisation
def test_a_warm_start_finds_the_space_a_cold_one_finds(
    columns: int, n_links: int, normalisation: str
) -> None:
    affinity, truth = blobs(LARGE)
    earlier = laplacian_eigenpairs(
        graph_of(affinity, truthful(truth, n_links // 2)), 14, normalisation=normalisation
    )
    graph = graph_of(affinity, truthful(truth, n_links))
    cold = laplacian_eigenpairs(graph, 14, normalisation=normalisation)
    start = Eigenpairs(earlier.values[:columns], earlier.vectors[:, :columns])
    warm = laplacian_eigenpairs(graph, 14, normalisation=normalisation, n_leading=4, start=start)
    np.testing.assert_allclose(warm.values[:4], cold.values[:4], atol=1e-4)
    np.testing.assert_allclose(
        projector(warm.vectors[:, :4]), projector(cold.vectors[:, :4]), atol=1e-2
    )


def test_a_start_that_has_nothing_to_do_with_the_graph_does_no_harm() -> None:
    graph = graph_of(blobs(LARGE)[0])
    cold = laplacian_eigenpairs(graph, 14, normalisation="symmetric")
    start = Eigenpairs(np.linspace(0, 1, 14), np.random.default_rng(5).normal(size=(LARGE, 14)))
    warm = laplacian_eigenpairs(graph, 14, normalisation="symmetric", start=start)
    np.testing.assert_allclose(warm.values[:4], cold.values[:4], atol=1e-4)


@every_size
def test_equal_graphs_have_equal_eigenvectors_with_the_largest_entry_positive(n: int) -> None:
    first, again = (
        laplacian_eigenpairs(graph_of(blobs(n)[0]), 4, normalisation="symmetric") for _ in range(2)
    )
    np.testing.assert_array_equal(first.vectors, again.vectors)
    largest = np.abs(first.vectors).argmax(axis=0)
    assert (first.vectors[largest, np.arange(4)] > 0).all()


def test_more_eigenvectors_than_items_are_cut_to_those_there_are() -> None:
    found = laplacian_eigenpairs(graph_of(FOUR), 9, normalisation="symmetric")
    assert found.vectors.shape == (4, 4)
    assert_leading(found, FOUR, "symmetric")


def test_a_normalisation_that_does_not_exist_is_refused() -> None:
    with pytest.raises(MethodError, match="'symmetric', 'additive' or 'none' but got 'rows'"):
        laplacian_eigenpairs(graph_of(FOUR), 2, normalisation="rows")


def test_few_of_many_eigenvalues_next_to_zero_are_found_without_thousands_of_rounds(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Forty far blobs hang together by bridges: as many eigenvalues are all but zero."""
    centres = 100 * np.random.default_rng(0).normal(size=(40, 5))
    affinity = Gaussian().fit(make_blobs(1200, centers=centres, random_state=0)[0]).affinity_
    times = 0
    graph = graph_of(affinity)
    multiply = LinkedGraph.times

    def counted(self: LinkedGraph, block: Array) -> Array:
        nonlocal times
        times += 1
        return multiply(self, block)

    monkeypatch.setattr(LinkedGraph, "times", counted)
    found = laplacian_eigenpairs(graph, 5, normalisation="symmetric")
    expected = np.linalg.eigvalsh(laplacian(affinity.toarray(), "symmetric"))[:5]
    assert expected[-1] < 1e-5
    np.testing.assert_allclose(found.values, expected, atol=1e-10)
    assert times < 3000  # with the usual subspace alone 4940


def test_a_solver_that_gives_up_is_replaced_by_a_slower_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    matrix = np.diag(np.arange(30.0)) + 0.1
    expected = np.linalg.eigvalsh(matrix)[-3:]
    real = scipy.linalg.eigh

    def moody(matrix: Any, driver: str | None = None) -> Any:
        if driver is None:
            raise np.linalg.LinAlgError("Internal Error.")
        return real(matrix, driver=driver)

    monkeypatch.setattr("scipy.linalg.eigh", moody)
    operator = Operator(lambda block: matrix @ block, lambda block: matrix @ block, 30, 0.0)
    values, vectors = largest_eigenpairs(operator, 3)
    np.testing.assert_allclose(values, expected)
    np.testing.assert_allclose(matrix @ vectors, values * vectors, atol=1e-9)
