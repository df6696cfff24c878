"""Spectral clustering of graphs that answers have changed."""

from likewise.clusterers.spectral.e2cp import E2CP
from likewise.clusterers.spectral.flexible import FlexibleSpectral
from likewise.clusterers.spectral.kasp import KASP, RASP
from likewise.clusterers.spectral.spectral_learning import SpectralLearning

__all__ = [
    "E2CP",
    "KASP",
    "RASP",
    "FlexibleSpectral",
    "SpectralLearning",
]
