"""How many minutes a pile takes until it is nearly right, by `best` and by hand, as it grows.

Run with `python -m benchmarks minutes_sizes`; LIKEWISE_DATA names the folder with pendigits.csv
and `images/<set>/<class>/`. Simulated persons at the usual pace, always right; by hand every item
is looked at once and a key is pressed. Nearly right is an ARI of .95; a run ends there, or after
as long as it takes by hand.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Mapping
from itertools import count
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

import likewise as lw
from benchmarks import rows
from benchmarks.methods.auto_piles import Labels, pictures
from benchmarks.quality.minutes import by_hand
from benchmarks.rows import kept_rows
from benchmarks.tables import markdown, write_table
from likewise.bench.experiment import Task
from likewise.errors import OracleError
from likewise.journal import Verdict

AIM = 0.95
PHOTOGRAPHS = "rubbish and fruit"
PILES = {
    PHOTOGRAPHS: (400,), "fruits360": (360,), "pendigits": (400, 1000, 4000)
}  # fmt: skip
_FRUIT = ("cherry_1", "lemon", "pear", "apple_red_1")  # four kinds beside six of rubbish: ten


def pile(name: str, n: int) -> tuple[lw.Items, Labels]:
    """Return so many items of a pile, and their kinds."""
    folder = Path(os.environ["LIKEWISE_DATA"])
    if name == PHOTOGRAPHS:
        return _photographs(folder / "images", n)
    if name == "pendigits":
        X, y = lw.datasets.load(name)
        chosen = np.random.default_rng(0).permutation(len(y))[:n]
        return lw.Items.of(X[chosen]), np.asarray(y)[chosen]
    return pictures(name, folder)


def _photographs(images: Path, n: int) -> tuple[lw.Items, Labels]:
    """Return all of four kinds of fruit and, of rubbish, as many of each kind."""
    fruit = [path for kind in _FRUIT for path in sorted((images / "fruits360" / kind).iterdir())]
    by_number = [sorted(kind.iterdir()) for kind in sorted((images / "trashnet").iterdir())]
    rubbish = [path for same in zip(*by_number, strict=False) for path in same]
    with tempfile.TemporaryDirectory() as scratch:
        for path in (*fruit, *rubbish[: n - len(fruit)]):
            kind = Path(scratch) / "images" / path.parent.name
            kind.mkdir(parents=True, exist_ok=True)
            shutil.copy(path, kind)
        return pictures("", Path(scratch))


class UntilRight(lw.oracles.Person):
    """A person who says no more once the groups are nearly right."""

    is_right = False

    def __call__(self, i: int, j: int) -> Verdict:
        if self.is_right:
            raise OracleError(f"the ARI is {AIM}")
        return super().__call__(i, j)

    def look(self, row: Mapping[str, Any]) -> None:
        """See how right the groups are."""
        self.is_right |= row["ari"] >= AIM


def minutes_needed(name: str, n: int) -> dict[str, float]:
    """Return the minutes until the ARI is .95, by `best` and by hand, and the questions."""
    items, kinds = pile(name, n)
    person = UntilRight(kinds)
    hand = next(m for m in count(1) if by_hand(items, kinds, person.pace, m, 0) >= AIM)
    found = lw.run(
        items, person, minutes=float(hand), kinds="best", random_state=0, on_row=person.look
    ).curve
    last = found.iloc[-1]
    return {"by hand": hand, "best": last.minutes, "ari": last.ari, "questions": last.questions}


def task_of(name: str, n: int) -> Task:
    """Return the run as a task of the bench."""
    return Task("auto", name, n, (0,))


def main() -> None:
    """Write a line per pile and size; with --quick without the largest."""
    most = 1000 if rows.quick else max(max(sizes) for sizes in PILES.values())
    chosen = [{"name": name, "n": n} for name, sizes in PILES.items() for n in sizes if n <= most]
    found = kept_rows("minutes_sizes", chosen, minutes_needed, task_of, n_jobs=-1)
    write_table("minutes_sizes", shown(found))


def shown(found: pd.DataFrame) -> str:
    """Return a line per pile: minutes both ways, and how they compare."""
    lines = [
        [
            str(row["name"]), str(row["n"]), f"{row['by hand']:.0f}", f"{row['best']:.1f}",
            f"{row['by hand'] / row['best']:.1f}", f"{row['ari']:.2f}", f"{row['questions']:.0f}",
        ]
        for row in found.to_dict("records")
    ]  # fmt: skip
    header = [
        "pile", "items", "minutes by hand", "minutes by `best`", "ratio", "ARI", "questions",
    ]  # fmt: skip
    return markdown(header, lines)
