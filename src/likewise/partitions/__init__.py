"""Piles too large for memory: read in parts, studied by representatives, labelled part by part."""

from likewise.partitions.executors import Dask, Executor, Pools, Processes
from likewise.partitions.load import load_partitioned
from likewise.partitions.ray_workers import Ray
from likewise.partitions.representative_items import RepresentativeItems

__all__ = [
    "Dask",
    "Executor",
    "Pools",
    "Processes",
    "Ray",
    "RepresentativeItems",
    "load_partitioned",
]
