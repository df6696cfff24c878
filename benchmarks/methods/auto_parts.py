"""What each ingredient of `auto` buys, and whether the chances it tells come true.

Run with `python -m benchmarks auto_parts`; LIKEWISE_DATA names the data folder. Every variant
leaves out or replaces one thing. The number of groups is unknown, answers are right, 100 questions;
two draws of at most 200 rows of the sets, one of the piles as `auto_piles` has them. What does not
earn its place on the first sets and piles is left out on others, too, before it goes.
"""

from __future__ import annotations

import heapq
import json
import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from itertools import pairwise, product
from pathlib import Path
from typing import Any
from unittest.mock import patch

import numpy as np
import pandas as pd

import likewise as lw
from benchmarks.methods.auto_piles import PICTURES, Labels, pictures, table
from benchmarks.rows import kept_rows
from benchmarks.tables import markdown, write_table
from likewise.auto import Committee, ExpectedGain
from likewise.auto.merge_model import MergeModel
from likewise.auto.parts import Parts
from likewise.auto.structure import PRIOR_WEIGHTS
from likewise.bench.experiment import Task
from likewise.methods import close_neighbours
from likewise.strategies import Placing, RandomItems, Strategy
from likewise.strategies.base import View

SETS = ("wine", "digits", "breast_cancer", "glass", "sonar", "aqm-simulation", "circles")
PILES = ("olivetti_faces", "trashnet", "stackoverflow_titles", "leaf_uci")
OTHER_SETS = (
    "iris", "ionosphere", "parkinsons", "pima_diabetes",
    "balance_scale", "cho_yeast_genes", "urban_land_cover", "pendigits",
)  # fmt: skip
OTHER_PILES = (
    "fruits360", "banking77", "newsgroups20_2000",
    "letter_recognition", "shuttle_sample400", "segmentation_train210",
)  # fmt: skip
ROWS, BUDGET, SEEDS = 200, 100, 2
EDGES = (0.0, 0.1, 0.25, 0.5, 0.75, 0.9, 1.0)
CHECKPOINTS = (0, 5, 10, 20, 35, 50, 75, 100)
ALL = "all of it"
# What is left out on the other sets and piles: what bought nothing on the first ones.
IN_DOUBT = (
    ALL, "without pagerank", "without neighbours", "without forest", "without gaussian",
    "without calibration", "without connections", "without scattered kinds",
    "asked, too: a part one group?",
)  # fmt: skip


class NoMerges(ExpectedGain):
    """Never asks whether two groups are one."""

    def merges(self, *_: Any) -> Any:
        """Yield nothing."""
        return iter(())


class AlsoParts(ExpectedGain):
    """Asks, too, whether a part of the pile is one group.

    If its two sides are with probability p, "different" puts a tenth of the smaller side right, as
    sides are mixed: (1 - p) · min(|a|, |b|) / 10. The items in their centres stand for them.
    """

    def by_gain(self, view: View, committee: Committee, n: int) -> Iterator[tuple[float, lw.Pair]]:
        """Yield questions of three kinds by falling gain."""
        others = super().by_gain(view, committee, n)
        return heapq.merge(others, self.splits(committee), key=lambda question: -question[0])

    def splits(self, committee: Committee) -> Iterator[tuple[float, lw.Pair]]:
        """Yield the centres of the two sides of every part that nobody was asked about."""
        parts, tree = committee.parts_, committee.parts_.tree
        asked = np.flatnonzero(parts.links.group >= 0)
        nodes = np.flatnonzero(parts.whole[tree.n_leaves :]) + tree.n_leaves
        inside = [np.isin(tree.items_below(node), asked).sum() < 2 for node in nodes.tolist()]
        nodes = nodes[np.array(inside, dtype=bool)]
        sides = tree.children[nodes - tree.n_leaves]
        gain = 0.1 * (1 - committee.whole_probability(nodes)) * tree.sizes[sides].min(axis=1)
        for at in np.argsort(-gain, kind="stable")[:8].tolist():
            i, j = tree.centres[sides[at]].tolist()
            yield float(gain[at]), lw.Pair(i, j)


class NotScattered(Committee):
    """Takes no two places for one kind before an answer says so."""

    def _first_model(self) -> MergeModel:
        return replace(super()._first_model(), scatter=0.0)


@dataclass(frozen=True)
class Variant:
    """`auto` without one thing: its parts, and what of the code is replaced while it runs."""

    clusterer: Callable[..., Committee] = Committee
    asks: Callable[[], Strategy] = ExpectedGain
    replaced: tuple[tuple[str, Any], ...] = ()

    @property
    def recipe(self) -> lw.Recipe:
        """The variant as a method."""
        return lw.Recipe("", self.asks, self.clusterer, close_neighbours)


def cut_once(
    connections: Any, links: Any, _: Any, __: Any, before: MergeModel, *, told: bool
) -> Any:
    """Return the parts that there were before any answer, but for what is known to differ."""
    return Parts(connections.tree, links, before.threshold), before


def variants() -> dict[str, Variant]:
    """Return `auto`, and `auto` without one thing."""
    found = {ALL: Variant()}
    for name in PRIOR_WEIGHTS:
        others = tuple(other for other in PRIOR_WEIGHTS if other != name)
        found[f"without {name}"] = Variant(partial(Committee, experts=others))
    model, committee = "likewise.auto.merge_model.", "likewise.auto.committee."
    no_connection = np.array([*_prior()[:2], 0.0])
    return found | {
        "without stacking": Variant(partial(Committee, stacking=False)),
        "without calibration": Variant(partial(Committee, calibrate=False)),
        "without elimination": Variant(partial(Committee, elimination=False)),
        "cut once": Variant(replaced=((committee + "learned_parts", cut_once),)),
        "without connections": Variant(
            replaced=((model + "_PRIOR", no_connection), (model + "_CONNECTION_DEVIATION", 1e-6))
        ),
        "without scattered kinds": Variant(
            NotScattered, replaced=((model + "_SCATTER", (1e-9, 5.0)),)
        ),
        "without the unsure": Variant(
            replaced=((committee + "unsure_items", lambda *_: np.empty(0, dtype=np.int64)),)
        ),
        "not asked: two groups one?": Variant(asks=NoMerges),
        "asked, too: a part one group?": Variant(asks=AlsoParts),
        "random items": Variant(asks=lambda: Placing(RandomItems())),
    }


def _prior() -> list[float]:
    """Return the weights of the model of joins before any answer."""
    before = MergeModel(0.0)
    return [before.intercept, before.slope, before.connection]


def drawn(data: str, seed: int) -> tuple[Any, Labels]:
    """Return some rows of a set, or a pile."""
    folder = Path(os.environ["LIKEWISE_DATA"])
    if data in (*PILES, *OTHER_PILES):
        return pictures(data, folder) if data in PICTURES else table(data, folder, seed)
    X, y = lw.datasets.load(data)
    kept = np.random.default_rng(seed).permutation(len(y))[:ROWS]
    return X[kept], y[kept]


def area(variant: str, data: str, seed: int) -> dict[str, Any]:
    """Return the area under the curve of one run, and the chances told with what came."""
    X, y = drawn(data, seed)
    chosen = variants()[variant]
    patches = [patch(name, by) for name, by in chosen.replaced]
    for one in patches:
        one.start()
    try:
        result = lw.run(
            X,
            lw.oracles.FromLabels(y),
            method=chosen.recipe,
            budget=BUDGET,
            checkpoints=CHECKPOINTS,
            random_state=seed,
        )
    finally:
        for one in patches:
            one.stop()
    told = [
        (round(answer.same_probability, 4), answer.verdict is lw.Verdict.SAME)
        for answer in result.study.answers
        if answer.same_probability is not None
    ]
    curve = result.curve
    found = float(np.trapezoid(curve.ari, curve.questions) / curve.questions.max())
    return {"area": found, "told": json.dumps(told) if variant == ALL else ""}


def task_of(variant: str, data: str, seed: int) -> Task:
    """Return the run as a task of the bench."""
    return Task(variant, data, seed, CHECKPOINTS)


def main() -> None:
    """Write a line per variant, and a line per range of chances."""
    cells = [*product(SETS, range(SEEDS)), *product(PILES, range(1))]
    others = [*product(OTHER_SETS, range(SEEDS)), *product(OTHER_PILES, range(1))]
    keys = [
        {"variant": variant, "data": data, "seed": seed}
        for some, names in ((cells, variants()), (others, IN_DOUBT))
        for (data, seed), variant in product(some, names)
    ]
    recipes = {name: variant.recipe for name, variant in variants().items()}
    found = kept_rows("auto_parts", keys, area, task_of, recipes, n_jobs=-1)
    first = found["data"].isin((*SETS, *PILES))
    write_table("auto_parts", shown(found[first]))
    write_table("auto_parts_others", shown(found[~first]))
    write_table("auto_calibration", calibration(found[first]))


def shown(found: pd.DataFrame) -> str:
    """Return a line per variant: its areas, and the mean of its differences to all of `auto`."""
    areas = found.pivot_table(index="variant", columns="data", values="area", sort=False)
    # Only what every variant has been run on.
    areas = areas.dropna(axis=1)
    lines = []
    for name in areas.index:
        lost = areas.loc[name] - areas.loc[ALL]
        error = float(lost.std(ddof=1) / np.sqrt(len(lost)))
        mean = [f"{areas.loc[name].mean():.3f}", f"{lost.mean():+.3f} ± {error:.3f}"]
        lines.append([name, *(f"{value:.2f}" for value in areas.loc[name]), *mean])
    return markdown(["", *areas.columns, "mean", "beside all of it"], lines)


def calibration(found: pd.DataFrame) -> str:
    """Return a line per range of chances that were told: how often "same" came."""
    told = [pair for row in found.loc[found["variant"] == ALL, "told"] for pair in json.loads(row)]
    chance, same = np.array(told, dtype=float).T
    ranges = [(low, high, (chance > low) & (chance <= high)) for low, high in pairwise(EDGES)]
    rows = [
        [
            f"{low:.0%} to {high:.0%}",
            str(int(at.sum())),
            f"{chance[at].mean():.0%}",
            f"{same[at].mean():.0%}",
        ]
        for low, high, at in ranges
        if at.any()
    ]
    return markdown(['chance of "same"', "questions", "mean chance told", 'answered "same"'], rows)
