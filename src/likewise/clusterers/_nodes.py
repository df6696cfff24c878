"""What is clustered in place of all items: representatives, and the items that links speak of."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp

from likewise.clusterers.links import Labels, LinkedGroups
from likewise.clusterers.representatives import Representatives, by_kmeans
from likewise.items import Matrix

Pairs = list[tuple[int, int]]


@dataclass(frozen=True)
class Nodes:
    """Points to cluster, the links among them, and which of them decides for each item."""

    points: Matrix  # (m, d)
    of_item: Labels  # (n,)
    must_link: Pairs
    cannot_link: Pairs

    @classmethod
    def of(cls, X: Matrix, representatives: Representatives, links: LinkedGroups) -> Nodes:
        """Representatives for the free items; every linked item is a node of its own."""
        n_points = len(representatives.points)
        if n_points == X.shape[0]:  # every item is its own representative already
            node = representatives.of_item
            return cls(X, node, *_links_between(links, node))
        tied = np.flatnonzero(links.group >= 0)
        of_item = representatives.of_item.copy()
        of_item[tied] = n_points + np.arange(len(tied))
        points = np.vstack([representatives.points, _dense(X[tied])])
        # A representative of linked items only has nobody left to stand for.
        used, of_item = np.unique(of_item, return_inverse=True)
        of_item = of_item.astype(np.int64)
        return cls(points[used], of_item, *_links_between(links, of_item))

    @classmethod
    def of_classes(
        cls,
        X: Matrix,
        representatives: Representatives,
        classes: Labels,
        n_per_class: int,
        rng: np.random.Generator,
    ) -> Nodes:
        """Representatives for the free items, and others for the labelled ones of each class."""
        points = [representatives.points]
        of_item = representatives.of_item.copy()
        begins = [len(representatives.points)]
        for c in range(int(classes.max()) + 1):
            members = np.flatnonzero(classes == c)
            own = by_kmeans(X[members], n_per_class, rng)
            of_item[members] = begins[-1] + own.of_item
            points.append(own.points)
            begins.append(begins[-1] + len(own.points))
        must = [(begin, node) for begin, end in pairwise(begins) for node in range(begin + 1, end)]
        cannot = [(a, b) for k, a in enumerate(begins[:-1]) for b in begins[k + 1 : -1]]
        return cls(np.vstack(points), of_item, must, cannot)


def _links_between(links: LinkedGroups, node: Labels) -> tuple[Pairs, Pairs]:
    """The links between nodes from which all of them follow."""
    first = [int(node[members[0]]) for members in links.members]
    must = [
        (first[group], int(node[member]))
        for group, members in enumerate(links.members)
        for member in members[1:]
    ]
    cannot = [(first[a], first[b]) for a, b in links.differing.tolist()]
    return must, cannot


def _dense(rows: Matrix) -> npt.NDArray[np.float64]:
    return np.asarray(rows.toarray() if sp.issparse(rows) else rows)
