from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
import scipy.sparse as sp
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse.csgraph import connected_components

from likewise.affinities import ChiSquared, Cosine, Gaussian
from likewise.affinities._neighbour_graph import (
    bridge_components,
    symmetric_graph,
    with_bridged_components,
)

Array = npt.NDArray[np.float64]


def n_pieces(graph: Any) -> int:
    return int(connected_components(graph, directed=False)[0])


def piles() -> dict[str, Array]:
    """Piles whose neighbour graphs fall apart, or nearly so."""
    rng = np.random.default_rng(0)
    blob = rng.uniform(1.0, 2.0, size=(40, 3))
    return {
        "duplicates": np.repeat(blob[:5], 20, axis=0),
        "all equal": np.ones((60, 3)),
        "far outliers": np.vstack([blob, [[1e6, 0.0, 0.0], [0.0, 1e9, 0.0], [1e-9, 0.0, 1e12]]]),
        "two far blobs": np.vstack([blob, blob + 1e5]),
        "many far pairs": np.repeat(np.geomspace(1.0, 1e8, 30), 2)[:, None] * [1.0, 2.0],
        "constant columns": np.column_stack([np.ones((40, 2)), blob[:, :1], np.zeros(40)]),
        "two items": blob[:2],
        "fewer items than neighbours": blob[:4],
        "one far from its copies": np.vstack([np.ones((30, 3)), [[50.0, 1.0, 1.0]]]),
    }


@pytest.mark.parametrize("name", piles())
@pytest.mark.parametrize("kernel", [Gaussian, Cosine, ChiSquared])
@pytest.mark.parametrize("n_neighbours", [1, 3, 20])
def test_the_graph_of_neighbours_is_always_in_one_piece(
    name: str, kernel: Any, n_neighbours: int
) -> None:
    X = piles()[name]
    graph = kernel(n_neighbours=n_neighbours).fit(X).affinity_
    assert n_pieces(graph) == 1
    assert graph.shape == (len(X), len(X))
    assert np.isfinite(graph.data).all()
    assert (graph.data > 0).all()
    assert not graph.diagonal().any()
    assert abs(graph - graph.T).max() == 0
    assert graph.nnz <= 2 * min(n_neighbours, len(X) - 1) * len(X) + 4 * len(X)


def test_two_far_blobs_hang_together_by_a_thread() -> None:
    X = piles()["two far blobs"]
    graph = Gaussian(n_neighbours=5).fit(X).affinity_
    between = graph[:40][:, 40:]
    assert between.nnz == 1
    assert 0 < between.max() <= 1e-3 * graph.data.mean() * 1.01


def test_two_items_are_joined_when_either_is_a_neighbour_of_the_other() -> None:
    neighbours = np.array([[1], [2], [1]])
    graph = symmetric_graph(neighbours, np.array([[0.5], [0.25], [0.25]]))
    expected = [[0.0, 0.5, 0.0], [0.5, 0.0, 0.25], [0.0, 0.25, 0.0]]
    np.testing.assert_array_equal(graph.toarray(), expected)


@given(st.integers(2, 12), st.data())
def test_a_symmetric_graph_holds_each_given_edge_in_both_directions(
    n: int, data: st.DataObject
) -> None:
    k = data.draw(st.integers(1, n - 1))
    rows = [
        data.draw(st.permutations([j for j in range(n) if j != i]).map(lambda p: p[:k]))
        for i in range(n)
    ]
    weight = np.random.default_rng(n).uniform(0.1, 1.0, size=(n, n))
    weight = weight + weight.T
    neighbours = np.array(rows, dtype=np.int64)
    graph = symmetric_graph(neighbours, np.take_along_axis(weight, neighbours, axis=1)).toarray()
    for i in range(n):
        for j in range(n):
            joined = j in rows[i] or i in rows[j]
            assert graph[i, j] == (weight[i, j] if joined else 0.0)


def test_pieces_are_bridged_where_they_are_closest() -> None:
    place = np.array([0.0, 1.0, 10.0, 11.0, 30.0])

    def nearest(
        inside: npt.NDArray[np.int64], outside: npt.NDArray[np.int64]
    ) -> tuple[int, int, float]:
        away = np.abs(place[inside][:, None] - place[outside][None])
        a, b = np.unravel_index(int(away.argmin()), away.shape)
        return int(inside[a]), int(outside[b]), float(1 / away[a, b])

    pieces = sp.csr_matrix(([1.0, 1.0, 1.0, 1.0], ([0, 1, 2, 3], [1, 0, 3, 2])), shape=(5, 5))
    joined = bridge_components(pieces, nearest).toarray()
    expected = pieces.toarray()
    expected[1, 2] = expected[2, 1] = 1 / 9
    expected[3, 4] = expected[4, 3] = 1 / 19
    np.testing.assert_allclose(joined, expected)


edges = st.integers(2, 12).flatmap(
    lambda n: st.tuples(
        st.just(n),
        st.sets(
            st.tuples(st.integers(0, n - 1), st.integers(0, n - 1)).filter(lambda e: e[0] < e[1]),
            max_size=2 * n,
        ),
    )
)


@given(edges, st.booleans())
def test_any_affinity_is_brought_into_one_piece_and_loses_no_edge(
    drawn: tuple[int, set[tuple[int, int]]], sparse: bool
) -> None:
    n, pairs = drawn
    W = np.zeros((n, n))
    for i, j in pairs:
        W[i, j] = W[j, i] = 1.0 + i + 2 * j
    before = n_pieces(W)
    joined = with_bridged_components(sp.csr_matrix(W) if sparse else W)
    assert sp.issparse(joined) == sparse
    after = sp.csr_matrix(joined).toarray()
    assert n_pieces(after) == 1
    np.testing.assert_array_equal(after, after.T)
    np.testing.assert_array_equal(after[W > 0], W[W > 0])
    bridges = after[(W == 0) & (after > 0)]
    assert len(bridges) <= 4 * (before - 1)
    assert (bridges <= 1e-3 * (W[W > 0].mean() if pairs else 1.0)).all()
    if before == 1:
        np.testing.assert_array_equal(after, W)
