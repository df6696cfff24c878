"""Every pile in LIKEWISE_DATA started as a user would, answered 50 times and labelled.

Run with `python -m benchmarks piles`.
LIKEWISE_DATA names the folder with CSV files (the truth in their last column, `label`) and
`images/<set>/<class>/`. The seconds of reading are with an empty cache of features ("again": with
a full one), and depend on the machine; compare them within the table.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter

import numpy as np
import pandas as pd

from benchmarks.rows import show_progress
from benchmarks.tables import markdown, write_table
from likewise.cli.commands.results.labels import labelled_items, to_csv
from likewise.cli.pile_source import PileSource
from likewise.metrics import ari
from likewise.piles import Pile, begin_study
from likewise.study import Study

ANSWERS = 50
TEXTS = ("banking77", "newsgroups20_2000", "nova_like", "stackoverflow_titles")
AS_VECTORS = "olivetti_faces"  # also read from a file of numpy's
HEADER = (
    *("pile", "kind", "items", "copies", "read (s)", "items/s", "again (s)"),
    *("first question (s)", "50 answers (s)", "ARI at 0", "ARI at 50"),
)


@dataclass(frozen=True)
class Task:
    """A pile with the truth about its items, by id."""

    name: str
    source: PileSource
    truth: Mapping[str, str]


def tasks(data: Path, scratch: Path) -> Iterator[Task]:
    """Yield all piles: pictures, then files, the small ones first."""
    for folder in sorted((data / "images").iterdir()):
        if folder.is_dir():
            files = [path.relative_to(folder) for path in folder.rglob("*") if path.is_file()]
            truth = {path.as_posix(): path.parts[0] for path in files}
            yield Task(folder.name, PileSource(folder), truth)
    for path in sorted(data.glob("*.csv"), key=lambda path: path.stat().st_size):
        table = pd.read_csv(path, dtype=str)
        named = next((c for c in map(str, table) if c.lower() == "id" and table[c].is_unique), None)
        ids = table[named] if named else map(str, range(len(table)))
        truth = dict(zip(ids, table["label"], strict=True))
        text = "text" if path.stem in TEXTS else None
        yield Task(path.stem, PileSource(path, drop=("label",), text=text), truth)
        if path.stem == AS_VECTORS:
            array = scratch / f"{path.stem}.npy"
            np.save(array, table.drop(columns="label").to_numpy(dtype=np.float64))
            yield Task(f"{path.stem} (npy)", PileSource(array), truth)


def measure(task: Task) -> list[str]:
    """Return one row of the table."""
    with empty_cache():
        began = perf_counter()
        pile = task.source.read()
        reading = perf_counter() - began
        began = perf_counter()
        task.source.read()
        again = perf_counter() - began
    began = perf_counter()
    study = begin_study(pile, None)
    study.ask()
    first = perf_counter() - began
    before = agreement(study, pile, task)
    began = perf_counter()
    for _ in range(ANSWERS):
        question = study.ask()
        if question is None:
            break
        one, other = (task.truth[pile.items.ids[k]] for k in question.pair)
        study.tell(question, one == other)
    answering = perf_counter() - began
    n_copies = sum(map(len, pile.items.copies.values()))
    return [
        *(task.name, pile.noun, f"{len(pile.items)}", f"{n_copies}"),
        *(f"{reading:.1f}", f"{len(pile.items) / reading:.0f}", f"{again:.1f}"),
        *(f"{first:.1f}", f"{answering:.1f}"),
        *(f"{before:.2f}", f"{agreement(study, pile, task):.2f}"),
    ]


def agreement(study: Study, pile: Pile, task: Task) -> float:
    """Return ARI of the exported labels with the truth, over every original item."""
    labelled = labelled_items(study, pile.items)
    assert to_csv(labelled).count("\n") == len(labelled) + 1
    truth = np.unique([task.truth[row.id] for row in labelled], return_inverse=True)[1]
    return ari(truth, np.array([row.group for row in labelled]))


@contextmanager
def empty_cache() -> Iterator[None]:
    """Let features be computed anew inside the with-block."""
    before = os.environ.get("LIKEWISE_CACHE")
    with tempfile.TemporaryDirectory() as folder:
        os.environ["LIKEWISE_CACHE"] = folder
        try:
            yield
        finally:
            os.environ.pop("LIKEWISE_CACHE")
            if before is not None:
                os.environ["LIKEWISE_CACHE"] = before


def main() -> None:
    """Write a row per pile, written as they come."""
    data = Path(os.environ["LIKEWISE_DATA"])
    table: list[list[str]] = []
    with tempfile.TemporaryDirectory() as scratch:
        for task in tasks(data, Path(scratch)):
            table.append(measure(task))
            write_table("piles", markdown(HEADER, table))
            show_progress()
