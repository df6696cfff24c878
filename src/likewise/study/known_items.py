"""Items as the journal of a study knows them; rows of a pile in parts also once it has grown."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from likewise.errors import Overtaken, StoreError
from likewise.items import Items
from likewise.journal import Event, Grown, Opened, timestamp
from likewise.partitions import RepresentativeItems
from likewise.partitions.growth.digest_orders import digested_as_known
from likewise.partitions.growth.following import follow_rows
from likewise.stores import ItemReference, ItemStore, Store
from likewise.stores.stored_journal import StoredJournal


@dataclass(frozen=True)
class GrownRows:
    """Representatives as a journal knows them, and how many of them have changed since.

    Parameters
    ----------
    items : RepresentativeItems
        In the order of the journal.
    n_new, n_gone : int
        How many have joined, and how many are no longer there, since it was last written.
    altered : list of str
        The ids of those with other content than before.
    """

    items: RepresentativeItems
    n_new: int = 0
    n_gone: int = 0
    altered: Sequence[str] = ()


def in_order_of_journal(X: Any, stored: StoredJournal) -> tuple[Any, StoredJournal]:
    """Return what is given, rows of a pile in parts as the journal knows them, and that journal.

    Of a pile from which items are gone it is numbered as what is left of it.
    """
    if isinstance(X, RepresentativeItems):
        X = follow_rows_of(X, stored).items
    if isinstance(X, Items) and X.places is not None:
        return X, stored.restricted_to(X.places)
    return X, stored


def known_by_numbers(items: Items, stored: StoredJournal) -> Items:
    """Return items as a journal of before knows them, by their numbers; others as they are."""
    now = pile_known(stored.events)
    return items if now is None else _as_known(items, now.fingerprint, _rows_known(stored))


def _as_known(items: Items, fingerprint: str, known: Sequence[ItemReference]) -> Items:
    """Return items under a fingerprint of before, if that is theirs."""
    found = Items.recognised(items, fingerprint)
    if found.fingerprint() == fingerprint or not isinstance(items, RepresentativeItems):
        return found
    held = [bytes.fromhex(one.fingerprint) for one in known]
    return Items.recognised(digested_as_known(items, fingerprint, held), fingerprint)


def _rows_known(stored: StoredJournal) -> Sequence[ItemReference]:
    return stored.store.read_items() if isinstance(stored.store, ItemStore) else ()


def recognised(X: Any, opened: Opened) -> Items:
    """Return what is given as the items that a journal is about; refuse others."""
    items = Items.recognised(X, opened.fingerprint)
    if opened.fingerprint != items.fingerprint():
        raise StoreError(
            f"the journal belongs to {opened.n_items} other items than the "
            f"{len(items)} given; give the items it was begun with"
        )
    return items


def remember_rows(items: Items, store: Store) -> None:
    """Let the store of a study keep which rows stand for others, so that the pile may grow."""
    is_able = isinstance(items, RepresentativeItems)
    if is_able and isinstance(store, ItemStore) and not store.read_items():
        store.write_items(_references(items))


def follow_rows_of(items: RepresentativeItems, stored: StoredJournal) -> GrownRows:
    """Return the representatives as the journal knows them; a change is recorded there.

    Raises
    ------
    StoreError
        If the journal belongs to other rows, or its store cannot follow a pile that changes.
    """
    while True:
        try:
            return _follow(items, stored)
        except Overtaken:  # another program has answered, or has found the change too
            if not stored.refresh():
                raise


def pile_known(events: Sequence[Event]) -> Opened | Grown | None:
    """Return the latest event that says which items there are; None if it is no such journal."""
    if not events or not isinstance(events[0], Opened):
        return None
    return next(event for event in reversed(events) if isinstance(event, Opened | Grown))


def other_items_error(n_known: int, n_given: int, store: object) -> StoreError:
    """Return the error for a pile none of whose items the journal knows."""
    return StoreError(
        f"the journal belongs to {n_known} other items than the {n_given} given; "
        f"give the pile and the columns it was begun with, or move {store} away to begin anew"
    )


def unable_to_follow_error(n_known: int, n_given: int, store: object) -> StoreError:
    """Return the error for a pile that has changed, where the store keeps no items."""
    return StoreError(
        f"the journal belongs to {n_known} other items than the {n_given} given, and {store} "
        "cannot follow a pile that changes (a .db file can); give the items it was begun with, or "
        "move it away to begin anew"
    )


def _follow(items: RepresentativeItems, stored: StoredJournal) -> GrownRows:
    now, store = pile_known(stored.events), stored.store
    if now is None or items.places is not None:
        return GrownRows(items)
    known = _rows_known(stored)
    found = _as_known(items, now.fingerprint, known)
    assert isinstance(found, RepresentativeItems)
    is_same = now.fingerprint == found.fingerprint()
    if is_same and all(one.present for one in known):
        if not known:
            remember_rows(found, store)
        return GrownRows(found)
    if not known and isinstance(store, ItemStore):
        return GrownRows(found)  # whoever opens it says what is wrong
    if not known:
        raise unable_to_follow_error(now.n_items, len(items), store)
    return _in_order_of(known, found, stored, now)


def _in_order_of(
    known: Sequence[ItemReference],
    items: RepresentativeItems,
    stored: StoredJournal,
    now: Opened | Grown,
) -> GrownRows:
    ids = [one.id for one in known]
    held = [bytes.fromhex(one.fingerprint) for one in known]
    followed = follow_rows(items, ids, held, now.fingerprint)
    n_there = int(followed.is_there.sum())
    mine = _references(followed.items) if n_there else []
    there = iter(mine)
    references = [
        next(there) if is_there else replace(one, present=False)
        for one, is_there in zip(known, followed.is_there.tolist(), strict=True)
    ]
    altered = [
        after.id
        for before, after in zip(known, references, strict=True)
        if after.present and after.fingerprint != before.fingerprint
    ]
    if len(altered) == n_there:
        raise other_items_error(len(known), len(items), stored.store)
    references += there
    places = np.array([k for k, one in enumerate(references) if one.present], dtype=np.int64)
    grown = followed.items
    if len(places) < len(references):
        grown = replace(grown, places=places)
    if grown.fingerprint() != now.fingerprint:
        event = Grown(len(references), grown.fingerprint(), timestamp())
        stored.register(references, [event])
    elif list(known) != references:
        stored.register(references)
    n_gone = sum(one.present for one in known) - n_there
    return GrownRows(grown, len(references) - len(known), max(n_gone, 0), altered)


def _references(items: Items) -> list[ItemReference]:
    return [
        ItemReference(name, "", held.hex())
        for name, held in zip(items.ids, items.digests, strict=True)
    ]
