from __future__ import annotations

from itertools import combinations, product
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.cluster import KMeans
from sklearn.datasets import make_blobs
from sklearn.metrics import adjusted_rand_score
from sklearn.utils.estimator_checks import parametrize_with_checks

from likewise.clusterers import COPKMeans, LinkedGroups
from likewise.clusterers.kmeans._colouring import (
    assign,
    assign_in_order,
    assign_with_fewest_violations,
)
from likewise.clusterers.kmeans.centres import means, square_distances
from likewise.errors import DataError, LikewiseError, MethodError

Link = tuple[int, int]
Labels = npt.NDArray[np.int64]


@parametrize_with_checks([COPKMeans(), COPKMeans(on_failure="raise")])  # type: ignore[untyped-decorator]
def test_copkmeans_is_an_estimator_as_scikit_learn_wants_it(estimator: Any, check: Any) -> None:
    check(estimator)


@pytest.mark.parametrize(
    ("order", "labels", "centres"),
    [([0, 1, 2, 3], [0, 1, 1, 1], [0.0, 22 / 3]), ([1, 0, 2, 3], [1, 0, 1, 1], [1.0, 7.0])],
)
def test_the_published_rule_depends_on_the_order(
    order: list[int], labels: list[int], centres: list[float]
) -> None:
    X = np.array([[0.0], [1.0], [10.0], [11.0]])
    differ = LinkedGroups(np.arange(4), np.array([[0, 1]])).differ
    cost = square_distances(X, np.array([[0.0], [11.0]]))
    placed = assign_in_order(cost, differ, np.array(order))
    assert placed is not None
    np.testing.assert_array_equal(placed, labels)
    np.testing.assert_allclose(means(X, placed, np.zeros((2, 1))).ravel(), centres)


def test_three_that_differ_fail_in_two_clusters_in_every_order() -> None:
    links = LinkedGroups.of(3, None, list(combinations(range(3), 2)))
    cost, sizes = np.zeros((3, 2)), np.ones(3, dtype=np.int64)
    for order in ([0, 1, 2], [2, 1, 0], [1, 0, 2]):
        assert assign_in_order(cost, links.differ, np.array(order)) is None
    assert assign(cost, links.differ, sizes) is None
    assert sorted(assign_with_fewest_violations(cost, links.differ, sizes).tolist()) in (
        [0, 0, 1],
        [0, 1, 1],
    )


def graph_of(n: int, pairs: list[Link], colours: list[int]) -> LinkedGroups:
    """Groups of one that differ where colours differ: a graph with at least one colouring."""
    kept = [(min(i, j), max(i, j)) for i, j in pairs if colours[i] != colours[j]]
    differing = np.unique(np.array(kept, dtype=np.int64).reshape(-1, 2), axis=0)
    return LinkedGroups(np.arange(n), differing)


@settings(max_examples=200)
@given(st.data(), st.integers(1, 4), st.integers(2, 9), st.integers(0, 99))
def test_placing_fails_only_where_no_way_exists(
    data: st.DataObject, n_clusters: int, n: int, seed: int
) -> None:
    item = st.integers(0, n - 1)
    pairs = data.draw(
        st.lists(st.tuples(item, item).filter(lambda p: p[0] != p[1]), max_size=3 * n)
    )
    links = graph_of(n, pairs, list(range(n)))
    cost = np.random.default_rng(seed).random((n, n_clusters))
    placed = assign(cost, links.differ, np.ones(n, dtype=np.int64))
    apart = links.differing.tolist()
    if placed is None:
        for ways in product(range(n_clusters), repeat=n) if n <= 7 else []:
            assert any(ways[i] == ways[j] for i, j in apart)
    else:
        assert all(placed[i] != placed[j] for i, j in apart)


@pytest.mark.parametrize("seed", range(10))
@pytest.mark.parametrize("n_links", [100, 300, 600, 2000])
def test_answers_that_are_true_of_some_grouping_never_fail(seed: int, n_links: int) -> None:
    # The published order fails on most of these.
    rng = np.random.default_rng(seed)
    colours = rng.integers(4, size=200).tolist()
    pairs = [(int(i), int(j)) for i, j in rng.integers(200, size=(n_links, 2)) if i != j]
    links = graph_of(200, pairs, colours)
    placed = assign(rng.random((200, 4)), links.differ, np.ones(200, dtype=np.int64))
    assert placed is not None
    assert all(placed[i] != placed[j] for i, j in links.differing.tolist())


@settings(max_examples=60)
@given(st.data(), st.integers(1, 5), st.booleans())
def test_links_of_some_grouping_are_kept(
    data: st.DataObject, n_clusters: int, started: bool
) -> None:
    n = data.draw(st.integers(max(2, n_clusters), 12))
    truth = data.draw(st.lists(st.integers(0, n_clusters - 1), min_size=n, max_size=n))
    item = st.integers(0, n - 1)
    linked = data.draw(st.lists(st.tuples(item, item).filter(lambda p: p[0] != p[1]), max_size=20))
    must = [(i, j) for i, j in linked if truth[i] == truth[j]]
    cannot = [(i, j) for i, j in linked if truth[i] != truth[j]]
    X = np.random.default_rng(n).integers(0, 4, size=(n, 2)).astype(float)
    model = COPKMeans(n_clusters=n_clusters, on_failure="raise", answers_win=False)
    start = COPKMeans(n_clusters=n_clusters).fit(X) if started else None
    labels = model.fit(X, must_link=must, cannot_link=cannot, start=start).labels_
    assert all(labels[i] == labels[j] for i, j in must)
    assert all(labels[i] != labels[j] for i, j in cannot)
    assert model.n_violated_ == 0
    assert set(labels.tolist()) == set(range(model.n_clusters_))
    assert model.n_clusters_ <= n_clusters
    own = [X[labels == c] for c in range(model.n_clusters_)]
    inertia = sum(((members - members.mean(axis=0)) ** 2).sum() for members in own)
    assert model.inertia_ == pytest.approx(inertia)


def test_too_many_that_differ_are_named_or_violated_or_given_clusters_of_their_own() -> None:
    X = np.arange(6.0)[:, None]
    links: dict[str, Any] = {"must_link": [(4, 5)], "cannot_link": [(1, 2), (1, 5), (2, 5)]}
    with pytest.raises(DataError, match="items 1, 2, 4 all differ from each other, which 2 clus"):
        COPKMeans(n_clusters=2, on_failure="raise").fit(X, **links)
    soft = COPKMeans(n_clusters=2, answers_win=False).fit(X, **links)
    assert soft.n_clusters_ == 2
    assert soft.n_violated_ == 1  # 1 and 2 share a cluster, rather than either with both 4 and 5
    assert soft.labels_[4] == soft.labels_[5] != soft.labels_[1] == soft.labels_[2]
    opened = COPKMeans(n_clusters=2).fit(X, **links)
    assert len({int(opened.labels_[i]) for i in (1, 2, 4)}) == 3


def test_an_odd_ring_in_two_clusters_has_no_clique_but_fails_all_the_same() -> None:
    X = np.arange(5.0)[:, None]
    ring = [(i, (i + 1) % 5) for i in range(5)]
    with pytest.raises(DataError, match="no way to keep all links in 2 clusters"):
        COPKMeans(n_clusters=2, on_failure="raise").fit(X, cannot_link=ring)
    assert COPKMeans(n_clusters=2, answers_win=False).fit(X, cannot_link=ring).n_violated_ == 1
    assert COPKMeans(n_clusters=3, on_failure="raise").fit(X, cannot_link=ring).n_violated_ == 0


def test_without_links_it_is_kmeans() -> None:
    for seed in range(4):
        X = np.random.default_rng(seed).normal(size=(80, 3))
        ours = COPKMeans(n_clusters=4, n_init=20, random_state=seed).fit(X)
        theirs = KMeans(4, n_init=20, random_state=seed).fit(X)
        assert ours.inertia_ == pytest.approx(theirs.inertia_, rel=0.01)


def test_groups_that_were_meant_are_found_from_random_links() -> None:
    X, truth = make_blobs(200, centers=4, cluster_std=4.0, random_state=2)
    rng = np.random.default_rng(0)
    pairs = [(int(i), int(j)) for i, j in rng.integers(200, size=(600, 2)) if i != j]
    must = [(i, j) for i, j in pairs if truth[i] == truth[j]]
    cannot = [(i, j) for i, j in pairs if truth[i] != truth[j]]
    model = COPKMeans(n_clusters=4, on_failure="raise")
    linked = model.fit(X, must_link=must, cannot_link=cannot).labels_.copy()
    assert adjusted_rand_score(truth, linked) > adjusted_rand_score(truth, model.fit(X).labels_)
    again = model.fit(X, must_link=must, cannot_link=cannot).labels_
    np.testing.assert_array_equal(linked, again)


@pytest.mark.parametrize("n_clusters", [2, 7, 20])
def test_items_that_are_all_equal_fill_every_cluster(n_clusters: int) -> None:
    assert COPKMeans(n_clusters=n_clusters).fit(np.ones((20, 3))).n_clusters_ == n_clusters


@pytest.mark.parametrize(
    ("settings_", "links", "error"),
    [
        ({"n_clusters": 31}, {}, MethodError),
        ({"on_failure": "ignore"}, {}, MethodError),
        ({"n_init": 0}, {}, MethodError),
        ({}, {"must_link": [(0, 1)], "cannot_link": [(1, 0)]}, DataError),
    ],
)
def test_settings_and_links_that_make_no_sense_are_refused(
    settings_: dict[str, Any], links: dict[str, Any], error: type[LikewiseError]
) -> None:
    with pytest.raises(error):
        COPKMeans(**settings_).fit(np.random.default_rng(0).normal(size=(30, 2)), **links)
