"""Strategies: which pair is asked next.

A strategy of your own is one of three small classes:

- a `Chooser` ranks items; `Placing(chooser)` asks each against one member of every group until it
  is placed. `membership`, `entropy`, `expected_questions`, `unlike_each_other` and
  `unlike_in_effect` do most of what a chooser needs.
- a `PairScorer` yields pairs, best first; `PairSelection(scorer)` asks those that are open.
- a `Strategy` does it all: `propose(view, n, rng)`. `IndependentBatch` keeps questions that are
  asked together independent.

All of them see a `View` and nothing else. What ships: `strategies.items` has the choosers,
`strategies.pairs` the pair scorers; `ClustererDriven` leaves the choice to the clusterer.
"""

from likewise.strategies.base import Forecaster, GainEstimator, Strategy, Supposes, View
from likewise.strategies.batch import IndependentBatch
from likewise.strategies.clusterer_driven import ClustererDriven
from likewise.strategies.group_membership import (
    NeighbourVotes,
    Similarity,
    entropy,
    expected_questions,
    membership,
)
from likewise.strategies.group_posterior import same_probability
from likewise.strategies.items.boundary import NearestBoundary
from likewise.strategies.items.expected_entropy import ExpectedEntropy
from likewise.strategies.items.farthest_first import FarthestFirst
from likewise.strategies.items.forest_leaves import ForestLeaves
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
from likewise.strategies.pairs.closest_across import ClosestAcross
from likewise.strategies.pairs.expected_change import ExpectedChange
from likewise.strategies.pairs.expected_error import ExpectedError
from likewise.strategies.pairs.large_nearby import LargeNearby
from likewise.strategies.pairs.random_pairs import RandomPairs
from likewise.strategies.pairs.selection import OpenPairs, PairScorer, PairSelection
from likewise.strategies.pairs.two_step import TwoStep
from likewise.strategies.placing import Chooser, Placing
from likewise.strategies.ranking import unlike_each_other, unlike_in_effect

__all__ = [
    "Chooser",
    "ClosestAcross",
    "ClustererDriven",
    "ExpectedChange",
    "ExpectedEntropy",
    "ExpectedError",
    "FarthestFirst",
    "Forecaster",
    "ForestLeaves",
    "GainEstimator",
    "IndependentBatch",
    "InformativeRepresentative",
    "LargeNearby",
    "MinMax",
    "NearestBoundary",
    "NeighbourEntropy",
    "NeighbourVotes",
    "NormalisedUncertainty",
    "OpenPairs",
    "PairScorer",
    "PairSelection",
    "Placing",
    "RandomItems",
    "RandomPairs",
    "RepresentativesFirst",
    "Similarity",
    "Strategy",
    "Supposes",
    "TwoStep",
    "UncertaintyReduction",
    "View",
    "eigenvector_gradient",
    "entropy",
    "expected_questions",
    "membership",
    "same_probability",
    "unlike_each_other",
    "unlike_in_effect",
]
