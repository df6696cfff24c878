"""The contract of a clusterer: items and links in, groups out."""

from __future__ import annotations

from typing import Any, Protocol, Self, runtime_checkable

import numpy as np
import numpy.typing as npt

from likewise.affinities.base import Links, Positions
from likewise.clusterers.links import Labels
from likewise.errors import MethodError
from likewise.items import Matrix


class Clusterer(Protocol):
    """An estimator of groups: items (or their affinity) and links in, `labels_` out.

    `start`, another fit of the same pile with fewer or other links, may be used to save work.
    """

    labels_: Labels  # (n,), 0 .. n_clusters_ - 1
    n_clusters_: int

    def fit(
        self,
        X: Any,
        y: Any = None,
        *,
        must_link: Links = None,
        cannot_link: Links = None,
        start: Self | None = None,
    ) -> Self:
        """Find `labels_` for the rows of X."""


@runtime_checkable
class MetricLearner(Protocol):
    """A clusterer that also learns how far apart items are: strategies then go by that."""

    def distances(self, items: Positions, others: Positions) -> npt.NDArray[np.float64]:
        """How far apart items of the last fit are, (len(items), len(others))."""


@runtime_checkable
class PileClusterer(Protocol):
    """A clusterer that looks at the features and at the neighbour graph, and finds out how many.

    It is given `n_clusters=None` where the number of groups is unknown.
    """

    def fit_pile(
        self,
        features: Matrix | None,
        graph: Matrix,
        *,
        must_link: Links = None,
        cannot_link: Links = None,
        start: Any = None,
    ) -> Any:
        """Find `labels_`; `features` is None when only the graph is known."""


def check_n_clusters(n_clusters: int, n_items: int) -> None:
    """A sentence for a number of clusters that the items cannot have."""
    if not 1 <= n_clusters <= n_items:
        raise MethodError(
            f"n_clusters must be between 1 and the number of items, n_samples={n_items}, "
            f"but got {n_clusters}"
        )
