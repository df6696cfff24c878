"""What every linked estimator does alike, and what a clusterer may declare."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from scipy import sparse
from sklearn.utils import get_tags

import likewise as lw
from likewise.clusterers import LinkedClusterer, LinkedGroups, Requirements
from likewise.clusterers.base import FitContext
from likewise.errors import DataError, MethodError
from likewise.methods import METHODS, Recipe
from likewise.strategies import Placing, RandomItems

PUBLIC = [
    estimator
    for name in lw.clusterers.__all__
    if isinstance(estimator := getattr(lw.clusterers, name), type)
    and issubclass(estimator, LinkedClusterer)
    and not getattr(estimator, "__abstractmethods__", None)
]
X = np.array([[0.0, 1.0], [0.1, 0.8], [0.2, 1.1], [5.0, 0.9], [5.1, 1.2], [5.2, 1.0]])


class OneCluster(LinkedClusterer):
    """Puts everything in one cluster and remembers what it was given."""

    def __init__(self, *, n_clusters: int = 1, random_state: int = 0) -> None:
        self.n_clusters = n_clusters
        self.random_state = random_state

    def _fit_linked(
        self, X: Any, links: LinkedGroups, context: FitContext
    ) -> npt.NDArray[np.int64]:
        self.links_, self.context_ = links, context
        return np.full(len(X), 7)


def test_labels_have_no_gaps_and_give_way_to_the_links() -> None:
    model = OneCluster().fit(X, must_link=[(0, 1)], cannot_link=[(0, 3)])
    assert model.labels_.tolist() == [0, 0, 0, 1, 0, 0]
    assert model.n_clusters_ == 2
    assert model.links_.n_groups == 2


def test_a_fit_of_the_very_same_items_is_recognised_and_no_other() -> None:
    first = OneCluster().fit(X)
    assert first.context_.start is None
    again = OneCluster().fit(X, start=first)
    assert again.context_.reusable is first
    other = OneCluster().fit(X.copy(), start=first)
    assert other.context_.start is first
    assert other.context_.reusable is None
    assert first.fit(X.copy(), start=first).context_.reusable is None


@pytest.mark.parametrize("estimator", PUBLIC, ids=lambda estimator: estimator.__name__)
def test_every_estimator_checks_the_same_things(estimator: type[LinkedClusterer]) -> None:
    with pytest.raises(MethodError, match="n_clusters must be between 1 and the number of items"):
        estimator(n_clusters=7).fit(X)
    with pytest.raises(DataError, match="must_link must name items between 0 and 5"):
        estimator().fit(X, must_link=[(0, 6)])
    with pytest.raises(ValueError, match="minimum of 2 is required"):
        estimator().fit(X[:1])


@pytest.mark.parametrize("estimator", PUBLIC, ids=lambda estimator: estimator.__name__)
def test_scikit_learn_is_told_what_is_declared(estimator: type[LinkedClusterer]) -> None:
    model = estimator()
    declared, tags = Requirements.of(model), get_tags(model).input_tags
    assert tags.sparse == declared.accepts_sparse
    assert tags.pairwise == (declared.fits_on == "affinity")


def test_what_is_not_declared_is_taken_to_be_dense_features() -> None:
    assert Requirements.of(object()) == Requirements("features", False, False, True)
    assert Requirements.of(lw.clusterers.SpectralLearning(affinity="precomputed")) == (
        Requirements("affinity", accepts_sparse=True)
    )
    assert not Requirements.of(lw.clusterers.COBRAS()).start_changes_labels


def test_an_unknown_declaration_gets_a_sentence() -> None:
    class Wrong:
        fits_on = "graph"

    with pytest.raises(MethodError, match="must be 'features', 'affinity' or 'both', not 'graph'"):
        Requirements.of(Wrong())


class Plain:
    """A clusterer without any base class: items right of a threshold are a group."""

    labels_: npt.NDArray[np.int64]
    n_clusters_ = 2

    def __init__(self, *, n_clusters: int | None, random_state: int) -> None:
        self.n_clusters = n_clusters
        self.random_state = random_state

    def fit(
        self,
        X: Any,
        y: Any = None,
        *,
        must_link: Any = None,
        cannot_link: Any = None,
        start: Any = None,
    ) -> Any:
        self.given_ = X
        self.labels_ = (X[:, 0] > 2).astype(np.int64)
        return self


class PlainOnGraph(Plain):
    """The same for a graph: whoever is not a neighbour of item 0 is the other group."""

    fits_on = "affinity"

    def fit(self, X: Any, y: Any = None, **links: Any) -> Any:
        self.given_ = X
        self.labels_ = (X[0].toarray().ravel() < 0.5).astype(np.int64)
        self.labels_[0] = 0
        return self


class PlainOnBoth(Plain):
    """The same for features and graph, whatever the number of groups."""

    fits_on = "both"
    accepts_sparse = True
    finds_n_clusters = True

    def fit(self, X: Any, y: Any = None, *, affinity: Any = None, **links: Any) -> Any:
        self.given_ = X, affinity
        self.labels_ = np.zeros(affinity.shape[0], dtype=np.int64)
        self.labels_[-1] = 1
        return self


@pytest.mark.parametrize("clusterer", [Plain, PlainOnGraph, PlainOnBoth])
def test_a_plain_class_clusters_in_a_study(clusterer: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[Any] = []

    def build(**settings: Any) -> Any:
        made.append(clusterer(**settings))
        return made[-1]

    recipe = Recipe("plain", lambda: Placing(RandomItems()), clusterer=build)
    monkeypatch.setitem(METHODS, "plain", recipe)
    study = lw.Study(X, method="plain")
    for _ in range(3):
        question = study.ask()
        assert question is not None
        i, j = question.pair
        study.tell(question, (i < 3) == (j < 3))
    assert len(study.labels_) == len(study.confidence_) == 6
    given = made[-1].given_
    if clusterer is Plain:
        assert given.shape == X.shape
    elif clusterer is PlainOnGraph:
        assert sparse.issparse(given)
        assert given.shape == (6, 6)
    else:
        assert given[0].shape == X.shape
        assert given[1].shape == (6, 6)
        assert made[-1].n_clusters is None
