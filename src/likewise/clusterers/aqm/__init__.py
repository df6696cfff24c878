"""AQM: k-means in a metric learned from the answers and from what they make likely."""

from likewise.clusterers.aqm.augmented_metric import AugmentedMetric

__all__ = [
    "AugmentedMetric",
]
