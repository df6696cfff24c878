"""The question where one item belongs: the groups that may be its own, the likeliest first."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from likewise.journal.pairs import Pair
from likewise.journal.questions import PlaceQuestion
from likewise.strategies.base import View
from likewise.strategies.kinds.pace import Pace

_MIN_NEW = 0.02  # of the probability is left for a group that nobody has found


@dataclass(frozen=True)
class Candidates:
    """The groups that an item may belong to, the likeliest first.

    Parameters
    ----------
    members : list of int
        Of each group, the known member that is most like the item.
    probabilities : ndarray of shape (groups,)
        How likely it belongs to each.
    new : float
        How likely it belongs to none of them.
    """

    members: list[int]
    probabilities: npt.NDArray[np.float64]
    new: float

    @property
    def expected_rank(self) -> float:
        """How many groups are looked at until the right one is found; all, if none is."""
        ranks = np.arange(1, len(self.members) + 1)
        return float(ranks @ self.probabilities + self.new * len(self.members))


def candidate_groups(
    view: View, item: int, chance: Callable[[Pair], float], other: int | None = None
) -> Candidates:
    """Return the groups known so far that an item may belong to.

    Parameters
    ----------
    view : View
        Of the study.
    item : int
        An item that is not placed.
    chance : callable
        Returns how likely the two items of a pair are the same.
    other : int, optional
        An item that stands for the first group while none is known.
    """
    known = view.constraints
    found = [
        representative
        for representative in known.open_representatives(item)
        if known.component(representative) != known.component(item)
    ]
    members = []
    for representative in found:
        inside = np.flatnonzero(view.components == known.component(representative))
        away = view.distances(np.array([item]), inside).ravel()
        members.append(int(inside[away.argmin()]))
    if not known.representatives and other is not None:
        members = [other]
    chances = np.array([chance(Pair(item, member)) for member in members])
    all_found = view.n_clusters is not None and len(known.representatives) >= view.n_clusters
    new = 0.0 if all_found else max(1.0 - float(chances.sum()), _MIN_NEW)
    total = max(float(chances.sum()) + new, 1e-12)
    order = np.argsort(-np.round(chances, 6), kind="stable").tolist()
    return Candidates([members[k] for k in order], chances[order] / total, new / total)


def place_question(
    view: View, pair: Pair, chance: Callable[[Pair], float], pace: Pace, look: float
) -> PlaceQuestion | None:
    """Return the question where an item belongs; None if there is no group left for it.

    Parameters
    ----------
    view, chance
        As for `candidate_groups`.
    pair : Pair
        The item to be placed, and one that stands for the first group while none is known.
    pace : Pace
        Of whoever is asked.
    look : float
        Seconds to take the item in.
    """
    item = pair.i
    candidates = candidate_groups(view, item, chance, pair.j)
    if not candidates.members:
        return None
    return PlaceQuestion(
        item,
        tuple(view.clustering.labels_[candidates.members].tolist()),
        tuple(candidates.members),
        tuple(candidates.probabilities.tolist()),
        candidates.new,
        pace.of_place(look, candidates.expected_rank),
    )
