"""Forests whose trees the answers guide, and what they say about inconsistent answers."""

from likewise.affinities.forest.constraint_forest import ConstraintForest, leaf_incidence
from likewise.affinities.forest.screened_forest import ScreenedForest

__all__ = [
    "ConstraintForest",
    "ScreenedForest",
    "leaf_incidence",
]
