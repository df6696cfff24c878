"""Clusterers that are given links instead of asking, by the names experiments call them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any, ClassVar, Self

from likewise.affinities import ConstraintForest, Gaussian
from likewise.affinities.base import Links
from likewise.affinities.forest.inconsistency import doubts, least_doubtful
from likewise.clusterers import (
    COPRF,
    E2CP,
    AugmentedMetric,
    COPKMeans,
    LinkedAffinityPropagation,
    MPCKMeans,
    PCKMeans,
    SpectralLearning,
    Xing,
)

# Of every forest here; the COP-RF paper grows 1000, which takes five times as long.
N_TREES = 200


@dataclass
class Unlinked:
    """A clusterer that is told no links, to see what they are worth."""

    model: Any

    def fit(self, X: Any, **_: Any) -> Self:
        """Cluster X alone."""
        self.labels_ = self.model.fit(X).labels_
        return self


@dataclass
class OnForest:
    """A clusterer of a forest's affinity; who of the two is told the links can be chosen.

    The forest is that of the COP-RF paper, and so is its neighbour graph, with about n/10 of them;
    `graph=False` takes all pairs. `kept` is the share of links that is kept, the most consistent.
    With `single_rows` trees go on to single rows, as the paper's text says, else only as long as
    something is gained, as its Algorithm 1 does.
    """

    model: Any
    forest_linked: bool = True
    model_linked: bool = False
    graph: bool = True
    kept: float = 1.0
    single_rows: bool = True
    random_state: int = 0
    # The last forest without links, for they are the same whatever is linked later.
    _free: ClassVar[tuple[Any, tuple[bool, bool, int], ConstraintForest] | None] = None

    def fit(self, X: Any, *, must_link: Links, cannot_link: Links) -> Self:
        """Find `labels_`."""
        if self.kept < 1:
            scores = doubts(
                X,
                must_link=must_link,
                cannot_link=cannot_link,
                measure="inconsistency",
                n_trees=N_TREES,
                random_state=self.random_state,
            )
            must_link, cannot_link = least_doubtful(must_link, cannot_link, scores, share=self.kept)
        links: dict[str, Any] = {"must_link": must_link, "cannot_link": cannot_link}
        forest = self._forest(X, links) if self.forest_linked else self._free_forest(X)
        self.model.fit(forest.affinity_, **(links if self.model_linked else {}))
        self.labels_ = self.model.labels_
        return self

    def _forest(self, X: Any, links: dict[str, Any]) -> ConstraintForest:
        n_neighbours = max(1, len(X) // 10) if self.graph else None
        forest = ConstraintForest(
            n_trees=N_TREES,
            n_neighbours=n_neighbours,
            to_single_rows=self.single_rows,
            random_state=self.random_state,
        )
        return forest.fit(X, **links)

    def _free_forest(self, X: Any) -> ConstraintForest:
        said = (self.graph, self.single_rows, self.random_state)
        if OnForest._free is None or OnForest._free[0] is not X or OnForest._free[1] != said:
            OnForest._free = (X, said, self._forest(X, {}))
        return OnForest._free[2]


_TENTH = Gaussian(n_neighbours=0.1)  # as many neighbours as a tenth of the items


def _e2cp(k: int, seed: int, **settings: Any) -> E2CP:
    """E²CP in the form papers compare with: links count through the similarities alone."""
    settings = {"affinity": _TENTH, **settings}
    return E2CP(n_clusters=k, answers_win=False, random_state=seed, **settings)


def _exemplars(k: int, seed: int, **settings: Any) -> LinkedAffinityPropagation:
    return LinkedAffinityPropagation(n_clusters=k, random_state=seed, **settings)


def _forest_cut(k: int, seed: int, **settings: Any) -> OnForest:
    cut = SpectralLearning(n_clusters=k, affinity="precomputed", random_state=seed)
    return OnForest(cut, random_state=seed, **settings)


def _forest_e2cp(k: int, seed: int) -> OnForest:
    model = _e2cp(k, seed, affinity="precomputed")
    return OnForest(model, forest_linked=False, model_linked=True, random_state=seed)


def _forest_exemplars(k: int, seed: int, **settings: Any) -> OnForest:
    model = _exemplars(k, seed, affinity="precomputed", answers_win=False, damping=0.9)
    return OnForest(model, graph=False, single_rows=False, random_state=seed, **settings)


def _aqm(k: int, seed: int, **settings: Any) -> AugmentedMetric:
    return AugmentedMetric(n_clusters=k, random_state=seed, **settings)


# The AQM paper's problems without what we add to them.
_LETTER: dict[str, Any] = {"ridge": 0.0, "prior": 0.01, "selective_penalty": 0.0, "n_starts": 1}

LINKED: dict[str, Callable[[int, int], Any]] = {
    "spectral": lambda k, seed: Unlinked(_e2cp(k, seed)),
    "spectral-learning": lambda k, seed: SpectralLearning(n_clusters=k, random_state=seed),
    "spectral-learning-pairs": lambda k, seed: _e2cp(k, seed, alpha=0.0),
    "e2cp": _e2cp,
    "e2cp-answers-win": lambda k, seed: E2CP(n_clusters=k, affinity=_TENTH, random_state=seed),
    "coprf": lambda k, seed: COPRF(n_clusters=k, n_trees=N_TREES, random_state=seed),
    "coprf-guessing": lambda k, seed: COPRF(n_clusters=k, n_trees=N_TREES, random_state=seed),
    "coprf-literal": partial(_forest_cut, kept=0.5),
    "rf": partial(_forest_cut, forest_linked=False),
    "rf+e2cp": _forest_e2cp,
    "affinity-propagation": _exemplars,
    "affinity-propagation-eucl": lambda k, seed: Unlinked(_exemplars(k, seed)),
    "affinity-propagation-eucl+links": lambda k, seed: _exemplars(k, seed, answers_win=False),
    "affinity-propagation-rf": partial(_forest_exemplars, forest_linked=False),
    "affinity-propagation-rf+links": partial(
        _forest_exemplars, forest_linked=False, model_linked=True
    ),
    "affinity-propagation-coprf": _forest_exemplars,
    "pckmeans": lambda k, seed: PCKMeans(n_clusters=k, random_state=seed),
    "mpckmeans": lambda k, seed: MPCKMeans(n_clusters=k, random_state=seed),
    "mpckmeans-full": lambda k, seed: MPCKMeans(n_clusters=k, metric="full", random_state=seed),
    "copkmeans": lambda k, seed: COPKMeans(n_clusters=k, random_state=seed),
    "aqm": _aqm,
    "aqm-not-augmented": partial(_aqm, augment=False),
    "aqm-letter": partial(_aqm, **_LETTER),
    "aqm-letter-not-augmented": partial(_aqm, augment=False, **_LETTER),
    "xing": lambda k, seed: Xing(n_clusters=k, random_state=seed),
    "xing-full": lambda k, seed: Xing(n_clusters=k, metric="full", random_state=seed),
}
# Those that take links which contradict each other; to the others an answer against what earlier
# ones imply is not passed on.
CONTRADICTED = {
    "spectral",
    "spectral-learning-pairs",
    "e2cp",
    "coprf",
    "coprf-guessing",
    "coprf-literal",
    "rf",
    "rf+e2cp",
    "affinity-propagation-eucl",
    "affinity-propagation-eucl+links",
    "affinity-propagation-rf",
    "affinity-propagation-rf+links",
    "affinity-propagation-coprf",
}
# Those that are told which share of the answers is wrong.
TOLD_ERRORS = {"coprf"}
