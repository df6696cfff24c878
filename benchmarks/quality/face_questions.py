"""How many questions it takes to tell people apart by their faces.

Run with `python -m benchmarks face_questions`; LIKEWISE_DATA names the folder with
images/olivetti_faces, ten pictures of each of forty people. Faces are found and described as for
`--faces`, the number of people is unknown, answers are right; a line per seed of `auto`, the ARI
after so many questions. The scores from which a face counts were set while looking at this set.
"""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np

import likewise as lw
from benchmarks.tables import markdown, write_table

CHECKPOINTS = (0, 1, 2, 3, 4, 5, 7, 10, 15, 30)
SEEDS = 3


def main() -> None:
    """Write a row per seed."""
    folder = Path(os.environ["LIKEWISE_DATA"]) / "images" / "olivetti_faces"
    items = lw.load_items(folder, faces=True)
    people = np.unique([Path(name).parts[0] for name in items.ids], return_inverse=True)[1]
    lines = []
    for seed in range(SEEDS):
        curve = lw.run(
            items,
            lw.oracles.FromLabels(people),
            budget=CHECKPOINTS[-1],
            checkpoints=CHECKPOINTS,
            random_state=seed,
        ).curve
        found = curve.set_index("questions")["ari"].reindex(CHECKPOINTS, method="ffill")
        lines.append([str(len(items)), str(seed), *(f"{one:.3f}" for one in found)])
    header = ["faces found", "seed", *(f"after {n}" for n in CHECKPOINTS)]
    write_table("face_questions", markdown(header, lines))
