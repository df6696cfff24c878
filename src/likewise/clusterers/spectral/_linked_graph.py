"""A similarity graph that answers have changed.

Linked items form cliques: written out, their entries would grow with the square of the answers.
They are kept as a product B C Bᵀ instead (B says which item is in which group, C what two groups
are to each other), so that one multiplication costs as much as the graph has edges.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp

from likewise.clusterers.links import LinkedGroups
from likewise.items import Matrix

Block = npt.NDArray[Any]  # float64, or float32 where it says so


@dataclass(frozen=True)
class LinkedGraph:
    """A graph W with the entries of linked pairs replaced: 1 for must-links, a value for others.

    `edges` holds what is left of W, `member` is B and `relation` is C; `diagonal` takes away what
    B C Bᵀ puts on the diagonal.
    """

    edges: Matrix  # (n, n)
    member: sp.csr_matrix  # (n, groups)
    relation: sp.csr_matrix  # (groups, groups)
    diagonal: npt.NDArray[np.float64]  # (n,)

    @classmethod
    def of(
        cls,
        affinity: Matrix,
        links: LinkedGroups,
        *,
        cannot_link_value: float,
    ) -> LinkedGraph:
        """Overwrite the similarities of linked pairs, without writing them out."""
        n, n_groups = affinity.shape[0], links.n_groups
        tied = links.group >= 0
        items = np.flatnonzero(tied)
        member = sp.csr_matrix((np.ones(len(items)), (items, links.group[items])), (n, n_groups))
        numbers = np.arange(n_groups + 1)
        relation = sp.csr_matrix((np.ones(n_groups), numbers[:-1], numbers), (n_groups, n_groups))
        if cannot_link_value:
            relation = sp.csr_matrix(relation + cannot_link_value * links.differ)
        edges = affinity.copy()
        if sp.issparse(affinity):
            row = np.repeat(np.arange(n), np.diff(affinity.indptr))
            both = np.flatnonzero(tied[row] & tied[affinity.indices])
            decided = links.decide(links.group[row[both]], links.group[affinity.indices[both]])
            edges.data[both[decided]] = 0.0
        else:
            block = np.ix_(items, items)
            group = links.group[items]
            decided = links.decide(
                np.repeat(group, len(group)), np.tile(group, len(group))
            ).reshape(len(group), len(group))
            edges[block] = np.where(decided, 0.0, affinity[block])
        return cls(edges, member, relation, np.where(tied, -1.0, 0.0))

    @classmethod
    def unlinked(cls, affinity: Matrix) -> LinkedGraph:
        """Take the similarities as they are."""
        return cls.of(affinity, LinkedGroups.none(affinity.shape[0]), cannot_link_value=0.0)

    def times(self, block: Block) -> Block:
        """Multiply W by a vector or a block of vectors."""
        product = np.asarray(self.edges @ block)
        if self.member.shape[1]:
            product += self.member @ (self.relation @ (self._gather @ block))
            product += (self.diagonal if block.ndim == 1 else self.diagonal[:, None]) * block
        return product

    @cached_property
    def _gather(self) -> Matrix:
        """Bᵀ, which every product needs."""
        return self.member.T

    def degrees(self) -> npt.NDArray[np.float64]:  # (n,)
        """Return the row sums of W."""
        return self.times(np.ones(self.edges.shape[0]))

    def absolute_degrees(self) -> npt.NDArray[np.float64]:  # (n,)
        """Return row sums of absolute entries, or a little more where a diagonal was corrected."""
        apart = abs(self.relation) @ (self._gather @ np.ones(self.edges.shape[0]))
        return np.asarray(np.asarray(abs(self.edges).sum(axis=1)).ravel() + self.member @ apart)

    def is_positive(self) -> bool:
        """Return whether no entry is negative."""
        return self.relation.nnz == 0 or float(self.relation.data.min()) >= 0

    def single(self) -> LinkedGraph:
        """Return the same in single precision."""
        parts: list[Any] = [self.edges, self.member, self.relation, self.diagonal]
        return LinkedGraph(*(part.astype(np.float32) for part in parts))

    def scaled(self, scale: npt.NDArray[np.float64]) -> LinkedGraph:
        """Return the graph with entry (i, j) multiplied by scale[i] scale[j]."""
        member = self.member.copy()
        member.data *= np.repeat(scale, np.diff(member.indptr))
        if sp.issparse(self.edges):
            edges = self.edges.copy()
            edges.data *= np.repeat(scale, np.diff(edges.indptr)) * scale[edges.indices]
        else:
            edges = scale[:, None] * self.edges * scale
        return LinkedGraph(edges, member, self.relation, scale**2 * self.diagonal)
