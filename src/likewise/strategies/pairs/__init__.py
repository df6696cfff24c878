"""Pair scorers: which pair to ask next. Each is one file and one class, with its paper."""

from likewise.strategies.pairs.closest_across import ClosestAcross
from likewise.strategies.pairs.expected_change import ExpectedChange
from likewise.strategies.pairs.expected_error import ExpectedError
from likewise.strategies.pairs.large_nearby import LargeNearby
from likewise.strategies.pairs.random_pairs import RandomPairs
from likewise.strategies.pairs.selection import PairScorer, PairSelection
from likewise.strategies.pairs.two_step import TwoStep

__all__ = [
    "ClosestAcross",
    "ExpectedChange",
    "ExpectedError",
    "LargeNearby",
    "PairScorer",
    "PairSelection",
    "RandomPairs",
    "TwoStep",
]
