"""Many contradictions: what it costs to count and to explain them.

Run with `python -m benchmarks disputes`. One breadth-first search through all answers per dispute,
in the same run, is the yardstick.
"""

from __future__ import annotations

import random
from collections import defaultdict, deque
from time import process_time

from benchmarks.tables import markdown, write_table
from likewise.journal.constraints import Constraints
from likewise.journal.disputes import Dispute
from likewise.journal.pairs import Answer, Pair, Verdict

SAMPLE = 20  # disputes that the yardstick explains
_Place = tuple[int, bool]


def answers(n_items: int, n_answers: int, n_groups: int, share_wrong: float) -> list[Answer]:
    """Return items held against the first of a group each, some of them wrongly."""
    draw = random.Random(0)
    said = []
    for k in range(n_answers):
        i, j = draw.randrange(n_groups, n_items), draw.randrange(n_groups)
        wrong = draw.random() < share_wrong
        said.append(Answer(k, Pair(i, j), Verdict.of((i % n_groups == j) != wrong)))
    return said


def search(said: list[Answer], disputed: Answer, idle: set[int]) -> int:
    """Return the length of the shortest proof against an answer, through all earlier ones."""
    touching: dict[int, list[tuple[int, bool]]] = defaultdict(list)
    for one in said[: disputed.id]:
        if one.id not in idle:
            differ = one.verdict is Verdict.DIFFERENT
            touching[one.pair.i].append((one.pair.j, differ))
            touching[one.pair.j].append((one.pair.i, differ))
    goal = disputed.pair.j, disputed.verdict is Verdict.SAME
    far: dict[_Place, int] = {(disputed.pair.i, False): 0}
    queue = deque(far)
    while goal not in far:
        item, used = here = queue.popleft()
        for other, differ in touching[item]:
            there = other, used or differ
            if there not in far and not (used and differ):
                far[there] = far[here] + 1
                queue.append(there)
    return far[goal]


def measure(n_items: int, n_answers: int, share_wrong: float) -> list[str]:
    """Return a row of the table."""
    said = answers(n_items, n_answers, n_groups=50, share_wrong=share_wrong)
    known = Constraints.of(n_items, said)
    began = process_time()
    n_disputes = known.n_disputes
    counted = process_time() - began
    found, explained = timed_disputes(known)
    _, again = timed_disputes(known)
    idle = {answer.id for answer in known.disputed}
    began = process_time()
    for dispute in found[-SAMPLE:]:
        assert search(said, dispute.answer, idle) == len(dispute.chain)
    one = (process_time() - began) / SAMPLE
    return [
        f"{n_answers:,}", f"{n_disputes:,}", f"{counted * 1e6:.0f}", f"{explained:.2f}",
        f"{again * 1e6:.0f}", f"{one * n_disputes / explained:.0f}",
    ]  # fmt: skip


def timed_disputes(known: Constraints) -> tuple[list[Dispute], float]:
    """Return all disputes and the seconds that it took."""
    began = process_time()
    return list(known.disputes()), process_time() - began


def main() -> None:
    """Measure some hundred and some thousand disputes."""
    header = [
        "answers", "disputes", "count, µs", "explain all, s", "again, µs",
        "a search through all answers each, times as long",
    ]  # fmt: skip
    sizes = ((1_000, 5_000, 0.1), (2_000, 20_000, 0.1), (10_000, 100_000, 0.02))
    write_table("disputes", markdown(header, [measure(*size) for size in sizes]))
