"""Placing: an item is asked against one member of each group until it is known where it belongs.

The bookkeeping is here and nowhere else; what differs between sample-based strategies is only
which item they want placed next (a `Chooser`). Nothing is remembered between calls: which item is
in the middle of being placed is read off the answers, so a study goes on after a restart as if it
had never stopped.
"""

from __future__ import annotations

from typing import Protocol

import numpy as np
import numpy.typing as npt

from likewise.pairs import Pair
from likewise.strategies.base import View
from likewise.strategies.belief import belief_about


class Chooser(Protocol):
    """Decides which items are worth placing."""

    def rank(
        self, view: View, candidates: npt.NDArray[np.int64], n: int, rng: np.random.Generator
    ) -> list[int]:
        """Up to `n` of the candidates, best first; several should not tell the same story."""


class Placing:
    """The strategy that finishes placing what it began, then what its chooser wants next."""

    def __init__(self, chooser: Chooser) -> None:
        self.chooser = chooser

    def propose(self, view: View, n: int, rng: np.random.Generator) -> list[Pair]:
        """The next question about each of up to `n` items."""
        pairs: list[Pair] = []
        busy = _Busy(view)
        for item in unfinished(view):
            if len(pairs) < n:
                busy.add_question(item, pairs)
        candidates = busy.candidates()
        while len(pairs) < n and len(candidates):
            # All groups of an item may be resting; then the next best one is asked about.
            wanted = self.chooser.rank(view, candidates, n - len(pairs), rng)
            for item in wanted:
                if len(pairs) < n:
                    busy.add_question(item, pairs)
            candidates = np.setdiff1d(busy.candidates(), wanted)
        return pairs


def unfinished(view: View) -> list[int]:
    """Items that recent answers were about and that are not placed yet, latest first.

    An item counts only if some answer set it apart from a group: then the rest is cheap to ask.
    """
    known = view.constraints
    return [
        item
        for item in dict.fromkeys(view.recent)
        if not view.placed[item] and len(known.open_pillars(item)) < len(known.pillars)
    ]


class _Busy:
    """Keeps a batch of questions independent: one per unplaced item, none that is pending."""

    def __init__(self, view: View) -> None:
        self.view = view
        known = view.constraints
        self.taken = {
            known.mark(item) for pair in view.pending for item in pair if not view.placed[item]
        }
        self.resting: dict[int, set[int]] = {}  # by mark: groups not to be asked against now
        for i, j in view.resting:
            for item, other in ((i, j), (j, i)):
                self.resting.setdefault(known.mark(item), set()).add(known.mark(other))

    def candidates(self) -> npt.NDArray[np.int64]:
        """Items not placed and not in the batch yet, with a group left to ask about."""
        view = self.view
        free = ~view.placed
        if self.taken:
            free &= ~np.isin(view.marks, list(self.taken))
        return np.flatnonzero(free)

    def add_question(self, item: int, pairs: list[Pair]) -> None:
        """Append the item's next question, unless there is none now."""
        known = self.view.constraints
        mark = known.mark(item)
        if mark in self.taken:
            return
        self.taken.add(mark)
        belief = belief_about(self.view, item)
        resting = self.resting.get(mark, set())
        for g in np.argsort(-belief.probability, kind="stable"):
            if known.mark(belief.pillars[g]) not in resting:
                pairs.append(Pair(item, belief.nearest[g]))
                return
