"""What `auto` groups by and asks depends on the kind of pile that was found."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from likewise.affinities.base import Links
from likewise.auto.committee import Committee
from likewise.auto.expected_gain import ExpectedGain
from likewise.auto.records import PairQuestions, RecordLinkage, linkage_for
from likewise.clusterers import Clusterer
from likewise.items import Items
from likewise.journal.group_number import NumberOfGroups
from likewise.journal.pairs import Pair
from likewise.strategies.base import View

# So many items at most are all computed on, which loses nothing: see `benchmarks.speed.sizes` for
# how long that takes, and `benchmarks.speed.reduction` for what it loses not to.
MOST_ITEMS = 20_000
_REPRESENTATIVES = 5_000  # of more items
_PER_GROUP = 10  # representatives that there must be for every group


def representatives_for(items: Items, n_clusters: NumberOfGroups) -> int | None:
    """Return how many items stand for all of a large pile; None where all are computed on.

    That is so of few items, of matrices of similarities, where there are very many groups, and
    of duplicates: whoever has a single other one is represented by nobody else.
    """
    most = n_clusters[1] if isinstance(n_clusters, tuple) else n_clusters
    if len(items) <= MOST_ITEMS or items.features is None:
        return None
    if most is not None and most * _PER_GROUP > _REPRESENTATIVES:
        return None
    if linkage_for(items, n_clusters, None, None, None) is not None:
        return None
    return _REPRESENTATIVES


def clusterer_for(
    items: Items, n_clusters: NumberOfGroups, must_link: Links, cannot_link: Links, start: Any
) -> Callable[..., Clusterer] | None:
    """Return what builds the clusterer of duplicates, or of items that have several views.

    None where the usual committee is right.
    """
    linkage = linkage_for(items, n_clusters, must_link, cannot_link, start)
    if linkage is not None or not items.views_on:
        return linkage
    return partial(Committee, views=items.views_on)


class ByKindOfPile:
    """Asks about pairs where a pile holds duplicates, else what puts most items right.

    Which it is, the clustering says: a `RecordLinkage` or a `Committee`.
    """

    def __init__(self) -> None:
        self._kinds, self._duplicates = ExpectedGain(), PairQuestions()

    def propose(self, view: View, n: int, rng: np.random.Generator) -> list[Pair]:
        """Return up to `n` pairs of largest gain, none of which settles another."""
        if isinstance(view.clustering, RecordLinkage):
            return self._duplicates.propose(view, view.clustering, n)
        return self._kinds.propose(view, n, rng)

    def supposes(self, view: View) -> bool:
        """Return whether questions asked together are chosen in turn, their answers supposed."""
        return not isinstance(view.clustering, RecordLinkage) and self._kinds.supposes(view)

    def gain(self, view: View) -> float:
        """Return how many items the best question is expected to put right; 0 if there is none."""
        if isinstance(view.clustering, RecordLinkage):
            return 1.0  # of most records there are two
        return self._kinds.gain(view)

    def same_probability(self, view: View, pair: Pair) -> float:
        """Return how likely "same" is, between 0.01 and 0.99."""
        if isinstance(view.clustering, RecordLinkage):
            return float(np.clip(view.clustering.same_probability(*pair), 0.01, 0.99))
        return self._kinds.same_probability(view, pair)

    def explain(self, view: View, pair: Pair) -> str:
        """Say what is predicted and by what, and what depends on the answer."""
        if isinstance(view.clustering, RecordLinkage):
            return self._duplicates.explain(view.clustering, pair)
        return self._kinds.explain(view, pair)
