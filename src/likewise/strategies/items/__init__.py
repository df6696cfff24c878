"""Choosers: which item to place next. Each is one file and one class, with its paper."""

from likewise.strategies.items.boundary import NearestBoundary
from likewise.strategies.items.expected_entropy import ExpectedEntropy
from likewise.strategies.items.farthest_first import FarthestFirst
from likewise.strategies.items.minmax import MinMax
from likewise.strategies.items.npu import NormalisedUncertainty
from likewise.strategies.items.pknn import NeighbourEntropy
from likewise.strategies.items.quire import InformativeRepresentative
from likewise.strategies.items.random_items import RandomItems
from likewise.strategies.items.representatives_first import RepresentativesFirst
from likewise.strategies.items.uncertainty_reduction import (
    UncertaintyReduction,
    eigenvector_gradient,
)

__all__ = [
    "ExpectedEntropy",
    "FarthestFirst",
    "InformativeRepresentative",
    "MinMax",
    "NearestBoundary",
    "NeighbourEntropy",
    "NormalisedUncertainty",
    "RandomItems",
    "RepresentativesFirst",
    "UncertaintyReduction",
    "eigenvector_gradient",
]
