"""Clusters, then a transducer, then SVMs: what hands over to what, and when."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
import scipy.sparse as sp
from sklearn.base import clone
from sklearn.datasets import load_breast_cancer, make_blobs
from sklearn.svm import LinearSVC
from sklearn.utils.estimator_checks import parametrize_with_checks

import likewise as lw
from likewise.affinities import Gaussian
from likewise.clusterers import LinearSVM, SpectralGraphTransducer, StagedTransducer
from likewise.clusterers.transduction._kernel_expansion import KernelExpansion
from likewise.clusterers.transduction.svm import BaggedLinearSVM, nearness
from likewise.errors import MethodError
from likewise.metrics import ari
from likewise.strategies import NearestBoundary, Placing

Floats = npt.NDArray[np.float64]
Labels = npt.NDArray[np.int64]
PAPER: dict[str, Any] = {"affinity": Gaussian(width="mean-norm", n_neighbours=None)}


def without_labels(estimator: Any) -> dict[str, str]:
    """An SVM finds no clusters: it needs items of every class."""
    reason = "a classifier does not cluster"
    return {"check_clustering": reason} if isinstance(estimator, LinearSVM) else {}


@parametrize_with_checks(  # type: ignore[untyped-decorator]
    [StagedTransducer(), LinearSVM()], expected_failed_checks=without_labels
)
def test_they_are_estimators_as_scikit_learn_wants_them(estimator: Any, check: Any) -> None:
    check(estimator)


def pile(n: int = 300) -> tuple[Floats, Labels]:
    X, truth = make_blobs(n, centers=[[0, 0], [4, 0], [0, 5]], random_state=0)
    return X, truth


def links_of(truth: Labels, items: Any) -> dict[str, Any]:
    first: dict[int, int] = {}
    for i in items:
        first.setdefault(int(truth[i]), int(i))
    must = [(first[int(truth[i])], int(i)) for i in items if first[int(truth[i])] != i]
    names = sorted(first)
    cannot = [(first[a], first[b]) for k, a in enumerate(names) for b in names[k + 1 :]]
    return {"must_link": must, "cannot_link": cannot}


@pytest.mark.parametrize("n_representatives", [None, 60])
def test_the_four_cases_follow_one_another_as_labels_come(n_representatives: int | None) -> None:
    X, truth = pile()
    by_class = np.argsort(truth, kind="stable")
    model = StagedTransducer(n_clusters=3, n_representatives=n_representatives, many_labels=40)
    third = 2 if n_representatives is None else 3  # nothing to compress
    spread = np.random.default_rng(0).permutation(300)
    told = [
        (by_class[:0], 1), (by_class[:50], 1), (by_class[:150], third),  # none, one, two classes
        (spread[:20], 2), (spread[:60], third), (spread[:299], third), (spread, 4),
    ]  # fmt: skip
    scores = []
    start = None
    for items, case in told:
        start = clone(model).fit(X, **links_of(truth, items), start=start)
        assert start.case_ == case
        scores.append(ari(truth, start.labels_))
        cold = clone(model).fit(X, **links_of(truth, items))
        np.testing.assert_array_equal(start.labels_, cold.labels_)
        np.testing.assert_array_equal(start.margin_, cold.margin_)
    assert min(scores) > 0.6
    assert scores[-1] == 1.0


def test_with_every_item_its_own_representative_case_two_is_the_transducer() -> None:
    X, truth = pile()
    links = links_of(truth, range(25))
    staged = StagedTransducer(n_clusters=3).fit(X, **links)
    plain = SpectralGraphTransducer(n_clusters=3).fit(X, **links)
    np.testing.assert_array_equal(staged.labels_, plain.labels_)
    np.testing.assert_array_equal(staged.scores_, plain.scores_)
    np.testing.assert_array_equal(staged.margin_, plain.margin_)


def test_case_two_is_a_transducer_on_representatives_and_labelled_items() -> None:
    X, truth = pile()
    items = list(range(12))
    links = links_of(truth, items)
    staged = StagedTransducer(n_clusters=3, n_representatives=50, **PAPER).fit(X, **links)
    representatives = staged._representatives
    nodes = np.vstack([representatives.points, X[items]])
    moved: dict[str, Any] = {
        key: [(50 + i, 50 + j) for i, j in pairs] for key, pairs in links.items()
    }
    plain = SpectralGraphTransducer(n_clusters=3, **PAPER).fit(nodes, **moved)
    of_item = representatives.of_item.copy()
    of_item[items] = 50 + np.arange(12)
    np.testing.assert_allclose(staged.scores_, plain.scores_[of_item], atol=1e-8)


def test_the_kernel_expansion_is_the_formula_written_out() -> None:
    rng = np.random.default_rng(0)
    points, scores, rows = rng.normal(size=(6, 2)), rng.normal(size=(6, 3)), rng.normal(size=(4, 2))
    sigma = np.mean([np.linalg.norm(point) for point in points])

    def k(x: Floats, y: Floats) -> float:
        return float(np.exp(-np.sum((x - y) ** 2) / (2 * sigma**2)))

    K = np.array([[k(x, y) for y in points] for x in points])
    alpha = np.linalg.inv(K + 0.5 * np.eye(6)) @ scores
    expected = [
        [sum(alpha[i, c] * k(points[i], x) for i in range(6)) for c in range(3)] for x in rows
    ]
    np.testing.assert_allclose(KernelExpansion.of(points, scores, 0.5)(rows), expected)
    sparse = KernelExpansion.of(points, scores, 0.5)(sp.csr_matrix(rows))
    np.testing.assert_allclose(sparse, expected)
    exact = KernelExpansion.of(points, scores, 0.0)  # eq. 6: the scores of the points themselves
    np.testing.assert_allclose(exact(points), scores, atol=1e-6)


@pytest.mark.parametrize("n_labelled", [0, 30, 120])
def test_by_kernels_items_of_one_representative_differ(n_labelled: int) -> None:
    X, truth = pile()
    links = links_of(truth, range(n_labelled))
    settings: dict[str, Any] = {"n_clusters": 3, "n_representatives": 0.1, "many_labels": 100}
    inherited = StagedTransducer(**settings).fit(X, **links)
    expanded = StagedTransducer(**settings, decision="kernel").fit(X, **links)
    assert inherited.case_ == expanded.case_ == {0: 1, 30: 2, 120: 3}[n_labelled]
    assert len(inherited._representatives.points) == 30
    assert len(np.unique(inherited.margin_)) <= inherited._points.shape[0] < 200
    assert len(np.unique(expanded.margin_)) == 300
    assert ari(truth, expanded.labels_) > 0.8
    free = np.arange(n_labelled, 300)
    np.testing.assert_array_equal(expanded.predict(X)[free], expanded.scores_.argmax(axis=1)[free])


def test_by_kernels_nothing_changes_where_every_item_represents_itself() -> None:
    X, truth = pile(60)
    links = links_of(truth, range(9))
    plain = StagedTransducer(n_clusters=3).fit(X, **links)
    kernel = StagedTransducer(n_clusters=3, decision="kernel").fit(X, **links)
    np.testing.assert_array_equal(plain.scores_, kernel.scores_)


def test_clusters_stand_for_classes_that_nobody_has_named() -> None:
    X, truth = pile()
    links = links_of(truth, np.flatnonzero(truth < 2)[:20])  # nothing is told of the third
    for n_representatives in (None, 60):
        model = StagedTransducer(n_clusters=3, n_representatives=n_representatives)
        assert model.fit(X, **links).case_ == 2
        assert ari(truth, model.labels_) > 0.8
        assert len(np.unique(model.labels_)) == model.scores_.shape[1] == 3


def test_without_transduction_clusters_stay_until_all_is_labelled() -> None:
    X, truth = pile()
    model = StagedTransducer(n_clusters=3, transduce=False)
    free = clone(model).fit(X)
    some = clone(model).fit(X, **links_of(truth, range(100)))
    assert (free.case_, some.case_) == (1, 1)
    np.testing.assert_array_equal(some.scores_, free.scores_)
    assert clone(model).fit(X, **links_of(truth, range(300))).case_ == 4


def test_new_items_are_placed_in_every_case() -> None:
    X, truth = pile()
    for n in (0, 30, 300):
        model = StagedTransducer(n_clusters=3).fit(X, **links_of(truth, range(n)))
        agreeing = (model.predict(X) == model.labels_).mean()
        assert agreeing > 0.95


def test_sparse_rows_are_staged_too() -> None:
    X, truth = pile()
    for n in (0, 30, 300):
        model = StagedTransducer(n_clusters=3).fit(
            sp.csr_matrix(X + 20), **links_of(truth, range(n))
        )
        assert model.labels_.shape == (300,)


@pytest.mark.parametrize(
    "setting",
    [
        {"n_representatives": 0},
        {"many_labels": -1},
        {"n_per_class": 0},
        {"n_bags": 0},
        {"ridge": -1.0},
        {"decision": "far"},
    ],
)
def test_settings_that_make_no_sense_are_refused(setting: dict[str, Any]) -> None:
    with pytest.raises(MethodError, match=f"{next(iter(setting))} must be "):
        StagedTransducer(**setting).fit(pile(20)[0])


# -- SVMs ------------------------------------------------------------------------------------


def test_a_bag_is_the_mean_of_svms_on_samples_of_every_class() -> None:
    X, truth = pile(120)
    bag = BaggedLinearSVM.of(X, truth, n_bags=5, random_state=7)
    rng = np.random.default_rng(7)
    expected = np.zeros((120, 3))
    for k in range(5):
        rows = np.concatenate(
            [rng.choice(own := np.flatnonzero(truth == c), len(own)) for c in range(3)]
        )
        expected += LinearSVC(random_state=7 + k).fit(X[rows], truth[rows]).decision_function(X)
    np.testing.assert_allclose(bag.scores(X), expected / 5)


def test_one_svm_sees_all_labelled_items() -> None:
    X, truth = pile(120)
    two = truth < 2
    scores = BaggedLinearSVM.of(X[two], truth[two], n_bags=1, random_state=0).scores(X)
    plain = LinearSVC(random_state=0).fit(X[two], truth[two]).decision_function(X)
    np.testing.assert_allclose(scores[:, 1] - scores[:, 0], 2 * plain)


def test_one_class_alone_ranks_by_nearness_to_its_mean() -> None:
    X, _ = pile(60)
    model = LinearSVM().fit(X, must_link=[(3, 8)])
    mean = X[[3, 8]].mean(axis=0)
    expected = [1 / (1 + ((mean - x) ** 2).sum()) for x in X]
    np.testing.assert_allclose(model.scores_.ravel(), expected)
    np.testing.assert_allclose(nearness(sp.csr_matrix(X), np.array([3, 8])), expected)
    assert model.margin_.argmin() == np.argmin(expected)
    assert model.n_clusters_ == 1
    assert model.predict(X[:2]).tolist() == [0, 0]


# -- methods ---------------------------------------------------------------------------------


@pytest.mark.parametrize("method", ["sgt", "svm"])
def test_the_item_nearest_the_boundary_is_asked_about(method: str) -> None:
    X, y = lw.datasets.load("blobs", n=80, n_clusters=2, spread=2.0, random_state=3)
    run = lw.run(X, lw.oracles.Classes(y), method=method, budget=12, n_clusters=2)
    question = run.study.ask()
    assert question is not None
    margin = run.study.clustering_.margin_
    placed = np.isin(
        run.study.constraints.components(), run.study.constraints.components()[[*run.study.named]]
    )
    assert margin[question.pair.i] == pytest.approx(margin[~placed].min(), abs=1e-5)


def test_labels_bought_at_the_boundary_help_more_than_clusters_alone() -> None:
    X, y = lw.datasets.load("moons", n=200, noise=0.12, random_state=0)
    scores = {
        method: lw.run(
            X, lw.oracles.Classes(y), method=method, budget=40, n_clusters=2, checkpoints=[40]
        ).curve.ari.iloc[-1]
        for method in ("sgt", "alg1")
    }
    assert scores["sgt"] > scores["alg1"]


def test_a_clusterer_without_margins_is_refused_by_its_strategy() -> None:
    marginless = lw.Recipe("", lambda: Placing(NearestBoundary()))
    with pytest.raises(MethodError, match="needs a clusterer with margins"):
        lw.Study(pile(20)[0], method=marginless).ask()


def test_while_one_class_is_known_the_item_least_like_it_is_asked_about() -> None:
    X, y = load_breast_cancer(return_X_y=True)
    run = lw.run(X, lw.oracles.FromLabels(y), method="svm", budget=30, n_clusters=2, random_state=1)
    assert len(run.study.constraints.representatives) == 2
    assert lw.metrics.ari(y, run.labels_) > 0.7
