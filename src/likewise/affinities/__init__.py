"""Affinities: how alike two items are."""

from likewise.affinities.base import Affinity
from likewise.affinities.forest.constraint_forest import ConstraintForest
from likewise.affinities.forest.screened_forest import ScreenedForest
from likewise.affinities.kernels import ChiSquared, Cosine, Gaussian
from likewise.affinities.learned_mixture import LearnedMixture
from likewise.affinities.precomputed import GaussianOfDistances, PrecomputedAffinity

__all__ = [
    "Affinity",
    "ChiSquared",
    "ConstraintForest",
    "Cosine",
    "Gaussian",
    "GaussianOfDistances",
    "LearnedMixture",
    "PrecomputedAffinity",
    "ScreenedForest",
]
