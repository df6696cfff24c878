"""How likely every item belongs to every known group, judged by how alike items are."""

from __future__ import annotations

from typing import Protocol

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp

from likewise.affinities.neighbour_votes import neighbour_votes
from likewise.items import Matrix
from likewise.strategies.base import View

Membership = npt.NDArray[np.float64]  # (n, groups), rows sum to one


class Similarity(Protocol):
    """How alike items are, given the present clustering, in a form that never needs n × n."""

    def profiles(self, view: View, rng: np.random.Generator) -> Matrix:
        """A row per item, (n, anything) and not negative; alike are rows of large inner product."""


class NeighbourVotes:
    """Items are alike when their neighbours belong to the same clusters.

    An item's profile is its neighbours' vote on the cluster it belongs to, so the similarity of
    two items is the chance that both belong to one cluster. No model is trained for it, and
    features are not needed.
    """

    def profiles(self, view: View, rng: np.random.Generator) -> Matrix:
        """P(cluster | item), (n, clusters)."""
        return neighbour_votes(view.affinity.affinity_, view.clustering.labels_)


def membership(view: View, similarity: Similarity, rng: np.random.Generator) -> Membership:
    """r_im: the mean similarity of item i to the members of group m, in shares.

    An item like no group may belong to any; one known to differ from a group does not belong to
    it, and placed items belong where they were placed. Columns are in the order of
    `view.representatives`.
    """
    components = [
        view.constraints.component(representative) for representative in view.representatives
    ]
    members = np.array(
        [view.components == component for component in components], dtype=np.float64
    )  # (groups, n)
    profiles = similarity.profiles(view, rng)
    centres = sp.csr_matrix(members / members.sum(axis=1, keepdims=True)) @ profiles
    product = profiles @ centres.T
    alike = np.asarray(product.todense() if sp.issparse(product) else product)
    possible = np.array(
        [
            ~np.isin(view.components, list(view.constraints.different_from(component)))
            for component in components
        ]
    ).T
    alike = np.where(possible, alike, 0.0)
    # An item like none of the groups it may belong to: any of these, or a group not found yet.
    lost = alike.sum(axis=1) <= 0
    alike[lost] = np.where(possible.any(axis=1, keepdims=True), possible, True)[lost]
    alike[view.placed] = members.T[view.placed]
    return np.asarray(alike / alike.sum(axis=1, keepdims=True))
