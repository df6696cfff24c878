"""Parts of a pile that are likely of one kind each, before anybody has answered."""

from __future__ import annotations

from functools import cached_property

import numpy as np
import numpy.typing as npt
from scipy.sparse.csgraph import connected_components, minimum_spanning_tree

from likewise.auto.experts.base import Array, Positions
from likewise.auto.experts.pagerank import PersonalisedPageRank

_STRONG = 0.25  # connections that hold an island together, beside those within a part
_GAP = 4.0  # how much weaker connections between islands are than those that hold them together


class Cells:
    """A partition of the pile, and for each part the item that most walks from within end at."""

    def __init__(self, of_item: npt.NDArray[np.int64], walks: PersonalisedPageRank) -> None:
        self.of_item = of_item
        self._walks = walks

    @cached_property
    def sizes(self) -> npt.NDArray[np.int64]:
        """How many items each part has."""
        return np.bincount(self.of_item)

    @property
    def centres(self) -> Positions:
        """One item of each part."""
        return self._arrivals[0]

    @cached_property
    def connections(self) -> Array:  # (parts, parts)
        """How likely walks lead from items of one part to those of another, beside within them."""
        flow = self._arrivals[1]
        mean = (flow + flow.T) / 2 / np.outer(self.sizes, self.sizes)
        within = np.sqrt(np.diag(mean))
        return np.asarray(mean / np.outer(within, within))

    @cached_property
    def _arrivals(self) -> tuple[Positions, Array]:  # (parts,), (parts, parts)
        """Where in each part most walks from within end, and how many end in each other part."""
        centres, flow = [], []
        for cell in range(len(self.sizes)):
            inside = self.of_item == cell
            arriving = self._walks.gathered(inside.astype(np.float64))
            centres.append(int(np.where(inside, np.round(arriving, 9), -1.0).argmax()))
            flow.append(np.bincount(self.of_item, arriving))
        return np.array(centres, dtype=np.int64), np.stack(flow)

    def islands(self) -> Cells | None:
        """Groups of parts that walks hardly leave; None unless there are such.

        A ring or a band falls into many round parts. They are one if strong connections hold them
        together and there is a gap: if, joining the strongest first, the next is `_GAP` times
        weaker.
        """
        # Never 0, which would mean "no connection" in a graph.
        weakness = np.maximum(-np.log(np.maximum(self.connections, 1e-12)), 1e-9)
        np.fill_diagonal(weakness, 0.0)
        joining = np.sort(minimum_spanning_tree(weakness).data)
        gaps = np.diff(joining, prepend=0.0)
        after = 1 + int(np.sum(joining <= -np.log(_STRONG)))  # gaps that strong ones come before
        widest = int(gaps[:after].argmax()) if len(gaps) else 0
        if widest == 0 or gaps[widest] < np.log(_GAP):
            return None
        _, island = connected_components(weakness <= joining[widest - 1])
        return Cells(island[self.of_item].astype(np.int64), self._walks)
