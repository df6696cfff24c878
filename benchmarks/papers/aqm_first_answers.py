"""Whether the first answers make the groups of AQM worse than none.

Run with `python -m benchmarks aqm_first_answers`; LIKEWISE_DATA must hold meu_mobile_9users and
segmentation_train210. `aqm-literal` always clusters in the metric it has learned, `aqm-mee` in as
much of it as answers agree with that it was not learned from, `npu-pckmeans` in none.
"""

from __future__ import annotations

from benchmarks.rows import rows_of
from benchmarks.tables import markdown, mean_and_error, write_table
from likewise.bench.experiment import Experiment

METHODS = ["aqm-literal", "aqm-mee", "npu-pckmeans"]
DATA = ["meu_mobile_9users", {"name": "digits", "rows": 300}, "segmentation_train210", "wine"]
POINTS = (0, 5, 10, 20, 40)
RUNS = {"methods": METHODS, "data": DATA, "checkpoints": list(POINTS), "seeds": 3}


def main() -> None:
    """Write mean ARI after the first answers, a line per data set and method."""
    rows = rows_of(Experiment.of({"name": "aqm_first_answers", "runs": [RUNS]}))
    by_point = rows.groupby(["data", "method", "questions"]).ari
    cells = {point: mean_and_error(runs) for point, runs in by_point}
    lines = []
    for key, part in rows.groupby(["data", "method"]):
        data, method = map(str, key)
        points = [cells[data, method, at] for at in POINTS]
        lines.append([data, method, *points, str(part.seed.nunique())])
    write_table("aqm_first_answers", markdown(["data", "method", *map(str, POINTS), "runs"], lines))
