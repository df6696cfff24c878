"""Every method at the data of the URASC paper: figures 5 and 6, and 7 with wrong answers.

Run with `python -m benchmarks rivals`; rivals.toml says what is run, and what `urasc_table` has
computed is not computed again. LIKEWISE_DATA must hold the UCI sets and olivetti_faces.
"""

from __future__ import annotations

import pandas as pd

from benchmarks.experiments import HERE, RESULTS, markdown, rows_of, write_table
from likewise.bench import papers
from likewise.bench.experiment import Experiment
from likewise.bench.results import Results

METRICS = {"jaccard": "Jaccard coefficient", "v_measure": "V-measure"}


def main() -> None:
    """A table per figure, its methods as columns, and one of who wins where."""
    experiment = Experiment.read(HERE / "rivals.toml")
    take_over(experiment)
    rows = rows_of(experiment)
    write_tables(rows[rows["status"] != "failed"])


def take_over(experiment: Experiment) -> None:
    """Rows of the very same tasks from the table of the URASC paper."""
    wanted = {task.key for task in experiment.tasks}
    ours = Results(RESULTS / f"{experiment.name}.parquet")
    theirs = Results(RESULTS / "urasc.parquet").frame()
    if theirs is None:
        return
    missing = theirs[theirs["key"].isin(wanted - ours.done())]
    by_key = {task.key: task for task in experiment.tasks}
    for key, part in missing.groupby("key"):
        ours.add(by_key[str(key)], part.drop(columns="key").to_dict("records"))  # type: ignore[arg-type]


def write_tables(rows: pd.DataFrame) -> None:
    """The tables that the documentation shows, from whatever rows there are."""
    clean, noisy = rows[rows["noise"] == 0], rows[rows["noise"] > 0]
    write_table("rivals_figure5", beside_the_paper(clean))
    write_table("rivals_figure6", by_method(clean))
    write_table("rivals_figure7", by_method(noisy))


def beside_the_paper(rows: pd.DataFrame) -> str:
    """The methods of figure 5 at its numbers of questions: ours, and the paper's in brackets."""
    told = papers.load("urasc").published
    methods = ["urasc", "urasc-p", "quire", "pknn"]
    lines = []
    for metric, name in METRICS.items():
        ours = rows.groupby(["data", "questions", "method"])[metric].mean()
        published = told[told["metric"] == metric].set_index(["data", "questions", "method"])
        for data in ("sonar", "bupa_liver", "pima_diabetes"):
            for questions in sorted(rows.loc[rows["data"] == data, "questions"].unique()):
                cells = [_cell(ours, published, (data, questions, m)) for m in methods]
                lines.append([name, data, str(questions), *cells])
    return markdown(["metric", "data", "questions", *methods], lines)


def _cell(ours: pd.Series, published: pd.DataFrame, key: tuple[str, int, str]) -> str:
    here = f"{ours[key]:.3f}" if key in ours.index else ""
    there = f" ({published.loc[key, 'published']:.3f})" if key in published.index else ""
    return here + there


def by_method(rows: pd.DataFrame) -> str:
    """A line per method: the Jaccard coefficient after each number of questions, best in bold."""
    sets = list(dict.fromkeys(rows["data"]))
    columns = [
        (d, int(q)) for d in sets for q in sorted(rows[rows["data"] == d]["questions"].unique())
    ]
    mean = rows.groupby(["method", "data", "questions"])["jaccard"].mean()
    table = mean.unstack(["data", "questions"]).reindex(columns=pd.MultiIndex.from_tuples(columns))
    order = table.rank(ascending=False).mean(axis=1).sort_values(kind="stable").index
    best = table.max()
    seeds = rows.groupby("method")["seed"].nunique()
    stopped = rows[rows["status"] == "stopped"].groupby("method")["key"].nunique()
    lines = []
    for method in order:
        cells = [
            "" if pd.isna(value) else f"**{value:.3f}**" if value >= best[key] else f"{value:.3f}"
            for key, value in table.loc[method].items()
        ]
        lines.append([str(method), str(seeds[method]), str(stopped.get(method, "")), *cells])
    return markdown(["method", "seeds", "stopped", *(f"{d} {q}" for d, q in columns)], lines)
