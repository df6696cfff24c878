"""From checkpoints to what the report says: one row per run, then one part per condition.

A *condition* is what the runs were told: whether the number of groups was known, and the share of
wrong answers. Methods are only ever compared within one.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd

from likewise.bench.bounds import answers_for_bits, proving_questions, worst_case_questions
from likewise.bench.paired import (
    PairedTest,
    Ratio,
    against_each,
    ratio_to_best_per_set,
    ratio_to_best_single,
)
from likewise.bench.provenance import CURRENT
from likewise.bench.report.costs import costs_of_run
from likewise.bench.report.rows import METRICS, REFERENCE
from likewise.bench.statistics import (
    Significance,
    WinTieLoss,
    area,
    average_ranks,
    friedman,
    nemenyi_critical_difference,
    questions_to_reach,
    win_tie_loss,
)
from likewise.errors import DataError

LEVELS = (0.8, 0.9, 0.95)
ENOUGH_SEEDS = 5  # for an interval that says something

_RUN = ["condition", "method", "data", "seed"]
_OF_RUN = ["n", "d", "k", "noise", "status", "reason", "state", "bits", "placing"]


def runs_of(frame: pd.DataFrame) -> pd.DataFrame:
    """Return a row per run: its area, the questions to each level, its costs and how it ended."""
    ends = frame[frame["method"] != REFERENCE].groupby(["condition", "data"])["questions"].max()
    rows = []
    for key, run in frame.groupby(_RUN, sort=False):
        run = run.sort_values("questions")
        last = run.iloc[-1]
        budget = int(ends.get(key[0::2], last["questions"]))
        scored = run.dropna(subset=["ari"])
        row = dict(zip(_RUN, key, strict=True))
        row.update({name: last[name] for name in _OF_RUN})
        row["budget"] = budget
        row["area"] = area(run, budget=budget)
        for level in LEVELS:
            reached = questions_to_reach(run, level)
            row[f"to {level}"] = math.inf if reached is None else reached
        for metric in METRICS:
            row[metric] = scored[metric].iloc[-1] if len(scored) else math.nan
        rows.append(row | costs_of_run(run))
    return pd.DataFrame(rows)


@dataclass(frozen=True)
class ConditionSummary:
    """What the report shows about one condition."""

    condition: str
    rows: pd.DataFrame  # the checkpoints, the reference's too
    runs: pd.DataFrame  # one row per run, the reference's too

    @cached_property
    def table(self) -> pd.DataFrame:
        """Mean area over seeds: data sets x methods, without the reference."""
        own = self.runs[self.runs["method"] != REFERENCE]
        return own.pivot_table(
            index="data", columns="method", values="area", dropna=False, sort=False
        )

    @cached_property
    def ranks(self) -> pd.Series:
        """Mean rank by method, best first."""
        return average_ranks(self.table).sort_values(kind="stable")

    @cached_property
    def friedman(self) -> Significance:
        """Whether the methods differ at all."""
        return friedman(self.table)

    @cached_property
    def critical_difference(self) -> float | None:
        """How far ranks must be apart; None where there is nothing to compare."""
        n_sets, n_methods = self.table.shape
        return (
            nemenyi_critical_difference(n_methods, n_sets) if min(n_sets, n_methods) > 1 else None
        )

    @cached_property
    def paired(self) -> dict[str, PairedTest]:
        """The method of the best rank against each other one, over data sets."""
        return against_each(self.table, str(self.ranks.index[0]))

    @cached_property
    def ratios(self) -> dict[str, Ratio] | None:
        """By how much the method of the best rank is ahead; None where it is alone."""
        if self.table.shape[1] < 2:
            return None
        best = str(self.ranks.index[0])
        return {
            "single": ratio_to_best_single(self.table, best),
            "per set": ratio_to_best_per_set(self.table, best),
        }

    def seeds(self, method: str) -> pd.DataFrame:
        """Return a method's areas: data sets x seeds."""
        own = self.runs[self.runs["method"] == method]
        areas = own.pivot_table(index="data", columns="seed", values="area", dropna=False)
        return areas.reindex(self.table.index)

    def against_best(self, method: str) -> WinTieLoss | None:
        """Compare the method with the one of the best rank; None for that one itself."""
        best = str(self.ranks.index[0])
        return None if method == best else win_tie_loss(self.seeds(method), self.seeds(best))

    def summary(self) -> list[dict[str, Any]]:
        """Return the rows of the summary table, best rank first."""
        found = []
        for method, rank in self.ranks.items():
            own = self.runs[self.runs["method"] == method]
            found.append(
                {
                    "method": method,
                    "area": float(self.table[method].mean()),
                    "rank": float(rank),
                    "versus": self.against_best(str(method)),
                    "paired": self.paired.get(str(method)),
                    "levels": [_reached(own, level) for level in LEVELS],
                    "ms": float(own["ms"].median()),
                    "failed": int((own["status"] == "failed").sum()),
                    "stopped": int((own["status"] == "stopped").sum()),
                }
            )
        return found

    @cached_property
    def sets(self) -> list[dict[str, Any]]:
        """The rows of the table of data sets: what is possible, and who comes closest."""
        reference = self.runs[self.runs["method"] == REFERENCE]
        possible = reference.groupby("data")["area"].mean()
        found = []
        for data, scores in self.table.iterrows():
            # The largest, since a run that failed early may not know what it ran on.
            names = ["n", "d", "k", "budget", "bits", "placing", "noise"]
            about = self.runs.loc[self.runs["data"] == data, names].max()
            known = scores.notna().any()
            found.append(
                {
                    "data": data,
                    **{name: _whole(about[name]) for name in ("n", "d", "k", "budget")},
                    **_limits(about),
                    "best": scores.idxmax() if known else None,
                    "area": float(scores.max()) if known else math.nan,
                    "possible": float(possible.get(data, math.nan)),
                }
            )
        return found

    def best_sets(self) -> list[dict[str, Any]]:
        """Return where each method has the largest area, and whether the second is within noise."""
        won: dict[str, dict[str, Any]] = {
            str(method): {"method": method, "clearly": [], "narrowly": []}
            for method in self.ranks.index
        }
        for data, scores in self.table.iterrows():
            order = scores.dropna().sort_values(ascending=False, kind="stable").index
            if not len(order):
                continue
            clear = len(order) > 1 and (
                win_tie_loss(
                    self.seeds(order[0]).loc[[data]], self.seeds(order[1]).loc[[data]]
                ).wins
            )
            won[str(order[0])]["clearly" if clear else "narrowly"].append(data)
        return list(won.values())

    def by_set(self) -> list[dict[str, Any]]:
        """Return the area of every method on every set, methods by rank, and which are best."""
        found = []
        for data, scores in self.table[list(self.ranks.index)].iterrows():
            # What looks the same in the table is marked the same.
            shown = scores.round(3)
            best = shown.max()
            cells = [(float(area), bool(area == best)) for area in shown]
            found.append({"data": data, "cells": cells})
        return found

    def scores(self) -> list[dict[str, Any]]:
        """Return every metric at the end of the budget, averaged over data sets."""
        means = self.runs.groupby(["method", "data"])[list(METRICS)].mean()
        by_method = means.groupby("method").mean()
        return [
            {"method": name, "values": [float(by_method.loc[name, metric]) for metric in METRICS]}
            for name in self.ranks.index
        ]


def parts_of(frame: pd.DataFrame, runs: pd.DataFrame) -> list[ConditionSummary]:
    """Return a summary per condition in which a method (not only the reference) ran."""
    ranked = runs.loc[runs["method"] != REFERENCE, "condition"].unique()
    if not len(ranked):
        raise DataError(f"the results hold no method but {REFERENCE!r}; nothing can be compared")
    return [
        ConditionSummary(name, frame[frame["condition"] == name], runs[runs["condition"] == name])
        for name in ranked
    ]


def unfinished(runs: pd.DataFrame) -> list[dict[str, Any]]:
    """Return the runs that failed or were stopped, those with one reason together."""
    ended = runs[runs["status"] != "ok"]
    grouped = ended.groupby(["status", "method", "data", "condition", "reason"], sort=True)
    names = ["status", "method", "data", "condition", "reason"]
    return [
        {
            **dict(zip(names, key, strict=True)),
            "seeds": _spans(rows["seed"].tolist()),
            "asked": int(rows["asked"].fillna(0).max()),
        }
        for key, rows in grouped
    ]


def overview(frame: pd.DataFrame, runs: pd.DataFrame) -> dict[str, Any]:
    """Return how it was run: numbers of methods, sets, seeds, runs, and where rows come from."""
    own = runs[runs["method"] != REFERENCE]
    noise = sorted(own["noise"].unique())
    return {
        "methods": own["method"].nunique(),
        "sets": own["data"].nunique(),
        "seeds": _spans(own["seed"].tolist()),
        "n_seeds": own["seed"].nunique(),
        "runs": len(own),
        "failed": int((own["status"] == "failed").sum()),
        "stopped": int((own["status"] == "stopped").sum()),
        "budgets": _spans(own["budget"].tolist()),
        "noise": [f"{100 * share:.3g} %" for share in noise if share > 0],
        "experiments": sorted(frame["experiment"].unique()),
        "commits": sorted(set(frame["commit"]) - {""}),
        "old": _old(runs),
        "versions": sorted({version for version in frame["version"] if version}),
        "threads": _spans(frame["threads"].dropna().tolist()),
        "seconds": float(own["seconds"].sum()),
        "reference": bool((runs["method"] == REFERENCE).any()),
    }


def _old(runs: pd.DataFrame) -> list[dict[str, Any]]:
    """Return the runs that are not known to be of the present code and data, by what is wrong."""
    old = runs[runs["state"] != CURRENT]
    return [
        {"state": state, "runs": len(rows), "methods": sorted(rows["method"].unique())}
        for state, rows in old.groupby("state")
    ]


def _reached(own: pd.DataFrame, level: float) -> dict[str, Any]:
    """Return the median questions to the level over the sets where the median seed gets there."""
    by_set = own.groupby("data")[f"to {level}"].median()
    there = by_set[np.isfinite(by_set)]
    return {
        "median": float(there.median()) if len(there) else None,
        "sets": len(there),
        "of": len(by_set),
    }


def _limits(about: pd.Series) -> dict[str, int | None]:
    """Return how many answers prove, find at worst, find, and at least tell the groups."""
    n, k = _whole(about["n"]), _whole(about["k"])
    bits = about["bits"]
    least = None if pd.isna(bits) else math.ceil(answers_for_bits(bits, about["noise"]))
    found = {"proof": None, "worst": None, "placing": _whole(about["placing"]), "least": least}
    if n is not None and k is not None and k <= n:
        found |= {"proof": proving_questions(n, k), "worst": worst_case_questions(n, k)}
    return found


def _whole(value: Any) -> int | None:
    return None if pd.isna(value) else int(value)


def _spans(values: list[Any]) -> str:
    """Return whole numbers in short.

    >>> _spans([0, 2, 1, 5, 1])
    '0–2, 5'
    """
    numbers = sorted({int(value) for value in values})
    starts = [v for v in numbers if v - 1 not in numbers]
    ends = [v for v in numbers if v + 1 not in numbers]
    return ", ".join(str(a) if a == b else f"{a}–{b}" for a, b in zip(starts, ends, strict=True))
