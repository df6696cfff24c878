"""Papers' experiments, as data: NAME.toml says what is run, NAME.csv what the paper printed.

A further paper adds these two files and no code. The CSV has a line per published figure: data,
method (our name for it), metric, published, reference (table or figure), and what tells its rows
of results from others: questions, or share (of all pairs), noise; where there is a column scaling,
that too, and an empty cell is what Items choose. With `over` the figure is the
area under the metric's curve over that column, at the values listed in `points`, by the trapezoid
rule with steps of one: five points of 1.0 have an area of 4. Empty cells say nothing.
"""

from __future__ import annotations

import json
from collections.abc import Hashable
from dataclasses import dataclass
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import TYPE_CHECKING, Any

import numpy as np

from likewise.bench.experiment import Experiment
from likewise.errors import DataError

if TYPE_CHECKING:
    import pandas as pd

_CONDITIONS = ("data", "method", "questions", "share", "noise", "scaling")


@dataclass(frozen=True)
class Paper:
    """An experiment and the figures it is compared with."""

    experiment: Experiment
    published: pd.DataFrame

    def compare(self, results: pd.DataFrame) -> pd.DataFrame:
        """Return the published figures with ours (mean over seeds), difference and spread."""
        import pandas as pd

        published = self.published
        if "n" in results:
            results = results[results["n"] >= 0]  # data that are not here were never tried
        if "scaling" in published:
            published = published.assign(scaling=published["scaling"].fillna(""))
            results = results.assign(scaling=scalings(results))
        by_seed = [_figures(results, row) for row in published.to_dict("records")]
        ours = {
            "ours": [figures.mean() for figures in by_seed],
            "spread": [figures.std() for figures in by_seed],
            "runs": [len(figures) for figures in by_seed],
        }
        both = pd.concat([published, pd.DataFrame(ours, index=published.index)], axis=1)
        both["difference"] = both["ours"] - both["published"]
        return both


def scalings(results: pd.DataFrame) -> pd.Series[str]:
    """Return what the task of each row says of units; nothing is what Items choose."""
    said = {text: json.loads(text or "{}").get("scaling") or "" for text in set(results.settings)}
    return results["settings"].map(said)


def _figures(results: pd.DataFrame, published: dict[Hashable, Any]) -> pd.Series[float]:
    """Return what every seed has to set beside one published figure."""
    import pandas as pd

    conditions = [
        name for name in _CONDITIONS if name in published and not pd.isna(published[name])
    ]
    if not {*conditions, published["metric"]} <= set(results.columns):
        return pd.Series(dtype=float)
    rows = results[(results[conditions] == [published[name] for name in conditions]).all(axis=1)]
    over = published.get("over")
    if pd.isna(over):
        figures: pd.Series[float] = rows.set_index("seed")[published["metric"]].dropna()
        return figures
    points = [float(point) for point in str(published["points"]).split()]
    if "share" in results:
        # Two tables may have a point in common, reached by links that were drawn in two ways: each
        # is compared with the tasks that begin where it does, not with the mean of both.
        first = results.groupby("key")["share"].min()
        begins = min(points) if over == "share" else published["share"]
        rows = rows[rows["key"].map(first) == begins]
    curves = rows.pivot_table(published["metric"], "seed", over, dropna=False).reindex(
        columns=points
    )
    # A tool that fails has nothing to show from there on; a run that was not made is no zero.
    failed = set(rows.loc[rows["status"] == "failed", "seed"])
    curves = curves.where(curves.notna() | ~curves.index.isin(failed)[:, None], 0.0).dropna()
    return pd.Series(np.trapezoid(curves.to_numpy(), axis=1), index=curves.index)


def names() -> list[str]:
    """Return the names of the papers there are."""
    return sorted(f.name.removesuffix(".toml") for f in _files() if f.name.endswith(".toml"))


def load(name: str, *, quick: bool = False) -> Paper:
    """Return a paper by name; `quick` is the shorter version of its experiment."""
    import tomllib

    import pandas as pd

    if name not in names():
        raise DataError(f"there is no paper {name!r}; there are {', '.join(names())}")
    here = files(__package__)
    described = tomllib.loads(here.joinpath(f"{name}.toml").read_text(encoding="utf-8"))
    with here.joinpath(f"{name}.csv").open(encoding="utf-8") as file:
        published = pd.read_csv(file)
    return Paper(Experiment.of(described, quick=quick, origin=f"{name}.toml"), published)


def _files() -> list[Traversable]:
    return list(files(__package__).iterdir())
