from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.sparse.csgraph import connected_components
from scipy.spatial.distance import cdist
from sklearn.metrics import pairwise_distances
from sklearn.utils.estimator_checks import parametrize_with_checks

from likewise.affinities import ChiSquared, Cosine, Gaussian
from likewise.affinities.kernels import euclidean
from likewise.errors import DataError, MethodError

Array = npt.NDArray[np.float64]
WIDTHS: list[str | float] = ["self-tuning", "median", "mean-norm", 0.7, 2]
KERNELS: list[Any] = [
    *[Gaussian(width=width) for width in WIDTHS],
    Cosine(),
    ChiSquared(),
    ChiSquared(gamma=0.3),
]
every_kernel = pytest.mark.parametrize("kernel", KERNELS, ids=str)
piles = st.tuples(st.integers(2, 12), st.integers(1, 4)).flatmap(
    lambda shape: arrays(np.float64, shape, elements=st.integers(0, 40).map(lambda v: v / 8))
)


@parametrize_with_checks(  # type: ignore[untyped-decorator]
    [Gaussian(), Gaussian(n_neighbours=None), Cosine(), ChiSquared()]
)
def test_it_is_an_estimator_as_scikit_learn_wants_it(estimator: Any, check: Any) -> None:
    check(estimator)


def points(n: int = 30, d: int = 3, seed: int = 0) -> Array:  # positive, so that χ² is defined
    return np.random.default_rng(seed).gamma(2.0, size=(n, d))


def fitted(kernel: Any, X: Any, n_neighbours: int | None) -> Any:
    """A fit of a copy of the kernel: parameters are shared between tests, results are not."""
    return type(kernel)(**{**kernel.get_params(), "n_neighbours": n_neighbours}).fit(X)


def dense(affinity: Any) -> Array:
    return np.asarray(affinity.toarray() if sp.issparse(affinity) else affinity)


def by_the_formula(kernel: Any, X: Array) -> Array:
    """The kernel's definition, pair by pair."""
    n = len(X)
    distance = cdist(X, X)
    W = np.zeros((n, n))
    others = [np.delete(distance[i], i) for i in range(n)]
    pairs = distance[np.triu_indices(n, 1)]
    sigma = {"median": np.median(pairs), "mean-norm": np.mean([np.sqrt(x @ x) for x in X])}
    chi = np.array([[((x - y) ** 2 / (x + y)).sum() for y in X] for x in X])
    for i in range(n):
        for j in set(range(n)) - {i}:
            if isinstance(kernel, Cosine):
                W[i, j] = max(0.0, X[i] @ X[j] / np.sqrt((X[i] @ X[i]) * (X[j] @ X[j])))
            elif isinstance(kernel, ChiSquared):
                gamma = kernel.gamma or 1 / chi[np.triu_indices(n, 1)].mean()
                W[i, j] = np.exp(-gamma * chi[i, j])
            elif kernel.width == "self-tuning":
                own = [np.sort(others[item])[min(7, n - 1) - 1] for item in (i, j)]
                W[i, j] = np.exp(-(distance[i, j] ** 2) / (own[0] * own[1]))
            else:
                width = sigma.get(kernel.width, kernel.width)
                W[i, j] = np.exp(-(distance[i, j] ** 2) / (2 * width**2))
    return W


@every_kernel
@pytest.mark.parametrize("n", [2, 5, 20])
def test_all_pairs_are_weighed_by_the_formula(kernel: Any, n: int) -> None:
    X = points(n)
    affinity = fitted(kernel, X, None).affinity_
    np.testing.assert_allclose(affinity, by_the_formula(kernel, X), atol=1e-9)


@every_kernel
@pytest.mark.parametrize("n_neighbours", [1, 4, 9])
def test_a_graph_keeps_the_edges_of_neighbours_with_the_weights_all_pairs_have(
    kernel: Any, n_neighbours: int
) -> None:
    X = points()
    everyone = fitted(kernel, X, None)
    graph = fitted(kernel, X, n_neighbours).affinity_
    assert sp.issparse(graph)
    distance = everyone.distances(np.arange(30), np.arange(30))
    near = np.argsort(distance + np.diag([np.inf] * 30), axis=1)[:, :n_neighbours]
    expected = np.zeros((30, 30), dtype=bool)
    np.put_along_axis(expected, near, True, axis=1)
    edges = expected | expected.T
    kept = dense(graph) > 0
    assert kept[edges].all()
    n_pieces, _ = connected_components(edges, directed=False)
    assert (kept & ~edges).sum() <= 4 * (n_pieces - 1)  # none but those that tie the pieces
    np.testing.assert_allclose(dense(graph)[edges], everyone.affinity_[edges], rtol=1e-6)


@settings(max_examples=30)
@given(piles, st.sampled_from(KERNELS), st.sampled_from([None, 1, 3, 50]))
def test_affinities_are_symmetric_finite_not_negative_and_zero_on_the_diagonal(
    X: Array, kernel: Any, n_neighbours: int | None
) -> None:
    before = X.copy()
    affinity = dense(fitted(kernel, X, n_neighbours).affinity_)
    np.testing.assert_allclose(affinity, affinity.T, rtol=1e-12, atol=1e-15)
    assert np.isfinite(affinity).all()
    assert (affinity >= 0).all()
    assert not np.diag(affinity).any()
    np.testing.assert_array_equal(X, before)


@settings(max_examples=40)
@given(st.integers(0, 1000), st.data(), st.sampled_from(KERNELS), st.sampled_from([None, 1, 5, 40]))
def test_items_in_another_order_have_the_same_affinity(
    seed: int, data: st.DataObject, kernel: Any, n_neighbours: int | None
) -> None:
    X = points(20, seed=seed)
    order = data.draw(st.permutations(range(20)))
    as_it_is = dense(fitted(kernel, X, n_neighbours).affinity_)
    shuffled = dense(fitted(kernel, X[order], n_neighbours).affinity_)
    np.testing.assert_allclose(shuffled, as_it_is[np.ix_(order, order)], rtol=1e-6, atol=1e-12)


@every_kernel
@pytest.mark.parametrize("n_neighbours", [None, 20])
@pytest.mark.parametrize("d", [2, 50])
def test_copies_of_an_item_are_as_alike_as_can_be_and_equally_like_the_others(
    kernel: Any, n_neighbours: int | None, d: int
) -> None:
    X = points(30, d)
    X = np.vstack([X, np.repeat(X[:1], 12, axis=0)])
    copies = [0, *range(30, 42)]
    affinity = dense(fitted(kernel, X, n_neighbours).affinity_)
    among = affinity[np.ix_(copies, copies)][~np.eye(13, dtype=bool)]
    np.testing.assert_allclose(among, 1.0, atol=1e-6)
    if n_neighbours is None:
        others = affinity[copies][:, 1:30]
        np.testing.assert_allclose(others, np.broadcast_to(others[0], others.shape), rtol=1e-6)


@every_kernel
@pytest.mark.parametrize("n_neighbours", [None, 3])
def test_items_that_are_all_equal_are_all_alike(kernel: Any, n_neighbours: int | None) -> None:
    affinity = fitted(kernel, np.full((40, 2), 3.0), n_neighbours).affinity_
    weights = affinity[~np.eye(40, dtype=bool)] if n_neighbours is None else affinity.data
    np.testing.assert_allclose(weights, 1.0)


@every_kernel
def test_two_items_are_enough(kernel: Any) -> None:
    graph = dense(fitted(kernel, points(2), 20).affinity_)
    np.testing.assert_allclose(graph, dense(fitted(kernel, points(2), None).affinity_), rtol=1e-6)
    assert graph[0, 1] > 0


@pytest.mark.parametrize("kernel", [k for k in KERNELS if not isinstance(k, ChiSquared)], ids=str)
@pytest.mark.parametrize("n_neighbours", [None, 5])
def test_sparse_features_give_what_the_same_dense_features_give(
    kernel: Any, n_neighbours: int | None
) -> None:
    X = np.where(points(40, 8) > 2.0, points(40, 8), 0.0)
    of_sparse = fitted(kernel, sp.csr_matrix(X), n_neighbours)
    of_dense = fitted(kernel, X, n_neighbours)
    np.testing.assert_allclose(
        dense(of_sparse.affinity_), dense(of_dense.affinity_), rtol=1e-5, atol=1e-12
    )
    some, all_items = np.array([3, 1]), np.arange(40)
    np.testing.assert_allclose(
        of_sparse.distances(some, all_items), of_dense.distances(some, all_items), atol=1e-6
    )


@every_kernel
def test_the_graph_of_many_items_never_holds_all_pairs(kernel: Any) -> None:
    n, k = 700, 6
    graph = fitted(kernel, points(n), k).affinity_
    assert sp.issparse(graph)
    assert n * k <= graph.nnz <= 2 * n * k + 4 * n


def test_distances_are_known_where_the_graph_has_no_edge() -> None:
    X = points()
    some, others = np.array([4, 2, 9]), np.array([0, 4])
    np.testing.assert_allclose(
        Gaussian(n_neighbours=1).fit(X).distances(some, others), cdist(X[some], X[others])
    )
    chi = [[((X[i] - X[j]) ** 2 / (X[i] + X[j])).sum() for j in others] for i in some]
    np.testing.assert_allclose(ChiSquared().fit(X).distances(some, others), chi, atol=1e-12)


@every_kernel
def test_links_teach_a_kernel_nothing(kernel: Any) -> None:
    plain = fitted(kernel, points(), 5)
    linked = fitted(kernel, points(), 5).fit(points(), must_link=[(0, 1)], cannot_link=[(2, 3)])
    assert not kernel.learns
    np.testing.assert_array_equal(dense(plain.affinity_), dense(linked.affinity_))


def test_a_row_of_zeros_is_like_nothing_by_its_angle() -> None:
    X = np.vstack([np.zeros((1, 3)), points(5)])
    assert dense(Cosine(n_neighbours=None).fit(X).affinity_)[0].max() <= 1e-12


@pytest.mark.parametrize("width", ["wide", 0, -1.0, np.nan, None])
def test_a_width_that_is_none_is_refused(width: Any) -> None:
    with pytest.raises(MethodError, match=r"'self-tuning', 'median', 'mean-norm' or a positive"):
        Gaussian(width=width).fit(points())


@every_kernel
@pytest.mark.parametrize("n_neighbours", [0, -3])
def test_fewer_than_one_neighbour_is_refused(kernel: Any, n_neighbours: int) -> None:
    with pytest.raises(MethodError, match=f"at least 1 or None, not {n_neighbours}"):
        fitted(kernel, points(), n_neighbours)


@pytest.mark.parametrize("X", [points() - 2.0, sp.csr_matrix(points())], ids=["negative", "sparse"])
def test_histograms_must_be_dense_and_not_negative(X: Any) -> None:
    with pytest.raises(DataError, match="dense rows without negative numbers"):
        ChiSquared().fit(X)


@pytest.mark.parametrize(("share", "count"), [(0.1, 3), (0.5, 15), (0.001, 1)])
def test_neighbours_can_be_a_share_of_the_items(share: float, count: int) -> None:
    X = points(30)
    by_share = Gaussian(n_neighbours=share).fit(X).affinity_
    assert (by_share != Gaussian(n_neighbours=count).fit(X).affinity_).nnz == 0


def test_part_of_a_neighbour_is_refused() -> None:
    with pytest.raises(MethodError, match="whole number"):
        Gaussian(n_neighbours=2.5).fit(points())


@given(st.integers(0, 2**32 - 1), st.integers(1, 30), st.integers(1, 20))
def test_euclidean_distances_are_scikit_learns_bit_for_bit(seed: int, n: int, d: int) -> None:
    rng = np.random.default_rng(seed)
    some, rest = rng.normal(size=(n, d)), rng.normal(size=(7, d))
    np.testing.assert_array_equal(euclidean(some, rest), pairwise_distances(some, rest))
