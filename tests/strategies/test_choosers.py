"""What all choosers do alike: any clusterer, a few items left, several at once."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.cluster import AgglomerativeClustering

import likewise as lw
from likewise.methods import spectral_learning
from likewise.strategies import (
    Chooser,
    ExpectedEntropy,
    MinMax,
    NeighbourVotes,
    NormalisedUncertainty,
    Placing,
)

CHOOSERS: dict[str, Chooser] = {
    "npu": NormalisedUncertainty(),
    "npu-votes": NormalisedUncertainty(similarity=NeighbourVotes()),
    "mee": ExpectedEntropy(),
    "mee-votes": ExpectedEntropy(similarity=NeighbourVotes()),
    "minmax": MinMax(),
}
X, Y = lw.datasets.load("blobs", n=24, n_clusters=3, spread=3.0, random_state=2)


class NoSpectrum(AgglomerativeClustering):  # type: ignore[misc]
    """A clusterer with labels and nothing else, which hears no answers."""

    def __init__(self, *, n_clusters: int = 2, random_state: int = 0) -> None:
        super().__init__(n_clusters=n_clusters)
        self.random_state = random_state

    def fit(self, X: object, y: object = None, **links: object) -> NoSpectrum:
        super().fit(X)
        return self


@pytest.fixture(params=sorted(CHOOSERS))
def chooser(request: pytest.FixtureRequest) -> Chooser:
    return CHOOSERS[str(request.param)]


@pytest.fixture(params=["spectral", "no spectrum"])
def method(request: pytest.FixtureRequest, chooser: Chooser) -> lw.Recipe:
    clusterer = spectral_learning if request.param == "spectral" else NoSpectrum
    return lw.Recipe("", lambda: Placing(chooser), clusterer)


def told(study: lw.Study, n: int) -> int:
    """Answer up to n questions; how many there were."""
    for count in range(n):
        question = study.ask()
        if question is None:
            return count
        study.tell(question, bool(Y[question.pair.i] == Y[question.pair.j]))
    return n


@pytest.mark.parametrize("n_clusters", [3, None])
def test_everything_is_placed_in_the_end_whatever_the_clusterer(
    method: lw.Recipe, n_clusters: int | None
) -> None:
    study = lw.Study(X, method=method, n_clusters=n_clusters)
    n_questions = told(study, 24 * 3)
    assert study.ask() is None
    assert n_questions < 24 * 3
    components = study.constraints.components()
    assert ((components[:, None] == components) == (Y[:, None] == Y)).all()


def test_the_first_question_is_about_the_item_farthest_from_the_first(method: lw.Recipe) -> None:
    study = lw.Study(X, method=method)
    question = study.ask()
    assert question is not None
    features = study.items.features
    assert features is not None
    away = np.linalg.norm(features - features[question.pair.j], axis=1)
    assert question.pair.i == away.argmax()


def test_several_items_are_different_ones_and_no_more_than_there_are(
    method: lw.Recipe, chooser: Chooser
) -> None:
    study = lw.Study(X, method=method)
    told(study, 10)
    view = study._view(frozenset())
    candidates = np.flatnonzero(~view.placed)
    for n in (1, 4, len(candidates), len(candidates) + 3):
        ranked = chooser.rank(view, candidates, n, np.random.default_rng(0))
        assert len(ranked) == len(set(ranked)) == min(n, len(candidates))
        assert set(ranked) <= set(candidates.tolist())
    first = chooser.rank(view, candidates, 1, np.random.default_rng(0))
    assert first == chooser.rank(view, candidates, 5, np.random.default_rng(0))[:1]


def test_the_last_item_is_chosen_when_it_is_the_only_one(
    method: lw.Recipe, chooser: Chooser
) -> None:
    study = lw.Study(X, method=method)
    while (~(view := study._view(frozenset())).placed).sum() > 1:
        told(study, 1)
    last = np.flatnonzero(~view.placed)
    assert chooser.rank(view, last, 1, np.random.default_rng(0)) == last.tolist()


@pytest.mark.parametrize("name", ["npu-votes", "mee-votes"])
def test_alike_items_are_not_chosen_together(name: str) -> None:
    """Two pairs of twins half way between two groups: one of each pair comes first."""
    pile = [[0.0], [0.2], [0.4], [10.0], [9.8], [9.6], [4.9], [4.9001], [5.2], [5.2001]]
    study = lw.Study(pile, n_clusters=2)
    study.tell((0, 3), "different")
    view = study._view(frozenset())
    ranked = CHOOSERS[name].rank(view, np.arange(6, 10), 2, np.random.default_rng(0))
    assert {i // 2 for i in ranked} == {3, 4}


def test_equal_seeds_choose_equally(method: lw.Recipe) -> None:
    runs = []
    for _ in range(2):
        study = lw.Study(X, method=method, random_state=7)
        told(study, 15)
        runs.append([answer.pair for answer in study.answers])
    assert runs[0] == runs[1]
