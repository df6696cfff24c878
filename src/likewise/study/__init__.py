"""Studies: items, a journal of answers about them, and everything computed from the two."""

from likewise.study.similarity import SimilarityStudy
from likewise.study.study import Study

__all__ = [
    "SimilarityStudy",
    "Study",
]
