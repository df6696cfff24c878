"""When `auto` takes a pile for duplicates of each other, and when it no longer does."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from likewise.affinities.base import Links
from likewise.auto.records.record_linkage import RecordLinkage
from likewise.clusterers import Clusterer
from likewise.items import Items
from likewise.journal.group_number import NumberOfGroups

_FEWEST_ROWS = 20
_MOST_ROWS = 20_000  # that are looked at; of more, as many among which partners are left together
_LARGE = 5.0  # rows per group: from here on, groups are kinds of things
_FEWEST_PAIRS, _FEWEST = 4, 0.01  # likely pairs, and the share of the rows that are in one
_ALIKE, _MOST_ALIKE = 5, 0.5  # level of names that are nearly the same; share of likely pairs
_OPEN = 0.5  # doubtful pairs per likely one
_PARTNERS = 2.0  # likely partners of a row that has any, on average


def linkage_for(
    items: Items,
    n_clusters: NumberOfGroups,
    must_link: Links,
    cannot_link: Links,
    start: Any,
) -> Callable[..., Clusterer] | None:
    """Return what builds the clusterer if these are duplicates of each other; else None.

    Before the first answer the pile decides (`looks_like_duplicates`); from then on the answers
    may refute it (`RecordLinkage.refuted_by`), and what is refuted stays so.
    """
    records = items.records
    if records is None:
        return None
    most = n_clusters[1] if isinstance(n_clusters, tuple) else n_clusters
    if most is not None and most * _LARGE < len(records):
        return None
    if start is None:
        if not looks_like_duplicates(RecordLinkage(records=records)):
            return None
    elif not isinstance(start, RecordLinkage) or start.refuted_by(must_link, cannot_link):
        return None
    return partial(RecordLinkage, records=records)


def looks_like_duplicates(linkage: RecordLinkage) -> bool:
    """Return whether rows of a table seem to be about the same things, most of them once or twice.

    Some column must tell things apart; enough pairs must be likely matches, most of these be alike
    in such a column, few be doubtful, and rows have few likely partners.
    """
    records = linkage.records
    if records is not None and len(records) > _MOST_ROWS:
        # To compare all rows of a large table takes minutes, and this is asked of every table.
        records = records.take(records.neighbourhoods(_MOST_ROWS))
        linkage = RecordLinkage(records=records)
    if records is None or len(records) < _FEWEST_ROWS or not records.tell_apart:
        return False
    linkage.fit(np.zeros((len(records), 1)))
    same = linkage.same_
    likely = same > 0.5
    partnered = np.unique(linkage.candidates_.pairs[likely])
    if likely.sum() < _FEWEST_PAIRS or len(partnered) < _FEWEST * len(records):
        return False
    # Rows whose measurements agree and whose names differ are of one kind.
    levels = linkage.candidates_.levels[likely][:, records.naming]
    if (levels >= _ALIKE).any(axis=1).mean() < _MOST_ALIKE:
        return False
    doubtful = float(np.minimum(same, 1 - same).sum())
    return bool(doubtful < _OPEN * likely.sum() and 2 * likely.sum() < _PARTNERS * len(partnered))
