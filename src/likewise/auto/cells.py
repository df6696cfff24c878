"""Cells: parts of a pile that likely hold one group each, before anybody has answered."""

from __future__ import annotations

from functools import cached_property

import numpy as np
import numpy.typing as npt
from scipy.sparse.csgraph import connected_components, minimum_spanning_tree

from likewise.auto.experts.base import Array
from likewise.auto.experts.pagerank import PersonalisedPageRank

_STRONG = (
    0.25  # edges of the cell graph, beside those within a cell, that hold a component together
)
_GAP = 4.0  # how much weaker edges between components must be than those that hold them together


class Cells:
    """A partition of the pile, with the PageRank that flows between its cells.

    Parameters
    ----------
    labels : ndarray of shape (n,)
        The cell of every item, 0 to the number of cells - 1.
    pagerank : PersonalisedPageRank
        Of the pile's neighbour graph.
    """

    def __init__(self, labels: npt.NDArray[np.int64], pagerank: PersonalisedPageRank) -> None:
        self.labels = labels
        self._pagerank = pagerank

    @cached_property
    def sizes(self) -> npt.NDArray[np.int64]:
        """How many items each cell has."""
        return np.bincount(self.labels)

    @cached_property
    def connectivity(self) -> Array:  # (cells, cells)
        """Mean PageRank between items of two cells, relative to that within them: the cell graph.

        1 on the diagonal, 0 between cells that no path connects.
        """
        flow = self._flow
        mean = (flow + flow.T) / 2 / np.outer(self.sizes, self.sizes)
        within = np.sqrt(np.diag(mean))
        return np.asarray(mean / np.outer(within, within))

    @cached_property
    def _flow(self) -> Array:  # (cells, cells)
        """The PageRank that restarts in one cell leave in another."""
        inside = (self.labels == cell for cell in range(len(self.sizes)))
        ranks = (self._pagerank.pagerank_from(cell.astype(np.float64)) for cell in inside)
        return np.stack([np.bincount(self.labels, rank) for rank in ranks])

    def components(self) -> Cells | None:
        """Return the connected components of the cell graph, or None if there is no clear gap.

        A ring or a band falls into many round cells. They are one component if strong edges hold
        them together and there is a gap: if, joining the strongest first (single linkage), the
        next edge is `_GAP` times weaker.
        """
        # Never 0, which would mean "no edge" in a graph.
        length = np.maximum(-np.log(np.maximum(self.connectivity, 1e-12)), 1e-9)
        np.fill_diagonal(length, 0.0)
        joining = np.sort(minimum_spanning_tree(length).data)
        gaps = np.diff(joining, prepend=0.0)
        after = 1 + int(np.sum(joining <= -np.log(_STRONG)))  # gaps that strong edges come before
        widest = int(gaps[:after].argmax()) if len(gaps) else 0
        if widest == 0 or gaps[widest] < np.log(_GAP):
            return None
        _, component = connected_components(length <= joining[widest - 1])
        return Cells(component[self.labels].astype(np.int64), self._pagerank)
