"""Strategies: what to ask next."""

from likewise.strategies.base import Forecaster, Strategy, View
from likewise.strategies.belief import same_probability
from likewise.strategies.boundary import NearestBoundary
from likewise.strategies.closest import ClosestApart
from likewise.strategies.dialogue import Dialogue
from likewise.strategies.expected_change import ExpectedChange
from likewise.strategies.expected_error import ExpectedError
from likewise.strategies.farthest import FarthestFirst
from likewise.strategies.forest import ForestLeaves
from likewise.strategies.gain import ExpectedGain
from likewise.strategies.large_nearby import LargeNearby
from likewise.strategies.loose import LoosePairs, PairChooser
from likewise.strategies.mee import ExpectedEntropy
from likewise.strategies.membership import NeighbourVotes, Similarity
from likewise.strategies.minmax import MinMax
from likewise.strategies.npu import NormalisedUncertainty
from likewise.strategies.pknn import NeighbourEntropy
from likewise.strategies.placing import Chooser, Placing
from likewise.strategies.quire import InformativeRepresentative
from likewise.strategies.uncertainty import UncertaintyReduction, eigenvector_gradient
from likewise.strategies.uniform import RandomItems, RandomPairs

__all__ = [
    "Chooser",
    "ClosestApart",
    "Dialogue",
    "ExpectedChange",
    "ExpectedEntropy",
    "ExpectedError",
    "ExpectedGain",
    "FarthestFirst",
    "Forecaster",
    "ForestLeaves",
    "InformativeRepresentative",
    "LargeNearby",
    "LoosePairs",
    "MinMax",
    "NearestBoundary",
    "NeighbourEntropy",
    "NeighbourVotes",
    "NormalisedUncertainty",
    "PairChooser",
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
