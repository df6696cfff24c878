from __future__ import annotations

from itertools import combinations
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.spatial.distance import pdist
from sklearn.base import clone
from sklearn.datasets import load_wine, make_blobs
from sklearn.metrics import adjusted_rand_score
from sklearn.utils.estimator_checks import parametrize_with_checks

from likewise.clusterers import LinkedGroups, MetricLearner, MPCKMeans, PCKMeans
from likewise.clusterers.kmeans._diagonal_descent import DiagonalDescent
from likewise.clusterers.kmeans._distance_link_costs import DistanceLinkCosts
from likewise.clusterers.kmeans._mahalanobis import Metrics, farthest_pair
from likewise.clusterers.kmeans._metric_descent import MetricDescent
from likewise.clusterers.kmeans.centres import means
from likewise.errors import DataError, LikewiseError, MethodError

Array = npt.NDArray[np.float64]
Labels = npt.NDArray[np.int64]
Link = tuple[int, int]
KINDS: list[dict[str, Any]] = [
    {"metric": metric, "per_cluster": per_cluster}
    for metric in ("diagonal", "full")
    for per_cluster in (False, True)
]


@parametrize_with_checks([MPCKMeans(), MPCKMeans(metric="full", per_cluster=True)])  # type: ignore[untyped-decorator]
def test_mpckmeans_is_an_estimator_as_scikit_learn_wants_it(estimator: Any, check: Any) -> None:
    check(estimator)


class Case(NamedTuple):
    points: Array
    must: list[Link]
    cannot: list[Link]
    labels: Labels
    n_clusters: int


@st.composite
def cases(draw: st.DrawFn) -> Case:
    n, k = draw(st.integers(4, 10)), draw(st.integers(1, 3))
    truth = draw(st.lists(st.integers(0, 3), min_size=n, max_size=n))
    item = st.integers(0, n - 1)
    linked = draw(st.lists(st.tuples(item, item).filter(lambda p: p[0] != p[1]), max_size=2 * n))
    must = [(i, j) for i, j in linked if truth[i] == truth[j]]
    cannot = [(i, j) for i, j in linked if truth[i] != truth[j]]
    labels = np.array(draw(st.lists(st.integers(0, k - 1), min_size=n, max_size=n)))
    points = np.random.default_rng(draw(st.integers(0, 99))).normal(size=(n, 3))
    return Case(points - points.mean(axis=0), must, cannot, labels, k)


def some_metrics(n_clusters: int, full: bool, per_cluster: bool, seed: int = 0) -> Metrics:
    rng = np.random.default_rng(seed)
    count = n_clusters if per_cluster else 1
    forms = rng.uniform(0.5, 2.0, size=(count, 3))
    if full:
        turns = [np.linalg.qr(rng.normal(size=(3, 3)))[0] for _ in range(count)]
        forms = np.stack([t @ np.diag(f) @ t.T for t, f in zip(turns, forms, strict=True)])
    of_label = np.arange(n_clusters) if per_cluster else np.zeros(n_clusters, dtype=np.int64)
    return Metrics(forms, of_label)


def descent_of(case: Case, full: bool, per_cluster: bool, weight: float = 1.5) -> MetricDescent:
    links = LinkedGroups.of(len(case.points), case.must, case.cannot)
    directions = np.random.default_rng(1).normal(size=(3, 32))
    return MetricDescent(
        case.points, links, full=full, per_cluster=per_cluster, weight=weight, directions=directions
    )


def literal_link_cost(
    links: LinkedGroups, points: Array, labels: Labels, metrics: Metrics, far: Array
) -> float:
    """Eq. 5 and 6, pair by pair of the closed links."""
    differ, total = links.differ.toarray(), 0.0
    for i, j in combinations(range(len(labels)), 2):
        a, b = links.group[i], links.group[j]
        if min(a, b) < 0:
            continue
        left, right = metrics.of_label[labels[i]], metrics.of_label[labels[j]]
        apart = points[i] - points[j]
        if a == b and labels[i] != labels[j]:
            total += apart @ metrics.times(apart, left) / 2
            total += apart @ metrics.times(apart, right) / 2
        if differ[a, b] and labels[i] == labels[j]:
            total += far[left] - apart @ metrics.times(apart, left)
    return float(total)


@settings(max_examples=60)
@given(cases(), st.booleans(), st.booleans(), st.data())
def test_measured_costs_are_the_literal_ones_also_after_moves(
    case: Case, full: bool, per_cluster: bool, data: st.DataObject
) -> None:
    metrics = some_metrics(case.n_clusters, full, per_cluster)
    labels, k = case.labels.copy(), case.n_clusters
    costs = descent_of(case, full, per_cluster, weight=1.0).link_costs(labels, metrics)
    links, far = costs.links, costs.farthest.square

    def literal(candidate: Labels) -> float:
        return literal_link_cost(links, case.points, candidate, metrics, far)

    for _ in range(3):
        assert costs.total() == pytest.approx(literal(labels), abs=1e-9)
        if not links.n_groups:
            return
        item = data.draw(st.sampled_from(np.flatnonzero(links.group >= 0).tolist()))
        group = np.array([links.group[item]])
        ours = np.flatnonzero(links.group == group[0])
        row, whole = costs.of_items(np.array([item]))[0], costs.of_whole(group)[0]
        for other in range(k):
            one, all_of_it = labels.copy(), labels.copy()
            one[item], all_of_it[ours] = other, other
            change = literal(one) - literal(labels)
            assert row[other] - row[labels[item]] == pytest.approx(change, abs=1e-9)
            change = literal(all_of_it) - literal(labels)
            assert whole[other] - costs.of_now(group)[0] == pytest.approx(change, abs=1e-9)
        moving = data.draw(st.sampled_from([ours, np.array([item])]))
        costs.move(moving, data.draw(st.integers(0, k - 1)))


def test_the_metric_of_the_worked_example() -> None:
    # Items (0,0), (0,2), (4,0), (4,6) in two clusters, one must-link violated.
    X = np.array([[0.0, 0], [0, 2], [4, 0], [4, 6]])
    labels, links = np.array([0, 0, 1, 1]), LinkedGroups.of(4, [(1, 2)], None)
    descent = MetricDescent(
        X - X.mean(axis=0), links, full=False, per_cluster=False, weight=1.0, directions=np.eye(2)
    )
    centres = means(descent.points, labels, np.zeros((2, 2)))
    costs = descent.link_costs(labels, descent.first_metrics(2))
    metrics = descent.best_metrics(centres, costs)
    np.testing.assert_allclose(metrics.forms[0], [0.25, 1 / 6], rtol=1e-5)
    assert descent.objective(labels, centres, metrics) == pytest.approx(20.712215, abs=1e-5)


def test_without_violated_links_a_weight_is_items_over_scatter() -> None:
    X, _ = make_blobs(60, centers=[[0, 0, 0], [30, 0, 0]], random_state=0)
    model = MPCKMeans(n_clusters=2).fit(X)
    scatter = sum(
        ((X[model.labels_ == c] - X[model.labels_ == c].mean(axis=0)) ** 2).sum(axis=0)
        for c in range(2)
    )
    np.testing.assert_allclose(model.metric_, 60 / scatter, rtol=1e-3)
    np.testing.assert_array_equal(model.feature_weights_, model.metric_)


@settings(max_examples=60)
@given(cases(), st.booleans(), st.booleans())
def test_the_metrics_are_where_the_objective_is_flat(
    case: Case, full: bool, per_cluster: bool
) -> None:
    # A small weight keeps the bracket positive, and clusters of more items than features.
    labels = np.arange(3 * len(case.points)) % case.n_clusters
    shaken = np.tile(case.points, (3, 1))
    shaken += 0.3 * np.random.default_rng(0).normal(size=shaken.shape)
    grown = case._replace(points=shaken, labels=labels)
    descent = descent_of(grown, full, per_cluster, weight=0.02)
    centres = means(grown.points, labels, np.zeros((case.n_clusters, 3)))
    costs = descent.link_costs(labels, some_metrics(case.n_clusters, full, per_cluster))
    best = descent.best_metrics(centres, costs)

    def objective(forms: Array) -> float:
        metrics = Metrics(forms, best.of_label)
        squares = metrics.square_distances(grown.points, centres)
        own = (squares - metrics.log_determinants()[metrics.of_label])[
            np.arange(len(labels)), labels
        ]
        held = DistanceLinkCosts(descent.links, labels, grown.points, metrics, costs.farthest, 0.02)
        far = np.array([d @ metrics.times(d, m) for m, d in enumerate(costs.farthest.difference)])
        held.farthest = costs.farthest._replace(square=far)
        return float(own.sum() + held.total())

    rng = np.random.default_rng(0)
    step = 1e-4
    for _ in range(3):
        way = rng.normal(size=best.forms.shape) * best.forms.max()
        if full:
            way = (way + np.swapaxes(way, 1, 2)) / 2
        forward, here, back = (objective(best.forms + s * way) for s in (step, 0.0, -step))
        curvature = (forward - 2 * here + back) / step**2
        assert abs(forward - back) / (2 * step) <= 2e-3 * abs(curvature) + 1e-6


@settings(max_examples=60)
@given(st.integers(0, 10_000), st.sampled_from([0.0, 0.3, 2.0]), st.integers(1, 9))
def test_the_compiled_descent_goes_the_way_of_its_slow_twin(
    seed: int, weight: float, n_clusters: int
) -> None:
    rng = np.random.default_rng(seed)
    points, truth = rng.normal(size=(30, 3)) * [1.0, 2.0, 0.3], rng.integers(4, size=30)
    points -= points.mean(axis=0)
    pairs = rng.integers(30, size=(rng.integers(40), 2))
    pairs = pairs[pairs[:, 0] != pairs[:, 1]]
    same = truth[pairs[:, 0]] == truth[pairs[:, 1]]
    links = LinkedGroups.of(30, pairs[same], pairs[~same])
    # Centres that lie apart from all items leave clusters empty.
    centres = rng.normal(size=(n_clusters, 3)) * rng.choice([1.0, 4.0])
    directions = rng.normal(size=(3, 32))
    slow, quick = (
        kind(points, links, full=False, per_cluster=False, weight=weight, directions=directions)
        for kind in (MetricDescent, DiagonalDescent)
    )
    for max_iter in (1, 20):
        one, other = (
            learner.descend((centres, slow.first_metrics(n_clusters)), max_iter)
            for learner in (quick, slow)
        )
        assert one.labels.tolist() == other.labels.tolist()
        assert one.n_iter == other.n_iter
        assert one.objective == pytest.approx(other.objective)
        np.testing.assert_allclose(one.end[0], other.end[0], atol=1e-9)
        np.testing.assert_allclose(one.end[1].forms, other.end[1].forms, rtol=1e-6)


@pytest.mark.parametrize("dimension", [1, 3, 10])
def test_the_farthest_pair_is_found_or_one_nearly_as_far(dimension: int) -> None:
    directions = np.random.default_rng(0).normal(size=(dimension, 32))
    found = []
    for seed in range(50):
        points = np.random.default_rng(seed).normal(size=(3 + 4 * seed, dimension))
        i, j, square = farthest_pair(points, directions)
        assert square == pytest.approx(((points[i] - points[j]) ** 2).sum())
        found.append(square / pdist(points, "sqeuclidean").max())
    assert min(found) > 0.85
    assert np.median(found) == pytest.approx(1.0)
    assert max(found) == pytest.approx(1.0)


def test_equal_items_have_no_farthest_pair_but_no_trouble_either() -> None:
    assert farthest_pair(np.zeros((5, 2)), np.ones((2, 3)))[2] == 0.0


@settings(max_examples=40)
@given(cases(), st.sampled_from(KINDS), st.booleans())
def test_labels_contradict_no_link_and_distances_are_those_of_the_metric(
    case: Case, kind: dict[str, Any], started: bool
) -> None:
    X = case.points.round()  # duplicates and constant columns
    model = MPCKMeans(n_clusters=case.n_clusters, **kind)
    start = clone(model).fit(X) if started else None
    model.fit(X, must_link=case.must, cannot_link=case.cannot, start=start)
    labels = model.labels_
    assert all(labels[i] == labels[j] for i, j in case.must)
    assert all(labels[i] != labels[j] for i, j in case.cannot)
    assert set(labels.tolist()) == set(range(model.n_clusters_))
    assert isinstance(model, MetricLearner)
    items, others = np.array([0, 1, 2]), np.array([3, 0])
    found = model.distances(items, others)
    assert found.shape == (3, 2)
    assert found[0, 1] == 0.0
    metrics = Metrics(model.metric_ if kind["per_cluster"] else model.metric_[None], labels[:0])
    for row, i in enumerate(items):
        for column, j in enumerate(others):
            used = [labels[i], labels[j]] if kind["per_cluster"] else [0, 0]
            apart = X[i] - X[j]
            square = sum(apart @ metrics.times(apart, int(m)) for m in used) / 2
            assert found[row, column] ** 2 == pytest.approx(square, rel=1e-6, abs=1e-6)


def noisy_groups(seed: int) -> tuple[Array, Labels, list[Link], list[Link]]:
    """Three groups that two features tell apart and eight louder ones do not."""
    rng = np.random.default_rng(seed)
    useful, truth = make_blobs(150, centers=[[0, 0], [4, 0], [0, 4]], random_state=seed)
    X = np.column_stack([useful, 3 * rng.normal(size=(150, 8))])
    pairs = list(combinations(range(0, 150, 5), 2))[::3]
    must = [(i, j) for i, j in pairs if truth[i] == truth[j]]
    cannot = [(i, j) for i, j in pairs if truth[i] != truth[j]]
    return X, truth, must, cannot


@pytest.mark.parametrize(("kind", "least"), [(KINDS[0], 0.8), (KINDS[1], 0.6), (KINDS[2], 0.8)])
@pytest.mark.parametrize("seed", range(3))
def test_the_features_that_matter_are_learned(
    seed: int, kind: dict[str, Any], least: float
) -> None:
    X, truth, must, cannot = noisy_groups(seed)
    model = MPCKMeans(n_clusters=3, **kind).fit(X, must_link=must, cannot_link=cannot)
    plain = PCKMeans(n_clusters=3).fit(X, must_link=must, cannot_link=cannot)
    score = adjusted_rand_score(truth, model.labels_)
    assert score > least
    assert score > adjusted_rand_score(truth, plain.labels_)
    assert model.feature_weights_[:2].min() > 2 * model.feature_weights_[2:].max()


@pytest.mark.parametrize("kind", KINDS)
def test_units_do_not_matter_where_all_features_share_one(kind: dict[str, Any]) -> None:
    X, _, must, cannot = noisy_groups(0)
    model = MPCKMeans(n_clusters=3, **kind)
    labels = model.fit(X, must_link=must, cannot_link=cannot).labels_.copy()
    weights = model.feature_weights_.copy()
    scaled = model.fit(1e4 * X + 7.0, must_link=must, cannot_link=cannot)
    assert adjusted_rand_score(labels, scaled.labels_) == 1.0
    np.testing.assert_allclose(scaled.feature_weights_ * 1e8, weights, rtol=1e-5)


def test_equal_input_gives_equal_output_and_a_start_can_only_help() -> None:
    X, _, must, cannot = noisy_groups(1)
    links: dict[str, Any] = {"must_link": must, "cannot_link": cannot}
    model = MPCKMeans(n_clusters=3, n_init=1)
    first, again = (clone(model).fit(X, **links) for _ in range(2))
    np.testing.assert_array_equal(first.labels_, again.labels_)
    np.testing.assert_array_equal(first.metric_, again.metric_)
    good = clone(model).set_params(n_init=6).fit(X, **links)
    warm = clone(model).fit(X, **links, start=good)
    assert warm.objective_ <= first.objective_
    assert warm.objective_ <= good.objective_ + 1e-6 * abs(good.objective_)


@pytest.mark.parametrize("kind", KINDS)
def test_constant_equal_and_doubled_columns_are_no_trouble(kind: dict[str, Any]) -> None:
    X = load_wine().data[::6]
    odd = np.column_stack([X, X[:, 0], np.ones(len(X))])
    model = MPCKMeans(n_clusters=3, **kind).fit(odd, must_link=[(0, 1)], cannot_link=[(0, 20)])
    assert np.isfinite(model.metric_).all()
    same = MPCKMeans(n_clusters=3, **kind).fit(np.ones((6, 2)), cannot_link=[(0, 1)])
    assert same.n_clusters_ == 3
    assert np.isfinite(same.objective_)


@pytest.mark.parametrize(
    ("settings_", "links", "error"),
    [
        ({"n_clusters": 31}, {}, MethodError),
        ({"metric": "cosine"}, {}, MethodError),
        ({"weight": -1.0}, {}, MethodError),
        ({"n_init": 0}, {}, MethodError),
        ({}, {"must_link": [(0, 1)], "cannot_link": [(1, 0)]}, DataError),
    ],
)
def test_settings_and_links_that_make_no_sense_are_refused(
    settings_: dict[str, Any], links: dict[str, Any], error: type[LikewiseError]
) -> None:
    with pytest.raises(error):
        MPCKMeans(**settings_).fit(np.random.default_rng(0).normal(size=(30, 2)), **links)
