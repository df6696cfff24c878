"""Whether a store is sound: what it holds, in order, and what follows from it."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import scipy.sparse as sp
from scipy.sparse.csgraph import connected_components

from likewise.errors import LikewiseError, StoreError
from likewise.journal import Opened
from likewise.journal.constraints import Constraints
from likewise.journal.pairs import Verdict
from likewise.journal.state import Journal
from likewise.stores.base import ItemStore, Store
from likewise.stores.resolve import open_store


def verify_store(where: str | Path | Store) -> list[str]:
    """Return what is wrong with a store, in sentences; nothing if it is sound.

    The database's own check, the sequence of the events, whether each can be read and fits those
    before it, whether the closure of the answers is what they imply, computed another way, and
    whether the items are as many as the events say.

    Parameters
    ----------
    where : str, Path or Store
        The store; it is only read.

    Raises
    ------
    StoreError
        If there is no study to verify.

    Examples
    --------
    >>> from likewise.stores.memory import MemoryStore
    >>> store = MemoryStore()
    >>> store.append([Opened(4, "", "auto", None, 0)])
    >>> verify_store(store)
    []
    """
    store = open_store(where)
    damage = getattr(store, "damage", list)
    try:
        problems = list(damage())
        events = store.read()
    except LikewiseError as error:
        return [str(error)]
    if not events:
        raise StoreError(f"there is no study in {store} to verify")
    if not isinstance(events[0], Opened):
        return problems  # ratings imply nothing
    try:
        journal = Journal.replay(events)
    except LikewiseError as error:
        return [*problems, f"{store}: {error}"]
    problems += closure_problems(journal.whole)
    items = store.read_items() if isinstance(store, ItemStore) else []
    if items and len(items) != journal.whole.n_items:
        problems.append(
            f"{store} knows {len(items)} items, but its events speak of {journal.whole.n_items}; "
            "take it from your backup"
        )
    return problems


def closure_problems(known: Constraints) -> list[str]:
    """Return where the closure differs from a graph search over the same answers."""
    disputed = {answer.id for answer in known.disputed}
    same = known.must_link
    n = known.n_items
    graph = sp.coo_array((np.ones(len(same)), (same[:, 0], same[:, 1])), shape=(n, n))
    component = connected_components(graph, directed=False)[1]
    wrong = []
    for answer in known.answers:
        if answer.verdict is Verdict.UNSURE or answer.id in disputed:
            continue
        i, j = answer.pair
        if (component[i] == component[j]) != (answer.verdict is Verdict.SAME):
            wrong.append(f"{answer} does not hold in the groups that follow from all answers")
    pairs = set(zip(component.tolist(), known.components().tolist(), strict=True))
    if len(pairs) != len(set(component.tolist())) or len(pairs) != len({b for _, b in pairs}):
        wrong.append("the groups that follow from the answers are not those of a graph search")
    return wrong
