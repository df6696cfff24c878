"""Piles too large for memory: read in parts, studied by representatives, labelled part by part."""

from likewise.partitions.load import load_partitioned
from likewise.partitions.represented import Represented

__all__ = ["Represented", "load_partitioned"]
