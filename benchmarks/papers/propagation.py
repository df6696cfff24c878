"""Random links as the COP-RF paper gives them: areas under the curve of ARI beside its tables.

Run with `python -m benchmarks propagation`; `likewise bench paper coprf` computes the paper's own
part of it. LIKEWISE_DATA must hold ionosphere, segmentation_train210, parkinsons, glass and
glass_with_id. An area over five shares of all pairs is at most 4.
"""

from __future__ import annotations

from itertools import product
from typing import Any

import pandas as pd

from benchmarks.rows import rows_of
from benchmarks.tables import markdown, write_table
from likewise.bench import papers
from likewise.bench.experiment import Experiment

DATA = [
    "ionosphere", "iris", "segmentation_train210", "parkinsons", "glass", "glass_with_id",
]  # fmt: skip
SPECTRAL = [
    "spectral", "spectral-learning-pairs", "spectral-learning", "e2cp", "e2cp-answers-win",
]  # fmt: skip
EXEMPLARS = [
    "affinity-propagation-eucl", "affinity-propagation-eucl+links", "affinity-propagation",
]  # fmt: skip
SHARES = "0.001 0.002 0.003 0.004 0.005"
LINKS: dict[str, Any] = {
    "kind": "links",
    "data": DATA,
    "scaling": "range",
    "shares": [float(share) for share in SHARES.split()],
}


def main() -> None:
    """Write a table for right answers, one with 15 % wrong, one for affinity propagation."""
    experiment = Experiment.of(
        {
            "name": "propagation",
            "runs": [
                {**LINKS, "methods": SPECTRAL, "noise": [0.0, 0.15], "seeds": 10},
                {**LINKS, "methods": EXEMPLARS, "seeds": 3},
            ],
        }
    )
    rows = rows_of(experiment)
    printed = papers.load("coprf").published.query("over == 'share'")
    told = printed.set_index(["data", "method", "noise"])["published"].to_dict()
    for name, methods, noise in (
        ("perfect", SPECTRAL, 0.0),
        ("noisy", SPECTRAL, 0.15),
        ("exemplars", EXEMPLARS, 0.0),
    ):
        wanted = pd.DataFrame(
            product(DATA, methods, [noise], ["share"], [SHARES], ["ari"], [float("nan")]),
            columns=["data", "method", "noise", "over", "points", "metric", "published"],
        )
        ours = papers.Paper(experiment, wanted).compare(rows)
        ours["error"] = ours["spread"] / ours["runs"] ** 0.5
        both = ours.set_index(["data", "method"])
        mean, error = both["ours"].to_dict(), both["error"].to_dict()
        lines = [
            [
                data,
                *(
                    _cell(mean[data, m], error[data, m], told.get((data, m, noise)))
                    for m in methods
                ),
            ]
            for data in DATA
        ]
        write_table(f"propagation_{name}", markdown(["data", *methods], lines))


def _cell(ours: float, error: float, printed: float | None) -> str:
    figure = f"{ours:.2f} ± {error:.2f}"
    return figure if printed is None else f"{figure} ({printed:.2f})"
