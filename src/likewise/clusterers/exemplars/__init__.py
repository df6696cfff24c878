"""Clusters around exemplars."""

from likewise.clusterers.exemplars.affinity_propagation import LinkedAffinityPropagation

__all__ = [
    "LinkedAffinityPropagation",
]
