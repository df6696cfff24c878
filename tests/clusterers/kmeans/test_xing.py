from __future__ import annotations

from itertools import combinations
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import minimize
from sklearn.datasets import make_blobs
from sklearn.metrics import adjusted_rand_score
from sklearn.utils.estimator_checks import parametrize_with_checks

from likewise.clusterers import LinkedGroups, MetricLearner, PCKMeans, Xing
from likewise.clusterers.kmeans._xing_metric import (
    diagonal_metric,
    dissimilar_pairs,
    full_metric,
    similar_scatter,
)
from likewise.errors import DataError, LikewiseError, MethodError

Array = npt.NDArray[np.float64]
Labels = npt.NDArray[np.int64]
Link = tuple[int, int]


@parametrize_with_checks([Xing(), Xing(metric="full")])  # type: ignore[untyped-decorator]
def test_xing_is_an_estimator_as_scikit_learn_wants_it(estimator: Any, check: Any) -> None:
    check(estimator)


def penalised(a: Array, similar: Array, dissimilar: Array) -> float:
    """The diagonal objective as the paper writes it."""
    return float(similar @ a - np.log(np.sqrt(dissimilar**2 @ a).sum()))


def test_the_worked_diagonal_example() -> None:
    similar, dissimilar = np.array([1.0, 2.0]), np.array([[1.0, 1.0]])
    a = diagonal_metric(similar, dissimilar)
    np.testing.assert_allclose(a, [0.5, 0.0], atol=2e-3)
    assert penalised(a, similar, dissimilar) == pytest.approx(0.846574, abs=1e-3)


def test_the_worked_full_example() -> None:
    similar, apart = np.array([[2.0, 1.0], [1.0, 2.0]]), np.array([[1.0, -1.0]])
    A = full_metric(similar, apart)
    np.testing.assert_allclose(A, [[0.5, -0.5], [-0.5, 0.5]], atol=1e-9)
    assert np.trace(A @ similar) == pytest.approx(1.0)
    assert np.sqrt(apart[0] @ A @ apart[0]) == pytest.approx(1.414214, abs=1e-6)


@settings(max_examples=25)
@given(st.integers(0, 1000), st.integers(1, 4), st.integers(1, 12))
def test_feature_weights_are_as_good_as_a_general_solver_finds(
    seed: int, dimension: int, n_pairs: int
) -> None:
    rng = np.random.default_rng(seed)
    similar, dissimilar = rng.uniform(0.2, 3.0, dimension), rng.normal(size=(n_pairs, dimension))
    ours = diagonal_metric(similar, dissimilar)
    assert ours.min() >= 0
    found = minimize(
        penalised, np.ones(dimension), (similar, dissimilar), "SLSQP",
        bounds=[(1e-12, None)] * dimension, options={"maxiter": 500},
    )  # fmt: skip
    assert penalised(ours, similar, dissimilar) <= found.fun + 0.01


@settings(max_examples=15)
@given(st.integers(0, 1000), st.integers(1, 3), st.integers(1, 12))
def test_full_metrics_are_as_good_as_a_general_solver_finds(
    seed: int, dimension: int, n_pairs: int
) -> None:
    rng = np.random.default_rng(seed)
    spread = rng.normal(size=(2 * dimension, dimension))
    similar, dissimilar = spread.T @ spread, rng.normal(size=(n_pairs, dimension))

    def length(flat: Array) -> float:  # of A = CCᵀ, scaled to the bound
        C = flat.reshape(dimension, dimension)
        bound = np.trace(C.T @ similar @ C)
        return -float(np.linalg.norm(dissimilar @ C, axis=1).sum() / np.sqrt(bound + 1e-12))

    A = full_metric(similar, dissimilar)
    assert np.trace(A @ similar) == pytest.approx(1.0)
    assert np.linalg.eigvalsh(A).min() > -1e-9
    ours = np.sqrt(np.maximum(((dissimilar @ A) * dissimilar).sum(axis=1), 0)).sum()
    starts = [np.eye(dimension), rng.normal(size=(dimension, dimension))]
    best = max(-minimize(length, C.ravel(), method="SLSQP").fun for C in starts)
    assert ours >= 0.99 * best


def random_links(n: int, seed: int) -> tuple[Array, LinkedGroups]:
    rng = np.random.default_rng(seed)
    truth = rng.integers(3, size=n)
    pairs = [(int(i), int(j)) for i, j in rng.integers(n, size=(n, 2)) if i != j]
    must = [(i, j) for i, j in pairs if truth[i] == truth[j]]
    cannot = [(i, j) for i, j in pairs if truth[i] != truth[j]]
    return rng.normal(size=(n, 3)), LinkedGroups.of(n, must, cannot)


@given(st.integers(2, 15), st.integers(0, 1000))
def test_pairs_and_their_scatter_are_those_of_the_closed_links(n: int, seed: int) -> None:
    points, links = random_links(n, seed)
    differ, scatter, apart = links.differ.toarray(), np.zeros((3, 3)), []
    for i, j in combinations(range(n), 2):
        a, b = links.group[i], links.group[j]
        d = points[i] - points[j]
        if min(a, b) >= 0 and a == b:
            scatter += np.outer(d, d)
        if min(a, b) >= 0 and differ[a, b]:
            apart.append(np.abs(d))
    np.testing.assert_allclose(similar_scatter(points, links, True), scatter, atol=1e-9)
    np.testing.assert_allclose(similar_scatter(points, links, False), np.diag(scatter), atol=1e-9)
    rng = np.random.default_rng(0)
    found = np.abs(dissimilar_pairs(points, links, 10**6, rng))
    assert sorted(map(tuple, found.tolist())) == sorted(map(tuple, np.array(apart).tolist()))
    few = np.abs(dissimilar_pairs(points, links, 5, rng))
    assert len(few) == min(5, len(apart))
    assert set(map(tuple, few.tolist())) <= set(map(tuple, found.tolist()))


def noisy_groups(seed: int) -> tuple[Array, Labels, list[Link], list[Link]]:
    """Three groups that two features tell apart and eight louder ones do not."""
    rng = np.random.default_rng(seed)
    useful, truth = make_blobs(150, centers=[[0, 0], [6, 0], [0, 6]], random_state=seed)
    X = np.column_stack([useful, 4 * rng.normal(size=(150, 8))])
    pairs = list(combinations(range(0, 150, 5), 2))[::3]
    must = [(i, j) for i, j in pairs if truth[i] == truth[j]]
    cannot = [(i, j) for i, j in pairs if truth[i] != truth[j]]
    return X, truth, must, cannot


@pytest.mark.parametrize(("metric", "least"), [("diagonal", 0.9), ("full", 0.7)])
@pytest.mark.parametrize("seed", range(3))
def test_the_features_that_matter_are_learned(seed: int, metric: str, least: float) -> None:
    X, truth, must, cannot = noisy_groups(seed)
    model = Xing(n_clusters=3, metric=metric).fit(X, must_link=must, cannot_link=cannot)
    plain = PCKMeans(n_clusters=3).fit(X, must_link=must, cannot_link=cannot)
    score = adjusted_rand_score(truth, model.labels_)
    assert score > least
    assert score > adjusted_rand_score(truth, plain.labels_)
    assert model.feature_weights_[:2].min() > 2 * model.feature_weights_[2:].max()


@settings(max_examples=40)
@given(st.data(), st.sampled_from(["diagonal", "full"]), st.booleans())
def test_labels_contradict_no_link_and_distances_are_those_of_the_metric(
    data: st.DataObject, metric: str, started: bool
) -> None:
    n = data.draw(st.integers(3, 12))
    truth = data.draw(st.lists(st.integers(0, 2), min_size=n, max_size=n))
    item = st.integers(0, n - 1)
    linked = data.draw(st.lists(st.tuples(item, item).filter(lambda p: p[0] != p[1]), max_size=20))
    must = [(i, j) for i, j in linked if truth[i] == truth[j]]
    cannot = [(i, j) for i, j in linked if truth[i] != truth[j]]
    X = np.random.default_rng(n).integers(0, 3, size=(n, 3)).astype(float)
    start = Xing(n_clusters=3, metric=metric).fit(X) if started else None
    model = Xing(n_clusters=3, metric=metric)
    model.fit(X, must_link=must, cannot_link=cannot, start=start)
    assert all(model.labels_[i] == model.labels_[j] for i, j in must)
    assert all(model.labels_[i] != model.labels_[j] for i, j in cannot)
    assert isinstance(model, MetricLearner)
    A = model.metric_ if metric == "full" else np.diag(model.metric_)
    assert np.isfinite(A).all()
    apart = X[0] - X[1]
    found = model.distances(np.array([0]), np.array([1, 0]))
    assert found[0, 0] ** 2 == pytest.approx(apart @ A @ apart, rel=1e-6, abs=1e-9)
    assert found[0, 1] == 0.0


def test_without_one_kind_of_link_the_metric_is_what_is_left() -> None:
    X = np.random.default_rng(0).normal(size=(30, 2)) * [1.0, 5.0]
    no_must = Xing(n_clusters=2).fit(X, cannot_link=[(0, 1)])
    np.testing.assert_array_equal(no_must.metric_, [1.0, 1.0])
    same = Xing(n_clusters=2).fit(np.ones((5, 2)), must_link=[(0, 1)], cannot_link=[(1, 2)])
    np.testing.assert_array_equal(same.metric_, [1.0, 1.0])
    for metric in ("diagonal", "full"):
        pair = X[0] - X[1]
        only_must = Xing(n_clusters=2, metric=metric, ridge=1e-6).fit(X, must_link=[(0, 1)])
        if metric == "full":
            assert pair @ only_must.metric_ @ pair == pytest.approx(1.0, rel=1e-3)
        else:
            np.testing.assert_allclose(only_must.metric_, 1 / pair**2, rtol=1e-3)


@pytest.mark.parametrize(
    ("settings_", "links", "error"),
    [
        ({"n_clusters": 31}, {}, MethodError),
        ({"metric": "cosine"}, {}, MethodError),
        ({"ridge": 0.0}, {}, MethodError),
        ({"weight": -1.0}, {}, MethodError),
        ({}, {"must_link": [(0, 1)], "cannot_link": [(1, 0)]}, DataError),
    ],
)
def test_settings_and_links_that_make_no_sense_are_refused(
    settings_: dict[str, Any], links: dict[str, Any], error: type[LikewiseError]
) -> None:
    with pytest.raises(error):
        Xing(**settings_).fit(np.random.default_rng(0).normal(size=(30, 2)), **links)
