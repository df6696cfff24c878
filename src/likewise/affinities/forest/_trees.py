"""One tree of a constraint forest: its bag of rows, the links it sees, its nodes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple, Self

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp
from scipy.sparse.csgraph import connected_components

from likewise.affinities.forest._kernels import Floats, Ints, drop, grow

Pairs = npt.NDArray[np.int64]


@dataclass(frozen=True)
class TrainingRows:
    """The items, and as many synthetic rows in which the columns have nothing to do with another.

    Values are kept as ranks within their column: trees need no more, and ranks can be counted.
    """

    n_items: int
    codes: Ints  # (d, 2n), the items first
    values: Floats  # the distinct values of all columns, one column after the other
    start: npt.NDArray[np.int64]  # (d,), where the values of a column begin

    @classmethod
    def of(cls, X: Floats, rng: np.random.Generator) -> Self:
        """Draw the synthetic rows: each column from the values that the items have there."""
        n, d = X.shape
        distinct = [np.unique(column, return_inverse=True) for column in X.T]
        ranks = np.array([rank for _, rank in distinct], dtype=np.int32)
        drawn = np.take_along_axis(ranks, rng.integers(n, size=(d, n)), axis=1)
        sizes = [len(values) for values, _ in distinct]
        return cls(
            n,
            np.hstack([ranks, drawn]),
            np.concatenate([values for values, _ in distinct]),
            np.cumsum([0, *sizes[:-1]]),
        )


@dataclass(frozen=True)
class GivenLinks:
    """Links as they were given: a tree sees those of which both ends are in its bag."""

    must: Pairs
    cannot: Pairs
    must_chance: Floats | None = None  # with which probability a tree sees each; None sees all
    cannot_chance: Floats | None = None

    def within(self, in_bag: npt.NDArray[np.bool_], rng: np.random.Generator) -> tuple[Ints, Ints]:
        """Return the must- and cannot-links that a tree sees."""
        seen = []
        for pairs, chance in (
            (self.must, self.must_chance),
            (self.cannot, self.cannot_chance),
        ):
            there = in_bag[pairs].all(axis=1)
            if chance is not None:
                there &= rng.random(len(pairs)) < chance
            seen.append(pairs[there].astype(np.int32))
        return seen[0], seen[1]


@dataclass(frozen=True)
class ClosedLinks:
    """Links closed under transitivity: a tree sees all that follows for the items in its bag.

    No cut parts a group, so a chain of its members and one member for all its cannot-links say as
    much as every pair of them written out.
    """

    group: npt.NDArray[np.int64]  # (n,), items tied by must-links have the same number
    cannot: Pairs  # numbers of groups

    @classmethod
    def of(cls, n_items: int, must: Pairs, cannot: Pairs) -> Self:
        """Close the links; a cannot-link within a group cannot be met and is left out."""
        ties = sp.csr_matrix((np.ones(len(must)), must.T), shape=(n_items, n_items))
        group = connected_components(ties, directed=False)[1].astype(np.int64)
        apart = np.unique(np.sort(group[cannot], axis=1), axis=0).reshape(-1, 2)
        return cls(group, apart[apart[:, 0] != apart[:, 1]])

    def within(self, in_bag: npt.NDArray[np.bool_], rng: np.random.Generator) -> tuple[Ints, Ints]:
        """Return the must- and cannot-links that a tree sees."""
        items = np.flatnonzero(in_bag)
        items = items[np.argsort(self.group[items], kind="stable")]
        group = self.group[items]
        follows = group[1:] == group[:-1]
        must = np.column_stack([items[:-1][follows], items[1:][follows]])
        member = np.full(int(self.group.max()) + 1, -1)
        member[group[::-1]] = items[::-1]
        cannot = member[self.cannot]
        return must.astype(np.int32), cannot[(cannot >= 0).all(axis=1)].astype(np.int32)


def bag_of(n_items: int, rng: np.random.Generator) -> Ints:  # (2n,)
    """Draw how often a tree's bag holds each of the items and of the synthetic rows."""
    drawn = rng.integers(2 * n_items, size=n_items)
    return np.bincount(drawn, minlength=2 * n_items).astype(np.int32)


class Tree(NamedTuple):
    """Nodes in the order of their making, the root first; see `grow`."""

    feature: Ints  # (n_nodes,), -1 for a leaf
    threshold: Floats  # smaller values go left
    child: Ints
    gain: Floats  # in Gini impurity, times the rows of the node

    @classmethod
    def grown(
        cls,
        rows: TrainingRows,
        links: GivenLinks | ClosedLinks,
        n_try: int,
        min_leaf: int,
        to_single_rows: bool,
        running: bool,
        cut_sample: int,
        seed: np.random.SeedSequence,
    ) -> Tree:
        """Grow a tree on n of the 2n rows, drawn with replacement."""
        n, rng = rows.n_items, np.random.default_rng(seed)
        weight = bag_of(n, rng)
        data_weight = weight.copy()
        data_weight[n:] = 0
        must, cannot = links.within(weight[:n] > 0, rng)
        feature, low, high, child, gain = grow(
            rows.codes,
            weight,
            data_weight,
            np.ascontiguousarray(must),
            np.ascontiguousarray(cannot),
            n_try,
            min_leaf,
            to_single_rows,
            running,
            cut_sample,
            int(rng.integers(2**62)),
        )
        start = rows.start[feature]
        below, above = rows.values[start + low], rows.values[start + high]
        middle = below + (above - below) / 2
        # Between neighbouring floats there is no middle.
        return cls(feature, np.where(middle > below, middle, above), child, gain)

    @property
    def n_leaves(self) -> int:
        """How many leaves there are."""
        return int(np.count_nonzero(self.feature < 0))

    def leaves(self, X: Floats) -> Ints:
        """Return the leaf, 0 to n_leaves - 1, of each row of X."""
        leaves: Ints = drop(X, self.feature, self.threshold, self.child)
        return leaves
