"""The loop of question and answer, fed by hand."""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from likewise.cli.terminal.keys import Action
from likewise.cli.terminal.loop import OpenQuestion, Respond, answer_loop
from likewise.errors import MethodError
from likewise.journal.pairs import Verdict
from likewise.study import Study
from likewise.study.loop import Outcome

POINTS = [[0.0], [0.1], [0.2], [5.0], [5.1], [9.0]]
TRUTH = [0, 0, 0, 1, 1, 2]


def feed(actions: Iterable[Action | None], seen: list[OpenQuestion]) -> Respond:
    """Answers with the given actions, and notes what was shown."""
    coming = iter(actions)

    def respond(asked: OpenQuestion) -> Action | None:
        seen.append(asked)
        return next(coming, None)

    return respond


def truthful(asked: OpenQuestion) -> Action:
    i, j = asked.question.pair
    return Action.SAME if TRUTH[i] == TRUTH[j] else Action.DIFFERENT


def test_truthful_answers_end_with_the_truth() -> None:
    study = Study(POINTS)
    assert answer_loop(study, truthful) is Outcome.NOTHING_LEFT
    labels = study.labels_
    assert all(
        (labels[i] == labels[j]) == (TRUTH[i] == TRUTH[j]) for i in range(6) for j in range(6)
    )


def test_answers_are_recorded_in_order_with_their_time() -> None:
    study = Study(POINTS)
    ending = answer_loop(study, feed([Action.DIFFERENT, Action.UNSURE, Action.STOP], []))
    assert ending is Outcome.STOPPED
    assert [a.verdict for a in study.answers] == [Verdict.DIFFERENT, Verdict.UNSURE]
    assert all(a.seconds is not None and a.seconds >= 0 for a in study.answers)


def test_undo_brings_the_same_question_back() -> None:
    seen: list[OpenQuestion] = []
    study = Study(POINTS)
    answer_loop(study, feed([Action.DIFFERENT, Action.DIFFERENT, Action.UNDO, Action.UNDO], seen))
    pairs = [asked.question.pair for asked in seen]
    assert pairs == [pairs[0], pairs[1], pairs[2], pairs[1], pairs[0]]
    assert seen[-1].note == "Taken back: different."
    assert study.n_answers == 0


def test_undo_without_an_answer_is_no_accident() -> None:
    seen: list[OpenQuestion] = []
    assert answer_loop(Study(POINTS), feed([Action.UNDO], seen)) is Outcome.NO_MORE_INPUT
    assert seen[-1].note == "There is no answer to take back."


def test_a_note_is_shown_once() -> None:
    seen: list[OpenQuestion] = []
    answer_loop(Study(POINTS), feed([Action.DIFFERENT], seen), note="Welcome back.")
    assert [asked.note for asked in seen] == ["Welcome back.", ""]


def test_the_budget_counts_this_sitting_alone() -> None:
    study = Study(POINTS)
    for expected in (2, 4):
        ending = answer_loop(study, feed([Action.DIFFERENT] * 9, []), budget=2)
        assert ending is Outcome.BUDGET_SPENT
        assert study.n_answers == expected


def test_a_sitting_without_answers_is_refused() -> None:
    with pytest.raises(MethodError, match="at least 1 answer but got 0"):
        answer_loop(Study(POINTS), truthful, budget=0)


def test_an_interrupt_keeps_what_was_said() -> None:
    study = Study(POINTS)

    def respond(asked: OpenQuestion) -> Action:
        if study.n_answers == 2:
            raise KeyboardInterrupt
        return Action.DIFFERENT

    assert answer_loop(study, respond) is Outcome.INTERRUPTED
    assert study.n_answers == 2


def test_the_share_as_predicted_follows_answers_and_undo() -> None:
    study = Study(POINTS)
    shares = []

    def as_predicted(asked: OpenQuestion) -> Action | None:
        shares.append(list(asked.predicted_shares))
        if len(shares) == 3:
            return Action.UNDO
        if len(shares) == 4:
            return None
        likely = asked.question.same_probability > 0.5
        right = len(shares) == 1
        return Action.SAME if likely == right else Action.DIFFERENT

    answer_loop(study, as_predicted)
    assert shares == [[], [1.0], [1.0, 0.5], [1.0]]
