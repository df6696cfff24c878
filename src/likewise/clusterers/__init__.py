"""Clusterers: items and links in, groups out."""

from likewise.clusterers.base import Clusterer, LinkedGroups, MetricLearner, answers_win
from likewise.clusterers.pckmeans import PCKMeans
from likewise.clusterers.spectral import SpectralLearning

__all__ = [
    "Clusterer",
    "LinkedGroups",
    "MetricLearner",
    "PCKMeans",
    "SpectralLearning",
    "answers_win",
]
