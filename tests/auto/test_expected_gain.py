"""What `auto` asks: where it matters, likeliest groups first, and why."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pytest
from sklearn.datasets import make_blobs

import likewise as lw
from likewise.auto import ExpectedGain
from likewise.auto.expected_gain import committee_of, error_probability, merging_gain
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


def test_placing_is_worth_the_item_and_the_errors_that_its_share_of_walks_reaches() -> None:
    study = after(12)
    view = study._view(frozenset())
    committee = committee_of(view)
    wrong = error_probability(view, committee)
    W = view.affinity.affinity_.toarray()
    ends = 0.05 * np.linalg.inv(np.eye(60) - 0.95 * W / W.sum(axis=1, keepdims=True))
    seeds = committee.groups_.all_seeds.items
    usual = (ends[:, seeds] ** 2).sum() / ends[:, seeds].sum()
    (gain,) = ExpectedGain().placing_gain(view, committee)
    groups = np.hstack([committee.probabilities_, committee.provisional_probabilities_])
    for item in range(0, 60, 7):
        reached = sum(
            ends[other, item] / (ends[other, seeds].sum() + usual) * wrong[other]
            for other in range(60)
        )
        chances = np.sort(groups[item])[::-1]
        cost = sum((rank + 1) * p for rank, p in enumerate(chances))
        cost = max(cost + (1 - chances.sum()) * min(len(chances), 4), 1.0)
        own = max(1 / cost, 0.5)
        assert gain[item] == pytest.approx(wrong[item] * (own + reached / cost))


def test_the_question_of_largest_gain_is_asked() -> None:
    study = after(3)
    view = study._view(frozenset())
    committee, strategy = committee_of(view), ExpectedGain()
    best = max(
        next(kind, (0.0, Pair(0, 1)))
        for kind in (
            strategy.merges(view, committee, 1),
            strategy.placements(view, committee, 1),
        )
    )
    question = study.ask()
    assert question is not None
    assert set(question.pair) == set(best[1])


@pytest.mark.parametrize("n_clusters", [None, 2, 4])
def test_merging_is_worth_what_an_answer_moves(n_clusters: int | None) -> None:
    study = lw.Study(X, n_clusters=n_clusters)
    for _ in range(6):
        question = study.ask()
        assert question is not None
        i, j = question.pair
        study.tell(question, bool(KINDS[i] % (n_clusters or 4) == KINDS[j] % (n_clusters or 4)))
    committee = committee_of(study._view(frozenset()))
    groups, seeds = committee.groups_, committee.judged_by
    gain, same = merging_gain(committee), groups.one_probability
    own = np.array([(committee.likeliest_group == g).sum() for g in range(seeds.n_groups)])
    label = np.array(
        [committee.labels_[seeds.items[seeds.groups == g][0]] for g in range(len(own))]
    )
    believed = groups.believed_one
    for g in range(len(own)):
        for h in range(g + 1, len(own)):
            if label[g] != label[h]:
                sizes = [
                    (committee.labels_ == label[one]).sum()
                    if n_clusters is None
                    else own[believed == believed[one]].sum()
                    for one in (g, h)
                ]
                assert gain[g, h] == pytest.approx(0.7 * same[g, h] * min(sizes))
                continue
            moved = g if own[g] < own[h] else h
            odds = {
                other: max(
                    min(same[moved, k], 1 - 1e-6) / (1 - min(same[moved, k], 1 - 1e-6))
                    for k in range(len(own))
                    if label[k] == other
                )
                for other in set(label.tolist()) - {label[moved]}
            }
            right = max(odds.values()) / sum(odds.values()) if odds and n_clusters else 1.0
            if odds or not n_clusters:
                expected = (1 - same[g, h]) * own[moved] * right
                assert gain[g, h] == pytest.approx(expected, rel=1e-3)


def test_placed_items_are_not_wrong() -> None:
    study = after(15)
    view = study._view(frozenset())
    wrong = error_probability(view, committee_of(view))
    assert (wrong[view.placed] == 0).all()
    assert ((wrong >= 0) & (wrong <= 1)).all()
    assert (wrong[~view.placed] > 0).any()


def test_when_no_third_kind_turns_up_a_no_is_enough_to_place_an_item() -> None:
    points, kinds = make_blobs(120, centers=2, n_features=3, cluster_std=6.0, random_state=2)
    study = lw.Study(points)
    for _ in range(70):
        question = study.ask()
        assert question is not None
        i, j = question.pair
        study.tell(question, bool(kinds[i] == kinds[j]))
    refused = [answer for answer in study.answers[40:] if answer.verdict is lw.Verdict.DIFFERENT]
    assert refused
    assert study.clustering_.n_clusters_ == 2
    assert all(study.labels_[a.pair.i] == kinds_of(study, kinds, a.pair.i) for a in refused)


def kinds_of(study: lw.Study, kinds: npt.NDArray[np.int64], item: int) -> int:
    """The label that most items of an item's kind have."""
    return int(np.bincount(study.labels_[kinds == kinds[item]]).argmax())


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
    # These are few: no more may be "same" than two standard deviations above what was told.
    low = chance < 0.3
    spread = np.sqrt((chance[low] * (1 - chance[low])).sum())
    assert truth[low].sum() <= chance[low].sum() + 2 * spread + 0.5


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
