"""Strategies: what to ask next."""

from likewise.strategies.base import Forecaster, Strategy, View
from likewise.strategies.belief import same_probability
from likewise.strategies.clusterer_driven import Dialogue
from likewise.strategies.items.boundary import NearestBoundary
from likewise.strategies.items.expected_entropy import ExpectedEntropy
from likewise.strategies.items.farthest_first import FarthestFirst
from likewise.strategies.items.forest_similarity import ForestLeaves
from likewise.strategies.items.minmax import MinMax
from likewise.strategies.items.npu import NormalisedUncertainty
from likewise.strategies.items.pknn import NeighbourEntropy
from likewise.strategies.items.quire import InformativeRepresentative
from likewise.strategies.items.random_items import RandomItems
from likewise.strategies.items.uncertainty_reduction import (
    UncertaintyReduction,
    eigenvector_gradient,
)
from likewise.strategies.membership import NeighbourVotes, Similarity
from likewise.strategies.pairs.closest_across import ClosestAcross
from likewise.strategies.pairs.expected_change import ExpectedChange
from likewise.strategies.pairs.expected_error import ExpectedError
from likewise.strategies.pairs.large_nearby import LargeNearby
from likewise.strategies.pairs.random_pairs import RandomPairs
from likewise.strategies.pairs.selection import PairScorer, PairSelection
from likewise.strategies.placing import Chooser, Placing

__all__ = [
    "Chooser",
    "ClosestAcross",
    "Dialogue",
    "ExpectedChange",
    "ExpectedEntropy",
    "ExpectedError",
    "FarthestFirst",
    "Forecaster",
    "ForestLeaves",
    "InformativeRepresentative",
    "LargeNearby",
    "MinMax",
    "NearestBoundary",
    "NeighbourEntropy",
    "NeighbourVotes",
    "NormalisedUncertainty",
    "PairScorer",
    "PairSelection",
    "Placing",
    "RandomItems",
    "RandomPairs",
    "Similarity",
    "Strategy",
    "UncertaintyReduction",
    "View",
    "eigenvector_gradient",
    "same_probability",
]
