"""Clusterers put together of others: without their links, or on the affinity of a forest."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, Self

import scipy.sparse as sp

from likewise.affinities import ConstraintForest
from likewise.affinities.base import Links


@dataclass
class Unlinked:
    """A clusterer that is told no links, to see what they are worth."""

    model: Any

    def fit(self, X: Any, **_: Any) -> Self:
        """Cluster X alone."""
        self.labels_ = self.model.fit(X).labels_
        return self


@dataclass
class OnForest:
    """A clusterer of a forest's affinity; who of the two is told the links can be chosen.

    The forest is that of the COP-RF paper, and so is its neighbour graph, with about n/10 of them;
    `graph=False` takes all pairs. Shares of common leaves are raised to the power of `sharpness`,
    1 in the paper. With `single_rows` trees go on to single rows, as the paper's text says, else
    only as long as something is gained, as its Algorithm 1 does.
    """

    model: Any
    n_trees: int
    forest_linked: bool = True
    model_linked: bool = False
    graph: bool = True
    sharpness: float = 1.0
    single_rows: bool = True
    random_state: int = 0
    # The last forest without links, for they are the same whatever is linked later.
    _free: ClassVar[tuple[Any, tuple[bool, bool, int], ConstraintForest] | None] = None

    def fit(self, X: Any, *, must_link: Links, cannot_link: Links) -> Self:
        """Find `labels_`."""
        links: dict[str, Any] = {"must_link": must_link, "cannot_link": cannot_link}
        forest = self._forest(X, links) if self.forest_linked else self._free_forest(X)
        shares = forest.affinity_
        shares = shares.power(self.sharpness) if sp.issparse(shares) else shares**self.sharpness
        self.model.fit(shares, **(links if self.model_linked else {}))
        self.labels_ = self.model.labels_
        return self

    def _forest(self, X: Any, links: dict[str, Any]) -> ConstraintForest:
        n_neighbours = max(1, len(X) // 10) if self.graph else None
        forest = ConstraintForest(
            n_trees=self.n_trees,
            n_neighbours=n_neighbours,
            to_single_rows=self.single_rows,
            random_state=self.random_state,
        )
        return forest.fit(X, **links)

    def _free_forest(self, X: Any) -> ConstraintForest:
        settings = (self.graph, self.single_rows, self.random_state)
        if OnForest._free is None or OnForest._free[0] is not X or OnForest._free[1] != settings:
            OnForest._free = (X, settings, self._forest(X, {}))
        return OnForest._free[2]
