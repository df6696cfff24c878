"""Duplicates: `auto` on tables of records, beside dedupe and splink.

Run with `python -m benchmarks records`; LIKEWISE_DATA names the folder with restaurants.csv. What
`auto` is set to was chosen with an eye on restaurants and on other draws of the generated people
and publications, so no pile is of a kind that was not looked at. Answers are right; dedupe and
splink get environments of their own.
"""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import tempfile
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

import likewise as lw
from benchmarks.rows import kept_rows
from benchmarks.tables import markdown, write_table
from likewise.bench.experiment import Task
from likewise.bench.peers.environments import ensure_environment

PILES = ("restaurants", "people", "publications", "rough publications")
TOOLS = ("auto", "dedupe", "splink")
CHECKPOINTS = (0, 10, 25, 50, 100)
SEEDS = 2
N_ENTITIES = 300
# dedupe needs a BTrees that still has `byValue`, splink a sqlglot that names columns as then.
REQUIREMENTS = {
    "dedupe": ("dedupe==3.0.3", "BTrees<6", "pandas"),
    "splink": ("splink==4.0.6", "sqlglot<26", "pandas"),
}
ROUGH = lw.datasets.Slips(typo=0.5, swap=0.2, shorten=0.3, gap=0.15, other=0.15)
_HERE = Path(__file__).parent / "record_peers"
Labels = npt.NDArray[np.int64]


def table(pile: str, seed: int) -> tuple[pd.DataFrame, Labels]:
    """Return the rows of a pile, in random order, and which thing each is about."""
    if pile == "restaurants":
        path = Path(os.environ["LIKEWISE_DATA"]) / "restaurants.csv"
        rows = pd.read_csv(path).sample(frac=1.0, random_state=seed, ignore_index=True)
        return rows.drop(columns="label"), np.unique(rows["label"], return_inverse=True)[1]
    draw = lw.datasets.people if pile == "people" else lw.datasets.bibliography
    slips = ROUGH if pile.startswith("rough") else None
    return draw(n_entities=N_ENTITIES, random_state=1000 + seed, slips=slips)


def pairwise_f1(labels: Labels, truth: Labels) -> float:
    """Return the harmonic mean of precision and recall of pairs."""

    def n_pairs(groups: Labels) -> int:
        sizes = np.unique(groups, return_counts=True)[1]
        return int((sizes * (sizes - 1) // 2).sum())

    both = n_pairs(labels * (int(truth.max()) + 1) + truth)
    return 2 * both / max(n_pairs(labels) + n_pairs(truth), 1)


def curve(pile: str, tool: str, seed: int) -> dict[str, float]:
    """Return the F1 after each number of answers; nan where a tool has no groups."""
    rows, truth = table(pile, seed)
    labels = dict(_of_auto(rows, truth, seed) if tool == "auto" else _of_peer(tool, rows, truth))
    return {
        str(at): pairwise_f1(np.asarray(labels[at]), truth) if at in labels else float("nan")
        for at in CHECKPOINTS
    }


def _of_auto(rows: pd.DataFrame, truth: Labels, seed: int) -> Iterator[tuple[int, Any]]:
    study = lw.Study(rows, random_state=seed)
    for asked in range(CHECKPOINTS[-1] + 1):
        if asked in CHECKPOINTS:
            yield asked, study.labels_
        question = study.ask()
        if question is not None:
            i, j = question.pair
            study.tell(question, bool(truth[i] == truth[j]))


def _of_peer(tool: str, rows: pd.DataFrame, truth: Labels) -> Iterator[tuple[int, Any]]:
    python = ensure_environment(tool, REQUIREMENTS[tool])
    with tempfile.TemporaryDirectory() as scratch:
        path = Path(scratch) / "rows.csv"
        rows.assign(label=truth).to_csv(path, index=False)
        asked = ",".join(map(str, CHECKPOINTS[1:]))
        command = [str(python), str(_HERE / f"run_{tool}.py"), str(path), asked]
        said = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    yield from ((int(at), labels) for at, labels in json.loads(said).items())


def task_of(pile: str, tool: str, seed: int) -> Task:
    """Return the run as a task of the bench; what another tool does hangs on no method of ours."""
    method = "auto" if tool == "auto" else "random"
    return Task(method, f"{pile} by {tool}", seed, CHECKPOINTS)


def hash_of(pile: str, tool: str, seed: int) -> str:
    """Return the hash of a pile, with the program and the packages of a tool that is not ours."""
    rows, truth = table(pile, seed)
    said = rows.assign(label=truth).to_csv(index=False)
    if tool != "auto":
        said += (_HERE / f"run_{tool}.py").read_text(encoding="utf-8") + str(REQUIREMENTS[tool])
    return hashlib.sha256(said.encode()).hexdigest()[:16]


def main() -> None:
    """Write the table: pairwise F1 by pile, tool and number of answers."""
    keys = [
        {"pile": pile, "tool": tool, "seed": seed}
        for seed, pile, tool in product(range(SEEDS), PILES, TOOLS)
    ]
    found = kept_rows("records", keys, curve, task_of, hash_of=hash_of)
    means = found.groupby(["pile", "tool"])[list(map(str, CHECKPOINTS))].mean()
    by_key = dict(zip(means.index.tolist(), means.to_numpy().tolist(), strict=True))
    lines = [
        [*key, *("–" if np.isnan(f1) else f"{f1:.3f}" for f1 in by_key[key])]
        for key in product(PILES, TOOLS)
        if key in by_key
    ]
    header = ["pile", "tool", *(f"{at} answers" for at in CHECKPOINTS)]
    write_table("records", markdown(header, lines))


if __name__ == "__main__":
    main()
