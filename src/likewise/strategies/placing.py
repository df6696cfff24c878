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

from likewise.journal.pairs import Pair
from likewise.strategies.base import View
from likewise.strategies.batch import Independent
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
        batch = Independent(view)
        pairs = [p for i in unfinished(view) if (p := next_question(view, i, batch)) is not None][
            :n
        ]
        pending = [view.constraints.component(item) for pair in view.pending for item in pair]
        candidates = np.flatnonzero(~view.placed & ~np.isin(view.components, pending))
        while len(pairs) < n and len(candidates):
            wanted = self.chooser.rank(view, candidates, n - len(pairs), rng)
            questions = (next_question(view, item, batch) for item in wanted)
            pairs += [question for question in questions if question is not None]
            # An item whose groups are all resting has no question now; the next best may have.
            candidates = np.setdiff1d(candidates, wanted)
        return pairs


def unfinished(view: View) -> list[int]:
    """Items that recent answers were about and that are not placed yet, latest first.

    An item counts only if some answer set it apart from a group: then the rest is cheap to ask.
    """
    known = view.constraints
    return [
        item
        for item in dict.fromkeys(view.recent)
        if not view.placed[item]
        and len(known.open_representatives(item)) < len(known.representatives)
    ]


def next_question(view: View, item: int, batch: Independent) -> Pair | None:
    """The item against the nearest group that neither rests nor is settled by the batch.

    The single nearest member decides, as in the URASC paper, not the vote of several by which the
    probability is told: an item's nearest neighbour is a better first guess than a majority.
    """
    known = view.constraints
    belief = belief_about(view, item)
    resting = {
        known.component(other)
        for pair in view.resting
        for one, other in (pair, pair[::-1])
        if known.component(one) == known.component(item)
    }
    for representative, member in zip(belief.representatives, belief.nearest, strict=True):
        question = Pair(item, member)
        if known.component(representative) not in resting and batch.accepts(question):
            return question
    return None
