"""Average link: parts of a pile, refined one by one, whose representatives are compared."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.cluster.hierarchy import linkage

from likewise.clusterers.base import FitContext, LinkedClusterer, check_at_least_one
from likewise.clusterers.kmeans.centres import square_distances, sums_by
from likewise.clusterers.linkage.dendrogram import Dendrogram
from likewise.clusterers.links import Labels, LinkedGroups
from likewise.errors import MethodError

_MOST_ITEMS = 20_000  # items: all their distances are held at a time
_MOST_ROTATED = 1_000  # items up to which wide rows are made as short as there are items


@dataclass(frozen=True)
class Refinement:
    """Ever finer partitions of a pile: each splits the widest part of the one before in two.

    A part is known by its representative. Of two halves, the one that holds the representative of
    the whole keeps it, and the other takes its member nearest the mean: so what was learned of a
    representative stays true of it.
    """

    representatives: Labels  # (n,): the first m stand for the m parts there are
    points: npt.NDArray[np.float64]  # (n, columns): all items, as far apart as they are
    _order: Labels  # (n,): all items, so ordered that every part representative together
    _spans: list[slice]  # where each part representative when it is split off

    @classmethod
    def of(cls, X: npt.NDArray[np.float64]) -> Refinement:
        """Refine by average link: the widest part is that of the latest merge."""
        n = len(X)
        pairs = linkage(X, "average")[:, :2].astype(np.int64).tolist()
        merges = Dendrogram.of(n, pairs)
        representative = np.empty(2 * n - 1, dtype=np.int64)  # the representative of each cluster
        representative[-1] = _nearest_mean(X, merges.order)
        chosen, spans = [int(representative[-1])], [slice(0, n)]
        for made in range(2 * n - 2, n - 1, -1):
            a, b = pairs[made - n]
            keeps, other = (
                (a, b) if merges.begin[representative[made]] < merges.begin[b] else (b, a)
            )
            representative[keeps], representative[other] = (
                representative[made],
                _nearest_mean(X, merges.members(other)),
            )
            chosen.append(int(representative[other]))
            spans.append(merges.span(other))
        return cls(np.array(chosen), _fewer_columns(X), merges.order, spans)

    def parts(self, n_parts: int) -> Labels:  # (n,)
        """Return the representative of the part that every item is in."""
        along = np.empty(len(self._order), dtype=np.int64)
        for item, stretch in zip(self.representatives[:n_parts], self._spans, strict=False):
            along[stretch] = item
        parts = np.empty_like(along)
        parts[self._order] = along
        return parts


def _fewer_columns(X: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Return rows of the same distances in fewer columns, where there are more than items."""
    n, d = X.shape
    return np.asarray(np.linalg.qr(X.T, mode="r")).T if n < d and n <= _MOST_ROTATED else X


def _nearest_mean(X: npt.NDArray[np.float64], members: Labels) -> int:
    points = X[members]
    away = ((points - points.mean(axis=0)) ** 2).sum(axis=1)
    # As near but for the last bit of a sum: then the first item.
    return int(members[away <= away.min() * (1 + 1e-9)].min())


class AverageLinkParts(LinkedClusterer):
    """Parts by average link, joined by links between their representatives.

    Begins with `parts_per_cluster` parts for every cluster wanted. Once the links say of all their
    representatives who belongs together, the widest part is split, and so on. `labels_` joins what
    is not known to differ, nearest clusters first (by the mean squared distance of their items),
    until `n_clusters` are left.

    Parameters
    ----------
    n_clusters : int, default=2
        At how many clusters joining stops.
    parts_per_cluster : int, default=3
        How many parts to begin with for every cluster.
    random_state : int, default=0
        Not used: nothing is drawn.

    Attributes
    ----------
    labels_ : ndarray of shape (n,)
        The cluster of each item, 0 to `n_clusters_` - 1.
    n_clusters_ : int
        How many clusters there are; more than `n_clusters` where links demand it.
    parts_ : ndarray of shape (n,)
        The representative of each item's part, before parts are joined: what CAC1 asks about.
    refinement_ : Refinement
        The ever finer partitions, computed once for the items.

    References
    ----------
    Biswas and Jacobs: Large scale image clustering with active pairwise constraints, 2011.

    Examples
    --------
    >>> X = [[0.0], [0.1], [5.0], [5.1], [20.0]]
    >>> AverageLinkParts(n_clusters=2, parts_per_cluster=1).fit(X).labels_
    array([0, 0, 0, 0, 1])
    >>> model = AverageLinkParts(n_clusters=2, parts_per_cluster=1)
    >>> model.fit(X, must_link=[(3, 4)], cannot_link=[(0, 3)]).labels_
    array([0, 0, 1, 1, 1])
    """

    parts_: Labels  # (n,): the representative of each item's part
    refinement_: Refinement

    def __init__(
        self, *, n_clusters: int = 2, parts_per_cluster: int = 3, random_state: int = 0
    ) -> None:
        self.n_clusters = n_clusters
        self.parts_per_cluster = parts_per_cluster
        self.random_state = random_state

    def _fit_linked(self, X: Any, links: LinkedGroups, context: FitContext) -> Labels:
        n = len(X)
        if n > _MOST_ITEMS:
            raise MethodError(
                f"average link compares all pairs of items, too many of {n}; use 'cobra', or "
                f"{_MOST_ITEMS} items at most"
            )
        same = context.reusable
        self.refinement_ = same.refinement_ if same is not None else Refinement.of(X)
        name = np.where(links.group >= 0, links.group, links.n_groups + np.arange(n))
        differ = _differing(links)
        n_parts = max(self.parts_per_cluster * self.n_clusters, self._n_decided(name, differ) + 1)
        self.parts_ = self.refinement_.parts(min(n, n_parts))
        return _join(self.refinement_.points, name[self.parts_], differ, self.n_clusters)

    def _check_parameters(self, n_features: int) -> None:
        check_at_least_one(parts_per_cluster=self.parts_per_cluster)

    def _n_decided(self, name: Labels, differ: dict[int, set[int]]) -> int:
        """Count the representatives, from the first, that are known to be the same or different."""
        seen: set[int] = set()
        for number, item in enumerate(self.refinement_.representatives.tolist()):
            here = int(name[item])
            if here not in seen and not seen <= differ.get(here, set()):
                return number
            seen.add(here)
        return len(name)


def _differing(links: LinkedGroups) -> dict[int, set[int]]:
    """Return the groups that each group differs from."""
    differ: dict[int, set[int]] = {}
    for a, b in links.differing.tolist():
        differ.setdefault(a, set()).add(b)
        differ.setdefault(b, set()).add(a)
    return differ


def _join(
    X: npt.NDArray[np.float64], name: Labels, differ: dict[int, set[int]], n_clusters: int
) -> Labels:
    """Join the nearest clusters that may be joined, until so many are left or none may be."""
    names, labels = np.unique(name, return_inverse=True)
    c = len(names)
    sizes = np.bincount(labels).astype(np.float64)
    means = sums_by(labels, X, c) / sizes[:, None]
    spread = np.bincount(labels, weights=((X - means[labels]) ** 2).sum(axis=1)) / sizes
    between = square_distances(means, means) + spread[:, None] + spread
    number = {int(one): code for code, one in enumerate(names.tolist())}
    for one, others in differ.items():
        for other in others:
            if one in number and other in number:
                between[number[one], number[other]] = np.inf
    np.fill_diagonal(between, np.inf)
    alive = np.ones(c, dtype=bool)
    merged = np.arange(c)
    while alive.sum() > n_clusters:
        a, b = sorted(np.unravel_index(int(between.argmin()), between.shape))
        if not np.isfinite(between[a, b]):
            break
        # The mean over pairs of the joined one; what may be joined with neither stays so.
        row = (sizes[a] * between[a] + sizes[b] * between[b]) / (sizes[a] + sizes[b])
        between[a], between[:, a] = row, row
        between[b], between[:, b], between[a, a] = np.inf, np.inf, np.inf
        sizes[a] += sizes[b]
        alive[b] = False
        merged[merged == b] = a
    return np.asarray(merged[labels])
