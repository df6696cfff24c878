"""Strategies: what to ask next."""

from likewise.strategies.base import Forecaster, Strategy, View
from likewise.strategies.belief import same_probability
from likewise.strategies.dialogue import Dialogue
from likewise.strategies.farthest import FarthestFirst
from likewise.strategies.forest import ForestLeaves
from likewise.strategies.gain import ExpectedGain
from likewise.strategies.mee import ExpectedEntropy
from likewise.strategies.membership import NeighbourVotes, Similarity
from likewise.strategies.minmax import MinMax
from likewise.strategies.npu import NormalisedUncertainty
from likewise.strategies.placing import Chooser, Placing
from likewise.strategies.uncertainty import UncertaintyReduction, eigenvector_gradient
from likewise.strategies.uniform import RandomItems, RandomPairs

__all__ = [
    "Chooser",
    "Dialogue",
    "ExpectedEntropy",
    "ExpectedGain",
    "FarthestFirst",
    "Forecaster",
    "ForestLeaves",
    "MinMax",
    "NeighbourVotes",
    "NormalisedUncertainty",
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
