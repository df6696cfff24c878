"""The pile with its groups as a table: what it says of each item, then what the study does."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any

from likewise.items import Items

_ADDED = ("group", "name", "confidence")


def group_table(
    items: Items,
    labels: Sequence[int],
    names: Mapping[int, str],
    confidence: Sequence[float],
    noted: Mapping[str, Sequence[str]] = MappingProxyType({}),
) -> tuple[list[str], list[list[Any]]]:
    """Return the columns, and a row for everything in the pile, copies too.

    Parameters
    ----------
    items : Items
        What was grouped.
    labels, confidence : sequences
        The group of each item, and how sure that is.
    names : mapping
        What groups are called, by their numbers.
    noted : mapping
        Further columns, a cell per item: `Annotations.columns`.

    Examples
    --------
    >>> group_table(Items(ids=["a", "b"], features=[[0.0], [1.0]]), [0, 1], {1: "odd"}, [1.0, 0.5])
    (['item', 'group', 'name', 'confidence'], [['a', 0, '', 1.0], ['b', 1, 'odd', 0.5]])
    """
    own = [] if items.rows is None else list(items.rows[0])
    taken = {"item", *map(str, own)}
    added = [f"likewise {name}" if name in taken else name for name in (*_ADDED, *noted)]
    rows, shown = [], [] if items.rows is None else list(items.rows)
    for original, k in items.originals():
        cells = [shown[k].get(column) for column in own]
        group = int(labels[k])
        sure = round(float(confidence[k]), 4)
        beside = [column[k] for column in noted.values()]
        rows.append([original, *cells, group, names.get(group, ""), sure, *beside])
    first = "item" if "item" not in map(str, own) else "likewise item"
    return [first, *map(str, own), *added], rows
