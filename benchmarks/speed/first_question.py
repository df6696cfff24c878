"""How long a folder of photographs makes a person wait for the first question.

Run with `python -m benchmarks first_question`; LIKEWISE_DATA/photographs/ holds photographs, in
folders or not, of which so many are taken as there shall be. Nothing is in the cache. "sample" is
what `likewise start` does: the first question is about some of them, and the others are read
meanwhile; "whole" is what waits for all. Processor seconds are of all cores together, without
loading the program.
"""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from resource import RUSAGE_CHILDREN, RUSAGE_SELF, getrusage
from time import perf_counter

import numpy as np

from benchmarks.quality.piles import empty_cache
from benchmarks.tables import keep_row
from likewise.piles import begin_study, read_pile

NUMBERS = (400, 5000)
HEADER = (
    *("photographs", "read", "processor seconds: reading", "the first question"),
    *("all", "wall seconds", "ms per photograph read"),
)


def processor_seconds() -> float:
    """Return what this program and those that it started have used."""
    used = (getrusage(RUSAGE_SELF), getrusage(RUSAGE_CHILDREN))
    return sum(one.ru_utime + one.ru_stime for one in used)


def measured(folder: Path, *, quick: bool) -> tuple[int, float, float, float]:
    """Return how many are read, processor seconds of that and of the question, and wall seconds."""
    with empty_cache():
        began, at = perf_counter(), processor_seconds()
        pile = read_pile(folder, quick=quick)
        read = processor_seconds()
        begin_study(pile, None).ask()
        return len(pile.items), read - at, processor_seconds() - read, perf_counter() - began


def main() -> None:
    """Write a line for each number of photographs and kind of features."""
    files = (Path(os.environ["LIKEWISE_DATA"]) / "photographs").rglob("*.jpg")
    there = sorted(path.resolve() for path in files)
    np.random.default_rng(0).shuffle(there)
    for number in NUMBERS:
        with tempfile.TemporaryDirectory() as scratch:
            for at, path in enumerate(there[:number]):
                os.link(path, Path(scratch) / f"{at}.jpg")
            for quick in (True, False):
                n_read, reading, question, wall = measured(Path(scratch), quick=quick)
                found = (reading, question, reading + question, wall)
                kind = "sample" if quick else "whole"
                each = f"{1000 * reading / n_read:.1f}"
                cells = [str(min(number, len(there))), kind, *(f"{one:.1f}" for one in found), each]
                keep_row("first_question", HEADER, cells, named_by=2)
