"""Public tools with ten minutes for a run on the sets of the comparison, which gives them one.

Run with `python -m benchmarks patient_tools`, after `comparison`, whose rows stand beside these; it
goes on where it was interrupted. LIKEWISE_DATA must hold the UCI sets; the tools are installed into
environments of their own when first wanted.
"""

from __future__ import annotations

from pathlib import Path

import pandas as pd

from benchmarks.methods.comparison import best_two
from benchmarks.rows import rows_of
from benchmarks.tables import RESULTS, markdown, write_table
from likewise.bench.experiment import Experiment
from likewise.bench.peers import PEERS
from likewise.bench.report.rows import checked
from likewise.bench.report.summary import runs_of
from likewise.bench.results import Results


def main() -> None:
    """Write a line per data set: the best tool within a minute, and those that had ten."""
    rows = rows_of(Experiment.read(Path(__file__).with_name("patient_tools.toml")))
    quick = Results(RESULTS / "comparison.parquet").frame()
    assert quick is not None
    write_table("patient_tools", table(runs_of(checked(quick)), runs_of(checked(rows))))


def table(quick: pd.DataFrame, patient: pd.DataFrame) -> str:
    """Return areas, a line per data set, with standard errors over seeds in thousandths.

    Parameters
    ----------
    quick, patient : DataFrame
        A row per run, of the comparison and of the tools that had ten minutes.
    """
    tools = [name for name in dict.fromkeys(patient["method"]) if len(sets_of(patient, name)) > 1]
    few = [name for name in dict.fromkeys(patient["method"]) if name not in tools]
    lines = []
    for data in dict.fromkeys(quick["data"]):
        within = quick[(quick["data"] == data) & quick["method"].isin([*PEERS])]
        first = best_two(*of_those_that_ended(within))[:1] or [""]
        given = patient[patient["data"] == data]
        cells = [shown(given[given["method"] == name]) for name in tools]
        others = [f"{name} {shown(given[given['method'] == name])}" for name in few]
        others = [one for one in others if not one.endswith(" ")]
        lines.append([str(data), *first, *cells, ", ".join(others)])
    header = ["data", "best tool within a minute", *tools, "others with ten minutes"]
    return markdown(header, lines)


def sets_of(runs: pd.DataFrame, method: str) -> set[str]:
    """Return on which data a method was run."""
    return set(runs.loc[runs["method"] == method, "data"])


def of_those_that_ended(runs: pd.DataFrame) -> tuple[pd.Series, pd.Series]:
    """Return mean area and its standard error by method, without what was stopped or failed."""
    broken = set(runs.loc[runs["status"] != "ok", "method"])
    by_method = runs[~runs["method"].isin(broken)].groupby("method")["area"]
    return by_method.mean(), by_method.sem()


def shown(runs: pd.DataFrame) -> str:
    """Return the mean area with its error, and how many runs did not end."""
    if runs.empty:
        return ""
    mean = pd.Series({"": runs["area"].mean()})
    found = best_two(mean, pd.Series({"": runs["area"].sem()}))[0].strip()
    stopped = int((runs["status"] != "ok").sum())
    return f"{found}, {stopped} of {len(runs)} did not end" if stopped else found
