"""Where items belong by the others alone: the groups as they are, learned without the item itself.

Questions are asked where items are hard to tell, so whatever chose them finds many a truthful
answer odd. By now the groups are known far beyond the answers, and what learns from all of them
sees more: a linear discriminant or the votes of neighbours, whichever predicts answered items
better that it was not shown.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp
from scipy.special import softmax

from likewise.affinities.neighbour_votes import neighbour_votes
from likewise.affinities.within_groups import scatter_within
from likewise.auto.stacking import calibration_power, raised
from likewise.study import Study

Array = npt.NDArray[np.float64]
Positions = npt.NDArray[np.int64]

_FOLDS = 10
_SAMPLE = 2000  # other items that are learned from in a large pile
_SURE = 0.005  # what every group has at least


def held_out_memberships(study: Study, judged: Positions) -> Array:  # (judged, groups)
    """Return how likely some items belong to each group, by all the others.

    What is left of one in each row is for a group that has no other member.
    """
    labels = study.labels_
    rng = np.random.default_rng([study.random_state, len(labels)])
    others = np.setdiff1d(np.arange(len(labels)), judged)
    if len(others) > _SAMPLE:
        others = rng.choice(others, _SAMPLE, replace=False)
    used = np.concatenate([judged, np.sort(others)]).astype(np.int64)
    found = [neighbour_votes(study.view.affinity.affinity_, labels)[used]]
    features = study.items.features
    if features is not None and not sp.issparse(features):
        X, groups = np.asarray(features, dtype=np.float64)[used], labels[used]
        n_groups = int(labels.max()) + 1
        found.append(_by_discriminant(X, groups, n_groups, rng))
    # What was answered shows who is right; other items have their groups from their neighbours.
    predicted = [_calibrated(each[: len(judged)], labels[judged]) for each in found]
    own = np.array([each[np.arange(len(judged)), labels[judged]] for each in predicted])
    mean = np.einsum("m,mng->ng", softmax(np.log(own).sum(axis=1)), np.array(predicted))
    return np.asarray(mean * (1 - _alone_rate(study)))


def _calibrated(predicted: Array, groups: Positions) -> Array:  # (n, groups) -> (n, groups)
    """Return predictions as sure as the groups show them to be right, and never quite sure."""
    soft = (predicted + _SURE) / (1 + _SURE * predicted.shape[1])
    return raised(soft, calibration_power(soft, groups))


def _by_discriminant(
    X: Array, groups: Positions, n_groups: int, rng: np.random.Generator
) -> Array:  # (n, n_groups)
    """Return what a linear discriminant predicts of each fold from the others."""
    fold = rng.permutation(len(X)) % _FOLDS
    found = np.zeros((len(X), n_groups))
    for number in range(_FOLDS):
        shown, hidden = fold != number, fold == number
        if shown.any() and hidden.any():
            there, at = np.unique(groups[shown], return_inverse=True)
            found[np.ix_(hidden, there)] = _discriminant(X[shown], at, X[hidden])
    return found


def _discriminant(X: Array, groups: Positions, new: Array) -> Array:  # (new, groups)
    """Return how likely new items belong to groups with one covariance, shrunk as it needs to be.

    >>> X = np.array([[0.0], [0.2], [5.0], [5.2]])
    >>> _discriminant(X, np.array([0, 0, 1, 1]), np.array([[0.1], [4.0]])).round()
    array([[1., 0.],
           [0., 1.]])
    """
    spread = np.maximum(X.std(axis=0), 1e-9)  # features in one unit, so that all are shrunk alike
    means, covariance = scatter_within(X / spread, groups)
    direction = np.linalg.solve(covariance, means.T)  # (features, groups)
    offset = np.log(np.bincount(groups)) - 0.5 * np.einsum("gf,fg->g", means, direction)
    return np.asarray(softmax((new / spread) @ direction + offset, axis=1))


def _alone_rate(study: Study) -> float:
    """Return how likely an item is of a kind that no other has, as Good and Turing would.

    These are the groups of one item among all the items that answers have placed.
    """
    known = study.constraints
    sizes = np.bincount(known.components()[known.placed()])
    return float((np.sum(sizes == 1) + 1) / (sizes.sum() + 2))
