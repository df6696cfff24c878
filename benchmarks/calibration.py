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
LEFT_EDGES = (0.0, 50.0, 100.0, 200.0, 400.0, np.inf)  # of forecasts that are counted together
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
    last = ["stop advised", "right then"]
    return markdown(["piles", "number", *heads, *last], lines)


def _stopping(part: pd.DataFrame) -> Iterable[str]:
    """Return how many runs were told to stop, and what was right then."""
    stops = [(run, at) for run in part.to_dict("records") if (at := _stop_of(run)) is not None]
    rights = [run[f"right at {at}"] for run, at in stops]
    yield f"{len(stops)} of {len(part)}"
    yield f"{np.mean(rights):.0%}" if rights else "–"


def _stop_of(run: Mapping[Any, Any]) -> int | None:
    """Return after how many answers a run was first told that it may stop."""
    return next((at for at in MOMENTS if run[f"stop at {at}"] == 1), None)


def left_table(rows: pd.DataFrame) -> str:
    """Return a line per range of forecasts: how many answers came until stopping was advised.

    Runs that were not told to stop by the last moment are counted, but how many answers they would
    have taken nobody knows.
    """
    found = [
        (at, run[f"left at {at}"], stop)
        for run in rows.to_dict("records")
        for at in MOMENTS[:3]
        if ((stop := _stop_of(run)) is None or stop > at) and not np.isnan(run[f"left at {at}"])
    ]
    lines = []
    for low, high in pairwise(LEFT_EDGES):
        cells = []
        for moment in MOMENTS[:3]:
            these = [
                (left, stop) for at, left, stop in found if at == moment and low < left <= high
            ]
            came = [stop - moment for _, stop in these if stop is not None]
            told = f"{np.mean([left for left, _ in these]):.0f}" if these else "–"
            mean = f"{np.mean(came):.0f}" if came else "–"
            cells.append(f"{told}, {mean} ({len(came)} of {len(these)})")
        name = f"{low:.0f} to {high:.0f}" if np.isfinite(high) else f"more than {low:.0f}"
        lines.append([name, *cells])
    return markdown(["answers left, as told", *(f"after {at}" for at in MOMENTS[:3])], lines)
