"""How likely an item belongs to each group, judged by the placed items nearest to it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from likewise.journal.pairs import Pair, Verdict
from likewise.strategies.base import View

_VOTERS = 7
_UNIFORM = 0.15  # share of the belief that no distance can take away
_MOST_PLACED = 2000  # members per group that are looked at in a large study


@dataclass(frozen=True)
class Belief:
    """For one item and the groups it may belong to, nearest member first: how likely each is."""

    representatives: list[int]
    probability: npt.NDArray[np.float64]  # (representatives,); with `new` it sums to one
    nearest: list[int]  # the member of each group that is most like the item
    new: float  # the chance that the item belongs to none of them


def belief_about(view: View, item: int) -> Belief:
    """Who the item belongs to, given what is known; groups it differs from are left out."""
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
        return Belief([], np.empty(0), [], 1.0)
    members = [
        np.flatnonzero(view.components == known.component(representative))[:_MOST_PLACED]
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
    new = _chance_of_new(view, len(representatives))
    order = np.argsort(gap, kind="stable")
    return Belief(
        [representatives[g] for g in order],
        (1 - new) * votes[order],
        [nearest[g] for g in order],
        new,
    )


def same_probability(view: View, pair: Pair) -> float:
    """How likely "same" is for a pair, between 0.01 and 0.99."""
    known = view.constraints.implied(*pair)
    if known is not None:
        return 0.99 if known is Verdict.SAME else 0.01
    if view.placed[pair.j]:
        chance = _share(belief_about(view, pair.i), view, pair.j)
    elif view.placed[pair.i]:
        chance = _share(belief_about(view, pair.j), view, pair.i)
    else:
        one, other = belief_about(view, pair.i), belief_about(view, pair.j)
        shared = dict(zip(other.representatives, other.probability, strict=True))
        chance = sum(
            float(p) * float(shared.get(representative, 0.0))
            for representative, p in zip(one.representatives, one.probability, strict=True)
        )
    return float(np.clip(chance, 0.01, 0.99))


def _share(belief: Belief, view: View, member: int) -> float:
    component = view.constraints.component(member)
    for representative, probability in zip(belief.representatives, belief.probability, strict=True):
        if view.constraints.component(representative) == component:
            return float(probability)
    return 0.0


def _chance_of_new(view: View, n_open: int) -> float:
    """The Good–Turing guess: as likely as items alone in their group are among placed ones."""
    n_groups = len(view.representatives)
    if view.n_clusters is not None and n_groups >= view.n_clusters:
        return 0.0
    sizes = np.bincount(view.components, minlength=1)
    alone = sum(
        sizes[view.constraints.component(representative)] == 1
        for representative in view.representatives
    )
    return float((alone + 0.5) / (view.placed.sum() + 1.0 + n_open / n_groups))
