"""The sentence that says why `auto` asks a pair."""

from __future__ import annotations

import numpy as np

from likewise.auto.committee import Committee
from likewise.journal.pairs import Pair

# What each expert goes by, in words for people who answer.
_WORDS = {
    "pagerank": "the shape of the pile",
    "neighbours": "its nearest neighbours",
    "ward": "the part of the pile it lies in",
    "components": "the separate part of the pile it is on",
    "forest": "decision trees",
    "gaussian": "a learned metric",
    "diagonal": "the features that tell groups apart",
}


def explanation(committee: Committee, pair: Pair) -> str:
    """Say how likely "same" is, by which two experts mostly, and how many items depend on it."""
    item, other = pair
    probability = committee.same_probability(item, other)
    parts = [f"These two are the same with a chance of {probability:.0%}"]
    seeds = committee.seeds_
    group = seeds.groups[seeds.items == other]
    if len(group) and seeds.n_groups > 1:
        first, second = sorted(committee.weights_, key=lambda name: -committee.weights_[name])[:2]
        by = " and ".join(
            f"{_WORDS[name]} ({committee.expert_probabilities_[name][item, group[0]]:.0%})"
            for name in (first, second)
        )
        parts.append(f", judged mostly by {by}")
    n_dependent = _n_dependent(committee, item)
    likely = probability if probability > 0.5 else 1 - probability
    if n_dependent > 1:
        parts.append(f"; the groups of about {n_dependent} items nearby hang on it.")
    elif likely < 0.9:
        parts.append("; only its own group is in doubt.")
    else:
        parts.append("; nothing else is more uncertain.")
    return "".join(parts)


def _n_dependent(committee: Committee, item: int) -> int:
    """Count uncertain items for which this one has twice the PageRank of any item by chance."""
    rank = committee.structure_.pagerank.pagerank_of(np.array([item])).ravel()
    uncertain = committee.confidence_ < 0.9
    return int((uncertain & (rank > 2.0 / len(rank))).sum())
