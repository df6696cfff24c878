"""The posterior of an item's group, by a weighted vote of the placed items nearest to it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from likewise.journal.pairs import Pair, Verdict
from likewise.strategies.base import View

_VOTERS = 7
_UNIFORM = 0.15  # share of the probability that no distance can take away
_MAX_MEMBERS = 2000  # of each group that are looked at in a large study


@dataclass(frozen=True)
class GroupPosterior:
    """How likely one item belongs to each group it may belong to, nearest group first.

    Parameters
    ----------
    representatives : list of int
        Of these groups.
    probability : ndarray of shape (groups,)
        With `new` it sums to one.
    nearest : list of int
        The member of each group that is nearest to the item.
    new : float
        The probability that the item belongs to none of them.
    """

    representatives: list[int]
    probability: npt.NDArray[np.float64]  # (groups,)
    nearest: list[int]
    new: float


def group_posterior(view: View, item: int) -> GroupPosterior:
    """Compute the posterior of an item's group; groups it is known to differ from are left out.

    The seven nearest placed items vote, weighted by a Gaussian of their distance in units of the
    smallest one.
    """
    known = view.constraints
    representatives = (
        known.open_representatives(item) if known.representatives else [view.first_item]
    )
    representatives = [
        representative
        for representative in representatives
        if known.component(representative) != known.component(item)
    ]
    if not representatives:
        return GroupPosterior([], np.empty(0), [], 1.0)
    members = [
        np.flatnonzero(view.components == known.component(representative))[:_MAX_MEMBERS]
        for representative in representatives
    ]
    everyone = np.concatenate(members)
    group = np.repeat(np.arange(len(representatives)), [len(m) for m in members])
    distance = view.distances(np.array([item]), everyone).ravel()
    gap = np.array([distance[group == g].min() for g in range(len(representatives))])
    nearest = [int(m[distance[group == g].argmin()]) for g, m in enumerate(members)]
    voters = np.argsort(distance, kind="stable")[:_VOTERS]
    closest = max(float(distance[voters[0]]), 1e-12)
    weight = np.exp(-0.5 * (distance[voters] / closest) ** 2)
    votes = np.bincount(group[voters], weights=weight, minlength=len(representatives))
    votes = (1 - _UNIFORM) * votes / votes.sum() + _UNIFORM / len(representatives)
    new = _new_group_probability(view, len(representatives))
    order = np.argsort(gap, kind="stable")
    return GroupPosterior(
        [representatives[g] for g in order],
        (1 - new) * votes[order],
        [nearest[g] for g in order],
        new,
    )


def same_probability(view: View, pair: Pair) -> float:
    """Estimate how likely "same" is for a pair, by the placed items nearest to either.

    Parameters
    ----------
    view : View
        Of the study.
    pair : Pair
        Any two items. If one is placed, it is the probability that the other belongs to its
        group; if neither is, that both belong to one known group.

    Returns
    -------
    float
        Between 0.01 and 0.99; at these extremes if the answer is known.

    Examples
    --------
    >>> import likewise as lw
    >>> study = lw.Study([[0.0], [0.1], [5.0], [5.1]], method="random")
    >>> _ = study.tell((0, 2), "different")
    >>> round(same_probability(study.view, lw.Pair(1, 0)), 2)
    0.35
    """
    known = view.constraints.implied(*pair)
    if known is not None:
        return 0.99 if known is Verdict.SAME else 0.01
    if view.placed[pair.j]:
        probability = _probability_of(group_posterior(view, pair.i), view, pair.j)
    elif view.placed[pair.i]:
        probability = _probability_of(group_posterior(view, pair.j), view, pair.i)
    else:
        one, other = group_posterior(view, pair.i), group_posterior(view, pair.j)
        shared = dict(zip(other.representatives, other.probability, strict=True))
        probability = sum(
            float(p) * float(shared.get(representative, 0.0))
            for representative, p in zip(one.representatives, one.probability, strict=True)
        )
    return float(np.clip(probability, 0.01, 0.99))


def _probability_of(posterior: GroupPosterior, view: View, member: int) -> float:
    """Return the probability of the group that has a given member, 0 if it is left out."""
    component = view.constraints.component(member)
    pairs = zip(posterior.representatives, posterior.probability, strict=True)
    for representative, probability in pairs:
        if view.constraints.component(representative) == component:
            return float(probability)
    return 0.0


def _new_group_probability(view: View, n_open: int) -> float:
    """Estimate by Good-Turing: as likely as groups of one item are among the placed items."""
    n_groups = len(view.representatives)
    if view.n_clusters is not None and n_groups >= view.n_clusters:
        return 0.0
    sizes = np.bincount(view.components, minlength=1)
    alone = (sizes[view.group_components] == 1).sum()
    return float((alone + 0.5) / (view.placed.sum() + 1.0 + n_open / n_groups))
