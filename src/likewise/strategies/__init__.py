"""Strategies: what to ask next."""

from likewise.strategies.base import Strategy, View
from likewise.strategies.belief import same_probability
from likewise.strategies.dialogue import Dialogue
from likewise.strategies.farthest import FarthestFirst
from likewise.strategies.placing import Chooser, Placing
from likewise.strategies.uncertainty import UncertaintyReduction, eigenvector_gradient
from likewise.strategies.uniform import RandomItems, RandomPairs

__all__ = [
    "Chooser",
    "Dialogue",
    "FarthestFirst",
    "Placing",
    "RandomItems",
    "RandomPairs",
    "Strategy",
    "UncertaintyReduction",
    "View",
    "eigenvector_gradient",
    "same_probability",
]
