"""Clusterers: items and links in, groups out."""

from likewise.clusterers.base import Clusterer, LinkedGroups, answers_win
from likewise.clusterers.spectral import SpectralLearning

__all__ = ["Clusterer", "LinkedGroups", "SpectralLearning", "answers_win"]
