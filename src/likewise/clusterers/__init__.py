"""Clusterers: items and links in, groups out."""

from likewise.clusterers.augmented_metric import AugmentedMetric
from likewise.clusterers.base import Clusterer, LinkedGroups, MetricLearner, answers_win
from likewise.clusterers.pckmeans import PCKMeans
from likewise.clusterers.spectral import SpectralLearning

__all__ = [
    "AugmentedMetric",
    "Clusterer",
    "LinkedGroups",
    "MetricLearner",
    "PCKMeans",
    "SpectralLearning",
    "answers_win",
]
