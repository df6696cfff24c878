"""Clusterers: items and links in, groups out."""

from likewise.clusterers.base import Clusterer, LinkedGroups, MetricLearner, answers_win
from likewise.clusterers.e2cp import E2CP
from likewise.clusterers.exemplars import LinkedAffinityPropagation
from likewise.clusterers.spectral import SpectralLearning

__all__ = [
    "E2CP",
    "Clusterer",
    "LinkedAffinityPropagation",
    "LinkedGroups",
    "MetricLearner",
    "SpectralLearning",
    "answers_win",
]
