"""Rows of a pile in parts under the digests by which a journal knows them.

Digests are made of columns by their names, so that every file may have them in an order of its own.
Those of a table in memory are made of columns as they stand, and so were those of earlier journals,
for which true and false were numbers and an index that pandas had written was a column.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from likewise.partitions._assembled import content_of
from likewise.partitions._assignments import describe_shown
from likewise.partitions._moments import Moments, merge_moments
from likewise.partitions.executors import map_tasks, results_in_order
from likewise.partitions.growth._located_rows import SoughtRows, places_of
from likewise.partitions.partition import ParquetPartition, Partition, checked_features

if TYPE_CHECKING:
    from likewise.partitions.representative_items import RepresentativeItems

_ENOUGH = 100  # rows found in one order alone, after which no further part is looked at


class DigestOrder(NamedTuple):
    """The columns that digests are made of, and whether true and false are numbers among them."""

    columns: tuple[str, ...]
    flags_are_numbers: bool = False

    def of(self, part: Partition) -> Partition:
        """Return a part whose digests are made so."""
        assert isinstance(part, ParquetPartition)
        flags = () if self.flags_are_numbers else part.flags
        return replace(part, digested=self.columns, flags=flags)


def digested_as_known(
    items: RepresentativeItems, fingerprint: str, digests: Sequence[bytes]
) -> RepresentativeItems:
    """Return representatives with digests made as those of a journal are.

    Parameters
    ----------
    items : RepresentativeItems
        As they were found.
    fingerprint : str
        Of the pile that the journal knows.
    digests : sequence of bytes
        Of the rows that it knows; without any, all is compared by the fingerprint.

    Returns
    -------
    RepresentativeItems
        The same ones if the journal's digests are made as usual, or nothing of it is there.
    """
    orders = _orders([one.part for one in items.partitions])
    if digests and len(orders) > 1:
        best = _best_order(orders, items, digests)
        return items if best == orders[0] else _digested(items, best)
    found = (_digested(items, order) for order in orders[1:])
    return next((one for one in found if one.content == fingerprint), items)


def _orders(parts: Sequence[Partition]) -> list[DigestOrder]:
    """Return in which orders columns may have been, the usual one first; none if there are none."""
    files = [part for part in parts if isinstance(part, ParquetPartition) and not part.model]
    if not files:
        return []
    columns = files[0].columns
    orders = [DigestOrder(tuple(sorted(columns)))]
    orders += (DigestOrder(tuple(n for n in one.stored if n in columns)) for one in files)
    everywhere = frozenset(files[0].stored).intersection(*(one.stored for one in files))
    earlier = (one.stored for one in files if everywhere >= {*one.stored})
    orders += (DigestOrder(one, flags_are_numbers=True) for one in earlier)
    if not any(one.flags for one in files):
        orders = [DigestOrder(one.columns) for one in orders]
    return list(dict.fromkeys(orders))


def _best_order(
    orders: Sequence[DigestOrder], items: RepresentativeItems, digests: Sequence[bytes]
) -> DigestOrder:
    """Return the order in which most of the rows are found that a journal knows.

    Of rows of small whole numbers some are found in any order.
    """
    sought = SoughtRows(tuple(digests), None)
    found = [frozenset[int]() for _ in orders]
    jobs = [(one.part, orders, sought) for one in items.partitions]
    for rows in results_in_order(_found_rows, jobs, client=items.client, n_jobs=items.n_jobs):
        found = [there | more for there, more in zip(found, rows, strict=True)]
        counts = [len(one) for one in found]
        if max(counts) > _ENOUGH and sum(counts) == max(counts):
            break
    return orders[counts.index(max(counts))]


def _found_rows(
    job: tuple[Partition, Sequence[DigestOrder], SoughtRows],
) -> list[frozenset[int]]:
    """Return for every order which of the rows sought are in a part."""
    part, orders, sought = job
    X, held = checked_features(part), sought.by_digest()
    places = (places_of(order.of(part).digests(X), held) for order in orders)
    return [frozenset(np.unique(one[one >= 0]).tolist()) for one in places]


def _digested(items: RepresentativeItems, order: DigestOrder) -> RepresentativeItems:
    """Return representatives whose digests, and those of all rows, are made in an order."""
    workers = {"client": items.client, "n_jobs": items.n_jobs}
    assigners = [replace(one, part=order.of(one.part)) for one in items.partitions]
    moments = merge_moments(map_tasks(Moments.of, [one.part for one in assigners], **workers))
    digests = list(items.digests)
    for one, shown in zip(assigners, map_tasks(describe_shown, assigners, **workers), strict=True):
        for k, place in enumerate(one.shown[:, 1].tolist()):
            digests[place] = shown.digests[k]
    rows_digest = moments.rows_digest()
    return replace(
        items,
        partitions=assigners,
        digests=digests,
        rows_digest=rows_digest,
        content=content_of(digests, rows_digest),
    )
