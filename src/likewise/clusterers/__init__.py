"""Clusterers: items and links in, groups out."""

from likewise.clusterers.augmented_metric import AugmentedMetric
from likewise.clusterers.average_link import AverageLinkParts
from likewise.clusterers.base import (
    Clusterer,
    LinkedGroups,
    MetricLearner,
    PileClusterer,
    answers_win,
)
from likewise.clusterers.cobras import COBRA, COBRAS
from likewise.clusterers.committee import Committee
from likewise.clusterers.copkmeans import COPKMeans
from likewise.clusterers.coprf import COPRF
from likewise.clusterers.dialogue import Completed, DialogueClusterer, Step
from likewise.clusterers.e2cp import E2CP
from likewise.clusterers.exemplars import LinkedAffinityPropagation
from likewise.clusterers.flexible import FlexibleSpectral
from likewise.clusterers.kasp import KASP, RASP
from likewise.clusterers.mpckmeans import MPCKMeans
from likewise.clusterers.pckmeans import PCKMeans
from likewise.clusterers.single_link import SingleLink
from likewise.clusterers.spectral import SpectralLearning
from likewise.clusterers.staged import StagedTransducer
from likewise.clusterers.svm import LinearSVM
from likewise.clusterers.transducer import SpectralGraphTransducer
from likewise.clusterers.xing import Xing

__all__ = [
    "COBRA",
    "COBRAS",
    "COPRF",
    "E2CP",
    "KASP",
    "RASP",
    "AugmentedMetric",
    "AverageLinkParts",
    "COPKMeans",
    "Clusterer",
    "Committee",
    "Completed",
    "DialogueClusterer",
    "FlexibleSpectral",
    "LinearSVM",
    "LinkedAffinityPropagation",
    "LinkedGroups",
    "MPCKMeans",
    "MetricLearner",
    "PCKMeans",
    "PileClusterer",
    "SingleLink",
    "SpectralGraphTransducer",
    "SpectralLearning",
    "StagedTransducer",
    "Step",
    "Xing",
    "answers_win",
]
