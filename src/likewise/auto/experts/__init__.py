"""Experts: different ideas of likeness, each of which judges who belongs to which group."""

from likewise.auto.experts.base import Expert, Opinion, Seeds
from likewise.auto.experts.components import Components
from likewise.auto.experts.gaussian import SharedCovarianceGaussians
from likewise.auto.experts.pagerank import PersonalisedPageRank
from likewise.auto.experts.random_forest import Forest
from likewise.auto.experts.ward_tree import WardTree

__all__ = [
    "Components",
    "Expert",
    "Forest",
    "Opinion",
    "PersonalisedPageRank",
    "Seeds",
    "SharedCovarianceGaussians",
    "WardTree",
]
