"""Forests whose trees the answers guide, and what they say about inconsistent answers."""

from likewise.affinities.forest.constraint_forest import ConstraintForest, leaf_incidence

__all__ = [
    "ConstraintForest",
    "leaf_incidence",
]
