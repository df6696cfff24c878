"""Before anything is spent: what a grouping is expected to take, for several mixes of answerers.

Groupings are drawn from what the study believes of its items so far; in each of them simulated
answerers are asked as real ones would be, until enough is right.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp
from scipy.optimize import linear_sum_assignment

from likewise.errors import MethodError
from likewise.journal.person_names import person_name
from likewise.simulation.answerer_choice import AnswererChoice, Assignment
from likewise.simulation.answerers import Simulated
from likewise.strategies.kinds import GroupBeliefs
from likewise.study import Study
from likewise.study.answerers import copy_without

if TYPE_CHECKING:
    import pandas as pd

TARGETS = (0.8, 0.9, 0.95)
_SMOOTHING = 6  # steps by which what is drawn for an item spreads to those like it
_EVERY = 5  # answers between two looks at how much is right

_Labels = npt.NDArray[np.int64]


@dataclass(frozen=True)
class PlannedAnswerer:
    """Somebody who could be asked.

    Parameters
    ----------
    name : str
        Who it is.
    error : float
        The share of wrong answers, from 0 to 1.
    price : float
        What an answer costs, at least 0.
    seconds : float, optional
        How long an answer takes; None: as the study's pace says, 0 for a program.
    """

    name: str
    error: float = 0.05
    price: float = 0.0
    seconds: float | None = None

    def __post_init__(self) -> None:
        if not person_name(self.name):
            raise MethodError("an answerer needs a name")
        if not 0 <= self.error < 0.5:
            raise MethodError(
                f"an answerer is wrong less than half the time: error must be from 0 to below 0.5 "
                f"but got {self.error}"
            )
        if not self.price >= 0 or (self.seconds is not None and not self.seconds >= 0):
            raise MethodError("price and seconds of an answerer must be at least 0")


def plan(
    study: Study,
    mixes: Mapping[str, Sequence[PlannedAnswerer]] | None = None,
    *,
    targets: Sequence[float] = TARGETS,
    draws: int = 5,
    budget: int = 200,
    random_state: int = 0,
    progress: Callable[[int, int], None] | None = None,
) -> pd.DataFrame:
    """Return what it is expected to take until enough items are in the right group.

    The better the study knows its items, the better the plan: before the first answer the groups
    are those that likeness alone suggests, and new ones are not foreseen.

    Parameters
    ----------
    study : Study
        The study; it stays as it is.
    mixes : mapping of str to sequence of PlannedAnswerer
        By name, who would answer together; one person who errs in 5 % of answers unless given.
    targets : sequence of float
        The shares of items that are to be right, between 0 and 1.
    draws : int
        How many groupings are drawn, at least 1; more narrow the bands' own uncertainty.
    budget : int
        How many answers are simulated at most in each.
    random_state : int
        The seed.
    progress : callable, optional
        Is given how many simulations are done, of how many.

    Returns
    -------
    DataFrame
        A row per mix and target: `questions`, `minutes` and `money`, the medians over the draws;
        `low` and `high`, the smallest and the largest number of questions; `reached`, the share of
        draws in which the target was reached within the budget. Where that is less than one half
        the medians are NaN; a draw that did not reach it makes `high` infinite.

    Examples
    --------
    >>> study = Study([[0.0], [0.1], [0.2], [5.0], [5.1], [5.2]], n_clusters=2)
    >>> table = plan(study, {"me": [PlannedAnswerer("me", error=0.0)]}, targets=[0.9], draws=2)
    >>> table.mix.tolist(), table.reached.tolist()
    (['me'], [1.0])
    """
    import pandas as pd

    mixes = {"one person": [PlannedAnswerer("person")]} if mixes is None else mixes
    _require_sound(mixes, targets, draws, budget)
    study = study.reduced  # of a large pile, what stands for it
    rows, done = [], 0
    truths = [_drawn(study, np.random.default_rng([random_state, k])) for k in range(draws)]
    for name, people in mixes.items():
        paths = []
        for k, truth in enumerate(truths):
            paths.append(_Path(study, people, truth, random_state + k).run(budget, max(targets)))
            done += 1
            if progress is not None:
                progress(done, draws * len(mixes))
        rows += [{"mix": name, **_summary(paths, target)} for target in sorted(targets)]
    return pd.DataFrame(rows)


def _require_sound(
    mixes: Mapping[str, Sequence[PlannedAnswerer]],
    targets: Sequence[float],
    draws: int,
    budget: int,
) -> None:
    if not mixes or not all(mixes.values()):
        raise MethodError("a plan needs at least one mix of at least one answerer")
    for name, people in mixes.items():
        names = [one.name for one in people]
        if len(set(names)) < len(names):
            raise MethodError(f"answerers of the mix {name!r} need names that differ: {names}")
    if not targets or not all(0 < target <= 1 for target in targets):
        raise MethodError(f"targets must be shares above 0 and at most 1 but got {list(targets)}")
    if draws < 1 or budget < 1:
        raise MethodError(f"draws and budget must be at least 1 but got {draws} and {budget}")


def _drawn(study: Study, rng: np.random.Generator) -> _Labels:
    """Return a grouping that the study thinks possible; alike items are mistaken together."""
    view = study.view
    likely = GroupBeliefs(view).memberships
    graph = sp.csr_matrix(view.affinity.affinity_)
    degree = np.asarray(graph.sum(axis=1)).ravel()
    walk = sp.diags_array(1 / np.where(degree > 0, degree, 1.0)) @ graph
    field = rng.standard_normal(len(likely))
    for _ in range(_SMOOTHING):
        field = (field + walk @ field) / 2
    ranks = field.argsort(kind="stable").argsort(kind="stable")
    u = (ranks + 0.5) / len(field)
    drawn = (likely.cumsum(axis=1) < u[:, None]).sum(axis=1).clip(max=likely.shape[1] - 1)
    # What answers have joined is drawn as one.
    _, first, part = np.unique(view.components, return_index=True, return_inverse=True)
    return np.asarray(drawn[first][part], dtype=np.int64)


class _Path:
    """A simulated study on its way: after so many answers so much is right."""

    def __init__(
        self, study: Study, people: Sequence[PlannedAnswerer], truth: _Labels, seed: int
    ) -> None:
        self.study, self.truth = copy_without(study, ()), truth
        self.people = {one.name: one for one in people}
        self.answerers = [
            Simulated(one.name, truth, error=one.error, price=one.price, random_state=seed)
            for one in people
        ]
        self.n, self.seconds, self.money = 0, 0.0, 0.0
        self.rows: list[tuple[int, float, float, float]] = []  # n, minutes, money, right

    def run(self, budget: int, goal: float) -> _Path:
        """Ask until the goal is reached, the budget spent, or nothing is left."""
        self._note()
        while self.n < budget and self.rows[-1][3] < goal and self._ask_one():
            if self.n % _EVERY == 0:
                self._note()
        self._note()
        return self

    def reached(self, target: float) -> tuple[int, float, float] | None:
        """Return answers, minutes and money at which so much was right; None if it never was."""
        return next((row[:3] for row in self.rows if row[3] >= target), None)

    def _ask_one(self) -> bool:
        study = self.study
        if len(self.answerers) > 1:
            choice = AnswererChoice(self.answerers)
            task = choice.choose(study.ask, study.answers, study.beliefs_, self.answerers)
        else:
            question = study.ask()
            task = None if question is None else Assignment(question, self.answerers[0])
        if task is None:
            return False
        one = self.people[task.answerer.name]
        study.tell(
            task.question,
            task.answerer(*task.pair),  # type: ignore[arg-type]
            who=one.name,
            cost=one.price,
        )
        self.n += 1
        self.money += one.price
        usual = getattr(task.question, "seconds", study.pace.of_pair(study._looks[[*task.pair]]))
        self.seconds += usual if one.seconds is None else one.seconds
        return True

    def _note(self) -> None:
        right = _share_right(self.truth, self.study.labels_)
        self.rows.append((self.n, self.seconds / 60, self.money, right))


def _share_right(truth: _Labels, labels: _Labels) -> float:
    """Return the share of items in the right group, each group matched with one of the truth's.

    >>> _share_right(np.array([0, 0, 1, 1]), np.array([1, 1, 0, 2]))
    0.75
    """
    table = np.zeros((int(truth.max()) + 1, int(labels.max()) + 1))
    np.add.at(table, (truth, labels), 1)
    rows, columns = linear_sum_assignment(-table)
    return float(table[rows, columns].sum() / len(truth))


def _summary(paths: Sequence[_Path], target: float) -> dict[str, float]:
    found = [path.reached(target) for path in paths]
    never = (np.inf, np.nan, np.nan)
    table = np.array([never if one is None else one for one in found], dtype=np.float64)
    enough = np.isfinite(table[:, 0]).mean() > 0.5
    medians = np.nanmedian(np.where(np.isinf(table), np.nan, table), axis=0) if enough else None
    questions, minutes, money = (np.nan,) * 3 if medians is None else medians.tolist()
    return {
        "target": target,
        "questions": questions,
        "low": float(table[:, 0].min()),
        "high": float(table[:, 0].max()),
        "minutes": minutes,
        "money": money,
        "reached": float(np.isfinite(table[:, 0]).mean()),
    }
