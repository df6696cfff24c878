"""Answers about items that are not at hand: what they still say, also once one is taken back."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from likewise.journal import Answered, Grown, Opened, Retracted
from likewise.journal.constraints import Constraints
from likewise.journal.pairs import Answer, Pair, Verdict
from likewise.journal.state import Journal
from likewise.journal.subset import Subset

SAME, DIFFERENT, UNSURE = Verdict.SAME, Verdict.DIFFERENT, Verdict.UNSURE
N_ITEMS, N_AT_HAND = 8, 4

pairs = st.tuples(st.integers(0, N_ITEMS - 1), st.integers(0, N_ITEMS - 1)).filter(
    lambda pair: pair[0] != pair[1]
)
# An answer, or (a number) which of the standing answers is taken back.
steps = st.lists(st.one_of(st.tuples(pairs, st.sampled_from(list(Verdict))), st.integers(0, 9)))


def journal(*answers: tuple[int, int, Verdict], n_at_hand: int = 3) -> Journal:
    found = Journal(Opened(4, "f", "auto", None, 0))
    found.restrict(n_at_hand)
    for number, (i, j, verdict) in enumerate(answers):
        found.apply(Answered(Answer(number, Pair(i, j), verdict)))
    return found


def same_state(a: Constraints, b: Constraints) -> bool:
    return (
        a.answers == b.answers
        and a.disputed == b.disputed
        and np.array_equal(a.components(), b.components())
        and a.representatives == b.representatives
    )


@settings(max_examples=200, deadline=None)
@given(story=steps, n_groups=st.sampled_from([None, None, 2, 3]))
def test_step_by_step_it_is_what_the_standing_answers_alone_would_give(
    story: list[tuple[tuple[int, int], Verdict] | int], n_groups: int | None
) -> None:
    whole = Constraints(N_ITEMS, n_groups)
    subset = Subset(whole, N_AT_HAND)
    for number, step in enumerate(story):
        if not isinstance(step, int):
            answer = Answer(number, Pair(*step[0]), step[1])
            whole.add(answer)
            subset.added(answer)
        elif whole.answers:
            subset.removed(whole.remove(whole.answers[step % len(whole.answers)].id))
        anew = Subset(Constraints.of(N_ITEMS, whole.answers, n_groups), N_AT_HAND)
        assert same_state(subset.constraints, anew.constraints)


@settings(max_examples=200, deadline=None)
@given(story=steps)
def test_what_is_implied_about_items_at_hand_is_what_all_answers_imply(
    story: list[tuple[tuple[int, int], Verdict] | int],
) -> None:
    whole = Constraints(N_ITEMS)
    subset = Subset(whole, N_AT_HAND)
    for number, step in enumerate(story):
        if not isinstance(step, int):
            answer = Answer(number, Pair(*step[0]), step[1])
            whole.add(answer)
            subset.added(answer)
        elif whole.answers:
            subset.removed(whole.remove(whole.answers[step % len(whole.answers)].id))
    for i in range(N_AT_HAND):
        for j in range(N_AT_HAND):
            assert subset.constraints.implied(i, j) is whole.implied(i, j), (i, j)


def test_a_link_through_an_absent_item_goes_when_either_answer_is_taken_back() -> None:
    for taken_back in (0, 1):
        seen = journal((0, 3, SAME), (3, 1, SAME))
        assert seen.constraints.implied(0, 1) is SAME
        seen.apply(Retracted(taken_back))
        assert seen.constraints.implied(0, 1) is None
        assert seen.answers == []


def test_an_absent_item_counts_as_soon_as_somebody_stands_in_for_it() -> None:
    seen = journal((3, 1, DIFFERENT))
    assert seen.answers == []
    seen.apply(Answered(Answer(1, Pair(0, 3), SAME)))
    assert seen.constraints.implied(0, 1) is DIFFERENT
    assert [answer.id for answer in seen.answers] == [0]


def test_to_be_unsure_about_an_absent_item_says_nothing_about_those_like_it() -> None:
    seen = journal((0, 3, SAME), (3, 1, UNSURE))
    assert seen.answers == []
    assert seen.next_id == 2


def test_items_that_others_found_are_absent_here_and_their_answers_link() -> None:
    seen = journal(n_at_hand=4)
    assert seen.constraints is seen.whole
    seen.apply(Grown(5, "g"))
    assert (seen.opened.n_items, seen.n_grown, seen.whole.n_items) == (4, 1, 5)
    seen.apply(Answered(Answer(0, Pair(4, 1), SAME)))
    seen.apply(Answered(Answer(1, Pair(4, 2), SAME)))
    assert seen.constraints.implied(1, 2) is SAME


def test_only_an_absent_item_that_gets_another_stand_in_makes_it_go_through_all_answers() -> None:
    whole = Constraints(N_ITEMS)
    subset = Subset(whole, N_AT_HAND)
    before = subset.constraints

    def add(number: int, pair: Pair, verdict: Verdict) -> None:
        answer = Answer(number, pair, verdict)
        whole.add(answer)
        subset.added(answer)

    add(0, Pair(0, 1), DIFFERENT)
    add(1, Pair(7, 1), DIFFERENT)
    add(2, Pair(6, 7), UNSURE)
    subset.removed(whole.remove(0))
    subset.removed(whole.remove(1))
    assert subset.constraints is before
    add(3, Pair(0, 7), SAME)
    assert subset.constraints is not before
