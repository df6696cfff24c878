"""Every method at the data of the URASC paper: figures 5 and 6, and 7 with wrong answers.

Run with `python -m benchmarks rivals`; rivals.toml says what is run, and what `urasc_table` has
computed is not computed again. LIKEWISE_DATA must hold the UCI sets and olivetti_faces.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pandas as pd

from benchmarks.rows import rows_of, time_is_left
from benchmarks.tables import RESULTS, markdown, mean_and_error, write_table
from likewise.bench import papers
from likewise.bench.experiment import Experiment
from likewise.bench.results import Results

METRICS = {"jaccard": "Jaccard coefficient", "v_measure": "V-measure"}


def main() -> None:
    """Write a table per figure, its methods as columns, and one of who wins where."""
    experiment = Experiment.read(Path(__file__).with_name("rivals.toml"))
    if time_is_left():  # else the tables of the rows there are
        take_over(experiment)
    write_tables(rows_of(experiment))


def take_over(experiment: Experiment) -> None:
    """Take over rows of the very same tasks from the table of the URASC paper."""
    wanted = {task.key for task in experiment.tasks}
    ours = Results(RESULTS / f"{experiment.name}.parquet")
    theirs = Results(RESULTS / "urasc.parquet").frame()
    if theirs is None:
        return
    missing = theirs[theirs["key"].isin(wanted - ours.provenance().keys())]
    by_key = {task.key: task for task in experiment.tasks}
    for key, part in missing.groupby("key"):
        records = part.drop(columns="key").to_dict("records")
        ours.add(by_key[str(key)], [{str(name): row[name] for name in row} for row in records])


def write_tables(rows: pd.DataFrame) -> None:
    """Write the tables that the documentation shows, from whatever rows there are."""
    clean, noisy = rows[rows["noise"] == 0], rows[rows["noise"] > 0]
    write_table("rivals_figure5", beside_the_paper(clean))
    write_table("rivals_figure6_means", by_method(over_checkpoints(clean)))
    write_table("rivals_figure6", by_method(clean))
    write_table("rivals_figure7", by_method(noisy))


def beside_the_paper(rows: pd.DataFrame) -> str:
    """Return the methods of figure 5 at its numbers of questions, the paper's in brackets."""
    more = pd.read_csv(Path(__file__).with_name("rivals_published.csv"))
    told = pd.concat([papers.load("urasc").published, more])
    methods = ["urasc", "urasc-p", "quire", "pknn"]
    lines = []
    for metric, name in METRICS.items():
        by_point = rows.groupby(["data", "questions", "method"])[metric]
        ours = {point: mean_and_error(runs) for point, runs in by_point}
        theirs = told.query("metric == @metric").groupby(["data", "questions", "method"])
        published = theirs["published"].first().to_dict()
        for data, questions in points(rows, ("sonar", "bupa_liver", "pima_diabetes")):
            keys = [(data, questions, method) for method in methods]
            cells = [
                ours.get(key, "") + (f" ({published[key]:.3f})" if key in published else "")
                for key in keys
            ]
            lines.append([name, data, str(questions), *cells])
    return markdown(["metric", "data", "questions", *methods], lines)


def over_checkpoints(rows: pd.DataFrame) -> pd.DataFrame:
    """Return a row per run: the mean of its scores, under no number of questions."""
    runs = rows.groupby(["key", "method", "data", "seed"], sort=False)
    means = runs.agg(jaccard=("jaccard", "mean"), status=("status", "last")).reset_index()
    return means.assign(questions=0)


def points(rows: pd.DataFrame, sets: Sequence[str]) -> list[tuple[str, int]]:
    """Return data sets with the numbers of questions after which they were scored."""
    found = rows[rows["data"].isin(sets)][["data", "questions"]].drop_duplicates()
    pairs = zip(found["data"].astype(str), found["questions"].astype(int), strict=True)
    return sorted(pairs, key=lambda pair: (sets.index(pair[0]), pair[1]))


def by_method(rows: pd.DataFrame) -> str:
    """Return a line per method: Jaccard coefficient by number of questions, best in bold.

    With standard errors over seeds, where there are several.
    """
    if rows.empty:
        return "not computed yet\n"
    columns = points(rows, list(dict.fromkeys(rows["data"].astype(str))))
    by_point = rows.groupby(["method", "data", "questions"])["jaccard"]
    mean = by_point.mean()
    score: dict[Any, Any] = mean.to_dict()
    shown = {point: mean_and_error(runs) for point, runs in by_point}
    ranks = mean.groupby(level=["data", "questions"]).rank(ascending=False)
    rank: dict[Any, Any] = ranks.groupby(level="method").mean().to_dict()
    best: dict[Any, Any] = mean.groupby(level=["data", "questions"]).max().to_dict()
    repeated = rows.groupby(["method", "data"])["seed"].nunique().groupby(level="method")
    fewest: dict[Any, Any] = repeated.min().to_dict()
    most: dict[Any, Any] = repeated.max().to_dict()
    ended = rows[rows["status"] == "stopped"].groupby("method")["key"].nunique()
    stopped: dict[Any, Any] = ended.to_dict()

    def cell(method: str, data: str, questions: int) -> str:
        value = score.get((method, data, questions))
        if value is None:
            return ""
        text = shown[method, data, questions]
        return f"**{text}**" if value >= best[data, questions] else text

    lines = [
        [
            method,
            f"{rank[method]:.1f}",
            "-".join(str(n) for n in sorted({fewest[method], most[method]})),
            *([str(stopped.get(method, ""))] if stopped else []),
            *(cell(method, *column) for column in columns),
        ]
        for method in sorted(rank, key=lambda method: rank[method])
    ]
    header = ["method", "mean rank", "seeds", *(["stopped"] if stopped else [])]
    named = (f"{data} {questions}" if questions else data for data, questions in columns)
    return markdown([*header, *named], lines)
