"""The sentence that says why `auto` asks a pair."""

from __future__ import annotations

import numpy as np

from likewise.auto.committee import Committee
from likewise.auto.structure import view_of
from likewise.journal.pairs import Pair

# What each expert goes by, in words for people who answer.
WORDS = {
    "pagerank": "the shape of the pile",
    "neighbours": "its nearest neighbours",
    "ward": "the part of the pile it lies in",
    "components": "the separate part of the pile it is on",
    "forest": "decision trees",
    "gaussian": "a learned metric",
    "diagonal": "the features that tell groups apart",
}


def explanation(committee: Committee, pair: Pair) -> str:
    """Say how likely "same" is, what that rests on, and how many items depend on it."""
    probability = committee.same_probability(*pair)
    chance = f"These two are the same with a chance of {probability:.0%}"
    why = _of_groups(committee, pair) or _of_item(committee, pair, probability)
    return chance + why + _of_views(committee, pair, probability)


def _of_views(committee: Committee, pair: Pair, probability: float) -> str:
    """Say which view of the items decided: which, by its weight, spoke most for what is likely."""
    said = {}
    for expert, groups in committee.expert_probabilities_.items():
        if (view := view_of(expert)) is not None:
            same = float(groups[pair[0]] @ groups[pair[1]])
            said[view] = committee.weights_[expert], same
    if not said:
        return ""
    likely_same = probability > 0.5
    view = max(said, key=lambda one: said[one][0] * (likely_same == (said[one][1] > 0.5)))
    weight, same = said[view]
    share = weight / sum(weight for weight, _ in said.values())
    word = "alike" if same > 0.5 else "unlike"
    return (
        f" Of the views of them, {view} decided: {word} in it, and it has {share:.0%} of the say."
    )


def _of_groups(committee: Committee, pair: Pair) -> str:
    """Say which groups a pair stands for; nothing where it does not stand for two."""
    if not np.isin(list(pair), committee.judged_by.items).all():
        return ""
    sizes = np.sort([(committee.labels_ == committee.labels_[item]).sum() for item in pair])
    return (
        f"; they stand for two groups, of about {sizes[1]} and {sizes[0]} items, that may be one."
    )


def _of_item(committee: Committee, pair: Pair, probability: float) -> str:
    """Say which two experts it rests on mostly, and how many items nearby depend on it."""
    item, other = pair
    parts = []
    seeds = committee.judged_by
    group = seeds.groups[seeds.items == other]
    if len(group) and seeds.n_groups > 1:
        first, second = sorted(committee.weights_, key=lambda name: -committee.weights_[name])[:2]
        by = " and ".join(
            f"{_words(name)} ({committee.expert_probabilities_[name][item, group[0]]:.0%})"
            for name in (first, second)
        )
        parts.append(f", judged mostly by {by}")
    dependent = n_dependent(committee, item)
    likely = probability if probability > 0.5 else 1 - probability
    if dependent > 1:
        parts.append(f"; the groups of about {dependent} items nearby hang on it.")
    elif likely < 0.9:
        parts.append("; only its own group is in doubt.")
    else:
        parts.append("; nothing else is more uncertain.")
    return "".join(parts)


def _words(expert: str) -> str:
    view = view_of(expert)
    return WORDS[expert] if view is None else f"what is near by {view}"


def n_dependent(committee: Committee, item: int) -> int:
    """Count uncertain items for which this one has twice the PageRank of any item by chance."""
    rank = committee.structure_.pagerank.pagerank_of(np.array([item])).ravel()
    uncertain = committee.confidence_ < 0.9
    return int((uncertain & (rank > 2.0 / len(rank))).sum())
