"""Whether what a study tells comes true: chances of answers, the share right, answers left.

Not an experiment of its own: others observe their studies by it, and it makes the tables.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

import likewise as lw
from benchmarks.tables import markdown
from likewise.quality import advise

EDGES = (0.0, 0.1, 0.25, 0.5, 0.75, 0.9, 1.0)  # of the chances that are counted together
MOMENTS = (25, 50, 100, 150, 200)  # answers after which studies are looked at
Labels = npt.NDArray[np.int64]


def observed(study: lw.Study, truth: Labels, n_asked: int) -> dict[str, float]:
    """Return what a study tells of itself now, and what is true."""
    told = advise(study)
    missing = float("nan")
    return {
        f"right at {n_asked}": 1 - lw.metrics.misclustering_error(truth, study.labels_),
        f"told at {n_asked}": missing if told.right is None else told.right,
        f"low at {n_asked}": missing if told.low is None else told.low,
        f"high at {n_asked}": missing if told.high is None else told.high,
        f"left at {n_asked}": missing if told.questions_left is None else told.questions_left,
        f"stop at {n_asked}": float(told.may_stop),
    }


def counted(study: lw.Study) -> dict[str, float]:
    """Return how many answers had a chance in each range, the sum of these, and who said "same"."""
    answers = [one for one in study.answers if one.same_probability is not None]
    chances = np.array([one.same_probability for one in answers], dtype=np.float64)
    same = np.array([one.verdict is lw.Verdict.SAME for one in answers], dtype=bool)
    at = np.clip(np.searchsorted(EDGES, chances, side="right") - 1, 0, len(EDGES) - 2)
    return {
        f"{name} from {low:.0%}": float(values[at == k].sum())
        for k, (low, _) in enumerate(pairwise(EDGES))
        for name, values in (("answers", np.ones(len(at))), ("told", chances), ("same", same))
    }


def chance_table(rows: pd.DataFrame, kinds: Mapping[str, Callable[[Any], bool]]) -> str:
    """Return a line per kind of pile: of the chances told in each range their mean, and what came.

    `kinds` say of a row's pile whether it is of them.
    """
    lines = []
    for name, belongs in kinds.items():
        part = rows[[belongs(pile) for pile in rows["pile"]]]
        if not len(part):
            continue
        cells = []
        for low, _ in pairwise(EDGES):
            n, told, same = (part[f"{what} from {low:.0%}"].sum() for what in _COUNTED)
            cells.append(f"{told / n:.0%}, {same / n:.0%} ({n:.0f})" if n else "–")
        lines.append([name, *cells])
    heads = [f"{low:.0%} to {high:.0%}" for low, high in pairwise(EDGES)]
    return markdown(["piles", *heads], lines)


_COUNTED = ("answers", "told", "same")


def share_table(rows: pd.DataFrame, kinds: Mapping[str, Callable[[Any], bool]]) -> str:
    """Return a line per kind of pile and moment: shares told and true, and how often in between."""
    lines = []
    for name, belongs in kinds.items():
        part = rows[[belongs(pile) for pile in rows["pile"]]]
        if not len(part):
            continue
        cells = [str(part["pile"].nunique())]
        for at in MOMENTS[:-1]:
            some = part.dropna(subset=f"told at {at}")
            right, told = some[f"right at {at}"], some[f"told at {at}"]
            inside = (some[f"low at {at}"] - 1e-9 <= right) & (
                right <= some[f"high at {at}"] + 1e-9
            )
            cells.append(f"{told.mean():.0%}, {right.mean():.0%} ({inside.mean():.0%})")
        lines.append([name, *cells, *_stopping(part)])
    heads = [f"at {at}: told, right (in the interval)" for at in MOMENTS[:-1]]
    last = ["stop advised", "right then", "answers left told at 50, and came"]
    return markdown(["piles", "number", *heads, *last], lines)


def _stopping(part: pd.DataFrame) -> Iterable[str]:
    """Return how many runs were told to stop, what was right then, and forecasts beside it."""
    stops, rights, forecasts = [], [], []
    for run in part.to_dict("records"):
        stop = next((at for at in MOMENTS if run[f"stop at {at}"] == 1), None)
        if stop is None:
            continue
        stops.append(stop)
        rights.append(run[f"right at {stop}"])
        if stop > 50 and not np.isnan(run["left at 50"]):
            forecasts.append((run["left at 50"], stop - 50))
    yield f"{len(stops)} of {len(part)}"
    yield f"{np.mean(rights):.0%}" if rights else "–"
    told, came = np.mean(forecasts, axis=0) if forecasts else (np.nan, np.nan)
    yield f"{told:.0f}, {came:.0f} ({len(forecasts)})" if forecasts else "–"
