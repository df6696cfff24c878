"""Labels that follow links as far as these are likely to be right.

Links of which some are wrong can neither be obeyed, since a wrong one drags whole groups along, nor
be left to the graph alone, in which they count for little. Here both are evidence. Every item has
a chance to be in each cluster, by the votes of its neighbours in the graph; a link says "same" of
two items that are, and "different" of two that are not, with the chance that links are right. The
chances that follow are found by loopy belief propagation over the links, which are mostly trees
where links are few, and neighbours vote again by them.

What votes alone would change stays as the clustering has it, which knew the graph already: where
kinds are small beside an item's neighbourhood, the neighbours outvote all of them.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp

from likewise.clusterers.links import Labels
from likewise.items import Matrix

Chances = npt.NDArray[np.float64]  # (n, k), rows sum to one

_ROUNDS = 3  # of votes
_PASSES = 20  # of messages
_UNSURE = 0.2  # how much of a vote is anybody's
_FIRST = 0.5  # how much the labels as they were count among votes, lest small clusters vanish


def likely_labels(
    affinity: Matrix,
    labels: Labels,
    pairs: npt.NDArray[np.int64],
    same: npt.NDArray[np.bool_],
    error_rate: float,
) -> Labels:
    """Return labels that follow links of which a share is wrong, as far as these are likely right.

    An item's label changes only where its likeliest one would be another without the links.

    Parameters
    ----------
    affinity : (n, n) array or sparse matrix
        How much items vote for each other's clusters; the diagonal does not count.
    labels : (n,) array of int
        The clusters as the graph has them, from 0 on.
    pairs : (m, 2) array of int
        The links.
    same : (m,) array of bool
        What each link says.
    error_rate : float
        The share of links that is wrong, above 0; from one half on nothing can be learned of them.

    Examples
    --------
    >>> chain = np.eye(6, k=1) + np.eye(6, k=-1)
    >>> found = np.array([0, 0, 0, 0, 1, 1])
    >>> links = np.array([[3, 4], [3, 5], [0, 3], [1, 3]])
    >>> likely_labels(chain, found, links, np.array([True, True, False, False]), 0.15)
    array([0, 0, 0, 1, 1, 1])
    """
    k = int(labels.max()) + 1
    if error_rate >= 0.5 or k < 2 or not len(pairs):
        return labels
    graph = sp.csr_matrix(affinity)
    graph = sp.csr_matrix(graph - sp.diags(graph.diagonal()))
    told = _likeliest(graph, labels, pairs, same, error_rate)
    untold = _likeliest(graph, labels, pairs[:0], same[:0], error_rate)
    return np.asarray(np.where(told == untold, labels, told), dtype=np.int64)


def _likeliest(
    graph: sp.csr_matrix,
    labels: Labels,
    pairs: npt.NDArray[np.int64],
    same: npt.NDArray[np.bool_],
    error_rate: float,
) -> Labels:
    """Return the label of every item that votes and links together make likeliest."""
    k = int(labels.max()) + 1
    first = np.eye(k)[labels]
    chances = first
    for _ in range(_ROUNDS):
        votes = _votes(graph, _FIRST * first + (1 - _FIRST) * chances)
        votes = (1 - _UNSURE) * votes + _UNSURE / k
        # Among many clusters a vote tells more, and a "same" said by mistake is the commoner.
        votes = votes ** np.log2(k)
        votes /= votes.sum(axis=1, keepdims=True)
        chances = linked_chances(votes, pairs, same, error_rate)
    return np.asarray(chances.argmax(axis=1), dtype=np.int64)


def _votes(graph: sp.csr_matrix, chances: Chances) -> Chances:
    """Return the mean chances of every item's neighbours; its own where it has none."""
    votes = np.asarray(graph @ chances)
    total = votes.sum(axis=1, keepdims=True)
    return np.where(total > 0, votes / np.where(total > 0, total, 1.0), chances)


def linked_chances(
    chances: Chances,
    pairs: npt.NDArray[np.int64],
    same: npt.NDArray[np.bool_],
    error_rate: float,
) -> Chances:
    """Return what becomes of chances when links are heard; exact where links close no circle.

    >>> own, link = np.array([[0.5, 0.5], [0.9, 0.1]]), np.array([[0, 1]])
    >>> linked_chances(own, link, np.array([True]), 0.1).round(2)
    array([[0.82, 0.18],
           [0.9 , 0.1 ]])
    """
    own = np.log(np.maximum(chances, 1e-300))
    i, j = pairs.T
    agree = np.where(same, 1 - error_rate, error_rate)[:, None]  # if the two are of one cluster
    to_i, to_j = np.zeros((2, len(pairs), chances.shape[1]))
    for _ in range(_PASSES):
        total = _heard(own, i, j, to_i, to_j)
        # What an item would think without this link; half of the old, lest circles swing.
        of_i, of_j = _normal(total[i] - to_i), _normal(total[j] - to_j)
        to_j = 0.5 * to_j + 0.5 * np.log(of_i * agree + (1 - of_i) * (1 - agree))
        to_i = 0.5 * to_i + 0.5 * np.log(of_j * agree + (1 - of_j) * (1 - agree))
    return _normal(_heard(own, i, j, to_i, to_j))


def _heard(own: Chances, i: Labels, j: Labels, to_i: Chances, to_j: Chances) -> Chances:
    """Return the sum of what an item thinks itself and is told over its links."""
    total = own.copy()
    np.add.at(total, i, to_i)
    np.add.at(total, j, to_j)
    return total


def _normal(logs: Chances) -> Chances:
    """Return chances from logarithms of anything in proportion to them."""
    raised = np.exp(logs - logs.max(axis=1, keepdims=True))
    return np.asarray(raised / raised.sum(axis=1, keepdims=True))
