"""The two-step strategy: all pairs are chosen by the first clustering, none by an answer."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from likewise.affinities.forest import leaf_incidence
from likewise.errors import MethodError
from likewise.items import Matrix
from likewise.strategies.base import View
from likewise.strategies.pairs.selection import PairArray
from likewise.strategies.ranking import rounded

_MOST_ITEMS = 1000  # of which all pairs are ranked; of more, so many are drawn


class TwoStep:
    """The pair scorer of the pairs about which the first k-means clustering is least sure.

    Step one clusters by k-means; step two asks the pairs whose chance of being the same is closest
    to a half, in that order, whatever the answers are. The paper proves its own strategy better
    than this one. The chance is estimated as there: the share of the trees of a forest that learned
    the clusters in which both items share a leaf.

    Parameters
    ----------
    n_trees : int
        How many trees the forest has.

    References
    ----------
    Deng, Yuan, Fu and Qu, "Query-augmented active metric learning", 2023, section 5, theorem 3.
    """

    def __init__(self, *, n_trees: int = 50) -> None:
        self.n_trees = n_trees
        self._ranked: tuple[Any, PairArray] = (None, np.empty((0, 2), dtype=np.int64))

    def pairs(self, view: View, rng: np.random.Generator) -> Iterator[PairArray]:
        """Yield all pairs, the least certain first; the same ones whatever was answered."""
        if view.features is None:
            raise MethodError(
                "'two-step' clusters features by k-means, and these items have none; use a method "
                "such as 'random', which needs only similarities"
            )
        if self._ranked[0] is not view.features:
            ranked = least_certain(
                view.features, view.n_clusters or 2, self.n_trees, view.first_item
            )
            self._ranked = (view.features, ranked)
        yield self._ranked[1]


def least_certain(features: Matrix, n_clusters: int, n_trees: int, seed: int) -> PairArray:
    """Return all pairs of items (of many, a sample), those first that are as likely same as not."""
    from sklearn.cluster import KMeans
    from sklearn.ensemble import RandomForestClassifier

    n = features.shape[0]
    n_clusters = min(n_clusters, n)
    labels = KMeans(n_clusters, n_init=10, random_state=seed).fit(features).labels_
    forest = RandomForestClassifier(n_trees, random_state=seed).fit(features, labels)
    rng = np.random.default_rng(seed)
    some = np.sort(rng.permutation(n)[:_MOST_ITEMS])
    incidence = leaf_incidence(forest.apply(features[some]))
    chance = np.asarray((incidence @ incidence.T).todense(), dtype=np.float64) / n_trees
    one, other = np.triu_indices(len(some), 1)
    away: npt.NDArray[np.float64] = np.abs(chance[one, other] - 0.5)
    # Of pairs as uncertain as each other, and there are many, none is to be first by its number.
    order = np.lexsort((rng.permutation(len(away)), rounded(away)))
    return np.column_stack([some[one], some[other]])[order].astype(np.int64)
