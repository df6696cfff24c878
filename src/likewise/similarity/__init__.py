"""Studies in which a look at a pair yields a number: how alike the two are, at a price."""

from likewise.similarity.grouping import complete_labels
from likewise.similarity.simulation import SimilarityRun, run_similarity
from likewise.similarity.strategies import SIMILARITY_METHODS
from likewise.similarity.study import SimilarityStudy

__all__ = [
    "SIMILARITY_METHODS",
    "SimilarityRun",
    "SimilarityStudy",
    "complete_labels",
    "run_similarity",
]
