"""Learners that are told the classes of some items: graph transduction and support vectors."""

from likewise.clusterers.transduction.landmarks import LandmarkTransducer
from likewise.clusterers.transduction.staged import StagedTransducer
from likewise.clusterers.transduction.svm import LinearSVM
from likewise.clusterers.transduction.transducer import SpectralGraphTransducer

__all__ = [
    "LandmarkTransducer",
    "LinearSVM",
    "SpectralGraphTransducer",
    "StagedTransducer",
]
