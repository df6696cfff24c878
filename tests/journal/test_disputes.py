"""What a dispute contradicts: the shortest chain, found once, and not before it is asked for."""

from __future__ import annotations

import random
from collections import deque

import pytest

from likewise.journal.constraints import Constraints
from likewise.journal.pairs import Answer, Pair, Verdict

SAME, DIFFERENT = Verdict.SAME, Verdict.DIFFERENT


def answers_with_mistakes(n_items: int, n_answers: int, seed: int) -> list[Answer]:
    """Return answers about random pairs of four groups, every tenth wrong."""
    draw = random.Random(seed)
    said = []
    for k in range(n_answers):
        i, j = draw.sample(range(n_items), 2)
        said.append(Answer(k, Pair(i, j), Verdict.of((i % 4 == j % 4) != (draw.random() < 0.1))))
    return said


def shortest(answers: list[Answer], start: int, goal: int, differ: bool) -> int:
    """Return the length of the shortest proof, breadth first over all answers, by the book."""
    far = {(start, False): 0}
    queue = deque(far)
    while queue:
        item, used = queue.popleft()
        for one in answers:
            if item in one.pair and not (used and one.verdict is DIFFERENT):
                there = sum(one.pair) - item, used or one.verdict is DIFFERENT
                if there not in far:
                    far[there] = far[item, used] + 1
                    queue.append(there)
    return far[goal, differ]


@pytest.mark.parametrize("seed", range(5))
def test_every_chain_is_as_short_as_the_search_by_the_book_finds(seed: int) -> None:
    said = answers_with_mistakes(40, 150, seed)
    known = Constraints.of(40, said)
    disputed = {answer.id for answer in known.disputed}
    found = known.disputes()
    assert len(found) == known.n_disputes > 5
    for dispute in found:
        earlier = [a for a in said[: dispute.answer.id] if a.id not in disputed]
        differ = dispute.answer.verdict is SAME
        assert set(dispute.chain) <= set(earlier)
        assert len(dispute.chain) == shortest(earlier, *dispute.answer.pair, differ)


def test_an_explanation_stays_as_it_is_whatever_is_answered_later() -> None:
    said = answers_with_mistakes(40, 150, 0)
    at_once = Constraints.of(40, said).disputes()
    known, one_by_one = Constraints(40), []
    for answer in said:
        if not known.add(answer):
            one_by_one.append(known.disputes()[-1])
    assert known.disputes() == one_by_one
    assert [len(one.chain) for one in one_by_one] == [len(one.chain) for one in at_once]


def test_disputes_are_counted_without_explaining_any_and_explained_once() -> None:
    known = Constraints.of(40, answers_with_mistakes(40, 150, 1))
    work, n = known._explanations, known.n_disputes
    assert n == len(known.disputed) > 5
    assert work.n_explained == 0
    for _ in range(3):
        known.disputes()
    assert work.n_explained == n
    (i, j), wrong = known.must_link[0].tolist(), DIFFERENT
    assert not known.add(Answer(150, Pair(i, j), wrong))
    assert len(known.disputes()) == n + 1
    assert work.n_explained == n + 1


def test_only_the_disputes_that_are_asked_for_are_explained() -> None:
    said = answers_with_mistakes(40, 150, 1)
    known = Constraints.of(40, said)
    work = known._explanations
    last = known.disputes(known.n_disputes - 2)
    assert (len(last), work.n_explained) == (2, 2)
    first = known.disputes(limit=3)
    assert (len(first), work.n_explained) == (3, 5)
    whole = known.disputes()
    assert (whole[:3], whole[-2:]) == (first, last)
    assert work.n_explained == known.n_disputes == len(whole)
    while len(known.disputed) > 4:  # what is left stays explained, what has gone is forgotten
        known.pop()
    assert known.disputes() == whole[:4]
    assert known.disputes(2, 10) == whole[2:4]


@pytest.mark.parametrize("n_groups", [None, 4])
def test_what_is_taken_back_is_not_explained_by(n_groups: int | None) -> None:
    said = answers_with_mistakes(30, 200, 2)
    known = Constraints.of(30, said, n_groups)
    while known.answers:
        for _ in range(min(17, len(known.answers))):
            known.pop()
        fresh = Constraints.of(30, said[: len(known.answers)], n_groups)
        assert [one.answer for one in known.disputes()] == [one.answer for one in fresh.disputes()]
        assert all(set(one.chain) <= set(known.answers) for one in known.disputes())
    assert known.n_disputes == 0


def test_proofs_are_looked_for_near_the_items_not_everywhere() -> None:
    # All items in one row: what is far from a dispute has nothing to do with it.
    n = 10_000
    said = [Answer(k, Pair(k, k + 1), SAME) for k in range(n - 1)]
    said += [Answer(n + k, Pair(10 * k, 10 * k + 2), DIFFERENT) for k in range(100)]
    known = Constraints.of(n, said)
    assert [len(one.chain) for one in known.disputes()] == [2] * 100
    assert known._explanations.n_looked_at <= 100 * 8
