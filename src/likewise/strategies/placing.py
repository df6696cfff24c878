"""Placing: an item is asked against one member of each group until its group is known.

The bookkeeping is here and nowhere else; what differs between sample-based strategies is only
which item they place next (a `Chooser`). Nothing is remembered between calls: which item is being
placed is read off the answers, so a study goes on after a restart as if it had never stopped.
"""

from __future__ import annotations

from typing import Protocol

import numpy as np
import numpy.typing as npt

from likewise.journal.pairs import Pair
from likewise.strategies.base import View
from likewise.strategies.batch import IndependentBatch
from likewise.strategies.group_posterior import group_posterior


class Chooser(Protocol):
    """Ranks items by how much placing them is worth."""

    def rank(
        self, view: View, candidates: npt.NDArray[np.int64], n: int, rng: np.random.Generator
    ) -> list[int]:
        """Return up to `n` of the candidates, best first.

        Several should be unlike each other; see `unlike_each_other`.
        """


class Placing:
    """The strategy that finishes placing what it has begun, then asks its chooser.

    Parameters
    ----------
    chooser : Chooser
        Which item is placed next.

    Examples
    --------
    A chooser is one method:

    >>> import likewise as lw
    >>> class InOrder:
    ...     def rank(self, view, candidates, n, rng):
    ...         return candidates[:n].tolist()
    >>> study = lw.Study([[0.0], [0.1], [5.0]], method="random")
    >>> Placing(InOrder()).propose(study.view, 1, np.random.default_rng(0))
    [Pair(i=0, j=2)]
    """

    def __init__(self, chooser: Chooser) -> None:
        self.chooser = chooser

    def propose(self, view: View, n: int, rng: np.random.Generator) -> list[Pair]:
        """Return the next question about each of up to `n` items."""
        batch = IndependentBatch(view)
        begun = (next_question(view, item, batch) for item in being_placed(view))
        pairs = [question for question in begun if question is not None][:n]
        candidates = np.flatnonzero(~view.placed & ~view.pending_items)
        while len(pairs) < n and len(candidates):
            wanted = self.chooser.rank(view, candidates, n - len(pairs), rng)
            questions = (next_question(view, item, batch) for item in wanted)
            pairs += [question for question in questions if question is not None]
            # An item whose groups are all deferred has no question now; the next best may have.
            candidates = np.setdiff1d(candidates, wanted)
        return pairs


def was_deferred(view: View, pair: Pair) -> bool:
    """Return whether a recent "unsure" was about these two items or others of their groups."""
    component = view.constraints.component
    asked = {component(pair.i), component(pair.j)}
    return any({component(a), component(b)} == asked for a, b in view.deferred)


def being_placed(view: View) -> list[int]:
    """Return the items that recent answers were about and that are not placed yet, latest first.

    An item counts only if it is known to differ from some group: then the rest is cheap to ask.
    """
    known = view.constraints
    return [
        item
        for item in dict.fromkeys(view.recent)
        if not view.placed[item]
        and len(known.open_representatives(item)) < len(known.representatives)
    ]


def next_question(view: View, item: int, batch: IndependentBatch) -> Pair | None:
    """Return the item against the nearest group that is neither deferred nor settled by the batch.

    The single nearest member decides, as in the URASC paper, not the vote of several that gives
    the probability: an item's nearest neighbour is a better first guess than a majority.
    """
    known = view.constraints
    posterior = group_posterior(view, item)
    deferred = {
        known.component(other)
        for pair in view.deferred
        for one, other in (pair, pair[::-1])
        if known.component(one) == known.component(item)
    }
    for representative, member in zip(posterior.representatives, posterior.nearest, strict=True):
        question = Pair(item, member)
        if known.component(representative) not in deferred and batch.add(question):
            return question
    return None
