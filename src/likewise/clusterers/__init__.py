"""Clusterers: items and links in, groups out."""

from likewise.clusterers.base import Clusterer, LinkedGroups, MetricLearner, answers_win
from likewise.clusterers.cobras import COBRA, COBRAS
from likewise.clusterers.dialogue import Completed, DialogueClusterer, Step
from likewise.clusterers.spectral import SpectralLearning

__all__ = [
    "COBRA",
    "COBRAS",
    "Clusterer",
    "Completed",
    "DialogueClusterer",
    "LinkedGroups",
    "MetricLearner",
    "SpectralLearning",
    "Step",
    "answers_win",
]
