from __future__ import annotations

import warnings
from itertools import combinations
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.cluster import AffinityPropagation
from sklearn.datasets import make_blobs
from sklearn.exceptions import ConvergenceWarning
from sklearn.metrics import adjusted_rand_score
from sklearn.utils.estimator_checks import parametrize_with_checks

from likewise.affinities import ConstraintForest, Gaussian
from likewise.clusterers import LinkedAffinityPropagation, LinkedGroups
from likewise.clusterers.exemplars import affinity_propagation as exemplars
from likewise.clusterers.exemplars._contracted import (
    ContractedSimilarities,
    drop_exemplars,
    net_similarity,
)
from likewise.errors import DataError, LikewiseError, MethodError

Array = npt.NDArray[np.float64]
Labels = npt.NDArray[np.int64]
Link = tuple[int, int]
LINE = np.array([0.0, 1.0, 2.1, 10.0, 11.0, 12.1])[:, None]


@parametrize_with_checks([LinkedAffinityPropagation()])  # type: ignore[untyped-decorator]
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_it_is_an_estimator_as_scikit_learn_wants_it(estimator: Any, check: Any) -> None:
    check(estimator)


def blobs(n: int = 60, seed: int = 0) -> tuple[Array, Labels]:
    X, truth = make_blobs(n, centers=[[0, 0], [12, 0], [0, 12]], random_state=seed)
    return X, truth


def random_links(truth: Labels, count: int, seed: int = 0) -> tuple[list[Link], list[Link]]:
    pairs = np.random.default_rng(seed).integers(len(truth), size=(count, 2)).tolist()
    told = [(i, j) for i, j in pairs if i != j]
    must = [(i, j) for i, j in told if truth[i] == truth[j]]
    return must, [(i, j) for i, j in told if truth[i] != truth[j]]


def best_exemplars(similarity: Array, preference: float) -> tuple[int, ...]:
    """The set of exemplars of the largest net similarity, by trying all of them."""
    full = similarity.copy()
    np.fill_diagonal(full, preference)
    sets = (
        some for size in range(1, len(full) + 1) for some in combinations(range(len(full)), size)
    )
    return max(sets, key=lambda some: net_similarity(full, np.array(some)))


@pytest.mark.parametrize(
    ("preference", "expected", "labels"),
    [
        (None, [1, 4], [0, 0, 0, 1, 1, 1]),
        (-1000.0, [2], [0] * 6),
        (-0.5, list(range(6)), list(range(6))),
    ],
)
def test_the_preference_decides_the_exemplars(
    preference: float | None, expected: list[int], labels: list[int]
) -> None:
    model = LinkedAffinityPropagation(preference=preference).fit(LINE)
    assert model.cluster_centers_indices_.tolist() == expected
    assert model.labels_.tolist() == labels
    assert model.converged_
    if preference is None:
        assert model.preference_ == pytest.approx(-79.21)
    if preference != -0.5:
        assert best_exemplars(-((LINE - LINE.T) ** 2), model.preference_) == tuple(expected)


def test_net_similarity_is_the_sum_over_items_and_exemplars() -> None:
    X, _ = blobs(12)
    full = -((X[:, None] - X[None]) ** 2).sum(axis=2)
    np.fill_diagonal(full, -7.0)
    chosen = [0, 5]
    literal = sum(-7.0 if i in chosen else max(full[i, e] for e in chosen) for i in range(12))
    assert net_similarity(full, np.array(chosen)) == pytest.approx(literal)


@pytest.mark.parametrize("n_clusters", range(1, 7))
def test_any_number_of_clusters_can_be_had(n_clusters: int) -> None:
    model = LinkedAffinityPropagation(n_clusters=n_clusters).fit(LINE)
    assert model.n_clusters_ == len(model.cluster_centers_indices_) == n_clusters
    assert set(model.labels_.tolist()) == set(range(n_clusters))


def test_without_links_it_is_scikit_learns() -> None:
    X, _ = make_blobs(80, centers=5, random_state=3)
    ours, peer = LinkedAffinityPropagation().fit(X), AffinityPropagation(random_state=0).fit(X)
    np.testing.assert_array_equal(ours.cluster_centers_indices_, peer.cluster_centers_indices_)
    np.testing.assert_array_equal(ours.labels_, peer.labels_)


def test_separated_blobs_are_found() -> None:
    X, truth = blobs()
    must, cannot = random_links(truth, 40)
    model = LinkedAffinityPropagation(n_clusters=3).fit(X, must_link=must, cannot_link=cannot)
    assert adjusted_rand_score(truth, model.labels_) == 1.0
    assert (model.labels_[model.cluster_centers_indices_] == np.arange(3)).all()


def test_exemplars_that_are_least_missed_go_first() -> None:
    full = -((LINE - LINE.T) ** 2)
    np.fill_diagonal(full, -0.5)
    left = drop_exemplars(full, np.arange(6), 5)
    losses = [net_similarity(full, np.delete(np.arange(6), out)) for out in range(6)]
    assert net_similarity(full, left) == max(losses)
    assert drop_exemplars(full, np.arange(6), 2).tolist() == [1, 4]


def test_a_node_counts_all_its_members_around_the_one_in_their_middle() -> None:
    similarity = -((LINE - LINE.T) ** 2)
    nodes = ContractedSimilarities.of(similarity, LinkedGroups.of(6, [(0, 1), (1, 2)], [(2, 5)]))
    group = nodes.node[0]
    assert nodes.node[:3].tolist() == [group] * 3
    assert nodes.item[group] == 1
    assert len(nodes.item) == 4
    three, four = nodes.node[3], nodes.node[4]
    assert nodes.similarity[group, three] == pytest.approx(similarity[:3, 3].sum())
    assert nodes.similarity[three, group] == pytest.approx(similarity[3, 1])
    assert nodes.similarity[group, group] == pytest.approx(similarity[0, 1] + similarity[2, 1])
    assert nodes.similarity[four, four] == 0.0
    assert nodes.similarity[group, nodes.node[5]] < similarity.sum()


@settings(max_examples=40, deadline=None)
@given(st.data(), st.sampled_from([None, 1, 2, 4]))
def test_labels_never_contradict_a_link(data: st.DataObject, n_clusters: int | None) -> None:
    n = data.draw(st.integers(4, 14))
    hidden = np.array(data.draw(st.lists(st.integers(0, 3), min_size=n, max_size=n)))
    must, cannot = random_links(hidden, data.draw(st.integers(0, 25)), n)
    X = np.random.default_rng(n).normal(size=(n, 2))
    model = LinkedAffinityPropagation(n_clusters=n_clusters)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        labels = model.fit(X, must_link=must, cannot_link=cannot).labels_
    assert all(labels[i] == labels[j] for i, j in must)
    assert all(labels[i] != labels[j] for i, j in cannot)
    assert set(labels.tolist()) == set(range(model.n_clusters_))
    assert (labels[model.cluster_centers_indices_] == np.arange(model.n_clusters_)).all()


@settings(max_examples=15, deadline=None)
@given(st.permutations(range(45)), st.integers(0, 30))
def test_items_in_another_order_get_the_same_groups(order: list[int], count: int) -> None:
    X, truth = blobs(45)
    must, cannot = random_links(truth, count)
    place = np.argsort(order)
    model = LinkedAffinityPropagation(n_clusters=3)
    labels = model.fit(X, must_link=must, cannot_link=cannot).labels_
    moved = model.fit(
        X[order],
        must_link=[(int(place[i]), int(place[j])) for i, j in must],
        cannot_link=[(int(place[i]), int(place[j])) for i, j in cannot],
    ).labels_
    assert adjusted_rand_score(labels[order], moved) == 1.0


def test_two_items_apart_may_not_share_a_third_as_exemplar() -> None:
    X = np.array([[0.0], [1.0], [2.0], [20.0], [21.0], [22.0]])
    plain = LinkedAffinityPropagation().fit(X)
    assert plain.labels_[0] == plain.labels_[2]
    model = LinkedAffinityPropagation().fit(X, cannot_link=[(0, 2)])
    assert model.labels_[0] != model.labels_[2]
    assert model.labels_[3] == model.labels_[4] == model.labels_[5]


def test_links_that_need_not_win_only_change_similarities() -> None:
    contradictory: dict[str, Any] = {"must_link": [(0, 1), (2, 3)], "cannot_link": [(1, 0)]}
    similarity = -((LINE - LINE.T) ** 2)
    changed = similarity.copy()
    changed[4, 5] = changed[5, 4] = similarity.min()
    off = ~np.eye(6, dtype=bool)
    changed[2, 3] = changed[3, 2] = similarity[off].max()
    contradictory["cannot_link"].append((4, 5))
    free = LinkedAffinityPropagation(answers_win=False, preference=-10.0)
    free.fit(LINE, **contradictory)
    same = LinkedAffinityPropagation(affinity="precomputed", preference=-10.0).fit(changed)
    np.testing.assert_array_equal(free.labels_, same.labels_)
    with pytest.raises(DataError, match="drop one of these links"):
        LinkedAffinityPropagation().fit(LINE, **contradictory)


def test_any_affinity_will_do() -> None:
    X, truth = blobs()
    graph = Gaussian(n_neighbours=15)
    for model, given_X in (
        (LinkedAffinityPropagation(n_clusters=3, affinity=graph), X),
        (LinkedAffinityPropagation(n_clusters=3, affinity="precomputed"), graph.fit(X).affinity_),
        (
            LinkedAffinityPropagation(affinity="precomputed", n_clusters=3),
            -np.square(np.linalg.norm(X[:, None] - X[None], axis=2)),
        ),
    ):
        assert adjusted_rand_score(truth, model.fit(given_X).labels_) == 1.0


def test_messages_that_do_not_settle_are_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(exemplars, "_ROUNDS", 2)
    with pytest.warns(ConvergenceWarning, match="did not settle"):
        model = LinkedAffinityPropagation().fit(blobs()[0])
    assert not model.converged_
    assert model.labels_.min() == 0


def test_damped_messages_are_given_the_time_they_need() -> None:
    X, truth = make_blobs(90, centers=3, n_features=4, cluster_std=2.0, random_state=1)
    shares = ConstraintForest(n_trees=60, to_single_rows=False).fit(X).affinity_
    model = LinkedAffinityPropagation(n_clusters=3, affinity="precomputed", damping=0.9)
    # After fifteen rounds with the same exemplars, scikit-learn's rule, it would be 0.4.
    assert adjusted_rand_score(truth, model.fit(shares).labels_) > 0.8


@pytest.mark.parametrize(("preference", "n_clusters"), [(-1.0, 1), (1.0, 4)])
def test_equal_similarities_give_one_cluster_or_all(preference: float, n_clusters: int) -> None:
    model = LinkedAffinityPropagation(preference=preference).fit(np.zeros((4, 2)))
    assert model.n_clusters_ == n_clusters
    assert LinkedAffinityPropagation(n_clusters=2).fit(np.zeros((4, 2))).n_clusters_ == 2


@pytest.mark.parametrize(
    ("settings_", "links", "error"),
    [
        ({"damping": 0.3}, {}, MethodError),
        ({"n_clusters": 61}, {}, MethodError),
        ({"n_clusters": 2, "preference": -1.0}, {}, MethodError),
        ({"affinity": "cosine"}, {}, MethodError),
        ({"affinity": "precomputed"}, {}, DataError),
        ({}, {"must_link": [(0, 60)]}, DataError),
    ],
)
def test_settings_and_links_that_make_no_sense_are_refused(
    settings_: dict[str, Any], links: dict[str, Any], error: type[LikewiseError]
) -> None:
    with pytest.raises(error):
        LinkedAffinityPropagation(**settings_).fit(blobs()[0], **links)
