"""Constrained k-means: hard links, penalties, learned metrics."""

from likewise.clusterers.kmeans.copkmeans import COPKMeans
from likewise.clusterers.kmeans.mpckmeans import MPCKMeans
from likewise.clusterers.kmeans.pckmeans import PCKMeans
from likewise.clusterers.kmeans.xing import Xing

__all__ = [
    "COPKMeans",
    "MPCKMeans",
    "PCKMeans",
    "Xing",
]
