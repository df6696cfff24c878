"""What `auto` asks: where it matters, likeliest groups first, and why."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.datasets import make_blobs

import likewise as lw
from likewise.auto import ExpectedGain
from likewise.auto.expected_gain import committee_of, error_probability
from likewise.errors import MethodError
from likewise.journal.pairs import Pair
from likewise.metrics import ari

X, KINDS = make_blobs(60, centers=4, n_features=3, cluster_std=2.0, random_state=5)


def after(n_answers: int) -> lw.Study:
    study = lw.Study(X)
    for _ in range(n_answers):
        question = study.ask()
        assert question is not None
        i, j = question.pair
        study.tell(question, bool(KINDS[i] == KINDS[j]))
    return study


def test_the_gain_is_error_times_the_pagerank_of_errors_per_question() -> None:
    study = after(12)
    view = study._view(frozenset())
    committee = committee_of(view)
    wrong = error_probability(view, committee)
    W = view.affinity.affinity_.toarray()
    ends = 0.05 * np.linalg.inv(np.eye(60) - 0.95 * W / W.sum(axis=1, keepdims=True))
    gain = ExpectedGain().gain(view, committee)
    n_groups = committee.seeds_.n_groups
    for item in range(0, 60, 7):
        reached = sum(ends[other, item] * wrong[other] ** 2 for other in range(60))
        chances = np.sort(committee.probabilities_[item])[::-1]
        cost = sum((rank + 1) * p for rank, p in enumerate(chances))
        cost = max(cost + committee.new_group_probability_[item] * n_groups, 1.0)
        assert gain[item] == pytest.approx(wrong[item] ** 2 * reached / cost)


def test_placed_items_are_not_wrong() -> None:
    study = after(15)
    view = study._view(frozenset())
    wrong = error_probability(view, committee_of(view))
    assert (wrong[view.placed] == 0).all()
    assert ((wrong >= 0) & (wrong <= 1)).all()
    assert (wrong[~view.placed] > 0).any()


def test_a_person_with_many_groups_is_not_asked_about_all_of_them() -> None:
    points, kinds = make_blobs(240, centers=30, n_features=5, cluster_std=0.5, random_state=0)
    study = lw.Study(points)
    asked = []
    for _ in range(80):
        question = study.ask()
        assert question is not None
        i, j = question.pair
        asked.append(i)
        study.tell(question, bool(kinds[i] == kinds[j]))
    assert max(asked.count(item) for item in asked) < 15
    assert ari(kinds, study.labels_) > 0.8


def test_a_chance_is_told_that_comes_true() -> None:
    """Of the answers to which "same" was given a high chance, most are "same"."""
    points, kinds = make_blobs(200, centers=4, n_features=3, cluster_std=2.5, random_state=1)
    study = lw.Study(points)
    told: list[tuple[float, bool]] = []
    for _ in range(120):
        question = study.ask()
        assert question is not None
        i, j = question.pair
        same = bool(kinds[i] == kinds[j])
        told.append((question.same_probability, same))
        study.tell(question, same)
    chance, truth = np.array(told).T
    assert truth[chance > 0.6].mean() > 0.6
    assert truth[chance < 0.3].mean() < 0.4


def test_when_no_third_kind_turns_up_a_no_is_enough_to_place_an_item() -> None:
    points, kinds = make_blobs(120, centers=2, n_features=3, cluster_std=6.0, random_state=2)
    study = lw.Study(points)
    asked: list[int] = []
    for _ in range(70):
        question = study.ask()
        assert question is not None
        i, j = question.pair
        asked.append(i)
        study.tell(question, bool(kinds[i] == kinds[j]))
    refused = [answer for answer in study.answers[40:] if answer.verdict is lw.Verdict.DIFFERENT]
    assert refused
    assert all(asked.count(answer.pair.i) == 1 for answer in refused)
    assert all(study.labels_[a.pair.i] != study.labels_[a.pair.j] for a in refused)


def test_every_question_can_be_explained() -> None:
    study = lw.Study(X)
    for _ in range(20):
        question = study.ask()
        assert question is not None
        sentence = study.explain(question)
        assert sentence.startswith("These two are the same with a chance of ")
        assert sentence.endswith(".")
        i, j = question.pair
        study.tell(question, bool(KINDS[i] == KINDS[j]))
    i, j = study.answers[0].pair
    assert study.explain((i, j)).startswith("The answer is known")
    assert "nearby" in lw.Study(X, method="random-items").explain(Pair(0, 1))


def test_another_clusterer_gets_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(lw.METHODS, "gain", lw.Recipe("", ExpectedGain))
    with pytest.raises(MethodError, match="needs the clusterer Committee"):
        lw.Study(X, method="gain").ask()
