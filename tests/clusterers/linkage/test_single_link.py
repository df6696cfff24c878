"""Single link with links against Kruskal's algorithm in plain Python."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp
from hypothesis import given
from hypothesis import strategies as st
from sklearn.utils.estimator_checks import parametrize_with_checks

from likewise.clusterers import LinkedGroups, SingleLink, labels_respecting_links
from likewise.clusterers.linkage._kernels import spanning_forest
from likewise.clusterers.linkage.dendrogram import Dendrogram

Array = npt.NDArray[np.float64]
Pairs = list[tuple[int, int]]


@parametrize_with_checks([SingleLink()])  # type: ignore[untyped-decorator]
def test_it_is_an_estimator_as_scikit_learn_wants_it(estimator: Any, check: Any) -> None:
    check(estimator)


def literal_forest(n: int, edges: Pairs, must: Pairs, cannot: Pairs, k: int) -> list[set[int]]:
    """Join along the links, then along edges unless that would join what must stay apart."""
    clusters = [{i} for i in range(n)]

    def join(i: int, j: int) -> None:
        a, b = (next(c for c in clusters if item in c) for item in (i, j))
        if a is not b:
            clusters.remove(b)
            a |= b

    for i, j in must:
        join(i, j)
    for i, j in edges:
        if len(clusters) <= k:
            break
        a, b = (next(c for c in clusters if item in c) for item in (i, j))
        if not any({p, q} <= a | b and not {p, q} <= a and not {p, q} <= b for p, q in cannot):
            join(i, j)
    return clusters


def problem(seed: int, n: int) -> tuple[Array, Pairs, Pairs]:
    rng = np.random.default_rng(seed)
    kinds = rng.integers(3, size=n)
    W = np.triu(rng.random((n, n)) * (rng.random((n, n)) < 0.5), 1)
    W[np.arange(n - 1), np.arange(1, n)] += 0.01 * rng.random(n - 1)  # in one piece, no ties
    drawn = [rng.choice(n, 2, replace=False).tolist() for _ in range(rng.integers(0, n))]
    must = [(i, j) for i, j in drawn if kinds[i] == kinds[j]]
    return W + W.T, must, [(i, j) for i, j in drawn if kinds[i] != kinds[j]]


@given(st.integers(0, 2**32 - 1), st.integers(3, 16), st.integers(1, 5), st.booleans())
def test_the_forest_is_that_of_the_plain_algorithm(
    seed: int, n: int, n_clusters: int, sparse: bool
) -> None:
    W, must, cannot = problem(seed, n)
    n_clusters = min(n, n_clusters)
    i, j = np.nonzero(np.triu(W))
    edges = [(int(i[e]), int(j[e])) for e in np.argsort(-W[i, j], kind="stable")]
    clusters = literal_forest(n, edges, must, cannot, n_clusters)
    expected = np.array([next(c for c, has in enumerate(clusters) if i in has) for i in range(n)])
    model = SingleLink(n_clusters=n_clusters, affinity="precomputed")
    model.fit(sp.csr_matrix(W) if sparse else W, must_link=must, cannot_link=cannot)
    links = LinkedGroups.of(n, must, cannot)
    _assert_same(model.labels_, labels_respecting_links(expected, links))
    assert model.n_clusters_ == len(np.unique(expected))


@given(st.integers(0, 2**32 - 1), st.integers(3, 16))
def test_renamed_items_give_the_same_clusters(seed: int, n: int) -> None:
    W, must, cannot = problem(seed, n)
    order = np.random.default_rng(seed).permutation(n)
    place = np.argsort(order)
    moved = [[(int(place[i]), int(place[j])) for i, j in pairs] for pairs in (must, cannot)]
    model = SingleLink(affinity="precomputed")
    labels = model.fit(W, must_link=must, cannot_link=cannot).labels_[order]
    W = W[np.ix_(order, order)]
    _assert_same(labels, model.fit(W, must_link=moved[0], cannot_link=moved[1]).labels_)


def test_the_worked_example() -> None:
    x = np.array([0.0, 1.0, 2.5, 5.2, 6.2])
    W = 1 / (1 + np.abs(np.subtract.outer(x, x)))
    np.fill_diagonal(W, 0.0)
    model = SingleLink(affinity="precomputed")
    assert model.fit(W).labels_.tolist() == [0, 0, 0, 1, 1]
    assert model.fit(W, cannot_link=[(0, 1)]).labels_.tolist() == [0, 1, 1, 1, 1]
    assert model.fit(W, must_link=[(0, 4)]).labels_.tolist() == [0, 0, 1, 0, 0]


def test_where_nothing_more_may_be_joined_more_clusters_are_left() -> None:
    W = np.array([[0.0, 1.0, 1.0], [1.0, 0.0, 1.0], [1.0, 1.0, 0.0]])
    model = SingleLink(affinity="precomputed")
    assert model.fit(W, cannot_link=[(0, 1), (1, 2), (0, 2)]).n_clusters_ == 3


@given(st.integers(0, 2**32 - 1), st.integers(2, 15))
def test_every_cluster_of_the_merges_stands_together(seed: int, n: int) -> None:
    rng = np.random.default_rng(seed)
    edges = rng.integers(n, size=(2 * n, 2)).tolist()
    merges = Dendrogram.from_edges(n, edges)
    members = [{i} for i in range(n)]
    for made, (a, b) in enumerate(merges.pairs, start=n):
        members.append(members[a] | members[b])
        assert set(merges.members(made).tolist()) == members[made]
    component = spanning_forest(
        n, np.array(edges), np.empty((0, 2), dtype=int), np.empty((0, 2), dtype=int), 1
    )[0]
    assert n - len(merges.pairs) == len(np.unique(component))


def _assert_same(one: npt.NDArray[np.int64], other: npt.NDArray[np.int64]) -> None:
    pairs = set(zip(one.tolist(), other.tolist(), strict=True))
    assert len(pairs) == len(set(one.tolist())) == len(set(other.tolist()))
