"""Costly similarities: the graph of those measured, its groups, and which to measure next."""

from likewise.similarity.grouping import complete_labels
from likewise.similarity.rules import SIMILARITY_METHODS

__all__ = [
    "SIMILARITY_METHODS",
    "complete_labels",
]
