"""The strategy of methods whose clusterer knows what to ask."""

from __future__ import annotations

from itertools import islice

import numpy as np

from likewise.clusterers.dialogue.base import DialogueClusterer
from likewise.errors import MethodError
from likewise.journal.pairs import Pair
from likewise.strategies.base import View
from likewise.strategies.batch import IndependentBatch


class ClustererDriven:
    """Asks the pairs that the clusterer wants to know next.

    The clusterer must be a `DialogueClusterer`, such as `COBRAS`. Pairs that are deferred, pending
    or dependent on another of the batch are skipped: the clusterer goes on as if they were
    different, and comes back to them.
    """

    def propose(self, view: View, n: int, rng: np.random.Generator) -> list[Pair]:
        """Return the clusterer's next `n` pairs that are independent of one another."""
        if not isinstance(view.clustering, DialogueClusterer):
            raise MethodError(
                f"the strategy ClustererDriven needs a clusterer with a dialogue, such as COBRAS, "
                f"not {type(view.clustering).__name__}"
            )
        batch = IndependentBatch(view)
        return list(islice(filter(batch.add, view.clustering.open_pairs()), n))
