"""Dialogues: methods whose clusterer knows what to ask."""

from __future__ import annotations

from itertools import islice

import numpy as np

from likewise.clusterers.dialogue.base import DialogueClusterer
from likewise.errors import MethodError
from likewise.journal.pairs import Pair
from likewise.strategies.base import View
from likewise.strategies.batch import Independent


class Dialogue:
    """Asks what the clusterer's dialogue wants to know next.

    Pairs that rest, that somebody is looking at or that would depend on another of the batch are
    passed: the dialogue goes on as if they were different, and comes back to them.
    """

    def propose(self, view: View, n: int, rng: np.random.Generator) -> list[Pair]:
        """The next `n` pairs of the dialogue that are independent of one another."""
        if not isinstance(view.clustering, DialogueClusterer):
            raise MethodError(
                f"the strategy Dialogue needs a clusterer with a dialogue, such as COBRAS, "
                f"not {type(view.clustering).__name__}"
            )
        batch = Independent(view)
        return list(islice(filter(batch.accepts, view.clustering.open_pairs()), n))
