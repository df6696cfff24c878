"""Somebody alone who errs: what is believed of him, and where verifying is worth most."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from random import Random

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import csr_matrix
from scipy.sparse.csgraph import connected_components

import likewise as lw
from likewise.beliefs import (
    Beliefs,
    Inference,
    VerificationQuestion,
    VerificationQuestions,
    beliefs_of_one,
)
from likewise.journal.constraints import Constraints
from likewise.journal.pairs import Answer, Pair, Verdict

Said = Sequence[tuple[tuple[int, int], str]]

# Two groups of three, and one wrong answer that holds them together.
BRIDGED: Said = [
    ((0, 1), "same"),
    ((1, 2), "same"),
    ((3, 4), "same"),
    ((4, 5), "same"),
    ((0, 3), "same"),
]


def told(said: Said, weight: float = 0.9) -> list[Answer]:
    return [Answer(k, Pair(*p), Verdict.of(v), weight=weight) for k, (p, v) in enumerate(said)]


def believed(said: Said, weight: float = 0.9) -> Constraints:
    return Inference().constraints(Constraints.of(6, told(said, weight)))


@st.composite
def truthful(draw: st.DrawFn) -> list[Answer]:
    """Right answers about random pairs of a few items, in any order."""
    kinds = draw(st.lists(st.integers(0, 2), min_size=3, max_size=8))
    pairs = draw(st.lists(st.sampled_from([*combinations(range(len(kinds)), 2)]), min_size=1))
    return told([(p, "same" if kinds[p[0]] == kinds[p[1]] else "different") for p in pairs])


# -- what is believed ------------------------------------------------------------------------


def test_a_wrong_answer_is_overruled_once_two_others_speak_against_it() -> None:
    once = [*BRIDGED, ((2, 5), "different")]
    assert believed(once).implied(1, 4) is Verdict.SAME  # the first stands while it is even
    twice = [*once, ((1, 4), "different")]
    assert believed(twice).overruled == {4}
    assert believed(twice).implied(0, 5) is Verdict.DIFFERENT
    assert [one.id for one in believed(twice).disputed] == [4]


def test_whoever_is_trusted_is_taken_at_his_word() -> None:
    said = [*BRIDGED, ((2, 5), "different"), ((1, 4), "different")]
    assert believed(said, weight=1.0).implied(0, 5) is Verdict.SAME
    assert believed(said, weight=1.0).overruled == frozenset()


def test_an_answer_that_was_unlikely_from_the_beginning_is_the_culprit() -> None:
    answers = told([*BRIDGED, ((2, 5), "different")])
    expected = [0.9, 0.9, 0.9, 0.9, 0.1, None]
    given = [
        Answer(one.id, one.pair, one.verdict, same_probability=p, weight=0.9)
        for one, p in zip(answers, expected, strict=True)
    ]
    assert beliefs_of_one(given).overruled(given) == {4}


@given(truthful())
def test_who_does_not_contradict_himself_is_believed(answers: list[Answer]) -> None:
    found = beliefs_of_one(answers)
    assert found.overruled(answers) == frozenset()
    assert found.rates.same[0] <= 0.5 / (1 + 9 * 0.9)  # never more than was expected


@given(truthful(), st.randoms(use_true_random=False))
def test_numbers_of_items_mean_nothing(answers: list[Answer], shuffle: Random) -> None:
    n = 1 + max(max(one.pair) for one in answers)
    to = shuffle.sample(range(n), n)
    moved = [
        Answer(one.id, Pair(to[one.pair.i], to[one.pair.j]), one.verdict, weight=0.9)
        for one in answers
    ]
    assert beliefs_of_one(moved).rates.same == pytest.approx(beliefs_of_one(answers).rates.same)


def test_only_checks_tell_how_often_somebody_errs() -> None:
    rate = beliefs_of_one(told(BRIDGED)).rates.same[0]
    assert rate == pytest.approx(0.5 / 9.1)  # nothing was asked twice
    confirmed = beliefs_of_one(told([*BRIDGED, ((2, 5), "same")])).rates.same[0]
    assert confirmed == pytest.approx(0.5 / 11.1)  # the check and what it checked
    said = [*BRIDGED, ((2, 5), "different"), ((1, 4), "different")]
    wrong = beliefs_of_one(told(said)).rates.same[0]
    assert wrong == pytest.approx(1.5 / (9.1 + 1 + 2))


# -- where to look ---------------------------------------------------------------------------


@given(
    st.lists(st.integers(0, 6), min_size=2, max_size=6),
    st.lists(st.integers(1, 9), min_size=7, max_size=7),
)
def test_every_cut_of_a_tree_is_worth_its_chance_times_the_smaller_side(
    parents: list[int], follow: list[int]
) -> None:
    edges = [(k + 1, parent % (k + 1)) for k, parent in enumerate(parents)]
    answers = told([(edge, "same") for edge in edges])
    looks, followers = (
        VerificationQuestions(beliefs_of_one(answers)),
        np.array(follow[: len(edges) + 1], float),
    )
    found = [look.gain for look in looks.by_gain(followers, least=0.0)]

    def literal(cut: tuple[int, int]) -> float:
        kept = [edge for edge in edges if edge != cut]
        n = len(edges) + 1
        rows, columns = zip(*kept, strict=True) if kept else ((), ())
        graph = csr_matrix((np.ones(len(kept)), (rows, columns)), shape=(n, n))
        side = connected_components(graph, directed=False)[1]
        a, b = (followers[side == side[end]].sum() for end in cut)
        return float(0.5 / 9.1 * min(a, b))

    # Two items that were compared with nobody else can only be asked about again as they were.
    askable = [edge for edge in edges if len(edges) > 1]
    assert sorted(found) == pytest.approx(sorted(map(literal, askable)))


def test_a_verification_crosses_what_one_answer_holds_together() -> None:
    looks = VerificationQuestions(beliefs_of_one(told(BRIDGED)))
    best = next(looks.by_gain(np.full(6, 10.0), least=0.1))
    assert {best.pair.i // 3, best.pair.j // 3} == {0, 1}
    assert best.pair.unordered != Pair(0, 3)
    assert best.gain == pytest.approx(30 * 0.5 / 9.1)
    assert best.same_probability == pytest.approx(1 - 0.5 / 9.1)


def test_two_groups_that_one_answer_keeps_apart_are_looked_at_too() -> None:
    looks = VerificationQuestions(beliefs_of_one(told([*BRIDGED[:4], ((0, 3), "different")])))
    best = next(looks.by_gain(np.full(6, 10.0), least=0.1))
    assert {best.pair.i // 3, best.pair.j // 3} == {0, 1}
    assert best.same_probability == pytest.approx(0.5 / 9.1)


# Three groups of two, all told apart; 6 and 7 are the same, and differ from the first two groups.
_THREE: Said = [
    *(((2 * k, 2 * k + 1), "same") for k in range(4)),
    *((pair, "different") for pair in ((0, 2), (0, 4), (2, 4), (6, 0), (6, 2))),
]


def test_what_follows_by_elimination_is_weighed() -> None:
    beliefs = beliefs_of_one(told(_THREE))
    odds = float(beliefs.odds[beliefs.votes.pairs.tolist().index([0, 2])])
    assert not [look for look in by_gain(beliefs, ()) if is_between(look, 2, 3)]
    (look,) = (look for look in by_gain(beliefs, (0, 2, 4)) if is_between(look, 2, 3))
    # One of six pairs of four groups is one: the one that nobody was asked about, or another.
    assert look.same_probability == pytest.approx(1 / (1 + 5 * np.exp(odds)))
    assert look.gain == pytest.approx((1 - look.same_probability) * 2)


def test_of_more_groups_than_there_are_two_are_wrongly_apart() -> None:
    beliefs = beliefs_of_one(told([*_THREE, ((6, 4), "different")]))
    apart = [look for look in by_gain(beliefs, (0, 2, 4)) if look.same_probability < 0.5]
    assert len(apart) == 6
    assert sum(look.same_probability for look in apart) == pytest.approx(1)
    assert all(look.gain == pytest.approx(2 / 6) for look in apart)


def by_gain(beliefs: Beliefs, representatives: Sequence[int]) -> list[VerificationQuestion]:
    looks = VerificationQuestions(beliefs, representatives)
    return list(looks.by_gain(np.ones(8), least=0.0))


def is_between(look: VerificationQuestion, a: int, b: int) -> bool:
    return {look.pair.i // 2, look.pair.j // 2} == {a, b}


# -- in a study ------------------------------------------------------------------------------


def bridged_study() -> tuple[lw.Study, npt.NDArray[np.int64]]:
    X = np.concatenate([np.linspace(0, 1, 30), np.linspace(4, 5, 30)])[:, None]
    study = lw.Study(X)
    for i, j in ((0, 10), (10, 20), (30, 40), (40, 50), (10, 40)):
        study.tell((i, j), "same", weight=0.9)
    return study, np.repeat([0, 1], 30)


def test_a_study_finds_its_wrong_answer_by_verification() -> None:
    study, truth = bridged_study()
    assert lw.metrics.ari(truth, study.labels_) == 0
    for _ in range(3):
        look = study.verification()
        assert look is not None
        assert study.constraints.implied(*look.pair) is not None
        study.tell(look, bool(truth[look.pair.i] == truth[look.pair.j]), weight=0.9)
    assert [study.answers[k].pair for k in study.constraints.overruled] == [Pair(10, 40)]
    assert lw.metrics.ari(truth, study.labels_) == 1


def test_asking_stays_with_what_is_not_known() -> None:
    study, _ = bridged_study()
    question = study.ask()
    assert question is None or study.constraints.implied(*question.pair) is None


def test_with_one_group_nothing_is_asked() -> None:
    study = lw.Study([[0.0], [0.1], [5.0], [5.1]] * 10, n_clusters=1)
    for pair in (0, 4), (2, 6), (0, 2):
        study.tell(pair, "same")
    assert study.ask() is study.verification() is None


def test_several_people_need_no_verification() -> None:
    study, _ = bridged_study()
    assert study.verification() is not None
    study.tell((0, 59), "different", who="Ada")
    assert study.verification() is None


def test_who_is_always_right_is_soon_left_in_peace() -> None:
    X, y = lw.datasets.load("wine")
    right = lw.run(X, lw.oracles.FromLabels(y), budget=60, doubt="verify", checkpoints=[60])
    known, looks = lw.Study(X).constraints, list[bool]()
    for answer in right.study.answers:
        looks.append(known.implied(*answer.pair) is not None)
        known.add(answer)
    assert 1 <= sum(looks[30:]) < sum(looks[:30]) <= 10
    assert right.curve.ari.iloc[-1] > 0.95


def test_the_same_journal_gives_the_same_verification() -> None:
    study, _ = bridged_study()
    again, _ = bridged_study()
    look = study.verification()
    assert look is not None
    assert look == again.verification() == study.verification()
