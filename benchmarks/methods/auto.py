"""The default method against the others, set by set, with right and with wrong answers.

Run with `python -m benchmarks auto`; auto.toml says what is run. The number of groups is unknown.
The areas are under the curve of the adjusted Rand index from 0 to 200 questions. All of these sets
have been looked at while the method was changed; `unseen` has others.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from benchmarks.rows import rows_of
from benchmarks.tables import RESULTS, markdown, write_table
from likewise.bench.experiment import Experiment
from likewise.bench.peers import PEERS
from likewise.bench.results import Results

GOAL = 0.9  # an adjusted Rand index with which most people would be content


def by_run(rows: pd.DataFrame) -> pd.Series:
    """Return the area of each run by data set, method and seed; failed ones are left out."""

    def area(curve: pd.DataFrame) -> float:
        at = curve.sort_values("questions")
        return float(np.trapezoid(at.ari, at.questions) / at.questions.max())

    runs = rows.dropna(subset="ari").groupby(["data", "method", "seed"])
    return runs[["questions", "ari"]].apply(area)


def areas(rows: pd.DataFrame) -> pd.DataFrame:
    """Return mean area by data set and method; what has not been run is missing."""
    return by_run(rows).groupby(["data", "method"]).mean().unstack()


def best_or_level(rows: pd.DataFrame, sets: list[str]) -> list[str]:
    """Return the data sets on which nobody is ahead of `auto` by more than two standard errors.

    Of the difference between means of runs; where there is one run, the spread of `auto` counts.
    """
    runs = by_run(rows).groupby(["data", "method"]).agg(["mean", "std", "count"])
    found = []
    for data in sets:
        of_set: dict[Any, dict[str, float]] = runs.loc[data].T.to_dict()
        ours = of_set["auto"]
        ahead = False
        for other in of_set.values():
            spread = ours["std"] if np.isnan(other["std"]) else other["std"]
            error = np.sqrt(spread**2 / other["count"] + ours["std"] ** 2 / ours["count"])
            ahead = ahead or other["mean"] - ours["mean"] > 2 * error + 1e-9
        if not ahead:
            found.append(data)
    return found


def questions_until(rows: pd.DataFrame) -> pd.DataFrame:
    """Return the questions after which the mean curve stays above the goal, by set and method."""
    told = rows.dropna(subset="ari")
    mean = told.groupby(["data", "method", "questions"])["ari"].mean().reset_index()

    def first(curve: pd.DataFrame) -> float:
        at = curve.sort_values("questions")
        below = np.flatnonzero(at.ari.to_numpy() < GOAL)
        if not len(below):
            return float(at.questions.iloc[0])
        last = int(below[-1])
        if last + 1 == len(at):
            return np.nan
        (q0, a0), (q1, a1) = at[["questions", "ari"]].to_numpy()[last : last + 2]
        return float(q0 + (GOAL - a0) / (a1 - a0) * (q1 - q0))

    return mean.groupby(["data", "method"])[["questions", "ari"]].apply(first).unstack()


def summary(rows: pd.DataFrame, sets: list[str]) -> str:
    """Return how often `auto` is best or level, and how far ahead of the best other method."""
    found = areas(rows).reindex(sets)
    others = found.drop(columns="auto").dropna(axis="columns").mean().sort_values()
    level = best_or_level(rows, sets)
    ours = float(found["auto"].mean())
    line = [
        f"{len(level)} of {len(sets)}",
        f"{ours:.3f}",
        f"{others.index[-1]} {others.iloc[-1]:.3f}",
        f"{ours / others.iloc[-1]:.2f}",
    ]
    return markdown(["best or level", "mean area", "best other method", "ratio"], [line])


def against_tools() -> str:
    """Return questions to the goal beside the public tools, groups known; and the bound."""
    told = Results(RESULTS / "comparison.parquet").frame()
    assert told is not None
    needed: dict[Any, dict[Any, float]] = questions_until(told).T.to_dict()
    found: dict[Any, dict[Any, float]] = areas(told).T.to_dict()
    lines, ratios = [], []
    for data, until in needed.items():
        ours, area = until["auto"], found[data]
        tools = {name: until[name] for name in until if name in PEERS}
        quickest = min(tools, key=lambda name: np.nan_to_num(tools[name], nan=np.inf))
        strongest = max(tools, key=lambda name: np.nan_to_num(area.get(name, np.nan), nan=-1.0))
        if ours >= 0 and tools[quickest] > 0:  # neither missing, and there was something to gain
            ratios.append(ours / tools[quickest])
        lines.append(
            [
                str(data),
                _number(ours, "over 100"),
                _number(tools[quickest], "over 100", quickest),
                f"{area['auto']:.3f}",
                f"{area[strongest]:.3f} ({strongest})",
                "" if np.isnan(area["omniscient"]) else f"{area['omniscient']:.3f}",
            ]
        )
    median = f"median ratio {np.median(ratios):.2f} over {len(ratios)} sets" if ratios else ""
    mean = float(np.mean([area["auto"] for area in found.values()]))
    lines.append(["all", "", median, f"{mean:.3f}", "", ""])
    header = ["data", f"`auto` reaches {GOAL}", "best public tool", "area of `auto`"]
    return markdown([*header, "best public tool's", "omniscient placing"], lines)


def _number(value: float, missing: str, name: str = "") -> str:
    if np.isnan(value):
        return missing
    return f"{value:.0f} ({name})" if name else f"{value:.0f}"


def table(part: pd.DataFrame, methods: list[str]) -> str:
    """Return a line per data set, the best in bold, and means of methods that were run on all."""
    lines = []
    for data, row in part.iterrows():
        best = row.max()
        cells = [
            "" if np.isnan(row[m]) else f"**{row[m]:.3f}**" if row[m] == best else f"{row[m]:.3f}"
            for m in methods
        ]
        lines.append([str(data), *cells])
    whole = part.notna().all()
    means = part.mean()
    lines.append(["mean", *(f"{means[m]:.3f}" if whole[m] else "" for m in methods)])
    return markdown(["data", *methods], lines)


def told_table(rows: pd.DataFrame) -> str:
    """Return the areas of `auto` with the number of groups not told and told, by data set."""
    ours = rows[rows.method == "auto"]
    free, told = (by_run(ours[ours.k_known == known]) for known in (False, True))
    runs = pd.DataFrame({"free": free, "told": told}).dropna()
    runs["more"] = runs["told"] - runs["free"]
    lines = []
    for data in rows["data"].unique():
        if data in runs.index:
            part = runs.loc[data]
            lines.append([data, *_means(part["free"], part["told"]), _with_error(part["more"])])
    by_set = runs.groupby("data")["more"].mean()
    lines.append(["mean", *_means(runs["free"], runs["told"]), _with_error(by_set)])
    return markdown(["data", "number unknown", "number told", "difference"], lines)


def _means(*columns: pd.Series) -> list[str]:
    return [f"{float(column.mean()):.3f}" for column in columns]


def _with_error(values: pd.Series) -> str:
    mean, error = float(values.mean()), float(values.std(ddof=1)) / len(values) ** 0.5
    return f"{mean:+.3f} ± {error:.3f}"


def main() -> None:
    """Write tables: right answers, the number told, wrong answers, and the public tools."""
    experiment = Experiment.read(Path(__file__).with_name("auto.toml"))
    rows = rows_of(experiment)
    write_table("auto_told", told_table(rows[rows.noise == 0]))
    rows = rows[~rows.k_known]
    found = areas(rows[rows.noise == 0])
    tasks = [task for task in experiment.tasks if not task.k_known]
    methods = list(dict.fromkeys(task.method for task in tasks))
    names = list(dict.fromkeys(task.data_name for task in tasks if not task.noise))
    write_table("auto_summary", summary(rows[rows.noise == 0], names))
    write_table("auto_tools", against_tools())
    write_table("auto_areas", table(found.reindex(names), methods))
    noisy = [task for task in tasks if task.noise]
    text = ""
    for noise in sorted({task.noise for task in noisy}):
        wrong = areas(rows[rows.noise == noise])
        text += f"{noise:.0%} wrong answers:\n\n{table(wrong, [str(name) for name in wrong])}\n"
    write_table("auto_noisy", text)
