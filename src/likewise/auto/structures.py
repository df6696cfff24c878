"""The structures of one pile, under the weightings of its views that answers have shown."""

from __future__ import annotations

from collections.abc import Mapping

from likewise.auto.structure import PileStructure
from likewise.items import Matrix

_KEPT = 3  # that of the first weighting, that of today's, and one that will count soon


class PileStructures:
    """The structures made of late, handed on from fit to fit: none is made twice.

    Answers change how much the views of items count, and so features and graph. What rests on a
    view by itself is the same in all structures, and is made once.

    Examples
    --------
    >>> import numpy as np
    >>> X = np.array([[0.0], [0.1], [5.0]])
    >>> graph = np.array([[0.0, 0.9, 0.1], [0.9, 0.0, 0.1], [0.1, 0.1, 0.0]])
    >>> known = PileStructures()
    >>> known.of(X, graph, 0) is known.of(X, graph, 0)
    True
    """

    def __init__(self) -> None:
        self._made: list[PileStructure] = []  # the latest last

    def of(
        self,
        features: Matrix | None,
        graph: Matrix,
        random_state: int,
        views: Mapping[str, Matrix] | None = None,
    ) -> PileStructure:
        """Return the structure of these very arrays; see `PileStructure`."""
        made = self._made
        for one in made:
            if one.features is features and one.graph is graph and one.views is views:
                return one
        of_views = next((one.one_views for one in made if one.views is views), None)
        found = PileStructure(features, graph, random_state, views, one_views=of_views)
        # Another list, not a longer one: another thread may be going through this.
        self._made = [*self._made, found][-_KEPT:]
        return found
