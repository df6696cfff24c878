"""Studies in a pickle: a copy in memory, for other processes and for keeping a `Run`.

The store stays with the study that was pickled: two programs that both took themselves for its
only writer would overtake one another.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from likewise.methods import METHODS, find_recipe
from likewise.stores import MemoryStore
from likewise.stores.stored_journal import StoredJournal

if TYPE_CHECKING:
    from likewise.items import Items
    from likewise.study.study import Study


def pack(study: Study) -> dict[str, Any]:
    """Return what makes the study: items, events, recipe, and the fits made so far."""
    # A recipe that has a name is found again by it: most hold functions that cannot be pickled.
    recipe = None if METHODS.get(study.method) == study.recipe else study.recipe
    return {
        "items": _without_model(study.items),
        "events": study.store.read(),
        "recipe": recipe,
        "fitted": study._fits.fitted,
        "reduction": (study._is_reduced, study._reduction),
    }


def _without_model(items: Items) -> Items:
    """Return items that can be pickled: a model of somebody's own may hold what cannot be."""
    model = getattr(items.encoder, "model", None)
    return items if model is None or isinstance(model, str) else replace(items, encoder=None)


def unpack(study: Study, state: dict[str, Any]) -> None:
    """Make a bare object the study that was packed."""
    store = MemoryStore()
    store.append(state["events"])
    study._attach(StoredJournal(store, state["events"]))
    study._set_up(state["items"], state["recipe"] or find_recipe(study._state.opened.method))
    study._fits.fitted = state["fitted"]
    study._is_reduced, study._reduction = state["reduction"]
