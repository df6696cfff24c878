"""What questions of `auto` were expected to put right, beside what their answers did.

Run with `python -m benchmarks auto_gains`; LIKEWISE_DATA names the data folder. The number of
groups is unknown, answers are right. An item is right if its group is matched to its kind, one to
one and as well as can be; what an answer put right is how many more are right after it than before.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise, product
from typing import Any

import numpy as np
import pandas as pd

import likewise as lw
from benchmarks.methods.auto_parts import PILES, SETS, drawn
from benchmarks.rows import kept_rows
from benchmarks.tables import markdown, write_table
from likewise.auto import Committee, ExpectedGain
from likewise.bench.experiment import Task

QUESTIONS = 200
GROUPS, ITEM, GOING_ON = (
    "are two groups one?",
    "where does an item belong?",
    "and on with that item",
)
EDGES = (0.0, 0.5, 1.0, 2.0, 5.0, np.inf)  # of the gains that are counted together


def told_gains(study: lw.Study) -> Mapping[lw.Pair, tuple[str, float]]:
    """Return the kind and the expected gain of whatever may be asked next."""
    view, asks = study.view, ExpectedGain()
    committee = view.clustering
    assert isinstance(committee, Committee)
    n = len(study.items)
    kinds = {
        GROUPS: asks.merges(view, committee, n),
        ITEM: asks.placements(view, committee, 1),
    }
    return {pair: (kind, gain) for kind, found in kinds.items() for gain, pair in found}


def run(data: str, seed: int) -> dict[str, Any]:
    """Return, by kind of question and range of gains, how many were asked, told and put right."""
    X, kinds = drawn(data, seed)
    study = lw.Study(X, random_state=seed)
    n = len(kinds)
    right = n * (1 - lw.metrics.misclustering_error(kinds, study.labels_))
    asked = []
    for _ in range(QUESTIONS):
        told = told_gains(study)
        question = study.ask()
        if question is None:
            break
        committee = study.clustering_
        kind, gain = told.get(question.pair, (GOING_ON, np.nan))
        if kind == GOING_ON:
            item = question.pair.i
            gain = float(ExpectedGain().placing_gain(study.view, committee)[0, item])
        i, j = question.pair
        study.tell(question, bool(kinds[i] == kinds[j]))
        now = n * (1 - lw.metrics.misclustering_error(kinds, study.labels_))
        asked.append((kind, gain, now - right))
        right = now
    frame = pd.DataFrame(asked, columns=["kind", "told", "came"])
    frame["from"] = np.searchsorted(EDGES, frame["told"], side="right") - 1
    return {
        f"{name} {kind} {at}": float(value)
        for (kind, at), part in frame.groupby(["kind", "from"])
        for name, value in (
            ("asked", len(part)),
            ("told", part["told"].sum()),
            ("came", part["came"].sum()),
        )
    }


def task_of(data: str, seed: int) -> Task:
    """Return the run as a task of the bench."""
    return Task("auto", data, seed, (QUESTIONS,))


def main() -> None:
    """Write a line per kind of question: what was told and what came, by range of gains."""
    keys = [{"data": data, "seed": seed} for data, seed in product((*PILES, *SETS), (0,))]
    write_table("auto_gains", table(kept_rows("auto_gains", keys, run, task_of, n_jobs=-1)))


def table(found: pd.DataFrame) -> str:
    """Return a line per kind of question, of all piles together."""
    sums = found.fillna(0.0).sum(numeric_only=True)
    lines = []
    for kind in (GROUPS, ITEM, GOING_ON):
        cells, total = [], np.zeros(3)
        for at in range(len(EDGES) - 1):
            counts = np.array(
                [sums.get(f"{what} {kind} {at}", 0.0) for what in ("asked", "told", "came")]
            )
            total += counts
            cells.append(_cell(counts))
        lines.append([kind, _cell(total), *cells])
    heads = [
        f"{low:g} to {high:g}" if high < np.inf else f"{low:g} or more"
        for low, high in pairwise(EDGES)
    ]
    return markdown(["question", "all", *heads], lines)


def _cell(counts: Any) -> str:
    """Return means of what was told and what came, and of how many questions."""
    asked, told, came = counts
    return f"{told / asked:.1f}, {came / asked:.1f} ({asked:.0f})" if asked else "–"
