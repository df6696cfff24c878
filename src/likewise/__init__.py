"""likewise: group any pile of things the way a person means it, by asking about pairs of them."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from likewise._version import __version__ as __version__

if TYPE_CHECKING:
    from likewise import (
        affinities,
        clusterers,
        datasets,
        metrics,
        oracles,
        piles,
        plots,
        strategies,
    )
    from likewise.errors import LikewiseError
    from likewise.items import Items
    from likewise.methods import METHODS, Recipe
    from likewise.pairs import Answer, Measurement, Pair, Question, Verdict
    from likewise.piles import load_items
    from likewise.similarity import SimilarityRun, SimilarityStudy, complete_labels, run_similarity
    from likewise.simulation import Run, run
    from likewise.study import Study

# Loaded when first used, so that `import likewise` is quick.
_HOME = {
    "Answer": "pairs",
    "Items": "items",
    "LikewiseError": "errors",
    "METHODS": "methods",
    "Measurement": "pairs",
    "Pair": "pairs",
    "Question": "pairs",
    "Recipe": "methods",
    "Run": "simulation",
    "SimilarityRun": "similarity",
    "SimilarityStudy": "similarity",
    "Study": "study",
    "Verdict": "pairs",
    "complete_labels": "similarity",
    "load_items": "piles",
    "run": "simulation",
    "run_similarity": "similarity",
}
_MODULES = (
    *("affinities", "clusterers", "datasets", "metrics", "oracles", "piles", "plots"),
    "strategies",
)

__all__ = [
    "METHODS",
    "Answer",
    "Items",
    "LikewiseError",
    "Measurement",
    "Pair",
    "Question",
    "Recipe",
    "Run",
    "SimilarityRun",
    "SimilarityStudy",
    "Study",
    "Verdict",
    "affinities",
    "clusterers",
    "complete_labels",
    "datasets",
    "load_items",
    "metrics",
    "oracles",
    "piles",
    "plots",
    "run",
    "run_similarity",
    "strategies",
]


def __getattr__(name: str) -> Any:
    if name in _MODULES:
        return import_module(f"likewise.{name}")
    if name in _HOME:
        return getattr(import_module(f"likewise.{_HOME[name]}"), name)
    raise AttributeError(f"module 'likewise' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)
