"""Clusterers that are given links instead of asking, by the names experiments call them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

from likewise.affinities import Gaussian
from likewise.bench.tasks.composed import OnForest, Unlinked
from likewise.bench.tasks.weighed import Weighed
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

_TENTH = Gaussian(n_neighbours=0.1)  # as many neighbours as a tenth of the items


def _e2cp(k: int, seed: int, **settings: Any) -> E2CP:
    """Return E²CP as papers compare with it: links count through the similarities alone."""
    settings = {"affinity": _TENTH, **settings}
    return E2CP(n_clusters=k, answers_win=False, random_state=seed, **settings)


def _exemplars(k: int, seed: int, **settings: Any) -> LinkedAffinityPropagation:
    return LinkedAffinityPropagation(n_clusters=k, random_state=seed, **settings)


def _forest_cut(k: int, seed: int, **settings: Any) -> OnForest:
    cut = SpectralLearning(n_clusters=k, affinity="precomputed", random_state=seed)
    return OnForest(cut, n_trees=N_TREES, random_state=seed, **settings)


def _forest_e2cp(k: int, seed: int, **settings: Any) -> OnForest:
    model = _e2cp(k, seed, affinity="precomputed")
    linked = {"forest_linked": False, "model_linked": True}
    return OnForest(model, n_trees=N_TREES, random_state=seed, **linked, **settings)


def _coprf(k: int, seed: int, **settings: Any) -> COPRF:
    return COPRF(n_clusters=k, n_trees=N_TREES, random_state=seed, **settings)


def _forest_exemplars(k: int, seed: int, **settings: Any) -> OnForest:
    model = _exemplars(k, seed, affinity="precomputed", answers_win=False, damping=0.9)
    plain = {"graph": False, "single_rows": False}
    return OnForest(model, n_trees=N_TREES, random_state=seed, **plain, **settings)


def _aqm(k: int, seed: int, **settings: Any) -> AugmentedMetric:
    return AugmentedMetric(n_clusters=k, random_state=seed, **settings)


# The AQM paper's problems without what we add to them.
_LETTER: dict[str, Any] = {
    "ridge": 0.0, "prior": 0.01, "selective_penalty": 0.0, "n_starts": 1, "held_out": False,
}  # fmt: skip

LINKED: dict[str, Callable[[int, int], Any]] = {
    "spectral": lambda k, seed: Unlinked(_e2cp(k, seed)),
    "spectral-learning": lambda k, seed: SpectralLearning(n_clusters=k, random_state=seed),
    "spectral-learning-pairs": lambda k, seed: _e2cp(k, seed, alpha=0.0),
    "e2cp": _e2cp,
    "e2cp-answers-win": lambda k, seed: E2CP(n_clusters=k, affinity=_TENTH, random_state=seed),
    "coprf": _coprf,
    "coprf-guessing": _coprf,
    "coprf-ceiling": partial(_coprf, error_rate=0.0),
    "coprf-soft": partial(_coprf, soft_links=True),
    "coprf-one-budget": partial(_coprf, by_kind=False),
    "coprf-forest-alone": partial(_coprf, plain_share=0.0),
    "coprf-unweighed": partial(_coprf, weigh_links=False),
    "coprf-literal": lambda k, seed: COPRF.literal(
        n_clusters=k, n_trees=N_TREES, random_state=seed
    ),
    "rf": partial(_forest_cut, forest_linked=False),
    "rf+e2cp": _forest_e2cp,
    "spectral-learning-told": lambda k, seed: Weighed(_e2cp(k, seed, alpha=0.0)),
    "e2cp-told": lambda k, seed: Weighed(_e2cp(k, seed)),
    "rf+e2cp-told": lambda k, seed: Weighed(_forest_e2cp(k, seed, sharpness=2.0)),
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
    "coprf-soft",
    "coprf-one-budget",
    "coprf-forest-alone",
    "coprf-unweighed",
    "coprf-literal",
    "spectral-learning-told",
    "e2cp-told",
    "rf+e2cp-told",
    "rf",
    "rf+e2cp",
    "affinity-propagation-eucl",
    "affinity-propagation-eucl+links",
    "affinity-propagation-rf",
    "affinity-propagation-rf+links",
    "affinity-propagation-coprf",
}
# Those that are told which share of the answers is wrong: if none is, answers win, else they are
# weighed.
TOLD_ERRORS: dict[str, Callable[[Any, float], Any]] = {
    **dict.fromkeys(
        ("coprf", "coprf-soft", "coprf-one-budget", "coprf-forest-alone", "coprf-unweighed"),
        lambda model, share: model.set_params(error_rate=share),
    ),
    **dict.fromkeys(
        ("spectral-learning-told", "e2cp-told", "rf+e2cp-told"),
        lambda model, share: replace(model, error_rate=share),
    ),
}
# Those that somebody who knows the truth keeps every wrong answer from.
FILTERED = {"coprf-ceiling"}
