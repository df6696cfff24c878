"""Clusterers: items and links in, groups out."""

from likewise.clusterers.base import Clusterer, LinkedGroups, MetricLearner, answers_win
from likewise.clusterers.spectral import SpectralLearning

__all__ = ["Clusterer", "LinkedGroups", "MetricLearner", "SpectralLearning", "answers_win"]
