"""Similarities among groups of linked items, each group a single node with a representative."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp

from likewise.clusterers.links import Labels, LinkedGroups

Floats = npt.NDArray[np.float64]
Nodes = npt.NDArray[np.int64]


@dataclass(frozen=True)
class ContractedSimilarities:
    """Nodes of must-linked items: what a node's members gain together by another's representative.

    `similarity` counts every member, so that a sum over nodes is the same sum over items. Nodes
    that differ are further apart than anything could make good for.
    """

    node: Labels  # (n,) the node of each item
    item: Nodes  # (m,) the representative of each node
    similarity: Floats  # (m, m); the diagonal is what members gain by their own representative
    differ: sp.csr_matrix  # (m, m), a one where two nodes may not share a cluster

    @classmethod
    def of(cls, similarity: Floats, links: LinkedGroups) -> ContractedSimilarities:
        """Contract the groups of linked items, each around the member most similar to the rest."""
        n = len(similarity)
        alone = links.group < 0
        name = np.where(alone, links.n_groups + np.arange(n), links.group)
        node = np.unique(name, return_inverse=True)[1].astype(np.int64)
        # Groups come first and in their order, so that their numbers are those of the links.
        n_nodes = int(node.max()) + 1
        member = sp.csr_matrix((np.ones(n), (node, np.arange(n))), (n_nodes, n))
        own = similarity.copy()
        np.fill_diagonal(own, 0.0)
        gained = np.asarray(member @ own)  # what the members of a node gain by an item
        item = np.array(
            [
                members[gained[number, members].argmax()]
                for number, members in enumerate(np.split(member.indices, member.indptr[1:-1]))
            ]
        )
        among = gained[:, item]
        differ = sp.csr_matrix((n_nodes, n_nodes))
        if len(links.differing):
            differ = sp.block_diag(
                [links.differ, sp.csr_matrix((n_nodes - links.n_groups,) * 2)], format="csr"
            )
            among[differ.nonzero()] = among.min() - n * max(float(np.ptp(among)), 1.0)
        return cls(node, item.astype(np.int64), among, differ)

    def costs(self, preference: float) -> Floats:  # (m, m)
        """Return the similarities with the preference for being an exemplar on the diagonal."""
        return np.asarray(self.similarity + preference * np.eye(len(self.item)))


def net_similarity(similarity: Floats, exemplars: Nodes) -> float:
    """Sum what affinity propagation maximises: preferences of exemplars, similarities of others."""
    best = similarity[:, exemplars].max(axis=1)
    best[exemplars] = similarity[exemplars, exemplars]
    return float(best.sum())


def drop_exemplars(similarity: Floats, exemplars: Nodes, wanted: int) -> Nodes:
    """Drop the exemplars that are least missed, one by one, until few enough are left."""
    while len(exemplars) > wanted:
        left = [np.delete(exemplars, out) for out in range(len(exemplars))]
        exemplars = left[int(np.argmax([net_similarity(similarity, some) for some in left]))]
    return exemplars


def assign_to_exemplars(similarity: Floats, exemplars: Nodes, differ: sp.csr_matrix) -> Nodes:
    """Return the exemplar of every node: the most similar one that no differing node has taken.

    Nodes choose in the order of their best similarity; one that is left without any becomes an
    exemplar of its own, to which later ones may go as well.
    """
    chosen: Nodes = exemplars[similarity[:, exemplars].argmax(axis=1)]
    chosen[exemplars] = exemplars
    if not differ.nnz:
        return chosen
    best = similarity[np.arange(len(chosen)), chosen]
    taken = np.full(len(chosen), -1, dtype=np.int64)
    taken[exemplars] = exemplars
    open_exemplars = exemplars.tolist()
    order = np.argsort(-best, kind="stable")
    for node in order[taken[order] < 0]:
        rivals = set(taken[differ.indices[differ.indptr[node] : differ.indptr[node + 1]]].tolist())
        free = [exemplar for exemplar in open_exemplars if exemplar not in rivals]
        if free:
            taken[node] = max(free, key=lambda exemplar: similarity[node, exemplar])
        else:
            taken[node] = node
            open_exemplars.append(int(node))
    return taken
