from __future__ import annotations

from itertools import combinations
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.base import clone
from sklearn.metrics import adjusted_rand_score, calinski_harabasz_score
from sklearn.utils.estimator_checks import parametrize_with_checks

from likewise import datasets
from likewise.clusterers import AugmentedMetric, MetricLearner, PCKMeans
from likewise.clusterers.aqm._held_out import blended, scores
from likewise.clusterers.kmeans.centres import compactness
from likewise.clusterers.links import LinkedGroups
from likewise.errors import DataError, LikewiseError, MethodError

Array = npt.NDArray[np.float64]
Labels = npt.NDArray[np.int64]
Link = tuple[int, int]

# The paper's problems without what is added to them.
LETTER: dict[str, Any] = {
    "n_starts": 1, "ridge": 0.0, "prior": 0.0, "selective_penalty": 0.0, "held_out": False,
}  # fmt: skip


@parametrize_with_checks([AugmentedMetric(), AugmentedMetric(metric="full")])  # type: ignore[untyped-decorator]
def test_it_is_an_estimator_as_scikit_learn_wants_it(estimator: Any, check: Any) -> None:
    check(estimator)


def simulated(seed: int = 0, noise: int = 10) -> tuple[Array, Labels]:
    X, y = datasets.aqm_simulation(
        n=150, informative=3, n_clusters=3, noise=noise, random_state=seed
    )
    return (X - X.mean(axis=0)) / X.std(axis=0), y


def placed(truth: Labels, items: Any) -> dict[str, Any]:
    """What is known once the items are placed, one after the other."""
    first: dict[int, int] = {}
    must: list[Link] = []
    cannot: list[Link] = []
    for item in items:
        kind = int(truth[item])
        if kind in first:
            must.append((first[kind], int(item)))
        else:
            cannot += [(other, int(item)) for other in first.values()]
            first[kind] = int(item)
    return {"must_link": must, "cannot_link": cannot}


@pytest.mark.parametrize("metric", ["diagonal", "full"])
@pytest.mark.parametrize("seed", range(3))
def test_irrelevant_features_get_less_weight(seed: int, metric: str) -> None:
    X, y = simulated(seed)
    model = AugmentedMetric(n_clusters=3, metric=metric, held_out=False)
    weights = model.fit(X, **placed(y, range(60))).feature_weights_
    assert weights.sum() == pytest.approx(1)
    assert weights[:3].min() > 2 * weights[3:].max()
    np.testing.assert_allclose(np.diag(model.metric_) / np.trace(model.metric_), weights)


def test_answers_help_and_the_spread_of_the_weight_helps_when_they_are_few() -> None:
    means = {}
    variants: dict[str, tuple[dict[str, Any], int]] = {
        "none": ({}, 0),
        "few, to the letter": (LETTER, 20),
        "few": ({}, 20),
        "many": ({}, 75),
    }
    for name, (settings_, n_placed) in variants.items():
        scores = []
        for seed in range(6):
            X, y = simulated(seed, noise=20)
            model = AugmentedMetric(n_clusters=3, **settings_)
            scores.append(
                adjusted_rand_score(y, model.fit(X, **placed(y, range(n_placed))).labels_)
            )
        means[name] = np.mean(scores)
    assert means["few"] > means["none"] + 0.05
    assert means["few"] > means["few, to the letter"] + 0.05
    assert means["many"] > means["few"]


def test_augmented_pairs_help_when_answers_are_about_random_pairs() -> None:
    # The paper's figure 2, its problem to the letter.
    scores: dict[bool, list[float]] = {True: [], False: []}
    for seed in range(6):
        X, y = datasets.aqm_simulation(
            n=60, informative=6, n_clusters=6, noise=3, separation=5.0, random_state=seed
        )
        rng = np.random.default_rng(seed)
        pairs = rng.permutation(list(combinations(range(60), 2)))[:60].tolist()
        must = [(i, j) for i, j in pairs if y[i] == y[j]]
        cannot = [(i, j) for i, j in pairs if y[i] != y[j]]
        for augment, found in scores.items():
            model = AugmentedMetric(n_clusters=6, augment=augment, **LETTER)
            labels = model.fit(X, must_link=must, cannot_link=cannot).labels_
            found.append(float(adjusted_rand_score(y, labels)))
    assert np.mean(scores[True]) > np.mean(scores[False]) + 0.1


@settings(max_examples=25, deadline=None)
@given(st.data(), st.integers(1, 5), st.sampled_from(["diagonal", "full"]))
def test_labels_never_contradict_a_link(data: st.DataObject, n_clusters: int, metric: str) -> None:
    n = data.draw(st.integers(max(2, n_clusters), 12))
    hidden = data.draw(st.lists(st.integers(0, 3), min_size=n, max_size=n))
    item = st.integers(0, n - 1)
    linked = data.draw(st.lists(st.tuples(item, item).filter(lambda p: p[0] != p[1]), max_size=15))
    must = [(i, j) for i, j in linked if hidden[i] == hidden[j]]
    cannot = [(i, j) for i, j in linked if hidden[i] != hidden[j]]
    X = np.random.default_rng(n).normal(size=(n, 3)).round()  # with ties
    X[:, 2] = 1.0  # and a constant column
    model = AugmentedMetric(n_clusters=n_clusters, metric=metric, n_starts=2)
    labels = model.fit(X, must_link=must, cannot_link=cannot).labels_
    assert all(labels[i] == labels[j] for i, j in must)
    assert all(labels[i] != labels[j] for i, j in cannot)
    assert set(labels.tolist()) == set(range(model.n_clusters_))
    assert np.isfinite(model.metric_).all()
    np.testing.assert_allclose(model.memberships_.sum(axis=1), 1)
    assert model.memberships_.shape == (n, n_clusters)


def test_without_links_it_is_k_means_on_the_features_as_they_are() -> None:
    X, _ = simulated()
    model = AugmentedMetric(n_clusters=3).fit(X)
    np.testing.assert_array_equal(model.labels_, PCKMeans(n_clusters=3).fit(X).labels_)
    np.testing.assert_array_equal(model.metric_, np.eye(13))
    np.testing.assert_array_equal(model.memberships_, np.full((150, 3), 1 / 3))
    assert model.history_ == []


@pytest.mark.parametrize("kind", ["must_link", "cannot_link"])
def test_answers_of_one_kind_are_enough(kind: str) -> None:
    X, y = simulated()
    links: dict[str, Any] = {kind: placed(y, range(40))[kind]}
    model = AugmentedMetric(n_clusters=3).fit(X, **links)
    assert np.isfinite(model.feature_weights_).all()
    if kind == "must_link":
        assert model.feature_weights_[:3].min() > model.feature_weights_[3:].mean()


@pytest.mark.parametrize("X", [np.ones((5, 2)), np.repeat([[0.0, 1.0], [3.0, 1.0]], 4, axis=0)])
def test_equal_items_are_no_problem(X: Array) -> None:
    model = AugmentedMetric(n_clusters=2).fit(X, must_link=[(0, 1)], cannot_link=[(0, 4)])
    assert np.isfinite(model.distances(np.array([0]), np.arange(len(X)))).all()
    assert model.labels_[0] == model.labels_[1] != model.labels_[4]


def test_distances_are_those_of_the_metric() -> None:
    X, y = simulated()
    for metric in ("diagonal", "full"):
        model = AugmentedMetric(n_clusters=3, metric=metric).fit(X, **placed(y, range(30)))
        assert isinstance(model, MetricLearner)
        found = model.distances(np.array([3, 5]), np.array([5, 8, 9]))
        for row, i in enumerate((3, 5)):
            for column, j in enumerate((5, 8, 9)):
                d = X[i] - X[j]
                assert found[row, column] == pytest.approx(np.sqrt(d @ model.metric_ @ d), abs=1e-6)


def test_the_history_goes_on_along_the_chain_of_fits_and_is_not_changed_afterwards() -> None:
    X, y = simulated()
    model = AugmentedMetric(n_clusters=3)
    nothing = clone(model).fit(X)
    first = clone(model).fit(X, **placed(y, range(20)), start=nothing)
    second = clone(model).fit(X, **placed(y, range(40)), start=first)
    alone = clone(model).fit(X, **placed(y, range(40)))
    assert [len(m.history_) for m in (nothing, first, second, alone)] == [0, 1, 2, 1]
    np.testing.assert_array_equal(second.history_[0], first.history_[0])
    np.testing.assert_array_equal(second.history_[1], alone.history_[0])
    other_items = clone(model).fit(X[:, :5], **placed(y, range(40)), start=second)
    assert [metric.shape for metric in other_items.history_] == [(5,)]


@pytest.mark.parametrize("metric", ["diagonal", "full"])
def test_equal_input_gives_equal_output(metric: str) -> None:
    X, y = simulated()
    model = AugmentedMetric(n_clusters=3, metric=metric, random_state=3)
    links = placed(y, range(30))
    links["cannot_link"].append((40, 0))  # an item in the middle of its placing
    first, again = (clone(model).fit(X.copy(), **links) for _ in range(2))
    np.testing.assert_array_equal(first.labels_, again.labels_)
    np.testing.assert_array_equal(first.metric_, again.metric_)


@settings(max_examples=8, deadline=None)
@given(st.permutations(range(60)))
def test_items_in_another_order_get_the_same_groups(order: list[int]) -> None:
    rng = np.random.default_rng(0)
    y = np.arange(60) % 3
    X = np.column_stack([8.0 * np.eye(3)[y] + rng.normal(size=(60, 3)), rng.normal(size=60)])
    place = np.argsort(order)
    links = placed(y, range(20))
    moved: Any = {
        kind: [(int(place[i]), int(place[j])) for i, j in some] for kind, some in links.items()
    }
    model = AugmentedMetric(n_clusters=3)
    labels = model.fit(X, **links).labels_.copy()
    shuffled = model.fit(X[order], **moved).labels_
    assert adjusted_rand_score(labels[order], shuffled) == 1.0


@pytest.mark.parametrize(
    ("settings_", "links", "error"),
    [
        ({"metric": "cosine"}, {}, MethodError),
        ({"cluster": "kmeans"}, {}, MethodError),
        ({"objective": "sums"}, {}, MethodError),
        ({"objective": "features", "metric": "full"}, {}, MethodError),
        ({"rank": 0}, {}, MethodError),
        ({"penalty": -1.0}, {}, MethodError),
        ({"selective_penalty": float("nan")}, {}, MethodError),
        ({"n_penalised": 14}, {}, MethodError),
        ({"n_starts": 0}, {}, MethodError),
        ({"n_clusters": 0}, {}, MethodError),
        ({"n_clusters": 151}, {}, MethodError),
        ({}, {"must_link": [(0, 1)], "cannot_link": [(1, 0)]}, DataError),
        ({}, {"must_link": [(0, 150)]}, DataError),
    ],
)
def test_settings_and_links_that_make_no_sense_are_refused(
    settings_: dict[str, Any], links: dict[str, Any], error: type[LikewiseError]
) -> None:
    with pytest.raises(error):
        AugmentedMetric(**settings_).fit(simulated()[0], **links)


@pytest.mark.parametrize("n_clusters", [2, 4])
def test_compactness_is_the_index_of_calinski_and_harabasz(n_clusters: int) -> None:
    rng = np.random.default_rng(0)
    points, labels = rng.normal(size=(20, 3)), np.arange(20) % n_clusters
    points[:, 0] += labels
    expected = calinski_harabasz_score(points, labels)
    assert compactness(points, labels) == pytest.approx(expected)
    assert compactness(points, np.zeros(20, dtype=np.int64)) == 0.0
    assert compactness(points, np.arange(20)) == 0.0


@pytest.mark.parametrize("metric", ["diagonal", "full"])
def test_similar_items_that_are_equal_leave_the_features_as_they_are(metric: str) -> None:
    X = np.random.default_rng(0).normal(size=(12, 3))
    X[1] = X[0]
    model = AugmentedMetric(prior=0, ridge=0, metric=metric)
    model.fit(X, must_link=[(0, 1)], cannot_link=[(0, 2)])
    np.testing.assert_allclose(model.metric_, np.eye(3))


@pytest.mark.parametrize("metric", ["diagonal", "full"])
def test_a_direction_in_which_similar_items_do_not_differ_decides(metric: str) -> None:
    X = np.random.default_rng(0).normal(size=(12, 3))
    X[1, 0] = X[0, 0]
    model = AugmentedMetric(prior=0, ridge=0, metric=metric, selective_penalty=0.0, held_out=False)
    model.fit(X, must_link=[(0, 1)], cannot_link=[(0, 2)])
    assert np.isfinite(model.metric_).all()
    apart = X[[1, 2]] - X[0]
    near, far = np.einsum("ip,pq,iq->i", apart, model.metric_, apart)
    assert near < 1e-6 * far


def test_a_rank_that_leaves_only_such_a_direction_keeps_its_scale() -> None:
    X = np.random.default_rng(0).normal(size=(12, 3))
    X[1, 0] = X[0, 0]
    settings: dict[str, Any] = {"prior": 0, "ridge": 0, "metric": "full", "held_out": False}
    model = AugmentedMetric(rank=1, **settings).fit(X, must_link=[(0, 1)], cannot_link=[(0, 2)])
    values = np.linalg.eigvalsh(model.metric_)
    assert values[-2] < 1e-6 * values[-1]
    cost = float(((X[1] - X[0]) ** 2).sum())
    # A billionth of the dearest direction, not what rounding has left of nothing.
    assert values[-1] * 1e-9 * cost == pytest.approx(1.0, rel=0.1)


def test_a_rank_without_a_full_metric_is_refused() -> None:
    with pytest.raises(MethodError, match="rank is for a full metric"):
        AugmentedMetric(rank=2).fit(np.eye(4))


@pytest.mark.parametrize("metric", ["diagonal", "full"])
def test_augmentation_changes_nothing_once_items_are_placed(metric: str) -> None:
    # Memberships of placed items are one-hot and those of all others are even: no pair is likely.
    X, y = simulated()
    links = placed(y, range(25))
    with_, without = (
        AugmentedMetric(n_clusters=3, metric=metric, augment=augment).fit(X, **links)
        for augment in (True, False)
    )
    np.testing.assert_allclose(with_.metric_, without.metric_, rtol=1e-6)
    np.testing.assert_array_equal(with_.labels_, without.labels_)


def test_a_handful_of_answers_does_not_spoil_what_the_features_say() -> None:
    X, y = datasets.load("digits")
    X, y = X[:300], y[:300]
    plain = adjusted_rand_score(y, AugmentedMetric(n_clusters=10).fit(X).labels_)
    for n_placed in (5, 10, 15):
        links = placed(y, range(n_placed))
        careful = AugmentedMetric(n_clusters=10).fit(X, **links)
        believing = AugmentedMetric(n_clusters=10, held_out=False).fit(X, **links)
        assert careful.learned_share_ == 0
        assert adjusted_rand_score(y, careful.labels_) > plain - 0.05
        assert adjusted_rand_score(y, believing.labels_) < plain - 0.05


def test_the_learned_metric_is_used_where_answers_that_had_no_part_in_it_agree() -> None:
    X, y = simulated(noise=30)
    X[:, 3:] *= 2  # what means nothing is what distances are made of
    model = AugmentedMetric(n_clusters=3).fit(X, **placed(y, range(60)))
    assert model.learned_share_ > 0
    plain = AugmentedMetric(n_clusters=3).fit(X)
    gained = adjusted_rand_score(y, model.labels_) - adjusted_rand_score(y, plain.labels_)
    assert gained > 0.2


def test_half_of_a_metric_is_between_both() -> None:
    X, _ = simulated(noise=30)
    variance, learned = X.var(axis=0), np.arange(1.0, X.shape[1] + 1)
    plain, half, whole = (blended(learned, variance, share) for share in (0.0, 0.5, 1.0))
    np.testing.assert_allclose(half, (plain + whole) / 2)
    for metric in (plain, half, whole):
        assert metric @ variance == pytest.approx(1)
    np.testing.assert_allclose(np.diag(blended(np.diag(learned), np.diag(variance), 0.5)), half)


def test_items_left_out_are_told_by_their_group_and_its_members() -> None:
    X = np.array([[0.0], [1.0], [10.0], [11.0], [4.0]])
    links = LinkedGroups.of(5, [(0, 1), (1, 4), (2, 3)], [(0, 2)])
    group = links.group.copy()
    group[4] = -1
    # Nearer to the mean .5 than to 10.5, and to both of its group than to any other: all right.
    assert scores(X, group, links, np.array([4]), np.ones(1)) == [1.0]
    X[4] = 5.7  # nearer to the other mean; the 1 is nearer than the 11, no other pair is right
    assert scores(X, group, links, np.array([4]), np.ones(1)) == [0.125]
    group[[2, 3]] = -1  # nothing to be told from
    assert scores(X, group, links, np.array([4]), np.ones(1)) == []


def test_a_spectral_fit_follows_groups_of_any_shape_and_contradicts_no_link() -> None:
    X, y = datasets.moons(n=150, noise=0.05)
    links = placed(y, range(12))
    round_, any_shape = (
        AugmentedMetric(n_clusters=2, cluster=cluster).fit(X, **links)
        for cluster in ("pckmeans", "spectral")
    )
    assert adjusted_rand_score(y, any_shape.labels_) > 0.95
    assert adjusted_rand_score(y, round_.labels_) < 0.7
    assert LinkedGroups.of(len(X), **links).respected_by(any_shape.labels_)
