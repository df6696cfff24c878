"""Piles that change between two sittings: known items keep their answers, new ones come after."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from likewise.errors import Overtaken
from likewise.features.regions import file_of
from likewise.items.digests import content_fingerprint
from likewise.items.encodable import file_name
from likewise.journal import Event, Grown, Noted, Redone, Undone, timestamp
from likewise.journal.group_number import NumberOfGroups
from likewise.journal.notes import Notes
from likewise.methods import Recipe
from likewise.partitions import RepresentativeItems
from likewise.piles.pile import Pile
from likewise.stores import ItemReference, ItemStore
from likewise.stores.stored_journal import StoredJournal
from likewise.study import Study
from likewise.study.base import Where
from likewise.study.known_items import (
    follow_rows_of,
    other_items_error,
    pile_known,
    unable_to_follow_error,
)


def begin_study(
    pile: Pile,
    store: Where,
    *,
    method: str | Recipe = "auto",
    n_clusters: NumberOfGroups = None,
    random_state: int = 0,
) -> Study:
    """Begin a study of a pile, whose store remembers which items it is about.

    Parameters
    ----------
    pile : Pile
        What is grouped.
    store : str, Path, Store or None
        Where the journal is kept; it must be empty. A database remembers the items' ids and
        digests, so that the pile may grow later.
    method, n_clusters, random_state
        As for `likewise.Study`.
    """
    study = Study(
        pile.items,
        method=method,
        n_clusters=n_clusters,
        random_state=random_state,
        store=store,
    )
    if isinstance(study.store, ItemStore) and pile.digests:  # of representatives it knows already
        study.store.write_items(_references(pile))
    return study


def resume_study(pile: Pile, store: Where) -> tuple[Study, Pile]:
    """Return the study of a pile that may have changed, and the pile in the journal's order.

    Items that are known keep their answers, by id, or by content where it was moved or has no id
    of its own; new ones come after them; those that are gone stay in the journal alone.

    Parameters
    ----------
    pile : Pile
        What is there now.
    store : str, Path, Store or StoredJournal
        Where the journal is kept; it is opened and read once.

    Raises
    ------
    StoreError
        If the journal belongs to other items and its store cannot follow a pile that changes.
    """
    stored = StoredJournal.read(store)
    aligned = align(pile, stored)
    return Study.open(stored, aligned.items), aligned


def align(pile: Pile, where: Where) -> Pile:
    """Return the pile in the order in which the journal knows it; a change is recorded there.

    Who goes on with the study gives a `StoredJournal` here and to `Study.open`: it is read once.
    Who only looks gives one that is `detached`: then nothing is recorded anywhere.
    """
    stored = StoredJournal.read(where)
    if isinstance(pile.items, RepresentativeItems):
        return _align_rows(pile, pile.items, stored)
    while True:
        try:
            return _align(pile, stored)
        except Overtaken:  # another program has answered, or has found the change too
            if not stored.refresh():
                raise


def _align_rows(pile: Pile, items: RepresentativeItems, stored: StoredJournal) -> Pile:
    """Return a pile in parts with the representatives that the journal knows."""
    grown = follow_rows_of(items, stored)
    changes = _notes(pile.noun, grown.n_new, grown.n_gone, len(grown.altered))
    return replace(
        pile,
        items=grown.items,
        notes=[*pile.notes, *changes],
        changes=changes,
        altered=list(grown.altered),
    )


def _align(pile: Pile, stored: StoredJournal) -> Pile:
    """Return the pile in the journal's order; `Overtaken` if another program has just written."""
    store, now = stored.store, pile_known(stored.events)
    if now is None:
        return pile  # Study.open says what is wrong
    if not isinstance(store, ItemStore):
        if now.fingerprint != pile.items.fingerprint():
            raise unable_to_follow_error(now.n_items, len(pile.items), store)
        return pile
    known = store.read_items()
    if not known:
        if now.fingerprint == pile.items.fingerprint():
            stored.register(_references(pile))
        return pile
    aligned, references = _reorder(pile, known, str(store))
    fingerprint = aligned.items.fingerprint()
    grown = [Grown(len(references), fingerprint, timestamp())]
    if fingerprint != now.fingerprint:
        stored.register(references, grown)
    elif references != known:
        stored.register(references)
    return aligned


def _reorder(
    pile: Pile, known: Sequence[ItemReference], store: str
) -> tuple[Pile, list[ItemReference]]:
    """Put known items first, in their order, and say how the store is to remember the pile."""
    found = _match_items(pile, known)
    mine = _references(pile)
    altered = [mine[k].id for p, k in found.items() if mine[k].fingerprint != known[p].fingerprint]
    if len(altered) == len(found):
        raise other_items_error(len(known), len(pile.items), store)
    new = sorted(set(range(len(pile.items))) - set(found.values()))
    references = [
        mine[found[p]] if p in found else replace(reference, present=False)
        for p, reference in enumerate(known)
    ]
    references += [mine[k] for k in new]
    order = np.array([found[p] for p in sorted(found)] + new, dtype=np.int64)
    gone = len(known) - len(found)
    places = np.array([p for p, one in enumerate(references) if one.present], dtype=np.int64)
    items = replace(
        pile.items.take(order),
        places=places if gone else None,
        content=content_fingerprint([pile.digests[k] for k in order]) if pile.items.content else "",
        prepare=pile.items.prepare,
        encoder=pile.items.encoder,
    )
    # What has become part of a stack is there, only not by itself.
    there = pile.items.position()
    stacked = sum(p not in found and one.present and one.id in there for p, one in enumerate(known))
    was_gone = sum(not reference.present for reference in known) + stacked
    changes = _notes(pile.noun, len(new), gone - was_gone, len(altered))
    digests = [pile.digests[k] for k in order]
    aligned = replace(
        pile,
        items=items,
        digests=digests,
        notes=[*pile.notes, *changes],
        changes=changes,
        altered=altered,
    )
    return aligned, references


def _match_items(pile: Pile, known: Sequence[ItemReference]) -> dict[int, int]:
    """Return where in the pile the known items are that are still there, by position."""
    by_id = {name: k for k, name in enumerate(pile.items.ids)}
    found = {}
    if pile.named_by is not None and pile.named_by != "line":
        found = {p: by_id[one.id] for p, one in enumerate(known) if one.id in by_id}
    taken = set(found.values())
    # By content: what has no id of its own, and what was moved.
    by_content = {d.hex(): k for k, d in enumerate(pile.digests) if k not in taken}
    for p, one in enumerate(known):
        if p not in found and one.fingerprint in by_content:
            found[p] = by_content.pop(one.fingerprint)
    return found


def _references(pile: Pile) -> list[ItemReference]:
    shown = pile.items.pictures
    return [
        ItemReference(name, "" if shown is None else _file(shown[k]), pile.digests[k].hex())
        for k, name in enumerate(pile.items.ids)
    ]


def _file(picture: object) -> str:
    """Return the name of the file in which a picture is; empty for pixels."""
    path = file_of(picture)
    return "" if path is None else file_name(str(path))


def _notes(noun: str, new: int, newly_gone: int, changed: int) -> list[str]:
    """Say in sentences what has changed since the last time."""
    notes = []
    if new:
        notes.append(f"{new:,} {noun}{'s are' if new > 1 else ' is'} new")
    if newly_gone > 0:
        notes.append(
            f"{newly_gone:,} {noun}{'s are' if newly_gone > 1 else ' is'} gone; the answers about "
            "them are kept"
        )
    if changed:
        notes.append(
            f"{changed:,} {noun}{'s have' if changed > 1 else ' has'} other content than before; "
            "the answers about them still hold"
        )
    return notes


def stacks_apart(store: Where) -> set[str]:
    """Return the ids of the items whose stacks somebody has taken apart in a study.

    Parameters
    ----------
    store : str, Path, Store or StoredJournal
        Where the study is kept. One that does not remember its items has none.
    """
    stored = StoredJournal.read(store)
    places = _taken_apart(stored.events)
    if not places or not isinstance(stored.store, ItemStore):
        return set()
    known = stored.store.read_items()
    return {known[place].id for place in places if place < len(known)}


def _taken_apart(events: Sequence[Event]) -> set[int]:
    """Return the numbers of items whose stacks were taken apart; what was undone does not count."""
    notes, undone = Notes(), set()
    for event in events:
        match event:
            case Noted(about="apart"):
                notes.add(event)
            case Undone(step):
                undone.add(step)
            case Redone(step):
                undone.discard(step)
    notes.leave_out(lambda step: step in undone)
    return notes.apart
