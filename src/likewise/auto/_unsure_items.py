"""Labels of the items that the experts are least sure of: neighbours have a say."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp

from likewise.auto.experts.base import Array, Positions
from likewise.auto.experts.pagerank import PersonalisedPageRank

_UNSURE = 0.75  # an item is unsure if its label is so many times as likely as usual, or less
_BEST = 0.9  # quantile: what counts as the best of a group
_LEAST = 1e-3  # no group is excluded because the experts see nothing in it


def unsure_items(
    labels: Positions,  # (n,)
    confidence: Array,  # (n,)
    open_items: npt.NDArray[np.bool_],  # (n,)
) -> Positions:  # (unsure items,)
    """Return the items nobody was asked about whose labels are far less likely than usual.

    Than is usual in the pile, and for the best of their own group: a group of which nothing is sure
    stays as it is.

    >>> labels, asked_not = np.array([0, 0, 0, 0, 1, 1]), np.array([1, 1, 1, 0, 1, 1]) > 0
    >>> unsure_items(labels, np.array([0.9, 0.9, 0.3, 0.1, 0.8, 0.8]), asked_not)
    array([2])
    """
    items = np.flatnonzero(open_items)
    if not len(items):
        return items
    best = np.zeros(int(labels.max()) + 1)
    for group in np.unique(labels[items]).tolist():
        best[group] = np.quantile(confidence[items[labels[items] == group]], _BEST)
    usual = np.minimum(best[labels[items]], np.median(confidence[items]))
    return items[confidence[items] < _UNSURE * usual]


def groups_by_neighbours(
    unsure: Positions,
    probabilities: Array,  # (n, groups)
    labels: Positions,  # (n,), beyond the groups: alone
    confidence: Array,  # (n,)
    pagerank: PersonalisedPageRank,
) -> Positions:  # (unsure items,)
    """Return a group for every unsure item: what the experts and its surer neighbours agree on.

    Experts go by seeds. Where a pile has a vague middle, whatever lies there is nearest to the one
    seed in it, and that seed's group would swell with items of every kind. Their neighbours outside
    say more: a group is as good as √P × the weight of its items among the neighbours, each as
    likely as its label.
    """
    n_groups = probabilities.shape[1]
    surer = labels < n_groups
    surer[unsure] = False
    items = np.flatnonzero(surer)
    shape = (len(labels), n_groups)
    known = sp.csr_matrix((confidence[items], (items, labels[items])), shape=shape)
    votes = pagerank.one_step(unsure, known)
    chosen = (votes * np.sqrt(np.maximum(probabilities[unsure], _LEAST))).argmax(axis=1)
    return np.where(votes.any(axis=1), chosen, labels[unsure])
