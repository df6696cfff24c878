"""A hundred thousand answers over ten thousand items: opening, the first question, the next.

Run with `python -m benchmarks many_answers`. Reading the lines of the same file as JSON, in the
same run, is the yardstick.
"""

from __future__ import annotations

import json
import tempfile
from pathlib import Path
from time import process_time

import numpy as np
import numpy.typing as npt

from benchmarks.tables import markdown, write_table
from likewise.items import Items
from likewise.journal import Answered, Opened
from likewise.journal.pairs import Answer, Pair, Verdict
from likewise.stores import JsonLinesStore
from likewise.study import Study

N_ITEMS, N_GROUPS = 10_000, 50
METHODS = ("random-items", "urasc")


def write_journal(
    path: Path, X: npt.NDArray[np.float64], y: npt.NDArray[np.int64], method: str, n_answers: int
) -> None:
    """Write the journal of a study with true answers about random pairs."""
    store = JsonLinesStore(path)
    store.append([Opened(len(X), Items.of(X).fingerprint(), method, None, 0)])
    pairs = np.random.default_rng(0).integers(len(X), size=(n_answers, 2))
    pairs = pairs[pairs[:, 0] != pairs[:, 1]].tolist()
    said = [Answer(k, Pair(i, j), Verdict.of(bool(y[i] == y[j]))) for k, (i, j) in enumerate(pairs)]
    store.append([Answered(answer) for answer in said])


def measure(method: str, n_answers: int) -> list[str]:
    """Return a row of the table."""
    rng = np.random.default_rng(0)
    y = rng.integers(N_GROUPS, size=N_ITEMS)
    X = rng.normal(size=(N_ITEMS, 8)) + 8 * rng.normal(size=(N_GROUPS, 8))[y]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "pile.likewise.jsonl"
        write_journal(path, X, y, method, n_answers)
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
        i, j = question.pair
        study.tell(question, bool(y[i] == y[j]))
        study.ask()
        moments.append(process_time())
    opened, first, later = np.diff(moments)
    seconds = [f"{value:.2f}" for value in (opened, first, later)]
    return [method, f"{n_answers:,}", *seconds, f"{opened / yardstick:.1f}"]


def main() -> None:
    """Measure ten and a hundred thousand answers."""
    header = [
        "method", "answers", "open, s", "first question, s", "tell and next, s",
        "opening, times reading the lines as JSON",
    ]  # fmt: skip
    sizes = (10_000, 100_000)
    rows = [measure(method, n_answers) for method in METHODS for n_answers in sizes]
    write_table("many_answers", markdown(header, rows))
