"""Why a pair is asked, in words."""

from __future__ import annotations

import numpy as np

from likewise.auto.committee import Committee
from likewise.journal.pairs import Pair

_WORDS = {
    "walks": "the shape of the pile",
    "neighbours": "its nearest neighbours",
    "tree": "the part of the pile it lies in",
    "islands": "the separate part of the pile it is on",
    "forest": "decision trees",
    "clouds": "a learned metric",
    "features": "the features that tell groups apart",
}


def explanation(committee: Committee, pair: Pair) -> str:
    """How likely "same" is, by whom, and how many items hang on it."""
    item, other = pair
    chance = committee.same_probability(item, other)
    said = [f"These two are the same with a chance of {chance:.0%}"]
    seeds = committee.seeds_
    group = seeds.groups[seeds.items == other]
    if len(group) and seeds.n_groups > 1:
        first, second = sorted(committee.weights_, key=lambda name: -committee.weights_[name])[:2]
        by = " and ".join(
            f"{_WORDS[name]} ({committee.opinions_[name][item, group[0]]:.0%})"
            for name in (first, second)
        )
        said.append(f", judged mostly by {by}")
    said.append("; ")
    ends = committee.structure_.walks.ends_at(np.array([item])).ravel()
    unsure = committee.confidence_ < 0.9
    # Items that look here for their group: a walk from them ends here more often than anywhere by
    # chance.
    n_near = int((unsure & (ends > 2.0 / len(ends))).sum())
    likely = chance if chance > 0.5 else 1 - chance
    if n_near > 1:
        said.append(f"the groups of about {n_near} items nearby hang on it.")
    elif likely < 0.9:
        said.append("only its own group is in doubt.")
    else:
        said.append("nothing else is more uncertain.")
    return "".join(said)
