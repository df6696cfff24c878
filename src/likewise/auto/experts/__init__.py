"""Experts: models of similarity, each of which predicts groups from seeds.

An expert is anything with `predict(seeds) -> Prediction`. To add one, write a module here, name it
in `likewise.auto.structure` (`PRIOR_WEIGHTS` and one of the two dicts of `PileStructure`) and in
`likewise.auto._explanation`.
"""

from likewise.auto.experts.base import Expert, Prediction, Seeds
from likewise.auto.experts.components import GraphComponents
from likewise.auto.experts.extra_trees import ExtraTrees
from likewise.auto.experts.gaussian import SharedCovarianceGaussians
from likewise.auto.experts.one_view import OneView
from likewise.auto.experts.pagerank import PersonalisedPageRank
from likewise.auto.experts.ward_tree import WardTree

__all__ = [
    "Expert",
    "ExtraTrees",
    "GraphComponents",
    "OneView",
    "PersonalisedPageRank",
    "Prediction",
    "Seeds",
    "SharedCovarianceGaussians",
    "WardTree",
]
