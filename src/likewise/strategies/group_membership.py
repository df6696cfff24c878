"""How likely every item belongs to every known group, judged by a similarity of items."""

from __future__ import annotations

from typing import Protocol

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp
from scipy.special import entr

from likewise.affinities.neighbour_votes import neighbour_votes
from likewise.items import Matrix
from likewise.strategies.base import View

Membership = npt.NDArray[np.float64]  # (n, groups), rows sum to one


class Similarity(Protocol):
    """A similarity of items, given the present clustering, in a form that never needs n × n."""

    def profiles(self, view: View, rng: np.random.Generator) -> Matrix:
        """Return a row per item, (n, anything), not negative.

        The similarity of two items is the inner product of their rows.
        """


class NeighbourVotes:
    """Takes items as similar when their neighbours belong to the same clusters.

    An item's profile is its neighbours' vote on the cluster it belongs to, so the similarity of
    two items is the probability that both belong to one cluster. No model is trained for it, and
    features are not needed.
    """

    def profiles(self, view: View, rng: np.random.Generator) -> Matrix:
        """Return P(cluster | item), (n, clusters)."""
        return neighbour_votes(view.affinity.affinity_, view.clustering.labels_)


def membership(view: View, similarity: Similarity, rng: np.random.Generator) -> Membership:
    """Compute how likely every item belongs to every group.

    An item's share of a group is its mean similarity to the group's members. An item similar to no
    group may belong to any; one known to differ from a group does not belong to it, and placed
    items belong where they were placed.

    Parameters
    ----------
    view : View
        Of the study.
    similarity : Similarity
        Such as `NeighbourVotes()` or `ForestLeaves()`.
    rng : numpy.random.Generator
        What the similarity draws from.

    Returns
    -------
    ndarray of shape (n, groups)
        Rows sum to one; columns are in the order of `view.representatives`.

    References
    ----------
    Xiong, Azimi and Fern, "Active learning of constraints for semi-supervised clustering", 2014.
    Deng, Yuan, Fu and Qu, "Query-augmented active metric learning", 2023, section 3.2.

    Examples
    --------
    >>> import likewise as lw
    >>> study = lw.Study([[0.0], [0.1], [5.0], [5.1]], method="urasc", n_clusters=2)
    >>> _ = study.tell((0, 2), "different")
    >>> study.view.representatives
    [2, 0]
    >>> membership(study.view, NeighbourVotes(), np.random.default_rng(0)).argmax(axis=1)
    array([1, 1, 0, 0])
    """
    members = (view.components == view.group_components[:, None]).astype(np.float64)  # (groups, n)
    profiles = similarity.profiles(view, rng)
    centres = sp.csr_matrix(members / members.sum(axis=1, keepdims=True)) @ profiles
    product = profiles @ centres.T
    alike = np.asarray(product.todense() if sp.issparse(product) else product)
    possible = np.array(
        [
            ~np.isin(view.components, list(view.constraints.different_from(component)))
            for component in view.group_components.tolist()
        ]
    ).T
    alike = np.where(possible, alike, 0.0)
    # An item like none of the groups it may belong to: any of these, or a group not found yet.
    lost = alike.sum(axis=1) <= 0
    alike[lost] = np.where(possible.any(axis=1, keepdims=True), possible, True)[lost]
    alike[view.placed] = members.T[view.placed]
    return np.asarray(alike / alike.sum(axis=1, keepdims=True))


def entropy(member: Membership) -> npt.NDArray[np.float64]:  # (n, groups) -> (n,), bits
    """Compute how open it is which group each item belongs to: 0 if certain, log₂ k if even.

    >>> entropy(np.array([[0.5, 0.3, 0.2]])).round(6)
    array([1.485475])
    """
    return np.asarray(entr(member).sum(axis=1) / np.log(2))


def expected_questions(
    member: Membership, *, all_found: bool
) -> npt.NDArray[np.float64]:  # (n, groups) -> (n,)
    """Compute how many questions placing takes when the likeliest group is asked first.

    When all groups are found the last need not be asked: it is what remains.

    >>> expected_questions(np.array([[0.3, 0.2, 0.5]]), all_found=False)
    array([1.7])
    >>> expected_questions(np.array([[0.3, 0.2, 0.5]]), all_found=True)
    array([1.5])
    """
    n_questions = np.arange(1.0, member.shape[1] + 1)
    if all_found and len(n_questions) > 1:
        n_questions[-1] -= 1
    return np.asarray(-np.sort(-member, axis=1) @ n_questions)
