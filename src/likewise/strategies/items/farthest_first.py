"""Explore and consolidate: find all groups by going far, then fill them (FFQS)."""

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
    """`n` candidates, each the farthest from everything placed and from those before it."""
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
    """The chooser of Basu, Banerjee and Mooney (2004).

    *Explore* takes the item farthest from everything placed so far, until the given number of
    groups is found; when that number is unknown, until `patience` items in a row brought no new
    group. *Consolidate* is then left to another chooser, `then`: the paper's takes items at random.
    """

    def __init__(self, *, then: Chooser | None = None, patience: int = 5) -> None:
        self.then = then if then is not None else RandomItems()
        self.patience = patience

    def rank(
        self, view: View, candidates: npt.NDArray[np.int64], n: int, rng: np.random.Generator
    ) -> list[int]:
        """The farthest candidates while exploring; afterwards what the other chooser wants."""
        if not self._exploring(view):
            return self.then.rank(view, candidates, n, rng)
        return farthest(view, candidates, n)

    def _exploring(self, view: View) -> bool:
        if view.n_clusters is not None:
            return len(view.representatives) < view.n_clusters
        known = view.constraints
        since = known.answers[known.found_at[-1] :] if known.found_at else known.answers
        return sum(answer.verdict is Verdict.SAME for answer in since) < self.patience
