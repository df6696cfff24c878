"""A hundred thousand answers over ten thousand items: opening, the first question, the next.

    python -m benchmarks.speed.many_answers [METHOD ANSWERS]

Each row is measured in a process of its own, so the first question includes whatever is imported or
loaded for it. Reading the lines of the same file as JSON, in the same run, is the yardstick. With a
method and a number named, only these rows are measured again.
"""

from __future__ import annotations

import json
import resource
import sys
import tempfile
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from time import process_time

import numpy as np
import numpy.typing as npt

from benchmarks.tables import keep_row
from likewise.items import Items
from likewise.journal import Answered, Opened
from likewise.journal.pairs import Answer, Pair, Verdict
from likewise.stores import JsonLinesStore
from likewise.study import Study

N_ITEMS, N_GROUPS = 10_000, 50
METHODS = ("random-items", "urasc", "auto")
KINDS = ("random pairs", "placing")
_MOST_ASKED = 20  # known groups that an item is asked against before its own, at most

Labels = npt.NDArray[np.int64]


def random_pairs(y: Labels) -> Iterator[tuple[int, int]]:
    """Yield any two items."""
    rng = np.random.default_rng(0)
    while True:
        i, j = rng.integers(len(y), size=2).tolist()
        if i != j:
            yield i, j


def placing(y: Labels) -> Iterator[tuple[int, int]]:
    """Yield item after item against some of the groups found so far, its own the last."""
    rng = np.random.default_rng(1)
    first: dict[int, int] = {}  # the first item of each group
    for item in rng.permutation(len(y)).tolist():
        others = rng.permutation([other for group, other in first.items() if group != y[item]])
        n_asked = int(rng.integers(_MOST_ASKED)) if y[item] in first else len(others)
        yield from ((item, other) for other in others[:n_asked].tolist())
        if y[item] in first:
            yield item, first[y[item]]
        first.setdefault(int(y[item]), item)


def write_journal(
    path: Path, X: npt.NDArray[np.float64], y: Labels, method: str, kind: str, n_answers: int
) -> None:
    """Write the journal of a study with true answers."""
    store = JsonLinesStore(path)
    store.append([Opened(len(X), Items.of(X).fingerprint(), method, None, 0)])
    pairs = random_pairs(y) if kind == "random pairs" else placing(y)
    said = [
        Answer(k, Pair(i, j), Verdict.of(bool(y[i] == y[j])))
        for k, (i, j) in zip(range(n_answers), pairs, strict=False)
    ]
    store.append([Answered(answer) for answer in said])


def measure(method: str, kind: str, n_answers: int) -> list[str]:
    """Return a row of the table."""
    rng = np.random.default_rng(0)
    y = rng.integers(N_GROUPS, size=N_ITEMS)
    X = rng.normal(size=(N_ITEMS, 8)) + 8 * rng.normal(size=(N_GROUPS, 8))[y]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "pile.likewise.jsonl"
        write_journal(path, X, y, method, kind, n_answers)
        began = process_time()
        for line in path.read_bytes().splitlines():
            json.loads(line)
        yardstick = process_time() - began
        moments = [process_time()]
        study = Study.open(path, X)
        moments.append(process_time())
        question = study.ask()
        moments.append(process_time())
        assert question is not None
        for _ in range(4):
            i, j = question.pair
            study.tell(question, bool(y[i] == y[j]))
            question = study.ask()
            assert question is not None
        moments.append(process_time())
    opened, first, later = np.diff(moments)
    seconds = [f"{value:.2f}" for value in (opened, first, later / 4)]
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6
    row = [method, kind, f"{n_answers:,}", *seconds, f"{opened / yardstick:.1f}"]
    return [*row, f"{memory:.2f}"]


def main(words: Sequence[str] = ()) -> None:
    """Measure ten and a hundred thousand answers."""
    header = [
        "method", "answers about", "answers", "open, s", "first question, s", "tell and next, s",
        "opening, times reading the lines as JSON", "memory, GB",
    ]  # fmt: skip
    methods, sizes = (words[0],) if words else METHODS, [int(word) for word in words[1:]]
    for method in methods:
        for kind in KINDS if method == "auto" else KINDS[:1]:
            for n_answers in sizes or (10_000, 100_000):
                with ProcessPoolExecutor(1) as process:
                    row = process.submit(measure, method, kind, n_answers).result()
                keep_row("many_answers", header, row, 3)


if __name__ == "__main__":
    main(sys.argv[1:])
