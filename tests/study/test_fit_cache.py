"""What a study computes: affinities that learn, the chain of fits, items that do not suit."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse
from sklearn.base import BaseEstimator, ClusterMixin
from sklearn.datasets import make_blobs

import likewise as lw
from likewise.affinities import Gaussian
from likewise.errors import MethodError
from likewise.journal.constraints import Constraints
from likewise.methods import METHODS, Recipe
from likewise.strategies import Placing, RandomItems
from likewise.study.fit_cache import lengths_before


class Learning(Gaussian):
    """A kernel that notes how many links each of its fits was given."""

    learns = True
    fits: list[int] = []  # noqa: RUF012 - shared on purpose, emptied by the fixture

    def fit(self, X: Any, y: Any = None, **links: Any) -> Any:
        Learning.fits.append(sum(len(pairs) for pairs in links.values()))
        return super().fit(X, **links)


class OnFeatures(ClusterMixin, BaseEstimator):  # type: ignore[misc]
    """A clusterer that takes dense features only."""

    def __init__(self, *, n_clusters: int = 2, random_state: int = 0) -> None:
        self.n_clusters, self.random_state = n_clusters, random_state


@pytest.fixture
def learning(monkeypatch: pytest.MonkeyPatch) -> None:
    parts = Recipe("learns", lambda: Placing(RandomItems()), affinity=lambda items: Learning())
    monkeypatch.setitem(METHODS, "learning", parts)
    monkeypatch.setattr(Learning, "fits", [])


@given(st.integers(0, 5000))
def test_a_fit_builds_on_few_others_and_on_a_recent_one(n_answers: int) -> None:
    lengths = lengths_before(n_answers)
    assert lengths[0] == 0
    assert lengths[-1] == n_answers
    assert lengths == sorted(set(lengths))
    assert len(lengths) <= 2 + n_answers.bit_length()
    # Those before it are those that the one before it builds on: a chain, whoever asks.
    assert len(lengths) == 1 or lengths[:-1] == lengths_before(lengths[-2])


def test_an_affinity_that_learns_is_fitted_with_every_sixteenth_answer(learning: None) -> None:
    X, kinds = make_blobs(60, centers=3, random_state=0)
    study = lw.Study(X, method="learning")
    for _ in range(40):
        question = study.ask()
        assert question is not None
        i, j = question.pair
        study.tell(question, bool(kinds[i] == kinds[j]))
        _ = study.labels_
    assert Learning.fits == [0, 16, 32]
    again = lw.Study(X, method="learning")
    for answer in study.answers:
        again.tell(answer.pair, answer.verdict)
    assert np.array_equal(again.labels_, study.labels_)
    assert again.ask() == study.ask()


def test_items_that_do_not_suit_get_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    parts = Recipe("features", lambda: Placing(RandomItems()), clusterer=OnFeatures)
    monkeypatch.setitem(METHODS, "on-features", parts)
    alike = lw.Items.from_affinity(np.ones((4, 4)))
    with pytest.raises(MethodError, match="'on-features' needs features"):
        lw.Study(alike, method="on-features")
    with pytest.raises(MethodError, match="'on-features' needs a dense array"):
        lw.Study(sparse.eye(4, format="csr"), method="on-features")


@pytest.mark.parametrize("method", ["cobra", "cobras", "a3s", "dsl"])
def test_a_dialogue_asks_the_same_whatever_was_computed_before(method: str) -> None:
    X, kinds = make_blobs(50, centers=4, cluster_std=3.0, random_state=1)
    study = lw.Study(X, method=method)
    for step in range(40):
        if step % 7 == 6:
            study.undo()
        question = study.ask()
        assert question is not None
        i, j = question.pair
        afresh = lw.Study(X, method=method)
        for answer in study.answers:
            afresh.tell(answer.pair, answer.verdict)
        again = afresh.ask()
        assert again is not None
        assert again.pair == question.pair
        assert study.labels_.tolist() == afresh.labels_.tolist()
        study.tell(question, bool(kinds[i] == kinds[j]))


@pytest.mark.parametrize("method", ["urasc", "coprf", "npu-mpckmeans"])
def test_earlier_fits_are_made_without_going_through_the_answers_again(
    method: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    X, y = make_blobs(40, centers=3, random_state=0)
    study = lw.Study(X, method=method, n_clusters=3)
    for k in range(1, 35):
        study.tell((0, k), bool(y[0] == y[k]))
    folded: list[int] = []
    monkeypatch.setattr(Constraints, "of", lambda *given: folded.append(1))
    assert study.ask() is not None
    assert len(study.labels_) == 40
    assert folded == []
