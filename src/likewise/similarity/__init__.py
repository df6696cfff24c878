"""Costly similarities: the graph of measured pairs, its groups, and which pair to measure next.

`graph` holds what was measured, `laplacian` its eigenvectors, `grouping` the spectral cut,
`sensitivity` the derivative of the eigenvectors, `rules` the choice of the next pair, `state` the
replay of the journal.
"""

from likewise.similarity.grouping import complete_labels
from likewise.similarity.rules import SIMILARITY_METHODS

__all__ = [
    "SIMILARITY_METHODS",
    "complete_labels",
]
