"""How well a clustering agrees with the truth, and how good a ranking is on the way there."""

from likewise.metrics.clustering import (
    METRICS,
    all_metrics,
    ari,
    jaccard,
    misclustering_error,
    nmi,
    pair_f1,
    pair_precision,
    pair_recall,
    v_measure,
)
from likewise.metrics.learning_curves import alc, auc

__all__ = [
    "METRICS",
    "alc",
    "all_metrics",
    "ari",
    "auc",
    "jaccard",
    "misclustering_error",
    "nmi",
    "pair_f1",
    "pair_precision",
    "pair_recall",
    "v_measure",
]
