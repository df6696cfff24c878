"""Explore by representatives: ask about the middle of what holds no placed item yet."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from sklearn.metrics import pairwise_distances

from likewise.clusterers.representatives import Representatives, kmeans_representatives
from likewise.items import Matrix
from likewise.strategies.base import View
from likewise.strategies.items.farthest_first import farthest
from likewise.strategies.placing import Chooser


class RepresentativesFirst:
    """The chooser that looks for all groups before it leaves the choice to another one.

    A boundary between the groups that are known says nothing of those that are not. While some of
    a known number of groups have not been found, k-means makes two clusters more than there are
    placed items, and the item nearest the centre of the largest cluster without a placed one is
    next. Where the number of groups is unknown, or only similarities are, it does not explore by
    k-means: in the first case the other chooser begins at once, in the second the item farthest
    from all placed ones is taken.

    Parameters
    ----------
    then : Chooser
        Takes over when all groups are found.

    References
    ----------
    Bodó, Minier and Csató, "Active learning with clustering", 2011, section 2.1, whose
    representatives these are. The paper has two classes and labels a positive item beforehand.

    Examples
    --------
    >>> import likewise as lw
    >>> from likewise.strategies import MinMax
    >>> X = [[0.0], [0.1], [0.2], [5.0], [5.1], [5.2], [5.3]]
    >>> view = lw.Study(X, method="sgt", n_clusters=2).view
    >>> view.first_item
    5
    >>> candidates = np.flatnonzero(~view.placed)
    >>> RepresentativesFirst(MinMax()).rank(view, candidates, 1, np.random.default_rng(0))
    [1]
    """

    def __init__(self, then: Chooser) -> None:
        self.then = then

    def rank(
        self, view: View, candidates: npt.NDArray[np.int64], n: int, rng: np.random.Generator
    ) -> list[int]:
        """Return middles of clusters while groups are missing, later what the other chooses."""
        if view.n_clusters is None or len(view.representatives) >= view.n_clusters:
            return self.then.rank(view, candidates, n, rng)
        if view.features is None:
            return farthest(view, candidates, n)
        found = kmeans_representatives(view.features, int(view.placed.sum()) + n + 1, rng)
        middles = self._middles(view.features, found, view.placed, candidates)
        return middles[:n] or self.then.rank(view, candidates, n, rng)

    def _middles(
        self,
        X: Matrix,
        found: Representatives,
        placed: npt.NDArray[np.bool_],
        candidates: npt.NDArray[np.int64],
    ) -> list[int]:
        """Return the candidate nearest each centre that has no placed item, largest cluster first.

        Copies may leave fewer clusters than are asked for, and each with a placed item.
        """
        sizes = np.bincount(found.of_item, minlength=len(found.points))
        taken = np.unique(found.of_item[placed])
        order = np.argsort(-sizes, kind="stable")
        middles = []
        for cluster in order[~np.isin(order, taken)]:
            own = candidates[found.of_item[candidates] == cluster]
            if len(own):
                away = pairwise_distances(X[own], found.points[[cluster]])
                middles.append(int(own[away.argmin()]))
        return middles
