"""What answers cost: a cheap answerer beside an expert, and what a plan foresees.

Run with `python -m benchmarks answerer_costs`; with --quick it takes iris alone, and its tables are
printed and not kept. People and sets are those of `python -m benchmarks answerers`. Rows are kept
as they come: an experiment that was ended goes on.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from itertools import product
from typing import Any

import numpy as np
import pandas as pd

import likewise as lw
from benchmarks import rows
from benchmarks.quality.answerers import FIRST_DRAW, SETS, items_of, keep, task_of
from benchmarks.rows import kept_rows
from benchmarks.tables import markdown
from likewise.simulation.answerers import Simulated

PRICED = {"cheap": (0.2, 0.01), "expert": (0.02, 1.0)}
TARGET = 0.9
MONEY, EXPERTS_MONEY = 6, 60  # what may be spent, and what by the expert alone
EVERY = 10  # answers, it is looked how far they have come; one, where the expert is alone
DRAWS = 2  # of the people
PLANNED_AFTER, PLANNED_AHEAD, PLANNED_ERROR = 20, 80, 0.05


def cost(data: str, who: str, seed: int) -> dict[str, float]:
    """Return what it costs until the target is reached, and what becomes of it later.

    Whoever is alone is run twice, taken at his word and verified, and the cheaper way counts. Not
    reached: the cost is infinite.
    """
    X, y = items_of(data)
    priced = [
        Simulated(name, y, error=error, price=price, random_state=FIRST_DRAW + seed)
        for name, (error, price) in PRICED.items()
        if who in (name, "both")
    ]
    alone = who == "expert"
    budget = lw.Money(EXPERTS_MONEY if alone else MONEY)
    at = range(0, 601, 1 if alone else EVERY)
    if who == "both":
        run = lw.run(X, answerers=priced, budget=budget, checkpoints=at, random_state=seed)
        return _reached(run.curve.ari, run.curve.cost)
    ways = []
    for doubt in ("keep", "verify"):
        run = lw.run(
            X, priced[0], budget=budget, checkpoints=at, random_state=seed, doubt=doubt
        )  # fmt: skip
        ways.append(_reached(run.curve.ari, run.curve.questions * priced[0].price))
    return min(ways, key=lambda way: (way["cost"], -way["best"]))


def _reached(aris: pd.Series[float], costs: pd.Series[float]) -> dict[str, float]:
    reached = np.flatnonzero(aris >= TARGET)
    if not len(reached):
        return {"cost": np.inf, "best": float(aris.max()), "lowest": np.nan, "stayed": np.nan}
    later = aris.iloc[reached[0] :]
    return {
        "cost": float(costs.iloc[reached[0]]),
        "best": float(aris.max()),
        "lowest": float(later.min()),
        "stayed": float((later >= TARGET).mean()),
    }


def foreseen(data: str, seed: int) -> dict[str, float]:
    """Return what a plan says after some answers, and what then came, for each target.

    Of questions still to come; the person errs in 5 % of answers, as the plan is told.
    """
    X, y = items_of(data)
    person = Simulated("p", y, error=PLANNED_ERROR, random_state=FIRST_DRAW + seed)
    study = lw.run(X, person, budget=PLANNED_AFTER, checkpoints=(), random_state=seed).study
    mix = {"p": [lw.PlannedAnswerer("p", error=PLANNED_ERROR)]}
    table = lw.plan(study, mix, draws=3, budget=PLANNED_AHEAD).set_index("target")
    found: dict[str, float] = {}
    right, asked = 1 - lw.metrics.misclustering_error(y, study.labels_), 0
    for target, row in table.iterrows():
        while right < float(str(target)) and asked < PLANNED_AHEAD:
            if (question := study.ask()) is None:
                break
            study.tell(question, person(*question.pair))
            asked += 1
            right = 1 - lw.metrics.misclustering_error(y, study.labels_)
        came = asked if right >= float(str(target)) else np.inf
        bounds = {"low": row["low"], "high": row["high"], "came": came}
        found |= {f"{target} {name}": float(value) for name, value in bounds.items()}
    return found


def main() -> None:
    """Write the tables of money and of plans; with --quick those of iris alone are printed."""
    sets = SETS[:1] if rows.quick else SETS
    money = [
        {"data": data, "who": who, "seed": seed}
        for seed, data, who in product(range(DRAWS), sets, (*PRICED, "both"))
    ]
    keep("answerers_money", spent(kept_rows("answerers_money", money, cost, task_of)))
    each = [{"data": data, "seed": 0} for data in sets]
    keep("answerers_plan", plans(kept_rows("answerers_plan", each, foreseen, task_of)))


def spent(found: pd.DataFrame) -> str:
    """Return a line per set and draw: what each costs until the target, or the best it came to.

    Where it was reached, the share of all looks from then on that are at the target or above stands
    beside it, and at the end how low the ARI of both together falls again.
    """
    lines = []
    for (data, seed), part in found.groupby(["data", "seed"], sort=False):
        by_who = {row["who"]: row for row in part.to_dict("records")}
        cells = [_cost(by_who[who]) for who in (*PRICED, "both")]
        both = by_who["both"]
        lowest = f"{both['lowest']:.2f}" if np.isfinite(both["cost"]) else ""
        lines.append([str(data), str(int(str(seed)) + 1), *cells, lowest])
    header = ["set", "draw", *(f"{who} alone" for who in PRICED), "both", "lowest later"]
    return markdown(header, lines)


def _cost(row: Mapping[Hashable, Any]) -> str:
    if not np.isfinite(row["cost"]):
        return f"– (best {row['best']:.2f})"
    return f"{row['cost']:.2f} ({row['stayed']:.0%})"


def plans(found: pd.DataFrame) -> str:
    """Return a line per set: for each target the band that was planned, and what came."""
    targets = [name.split()[0] for name in found.columns if name.endswith(" came")]
    lines = []
    for row in found.to_dict("records"):
        cells = [
            f"{_count(row[f'{at} low'])} to {_count(row[f'{at} high'])}; "
            f"{_count(row[f'{at} came'])}"
            for at in targets
        ]
        lines.append([str(row["data"]), *cells])
    return markdown(["set", *(f"{float(at):.0%} right: planned; came" for at in targets)], lines)


def _count(n: float) -> str:
    return f"{n:.0f}" if np.isfinite(n) else f"over {PLANNED_AHEAD}"
