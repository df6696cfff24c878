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
from benchmarks.calibration import observed
from benchmarks.rows import kept_rows
from benchmarks.tables import markdown, write_table
from likewise.bench.experiment import Task
from likewise.bench.peers.environments import ensure_environment

METHODS = ("auto", "random-items", "cobra")
TOOLS = (*METHODS, "dedupe", "splink")
CHECKPOINTS = (0, 10, 25, 50, 100, 200, 400)
SEEDS = {"restaurants": 5, "people": 2, "publications": 2, "rough publications": 2}
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
    """Return the F1 after each number of answers, nan where a tool has no groups.

    Of `auto` with what it tells of itself, and what is true.
    """
    rows, truth = table(pile, seed)
    if tool in METHODS:
        return _of_method(tool, rows, truth, seed)
    labels = dict(_of_peer(tool, rows, truth))
    return {
        str(at): pairwise_f1(np.asarray(labels[at]), truth) if at in labels else float("nan")
        for at in CHECKPOINTS
    }


def _of_method(method: str, rows: pd.DataFrame, truth: Labels, seed: int) -> dict[str, float]:
    study = lw.Study(rows, method=method, random_state=seed)
    found: dict[str, float] = {}
    for asked in range(CHECKPOINTS[-1] + 1):
        if asked in CHECKPOINTS:
            found[str(asked)] = pairwise_f1(study.labels_, truth)
        if asked in CHECKPOINTS[1:] and method == METHODS[0]:
            found |= observed(study, truth, asked)
        question = study.ask() if asked < CHECKPOINTS[-1] else None
        if question is not None:  # one that has nothing left to ask stays where it is
            i, j = question.pair
            study.tell(question, bool(truth[i] == truth[j]))
    return found


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
    method = tool if tool in METHODS else "random"
    return Task(method, f"{pile} by {tool}", seed, CHECKPOINTS)


def hash_of(pile: str, tool: str, seed: int) -> str:
    """Return the hash of a pile, with the program and the packages of a tool that is not ours."""
    rows, truth = table(pile, seed)
    said = rows.assign(label=truth).to_csv(index=False)
    if tool not in METHODS:
        said += (_HERE / f"run_{tool}.py").read_text(encoding="utf-8") + str(REQUIREMENTS[tool])
    return hashlib.sha256(said.encode()).hexdigest()[:16]


def main() -> None:
    """Write pairwise F1 by pile and tool, and whether what `auto` tells of itself comes true."""
    keys = [
        {"pile": pile, "tool": tool, "seed": seed}
        for seed in range(max(SEEDS.values()))
        for pile, tool in product(SEEDS, TOOLS)
        if seed < SEEDS[pile]
    ]
    found = kept_rows("records", keys, curve, task_of, hash_of=hash_of)
    write_table("records", f1_table(found))
    write_table("records_told", told_table(found[found["tool"] == METHODS[0]]))


def f1_table(found: pd.DataFrame) -> str:
    """Return a line per pile and tool: F1 after so many answers, with its standard error."""
    columns = list(map(str, CHECKPOINTS))
    lines = []
    for pile, tool in product(SEEDS, TOOLS):
        runs = found.loc[(found["pile"] == pile) & (found["tool"] == tool), columns].to_numpy()
        if len(runs):
            lines.append([pile, tool, str(len(runs)), *(_with_error(f1s) for f1s in runs.T)])
    return markdown(["pile", "tool", "draws", *(f"{at} answers" for at in CHECKPOINTS)], lines)


def _with_error(f1s: npt.NDArray[np.float64]) -> str:
    if np.isnan(f1s).any():
        return "–"
    error = f" ± {f1s.std(ddof=1) / np.sqrt(len(f1s)):.3f}" if len(f1s) > 1 else ""
    return f"{f1s.mean():.3f}{error}"


def told_table(found: pd.DataFrame) -> str:
    """Return a line per pile: the share of rows told and truly right, how often in the interval.

    And how many answers were told to be left.
    """
    lines = []
    for pile in SEEDS:
        part, cells = found[found["pile"] == pile], []
        for at in CHECKPOINTS[1:]:
            told, right, left = (part[f"{what} at {at}"] for what in ("told", "right", "left"))
            inside = (part[f"low at {at}"] <= right) & (right <= part[f"high at {at}"])
            shares = f"{told.mean():.1%}, {right.mean():.1%}"
            cells.append(f"{shares} ({int(inside.sum())} of {len(part)}); {left.mean():.0f}")
        lines.append([pile, *cells])
    header = [f"at {at}: told, right (in the interval); left" for at in CHECKPOINTS[1:]]
    return markdown(["pile", *header], lines)


if __name__ == "__main__":
    main()
