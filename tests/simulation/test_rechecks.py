"""Second looks: what happens to answers that look wrong while a study runs."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pytest

import likewise as lw
from likewise.affinities.forest.inconsistency import Doubt
from likewise.errors import MethodError
from likewise.journal.pairs import Pair, Question, Verdict
from likewise.simulation.rechecks import Rechecks


def two_piles() -> tuple[lw.Study, lw.oracles.FromLabels]:
    """Nine right answers of either kind, and a wrong one: 0 and 29 are not the same."""
    X = np.concatenate([np.linspace(0, 1, 15), np.linspace(10, 11, 15)])[:, None]
    truth = np.repeat([0, 1], 15)
    study = lw.Study(X, method="random")
    for step in range(1, 10):
        study.tell((step, step + 1), "same")
        study.tell((15 + step, 16 + step), "same")
        study.tell((step, 15 + step), "different")
    study.tell((0, 29), "same")
    return study, lw.oracles.FromLabels(truth)


def every_other_iris() -> tuple[npt.NDArray[np.float64], npt.NDArray[np.int64]]:
    X, y = lw.datasets.load("iris")
    return X[::2], y[::2]


def looked_back(policy: str, n_left: int = 10) -> tuple[lw.Study, list[Pair]]:
    study, oracle = two_piles()
    looks = Rechecks(study, oracle, policy)
    asked = [pair for _ in range(20) for pair in looks.after_answer(n_left)]
    return study, asked


def test_keeping_changes_nothing() -> None:
    study, asked = looked_back("keep")
    assert len(study.answers) == len(two_piles()[0].answers) == 28
    assert asked == []


def test_filtering_takes_the_wrong_answer_back() -> None:
    study, asked = looked_back("filter")
    assert asked == []
    assert Pair(0, 29) not in [answer.pair for answer in study.answers]
    assert study.constraints.implied(0, 29) is None


def test_an_answer_nothing_else_speaks_of_is_put_back() -> None:
    # Neither 0 nor 29 is known to be like any other item: there is nobody to ask about instead.
    study, asked = looked_back("reask")
    assert asked == []
    assert study.constraints.implied(0, 29) is Verdict.SAME


def test_asking_again_finds_the_truth_by_another_pair() -> None:
    study, oracle = two_piles()
    study.tell((29, 28), "same")
    looks = Rechecks(study, oracle, "reask")
    asked = [pair for _ in range(20) for pair in looks.after_answer(10)]
    assert Pair(0, 28) in asked
    assert study.constraints.implied(0, 29) is Verdict.DIFFERENT
    assert study.disputes() == []


def doubting(study: lw.Study, pairs: list[tuple[int, int]]) -> None:
    """Let these answers look wrong, the first of them most."""
    by_pair = {(answer.pair.i, answer.pair.j): answer for answer in study.answers}
    doubts = [Doubt(by_pair[pair], 0.9) for pair in pairs]
    study.doubtful = lambda: doubts  # type: ignore[method-assign]


def looks_at(looks: Rechecks, n_answers: int) -> list[int]:
    """After which of the answers something was asked again."""
    return [number for number in range(1, n_answers + 1) if looks.after_answer(50)]


def test_a_look_ends_when_two_answers_were_confirmed_and_the_next_is_twice_as_far() -> None:
    truth = np.repeat([0, 1], 10)
    study, oracle = lw.Study(truth[:, None] * 5.0, method="random"), lw.oracles.FromLabels(truth)
    for item in (1, 11):
        study.tell((item - 1, item), "same")
    loose = [(0, item) for item in range(2, 9)]  # right, and nothing else speaks of these items
    for pair in loose:
        study.tell(pair, "same")
    doubting(study, loose)
    looks = Rechecks(study, oracle, "reask")
    assert looks_at(looks, 59) == [20]
    assert len(study.answers) == 2 + len(loose) + 2
    assert looks_at(looks, 1) == [1]  # 40 answers after the first
    assert len(study.answers) == 2 + len(loose) + 4


def test_what_the_others_imply_is_no_second_opinion_and_costs_nothing() -> None:
    study, oracle = two_piles()
    study.tell((1, 3), "same")  # follows from 1 = 2 = 3
    doubting(study, [(1, 3)])
    looks = Rechecks(study, oracle, "reask")
    assert looks_at(looks, 20) == []
    assert Pair(1, 3) not in [answer.pair for answer in study.answers]
    assert study.constraints.implied(1, 3) is Verdict.SAME


def test_no_more_is_asked_than_is_left() -> None:
    study, oracle = two_piles()
    study.tell((29, 28), "same")
    looks = Rechecks(study, oracle, "reask")
    assert [pair for _ in range(20) for pair in looks.after_answer(0)] == []
    assert len(study.answers) == 29


def test_a_run_spends_its_budget_whatever_the_policy() -> None:
    X, y = every_other_iris()
    curves = {}
    for policy in ("keep", "reask"):
        oracle = lw.oracles.Noisy(y, 0.1, 0)
        result = lw.run(X, oracle, budget=45, n_clusters=3, checkpoints=[20, 45], doubt=policy)
        assert result.n_questions == 45
        curves[policy] = result.curve
    assert curves["keep"].questions.tolist() == [20, 45]
    assert curves["reask"].questions.iloc[-1] == 45


def test_an_unknown_policy_is_refused() -> None:
    with pytest.raises(MethodError, match="doubt must be one of keep, verify, filter, reask, sur"):
        lw.run([[0.0], [1.0]], lw.oracles.FromLabels([0, 1]), doubt="x")


def surprised(chance: float, verdict: str, truth: Verdict) -> tuple[lw.Study, list[Pair], Pair]:
    """An answer to a question whose forecast was `chance`; the oracle says the same ever after."""
    study, _ = two_piles()
    pair = Pair(11, 5)
    study.tell(Question(pair, chance), Verdict(verdict))
    looks = Rechecks(study, lambda *_: truth, "surprise")
    return study, looks.after_answer(10), pair


def test_a_surprising_answer_is_asked_again_by_another_pair_of_the_same_groups() -> None:
    study, asked, pair = surprised(0.95, "different", Verdict.SAME)
    (again,) = asked
    assert again.i == pair.i
    assert again != pair
    assert study.constraints.implied(again.j, pair.j) is Verdict.SAME
    assert study.constraints.implied(*pair) is Verdict.SAME
    assert study.disputes() == []


def test_a_surprising_answer_that_is_confirmed_stands() -> None:
    study, asked, pair = surprised(0.95, "different", Verdict.DIFFERENT)
    assert len(asked) == 1
    assert study.constraints.implied(*pair) is Verdict.DIFFERENT
    assert pair in [answer.pair for answer in study.answers]


@pytest.mark.parametrize(("chance", "verdict"), [(0.95, "same"), (0.6, "different")])
def test_an_expected_answer_is_not_asked_again(chance: float, verdict: str) -> None:
    study, asked, pair = surprised(chance, verdict, Verdict.DIFFERENT)
    assert asked == []
    assert study.answers[-1].pair == pair


def test_who_is_always_right_is_left_in_peace() -> None:
    """The same surprise, again and again confirmed, is worth another question no more."""
    study, _ = two_piles()
    looks = Rechecks(study, lambda *_: Verdict.DIFFERENT, "surprise")
    asked = 0
    for _ in range(40):
        study.tell(Question(Pair(11, 5), 0.75), "different")
        asked += len(looks.after_answer(10))
        study.retract(study.answers[-1].id)
        for answer in [a for a in study.answers if 11 in a.pair]:
            study.retract(answer.id)
    assert 0 < asked < 20


def test_an_answer_that_moves_many_items_is_asked_about_until_it_is_clear() -> None:
    """The first answer, and the second look at it, join two groups that are none: a third shows."""
    X = np.concatenate([np.linspace(0, 1, 120), np.linspace(10, 11, 120)])[:, None]
    truth = np.repeat([0, 1], 120)
    study = lw.Study(X)
    before = study.labels_
    wrong = iter([Verdict.SAME])

    def oracle(i: int, j: int) -> Verdict:
        return next(wrong, Verdict.of(bool(truth[i] == truth[j])))

    looks = Rechecks(study, oracle, "surprise")
    study.tell(Question(Pair(60, 180), 0.2), "same")
    asked = looks.after_answer(10)
    assert len(asked) > 2
    assert study.constraints.implied(60, 180) is not Verdict.SAME
    assert lw.metrics.ari(before, study.labels_) == 1.0
    assert all(
        a.verdict is Verdict.of(bool(truth[a.pair.i] == truth[a.pair.j])) for a in study.answers
    )


def test_no_more_looks_are_taken_than_questions_are_left() -> None:
    study = lw.Study(np.concatenate([np.linspace(0, 1, 20), np.linspace(10, 11, 20)])[:, None])
    looks = Rechecks(study, lambda *_: Verdict.DIFFERENT, "surprise")
    study.tell(Question(Pair(10, 30), 0.2), "same")
    assert len(looks.after_answer(1)) == 1


def test_an_answer_stands_where_nobody_can_say_otherwise() -> None:
    study = lw.Study([[0.0], [5.0]])
    looks = Rechecks(study, lambda *_: Verdict.DIFFERENT, "surprise")
    study.tell(Question(Pair(0, 1), 0.001), "same")
    assert looks.after_answer(10) == []
    assert study.constraints.implied(0, 1) is Verdict.SAME


def test_oracles_that_err_are_asked_again_unless_said_otherwise() -> None:
    X, y = every_other_iris()

    def answers(oracle: lw.oracles.FromLabels, doubt: str | None) -> list[tuple[Pair, Verdict]]:
        study = lw.run(X, oracle, budget=40, checkpoints=[40], doubt=doubt).study
        return [(answer.pair, answer.verdict) for answer in study.answers]

    noisy, right = lw.oracles.Noisy(y, 0.15, 0), lw.oracles.FromLabels(y)
    assert answers(noisy, None) == answers(noisy, "verify") != answers(noisy, "keep")
    assert answers(right, None) == answers(right, "keep")
