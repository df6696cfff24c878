"""Agglomerative clustering with links."""

from likewise.clusterers.linkage.average_link import AverageLinkParts
from likewise.clusterers.linkage.single_link import SingleLink

__all__ = [
    "AverageLinkParts",
    "SingleLink",
]
