"""likewise: group any pile of things the way a person means it, by asking about pairs of them."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from likewise._extras import extra_explained
from likewise._version import __version__ as __version__

if TYPE_CHECKING:
    from likewise import (
        affinities,
        answerers,
        auto,
        beliefs,
        clusterers,
        datasets,
        errors,
        exchange,
        features,
        items,
        journal,
        methods,
        metrics,
        partitions,
        piles,
        plots,
        quality,
        report,
        similarity,
        simulation,
        stores,
        strategies,
        testing,
        views,
        web,
    )
    from likewise.errors import LikewiseError
    from likewise.items import Items
    from likewise.journal import Answer, Measurement, Pair, Question, Verdict
    from likewise.methods import METHODS, Recipe
    from likewise.piles import load_items
    from likewise.similarity import complete_labels
    from likewise.simulation import (
        Money,
        PlannedAnswerer,
        Run,
        SimilarityRun,
        oracles,
        plan,
        run,
        run_similarity,
    )
    from likewise.strategies.kinds import Pace
    from likewise.study import SimilarityStudy, Study, edits

# Loaded when first used, so that `import likewise` is quick.
_NAMES = {  # by the package each is defined in
    "Answer": "journal",
    "Items": "items",
    "LikewiseError": "errors",
    "METHODS": "methods",
    "Measurement": "journal",
    "Money": "simulation",
    "Pace": "strategies.kinds",
    "Pair": "journal",
    "PlannedAnswerer": "simulation",
    "Question": "journal",
    "Recipe": "methods",
    "Run": "simulation",
    "SimilarityRun": "simulation",
    "SimilarityStudy": "study",
    "Study": "study",
    "Verdict": "journal",
    "complete_labels": "similarity",
    "load_items": "piles",
    "plan": "simulation",
    "run": "simulation",
    "run_similarity": "simulation",
}
_MODULES = {  # by where each lives
    "affinities": "affinities",
    "answerers": "answerers",
    "auto": "auto",
    "beliefs": "beliefs",
    "clusterers": "clusterers",
    "datasets": "datasets",
    "edits": "study.edits",
    "errors": "errors",
    "exchange": "exchange",
    "features": "features",
    "items": "items",
    "journal": "journal",
    "methods": "methods",
    "metrics": "metrics",
    "oracles": "simulation.oracles",
    "partitions": "partitions",
    "piles": "piles",
    "plots": "plots",
    "quality": "quality",
    "report": "report",
    "similarity": "similarity",
    "simulation": "simulation",
    "stores": "stores",
    "strategies": "strategies",
    "testing": "testing",
    "views": "views",
    "web": "web",
}

__all__ = [
    "METHODS",
    "Answer",
    "Items",
    "LikewiseError",
    "Measurement",
    "Money",
    "Pace",
    "Pair",
    "PlannedAnswerer",
    "Question",
    "Recipe",
    "Run",
    "SimilarityRun",
    "SimilarityStudy",
    "Study",
    "Verdict",
    "affinities",
    "answerers",
    "auto",
    "beliefs",
    "clusterers",
    "complete_labels",
    "datasets",
    "edits",
    "errors",
    "exchange",
    "features",
    "items",
    "journal",
    "load_items",
    "methods",
    "metrics",
    "oracles",
    "partitions",
    "piles",
    "plan",
    "plots",
    "quality",
    "report",
    "run",
    "run_similarity",
    "similarity",
    "simulation",
    "stores",
    "strategies",
    "testing",
    "views",
    "web",
]


def __getattr__(name: str) -> Any:
    if name in _MODULES:
        with extra_explained():
            return import_module(f"likewise.{_MODULES[name]}")
    if name in _NAMES:
        return getattr(import_module(f"likewise.{_NAMES[name]}"), name)
    raise AttributeError(f"module 'likewise' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)
