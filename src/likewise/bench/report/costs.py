"""What questions cost: time, memory, and how the time grows with the number of items."""

from __future__ import annotations

import math
import re
from typing import Any

import pandas as pd

from likewise.bench.report.rows import REFERENCE
from likewise.bench.statistics import growth_exponent


def costs_of_run(run: pd.DataFrame) -> dict[str, float]:
    """Return milliseconds per question, seconds and memory of one run."""
    seconds = run["seconds"].max()
    # Rows carried forward after the last question took no time: they must not dilute the rest.
    # A row without labels counts no questions: a run that failed at once was not a quick one.
    asked = run.loc[(run["seconds"] == seconds) & run["ari"].notna(), "questions"].min()
    per_question = 1000 / asked if asked > 0 else math.nan
    return {
        "asked": asked,
        "seconds": seconds,
        "ms": seconds * per_question,
        "ms_asking": run["seconds_asking"].max() * per_question,
        "ms_fitting": run["seconds_fitting"].max() * per_question,
        "memory": run["peak_memory"].max(),
    }


def costs(runs: pd.DataFrame, methods: list[str]) -> list[dict[str, Any]]:
    """Return what each method costs: medians over all its runs."""
    names = ["ms", "ms_asking", "ms_fitting", "seconds", "memory"]
    medians = runs.groupby("method")[names].median()
    return [{"method": method, **dict(medians.loc[method])} for method in methods]


def families(runs: pd.DataFrame) -> dict[str, pd.DataFrame]:
    """Return runs on data sets that differ in nothing but their size, by the name they share."""
    own = runs[(runs["method"] != REFERENCE) & (runs["asked"] > 0)].dropna(subset=["ms", "n"])
    names = [_family(data, int(n)) for data, n in zip(own["data"], own["n"], strict=True)]
    grouped = own.assign(family=names).groupby("family", sort=False)
    return {str(name): rows for name, rows in grouped if rows["n"].nunique() > 1}


def _family(data: str, n: int) -> str:
    """Return the name of a data set without its size.

    >>> _family("blobs(n=500, n_clusters=5)", 500), _family("blobs-500", 500), _family("iris", 150)
    ('blobs(n_clusters=5)', 'blobs', 'iris')
    """
    without = re.sub(rf"\bn={n}\b(, )?", "", data)
    without = re.sub(rf"[-_ ]n?{n}$", "", without)
    return without.replace("()", "").replace(", )", ")")


def growth(family: pd.DataFrame, methods: list[str]) -> list[dict[str, Any]]:
    """Return how a question's time grows with n: median milliseconds by n, and the exponent."""
    found = []
    for method in methods:
        own = family[family["method"] == method].groupby("n")["ms"].median()
        if len(own):
            exponent = growth_exponent(own.index.to_numpy(), own.to_numpy())
            found.append({"method": method, "ms": own, "exponent": exponent})
    return found
