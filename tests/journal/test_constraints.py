"""Constraints against brute force: closure, elimination, disputes, taking back."""

from __future__ import annotations

from itertools import combinations, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from likewise.errors import AnswerError
from likewise.journal.constraints import Constraints
from likewise.journal.pairs import Answer, Pair, Verdict

N = 7
SAME, DIFFERENT, UNSURE = Verdict.SAME, Verdict.DIFFERENT, Verdict.UNSURE


def answer(k: int, i: int, j: int, verdict: Verdict) -> Answer:
    return Answer(k, Pair(i, j), verdict)


def constraints_from(answers: list[Answer], n_groups: int | None = None) -> Constraints:
    known = Constraints(N, n_groups)
    for one in answers:
        known.add(one)
    return known


def implied_table(known: Constraints) -> list[Verdict | None]:
    return [known.implied(i, j) for i, j in combinations(range(N), 2)]


def state_of(known: Constraints) -> tuple[object, ...]:
    return (
        implied_table(known),
        known.representatives,
        known.found_at,
        known.must_link.tolist(),
        known.cannot_link.tolist(),
        [str(dispute) for dispute in known.disputes()],
    )


def closure(answers: list[Answer]) -> dict[tuple[int, int], Verdict]:
    """All that follows from consistent answers: repeat the rules until nothing changes."""
    known: dict[tuple[int, int], Verdict] = {(i, i): SAME for i in range(N)}
    for one in answers:
        if one.verdict is not UNSURE:
            known[one.pair] = known[one.pair[::-1]] = one.verdict
    while True:
        new = {
            (a, c): DIFFERENT if DIFFERENT in (first, second) else SAME
            for (a, b), first in known.items()
            for (b2, c), second in known.items()
            if b == b2 and not first is second is DIFFERENT
        }
        if new.items() <= known.items():
            return known
        known |= new


@st.composite
def truthful_answers(draw: st.DrawFn) -> tuple[list[int], list[Answer]]:
    truth = draw(st.lists(st.integers(0, 3), min_size=N, max_size=N))
    pairs = draw(st.lists(st.sampled_from(list(combinations(range(N), 2))), max_size=15))
    said = [
        answer(k, i, j, SAME if truth[i] == truth[j] else DIFFERENT)
        for k, (i, j) in enumerate(pairs)
    ]
    return truth, said


ANY_ANSWERS = st.lists(
    st.tuples(st.integers(0, N - 1), st.integers(0, N - 1), st.sampled_from(list(Verdict))).filter(
        lambda said: said[0] != said[1]
    ),
    max_size=20,
).map(lambda said: [answer(k, *one) for k, one in enumerate(said)])


def test_the_worked_example_of_the_closure_rule_comes_out() -> None:
    known = constraints_from(
        [answer(0, 0, 1, SAME), answer(1, 1, 2, SAME), answer(2, 2, 3, DIFFERENT)]
    )
    found = {p: v for p in combinations(range(4), 2) if (v := known.implied(*p)) is not None}
    assert found == {
        (0, 1): SAME, (0, 2): SAME, (1, 2): SAME,
        (0, 3): DIFFERENT, (1, 3): DIFFERENT, (2, 3): DIFFERENT,
    }  # fmt: skip


@given(truthful_answers())
def test_exactly_what_follows_by_transitivity_is_implied(
    case: tuple[list[int], list[Answer]],
) -> None:
    _, answers = case
    known, expected = constraints_from(answers), closure(answers)
    assert not known.disputes()
    for i, j in product(range(N), repeat=2):
        assert known.implied(i, j) == expected.get((i, j))


@given(truthful_answers(), st.randoms(use_true_random=False))
def test_the_order_of_truthful_answers_does_not_matter(
    case: tuple[list[int], list[Answer]], random: st.DrawFn
) -> None:
    _, answers = case
    shuffled = list(answers)
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    assert implied_table(constraints_from(answers)) == implied_table(constraints_from(shuffled))


@given(truthful_answers())
def test_elimination_with_the_true_number_of_groups_is_never_wrong(
    case: tuple[list[int], list[Answer]],
) -> None:
    truth, answers = case
    known = constraints_from(answers, n_groups=len(set(truth)))
    assert not known.disputes()
    for i, j in combinations(range(N), 2):
        verdict = known.implied(i, j)
        assert verdict is None or (verdict is SAME) == (truth[i] == truth[j])


def test_an_item_unlike_all_groups_but_one_belongs_to_that_one() -> None:
    answers = [answer(0, 1, 0, DIFFERENT), answer(1, 2, 0, DIFFERENT), answer(2, 2, 1, DIFFERENT)]
    known = constraints_from([*answers, answer(3, 3, 0, DIFFERENT), answer(4, 3, 1, DIFFERENT)], 3)
    assert known.implied(3, 2) is SAME
    assert constraints_from(known.answers).implied(3, 2) is None


@given(ANY_ANSWERS, st.sampled_from([None, 2, 3]))
def test_contradictions_are_kept_and_the_rest_stays_consistent(
    answers: list[Answer], n_groups: int | None
) -> None:
    known = constraints_from(answers, n_groups)
    disputed = {dispute.answer.id for dispute in known.disputes()}
    for one in answers:
        if one.verdict is not UNSURE:
            agrees = known.implied(*one.pair) is one.verdict
            assert agrees == (one.id not in disputed)


@given(ANY_ANSWERS)
def test_a_disputes_chain_is_what_the_answer_contradicts_and_no_longer_than_needed(
    answers: list[Answer],
) -> None:
    for dispute in constraints_from(answers).disputes():
        opposite = DIFFERENT if dispute.answer.verdict is SAME else SAME
        chain = list(dispute.chain)
        assert constraints_from(chain).implied(*dispute.answer.pair) is opposite
        earlier = [a for a in answers if a.id < dispute.answer.id]
        for shorter in combinations([a for a in earlier if a in chain], len(chain) - 1):
            assert constraints_from(list(shorter)).implied(*dispute.answer.pair) is None


@given(ANY_ANSWERS, st.sampled_from([2, 3]))
def test_every_dispute_can_be_explained_when_the_number_of_groups_is_given(
    answers: list[Answer], n_groups: int
) -> None:
    for dispute in constraints_from(answers, n_groups).disputes():
        assert dispute.chain
        assert dispute.answer not in dispute.chain
        if not dispute.by_elimination:
            opposite = DIFFERENT if dispute.answer.verdict is SAME else SAME
            assert constraints_from(list(dispute.chain)).implied(*dispute.answer.pair) is opposite


@given(ANY_ANSWERS, st.sampled_from([None, 2, 3]), st.data())
def test_taking_any_answer_back_leaves_what_the_others_alone_give(
    answers: list[Answer], n_groups: int | None, data: st.DataObject
) -> None:
    known = constraints_from(answers, n_groups)
    left = list(answers)
    for _ in range(data.draw(st.integers(0, len(answers)))):
        gone = data.draw(st.sampled_from(left))
        left.remove(gone)
        assert known.remove(gone.id) == gone
        assert state_of(known) == state_of(constraints_from(left, n_groups))


def test_a_later_answer_does_not_change_which_of_equal_proofs_is_shown() -> None:
    said = [(0, 1, DIFFERENT), *[(0, 1, SAME)] * 12, (0, 1, DIFFERENT), (0, 2, SAME), (1, 2, SAME)]
    answers = [answer(k, *one) for k, one in enumerate([*said, (0, 2, SAME)])]
    before, after = constraints_from(answers[:-1]).disputes(), constraints_from(answers).disputes()
    assert before == after


def test_retracting_either_side_resolves_a_dispute() -> None:
    answers = [answer(0, 0, 1, SAME), answer(1, 1, 2, SAME), answer(2, 0, 2, DIFFERENT)]
    for gone in range(3):
        known = constraints_from(answers)
        assert [d.answer.id for d in known.disputes()] == [2]
        known.remove(gone)
        assert known.disputes() == []


@given(ANY_ANSWERS)
def test_marks_are_equal_exactly_for_items_known_to_be_the_same(answers: list[Answer]) -> None:
    known = constraints_from(answers)
    components = known.components()
    for i, j in product(range(N), repeat=2):
        assert (components[i] == components[j]) == (known.implied(i, j) is SAME)
        assert components[i] == known.component(i)


@given(ANY_ANSWERS)
def test_pillars_differ_pairwise(answers: list[Answer]) -> None:
    known = constraints_from(answers)
    for i, j in combinations(known.representatives, 2):
        assert known.implied(i, j) is DIFFERENT


def test_unsure_answers_change_nothing() -> None:
    known = constraints_from([answer(0, 0, 1, UNSURE)])
    assert known.implied(0, 1) is None
    assert known.disputes() == []


@pytest.mark.parametrize("pair", [(0, 0), (-1, 2), (0, N)])
def test_an_answer_about_no_pair_of_items_is_refused(pair: tuple[int, int]) -> None:
    known = Constraints(N)
    with pytest.raises(AnswerError, match="two different items"):
        known.add(answer(0, *pair, SAME))
    assert known.answers == []


def test_an_unknown_answer_cannot_be_taken_back() -> None:
    known = constraints_from([answer(0, 0, 1, SAME)])
    with pytest.raises(AnswerError, match="no answer 5"):
        known.remove(5)
    assert known.implied(0, 1) is SAME


def test_long_chains_are_no_trouble(seed: int) -> None:
    n = 20_000
    order = np.random.default_rng(seed).permutation(n)
    known = Constraints(n)
    for k in range(n - 1):
        known.add(Answer(k, Pair(int(order[k]), int(order[k + 1])), SAME))
    known.add(Answer(n, Pair(int(order[0]), int(order[-1])), DIFFERENT))
    (dispute,) = known.disputes()
    assert len(dispute.chain) == n - 1


@given(ANY_ANSWERS, st.none() | st.integers(1, 4))
def test_what_earlier_answers_gave_is_known_without_going_through_them_again(
    answers: list[Answer], n_groups: int | None
) -> None:
    known = constraints_from(answers, n_groups)
    for n in range(len(answers) + 1):
        alone = constraints_from(answers[:n], n_groups)
        must_link, cannot_link = known.links_after(n)
        assert must_link.tolist() == alone.must_link.tolist()
        assert cannot_link.tolist() == alone.cannot_link.tolist()
        assert known.n_representatives_after(n) == len(alone.representatives)
