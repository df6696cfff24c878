"""FFQS: explore by the farthest item until all groups are found, then consolidate."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from likewise.journal.pairs import Verdict
from likewise.strategies.base import View
from likewise.strategies.items.random_items import RandomItems
from likewise.strategies.placing import Chooser
from likewise.strategies.ranking import rounded

_BLOCK = 100  # placed items whose distances to all others are held at a time


def farthest(view: View, candidates: npt.NDArray[np.int64], n: int) -> list[int]:
    """Return `n` candidates, each farthest from all placed items and from those before it."""
    nearest = np.full(len(candidates), np.inf)
    placed = np.flatnonzero(view.placed)
    for start in range(0, len(placed), _BLOCK):
        away = view.distances(placed[start : start + _BLOCK], candidates)
        nearest = np.minimum(nearest, away.min(axis=0))
    chosen: list[int] = []
    while len(chosen) < min(n, len(candidates)):
        best = int(rounded(nearest).argmax())
        chosen.append(int(candidates[best]))
        away = view.distances(candidates[best : best + 1], candidates).ravel()
        nearest = np.minimum(nearest, away)
        nearest[best] = -1.0
    return chosen


class FarthestFirst:
    """The chooser that explores by farthest-first traversal, then consolidates.

    *Explore* takes the item farthest from everything placed so far, until all groups are found.
    *Consolidate* is left to another chooser.

    Parameters
    ----------
    then : Chooser, optional
        Takes over when exploring ends; by default `RandomItems()`, as in the paper.
    patience : int
        Where the number of groups is unknown, exploring ends after so many items in a row that
        brought no new group. 0 never explores.

    References
    ----------
    Basu, Banerjee and Mooney, "Active semi-supervision for pairwise constrained clustering", 2004
    (Explore and Consolidate).
    """

    def __init__(self, *, then: Chooser | None = None, patience: int = 5) -> None:
        self.then = then if then is not None else RandomItems()
        self.patience = patience

    def rank(
        self, view: View, candidates: npt.NDArray[np.int64], n: int, rng: np.random.Generator
    ) -> list[int]:
        """Return the farthest candidates while exploring, later those of the other chooser."""
        if not self._exploring(view):
            return self.then.rank(view, candidates, n, rng)
        return farthest(view, candidates, n)

    def _exploring(self, view: View) -> bool:
        """Return whether there may be a group that is not found yet."""
        if view.n_clusters is not None:
            return len(view.representatives) < view.n_clusters
        known = view.constraints
        since = known.answers[known.found_at[-1] :] if known.found_at else known.answers
        return sum(answer.verdict is Verdict.SAME for answer in since) < self.patience
