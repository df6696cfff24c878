from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.cluster import KMeans
from sklearn.datasets import make_blobs
from sklearn.metrics import adjusted_rand_score

from likewise.clusterers import LinkedGroups
from likewise.clusterers.kmeans.seeded import seeded_kmeans

Points = npt.NDArray[np.float64]
Link = tuple[int, int]


def clustered(
    points: Points,
    n_clusters: int,
    must: list[Link] | None = None,
    cannot: list[Link] | None = None,
    seed: int = 0,
    start: npt.NDArray[np.int64] | None = None,
) -> npt.NDArray[np.int64]:
    links = LinkedGroups.of(len(points), must, cannot)
    return seeded_kmeans(points, n_clusters, links, np.random.default_rng(seed), start)


@pytest.mark.parametrize("n_clusters", [1, 2, 5])
@pytest.mark.parametrize("seed", range(5))
def test_separated_blobs_without_links_are_found_as_plain_kmeans_finds_them(
    n_clusters: int, seed: int
) -> None:
    centres = 10.0 * np.array([[0, 0], [1, 0], [0, 1], [1, 1], [3, 3]])[:n_clusters]
    X, _ = make_blobs(120, centers=centres, cluster_std=1.0, random_state=seed)
    plain = KMeans(n_clusters, n_init=10, random_state=0).fit(X).labels_
    labels = clustered(X, n_clusters, seed=seed)
    assert adjusted_rand_score(plain, labels) == 1.0


@st.composite
def linked_points(draw: st.DrawFn) -> tuple[Points, list[Link], list[Link], int]:
    n = draw(st.integers(2, 12))
    number = st.integers(0, 3).map(float)  # few values: many duplicates
    rows = st.lists(st.lists(number, min_size=2, max_size=2), min_size=n, max_size=n)
    truth = draw(st.lists(st.integers(0, 2), min_size=n, max_size=n))
    item = st.integers(0, n - 1)
    linked = draw(st.lists(st.tuples(item, item).filter(lambda p: p[0] != p[1]), max_size=n))
    must = [(i, j) for i, j in linked if truth[i] == truth[j]]
    cannot = [(i, j) for i, j in linked if truth[i] != truth[j]]
    return np.array(draw(rows)), must, cannot, draw(st.integers(1, n))


@given(linked_points(), st.booleans())
def test_linked_groups_are_never_parted(
    case: tuple[Points, list[Link], list[Link], int], started: bool
) -> None:
    points, must, cannot, n_clusters = case
    before = points.copy()
    start = np.arange(len(points)) % n_clusters if started else None
    labels = clustered(points, n_clusters, must, cannot, start=start)
    assert labels.shape == (len(points),)
    assert labels.min() >= 0
    assert labels.max() < n_clusters
    for i, j in must:
        assert labels[i] == labels[j]
    np.testing.assert_array_equal(points, before)


@given(linked_points())
def test_no_cluster_is_empty_while_there_are_free_items_to_fill_it(
    case: tuple[Points, list[Link], list[Link], int],
) -> None:
    points, must, cannot, n_clusters = case
    labels = clustered(points, n_clusters, must, cannot)
    n_empty = n_clusters - len(np.unique(labels))
    free = LinkedGroups.of(len(points), must, cannot).group < 0
    counts = np.bincount(labels, minlength=n_clusters)
    assert n_empty == 0 or not (free & (counts[labels] > 1)).any()


@pytest.mark.parametrize("n_clusters", [2, 7, 20])
def test_items_that_are_all_equal_fill_every_cluster(n_clusters: int) -> None:
    labels = clustered(np.ones((20, 3)), n_clusters)
    assert set(labels.tolist()) == set(range(n_clusters))


@pytest.mark.parametrize("seed", range(5))
def test_duplicates_share_a_cluster_when_there_are_as_many_clusters_as_places(seed: int) -> None:
    places = np.repeat(np.arange(4), 10)
    points = np.column_stack([places, places**2]).astype(float)
    assert adjusted_rand_score(places, clustered(points, 4, seed=seed)) == 1.0


def test_groups_that_differ_from_each_other_start_a_cluster_each() -> None:
    # One heap; only the links say that its ends are different.
    points = np.linspace(0.0, 1.0, 30)[:, None]
    must = [(0, 1), (10, 11), (28, 29)]
    labels = clustered(points, 3, must, [(0, 10), (10, 28), (0, 28)])
    assert len({int(labels[i]) for i in (0, 10, 28)}) == 3
    assert np.count_nonzero(np.diff(labels)) == 2  # each cluster is a stretch of the line


def test_chance_has_no_part_in_it_when_links_supply_every_centre() -> None:
    points = np.random.default_rng(0).normal(size=(60, 2))
    results = [clustered(points, 3, [(0, 1)], [(0, 2), (2, 3), (0, 3)], seed) for seed in range(4)]
    for labels in results[1:]:
        np.testing.assert_array_equal(labels, results[0])


def test_equal_seeds_give_equal_labels() -> None:
    points = np.random.default_rng(0).normal(size=(60, 2))
    np.testing.assert_array_equal(clustered(points, 6, seed=3), clustered(points, 6, seed=3))


def test_one_group_of_all_items_stays_whole_however_many_clusters_are_wanted() -> None:
    points = np.random.default_rng(0).normal(size=(5, 2))
    labels = clustered(points, 3, [(0, 1), (1, 2), (2, 3), (3, 4)])
    assert len(set(labels.tolist())) == 1


def test_links_pull_items_over_to_another_blob() -> None:
    X, truth = make_blobs(40, centers=[[0, 0], [10, 10]], random_state=0)
    left, right = np.flatnonzero(truth == 0), np.flatnonzero(truth == 1)
    must = [(int(left[0]), int(item)) for item in right[:5]]
    labels = clustered(X, 2, must)
    assert labels[left[0]] == labels[right[0]] == labels[right[-1]]
    assert labels[left[1]] != labels[right[0]]


def test_groups_that_differ_are_held_apart_even_where_no_distance_tells_them_apart() -> None:
    labels = clustered(np.ones((8, 2)), 2, [(0, 1), (2, 3)], [(0, 2)])
    assert labels[0] == labels[1] != labels[2] == labels[3]


def inertia(points: Points, labels: npt.NDArray[np.int64]) -> float:
    own = [points[labels == c] for c in np.unique(labels)]
    return float(sum(((members - members.mean(axis=0)) ** 2).sum() for members in own))


@pytest.mark.parametrize("linked", [False, True])
@pytest.mark.parametrize("seed", range(5))
def test_a_start_can_only_make_the_clusters_tighter(seed: int, linked: bool) -> None:
    points = np.random.default_rng(seed).normal(size=(80, 2))
    start = KMeans(9, n_init=20, random_state=seed).fit(points).labels_
    a, b, c = (int(np.flatnonzero(start == cluster)[0]) for cluster in (7, 2, 4))
    cannot = [(a, b), (a, c), (b, c)] if linked else []
    cold = inertia(points, clustered(points, 9, cannot=cannot, seed=seed))
    warm = inertia(points, clustered(points, 9, cannot=cannot, seed=seed, start=start))
    assert warm <= min(cold, inertia(points, start)) + 1e-9


def test_a_start_with_more_clusters_than_wanted_is_passed_over() -> None:
    points = np.random.default_rng(0).normal(size=(20, 2))
    labels = clustered(points, 3, start=np.arange(20))
    np.testing.assert_array_equal(labels, clustered(points, 3))
