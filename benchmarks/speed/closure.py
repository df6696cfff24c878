"""A million answers over a million items: what inference costs.

Run with `python -m benchmarks closure`. Bare union–find over the same "same" answers, in the same
run, is the yardstick.
"""

from __future__ import annotations

import random
from time import perf_counter

from benchmarks.tables import markdown, write_table
from likewise.journal.constraints import Constraints
from likewise.journal.pairs import Answer, Pair, Verdict

N = 1_000_000
SAMPLE = 10_000  # look-ups and retractions timed


def answers(n: int, n_groups: int) -> list[Answer]:
    """Return half of them items placed in their group, half random pairs; all true."""
    draw = random.Random(0)
    truth = [draw.randrange(n_groups) for _ in range(n)]
    head: dict[int, int] = {}
    said = []
    for k in range(n):
        i = draw.randrange(n)
        j = head.setdefault(truth[i], i) if k % 2 else draw.randrange(n)
        if i == j:
            j = (i + 1) % n
        verdict = Verdict.SAME if truth[i] == truth[j] else Verdict.DIFFERENT
        said.append(Answer(k, Pair(i, j), verdict))
    return said


def bare_union_find(said: list[Answer], n: int) -> float:
    """Return seconds of the simplest union–find there is, on the answers "same"."""
    began = perf_counter()
    parent = list(range(n))
    for answer in said:
        if answer.verdict is Verdict.SAME:
            i, j = answer.pair
            while parent[i] != i:
                parent[i] = parent[parent[i]]
                i = parent[i]
            while parent[j] != j:
                parent[j] = parent[parent[j]]
                j = parent[j]
            parent[i] = j
    return perf_counter() - began


def measure(n: int) -> list[str]:
    """Return a row of the table."""
    said = answers(n, n_groups=1000)
    bare = bare_union_find(said, n)
    known = Constraints(n)
    began = perf_counter()
    for answer in said:
        known.add(answer)
    added = perf_counter() - began
    began = perf_counter()
    for answer in said[:SAMPLE]:
        known.implied(*answer.pair)
    implied = (perf_counter() - began) / SAMPLE
    began = perf_counter()
    for _ in range(SAMPLE):
        known.pop()
    popped = (perf_counter() - began) / SAMPLE
    return [
        f"{n:,}",
        f"{added:.1f}",
        f"{added / n * 1e6:.1f}",
        f"{added / bare:.1f}",
        f"{implied * 1e6:.2f}",
        f"{popped * 1e6:.2f}",
    ]


def main() -> None:
    """Measure ten thousand, a hundred thousand and a million answers."""
    header = [
        "answers = items", "add all, s", "add one, µs", "ratio to bare union–find",
        "look up one, µs", "take back one, µs",
    ]  # fmt: skip
    write_table("closure", markdown(header, [measure(n) for n in (N // 100, N // 10, N)]))
