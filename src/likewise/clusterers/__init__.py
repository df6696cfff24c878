"""Clusterers: items and links in, groups out."""

from likewise.clusterers.aqm.augmented_metric import AugmentedMetric
from likewise.clusterers.base import (
    Clusterer,
    LinkedClusterer,
    MetricLearner,
    PreparesStart,
    Requirements,
)
from likewise.clusterers.coprf import COPRF
from likewise.clusterers.dialogue.a3s import A3S
from likewise.clusterers.dialogue.base import Completed, DialogueClusterer, Step
from likewise.clusterers.dialogue.cobras import COBRA, COBRAS
from likewise.clusterers.dialogue.dsl import DSL
from likewise.clusterers.exemplars.affinity_propagation import LinkedAffinityPropagation
from likewise.clusterers.kmeans.copkmeans import COPKMeans
from likewise.clusterers.kmeans.mpckmeans import MPCKMeans
from likewise.clusterers.kmeans.pckmeans import PCKMeans
from likewise.clusterers.kmeans.xing import Xing
from likewise.clusterers.linkage.average_link import AverageLinkParts
from likewise.clusterers.linkage.single_link import SingleLink
from likewise.clusterers.links import LinkedGroups, labels_respecting_links
from likewise.clusterers.spectral.e2cp import E2CP
from likewise.clusterers.spectral.flexible import FlexibleSpectral
from likewise.clusterers.spectral.kasp import KASP, RASP
from likewise.clusterers.spectral.spectral_learning import SpectralLearning
from likewise.clusterers.transduction.landmarks import LandmarkTransducer
from likewise.clusterers.transduction.staged import StagedTransducer
from likewise.clusterers.transduction.svm import LinearSVM
from likewise.clusterers.transduction.transducer import SpectralGraphTransducer

__all__ = [
    "A3S",
    "COBRA",
    "COBRAS",
    "COPRF",
    "DSL",
    "E2CP",
    "KASP",
    "RASP",
    "AugmentedMetric",
    "AverageLinkParts",
    "COPKMeans",
    "Clusterer",
    "Completed",
    "DialogueClusterer",
    "FlexibleSpectral",
    "LandmarkTransducer",
    "LinearSVM",
    "LinkedAffinityPropagation",
    "LinkedClusterer",
    "LinkedGroups",
    "MPCKMeans",
    "MetricLearner",
    "PCKMeans",
    "PreparesStart",
    "Requirements",
    "SingleLink",
    "SpectralGraphTransducer",
    "SpectralLearning",
    "StagedTransducer",
    "Step",
    "Xing",
    "labels_respecting_links",
]
