"""Wrong answers: the default method beside others, at twice the questions it takes without any.

Run with `python -m benchmarks auto_wrong`; LIKEWISE_DATA names the folder with the CSV files. The
number of groups is unknown. Whoever errs is asked a second time where most depends on it, whatever
the method, and verification questions count like any question.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from itertools import product
from pathlib import Path

import numpy as np
import pandas as pd

import likewise as lw
from benchmarks.methods.auto_piles import table
from benchmarks.rows import kept_rows
from benchmarks.tables import markdown, write_table
from likewise.bench.experiment import Task

LOOKED_AT = ("iris", "wine", "parkinsons", "segmentation_train210", "shuttle_sample400")
NOT_LOOKED_AT = ("breast_cancer_wdbc", "ionosphere", "sonar", "balance_scale", "urban_land_cover")
OTHERS = ("cobra", "urasc", "random-items")
WRONG, SEEDS = (0.05, 0.15), 2
# Where another method came near `auto` or above it in two draws: these two methods have more.
CLOSE, MORE_SEEDS = ("shuttle_sample400", "ionosphere", "sonar", "balance_scale"), 6
N_CLEAN, MOST = 100, 300
CHECKPOINTS = tuple(range(0, 2 * N_CLEAN + 1, 20))


def area(data: str, method: str, wrong: float, doubt: str, seed: int) -> dict[str, float]:
    """Return the mean height of the curve: to 200 questions, or to 100 where answers are right."""
    items, kinds = table(data, Path(os.environ["LIKEWISE_DATA"]), seed)
    rows = np.arange(min(MOST, len(items)))  # they come in random order
    features, kinds = np.asarray(items.features)[rows], kinds[rows]
    last = 2 * N_CLEAN if wrong else N_CLEAN
    result = lw.run(
        features,
        lw.oracles.Noisy(kinds, wrong, seed) if wrong else lw.oracles.FromLabels(kinds),
        method=method,
        budget=last,
        checkpoints=[at for at in CHECKPOINTS if at <= last],
        random_state=seed,
        doubt=doubt,
    )
    at = np.linspace(0, last, last + 1)
    return {"area": float(np.interp(at, result.curve.questions, result.curve.ari).mean())}


def task_of(data: str, method: str, wrong: float, doubt: str, seed: int) -> Task:
    """Return the run as a task of the bench."""
    return Task(method, data, seed, CHECKPOINTS, noise=wrong, doubt=doubt)


def main() -> None:
    """Write the table of areas."""
    keys = [
        {"seed": seed, "data": data, "method": method, "wrong": wrong, "doubt": doubt}
        for seed, data in product(range(SEEDS), (*LOOKED_AT, *NOT_LOOKED_AT))
        for method, wrong, doubt in (
            ("auto", 0.0, "keep"),
            *(
                ("auto", wrong, doubt)
                for wrong in WRONG
                for doubt in ("verify", "surprise", "keep")
            ),
            *((method, wrong, "verify") for wrong in WRONG for method in OTHERS),
        )
    ]
    keys += [
        {"seed": seed, "data": data, "method": method, "wrong": WRONG[-1], "doubt": "verify"}
        for seed, data in product(range(SEEDS, MORE_SEEDS), CLOSE)
        for method in ("auto", OTHERS[0])
    ]
    rows = kept_rows("auto_wrong", keys, area, task_of, n_jobs=-1)
    write_table("auto_wrong", areas(rows[rows["seed"] < SEEDS]))
    write_table("auto_wrong_close", differences(rows))


def differences(rows: pd.DataFrame) -> str:
    """Return a line per set on which two are close: both, and their difference draw by draw."""
    asked_again = rows[(rows["doubt"] == "verify") & (rows["wrong"] == WRONG[-1])]
    lines = []
    for data in CLOSE:
        part = asked_again[asked_again["data"] == data]
        both = part.pivot(index="seed", columns="method", values="area")[["auto", OTHERS[0]]]
        both = both.dropna()
        ahead = (both["auto"] - both[OTHERS[0]]).to_numpy(dtype=np.float64)
        error = ahead.std(ddof=1) / np.sqrt(len(ahead))
        shown = [f"{both[name].mean():.3f}" for name in ("auto", OTHERS[0])]
        lines.append([data, str(len(ahead)), *shown, f"{ahead.mean():+.3f} ± {error:.3f}"])
    return markdown([f"{WRONG[-1]:.0%} wrong", "draws", "auto", OTHERS[0], "ahead"], lines)


def areas(rows: pd.DataFrame) -> str:
    """Return a line per set and share of wrong answers, and means."""
    shown = [("auto", doubt) for doubt in ("verify", "surprise", "keep")]
    shown += [(method, "verify") for method in OTHERS]

    def mean(sets: Sequence[str], wrong: float, method: str, doubt: str) -> float:
        chosen = rows[(rows.wrong == wrong) & (rows.method == method) & (rows.doubt == doubt)]
        return float(np.mean([chosen[chosen.data == data].area.mean() for data in sets]))

    lines = []
    for wrong, (label, sets) in product(
        WRONG, (("", LOOKED_AT), (" (not looked at)", NOT_LOOKED_AT))
    ):
        for name, these in (*((data, (data,)) for data in sets), ("mean", sets)):
            right = mean(these, 0.0, "auto", "keep")
            found = [mean(these, wrong, *one) for one in shown]
            cells = [f"{area:.3f}" for area in (right, *found)]
            lines.append([f"{wrong:.0%}", name + label, *cells, f"{found[0] / right:.2f}"])
    heads = ["auto", "auto, surprise", "auto, as told", *OTHERS]
    return markdown(["wrong", "set", "auto, none wrong", *heads, "share of it"], lines)
