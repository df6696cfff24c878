"""The groups as the report shows them: name, size, and a few members to see what it is about."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from likewise.errors import LikewiseError
from likewise.items import Items
from likewise.journal.notes import SEPARATOR
from likewise.report.drawings import Sign
from likewise.study import Study
from likewise.views.exemplars import exemplars
from likewise.views.group_sizes import group_sizes
from likewise.views.thumbnails import Thumbnails

_EXEMPLARS = 6
_THUMBNAIL = 144  # pixels: sharp at twice its size on the page
_MOST_COLUMNS = 5


@dataclass(frozen=True)
class Group:
    """One group of the report.

    Attributes
    ----------
    label
        Its number in `study.labels_`.
    name
        What people call it, else "Group" and its place by size; after the collection it lies in.
    sign
        How its items are marked on the map.
    members
        The positions of its items.
    n_placed
        How many of them are known by answers to belong to it.
    """

    label: int
    name: str
    sign: Sign
    members: npt.NDArray[np.int64]
    n_placed: int


@dataclass(frozen=True)
class Exemplar:
    """A member as the report shows it.

    Attributes
    ----------
    text
        "" unless the pile holds texts.
    picture
        A data URL; "" unless the pile holds pictures, or if the file cannot be read.
    cells
        Of the columns that are shown.
    """

    id: str
    text: str
    picture: str
    cells: list[object]


@dataclass(frozen=True)
class GroupCard:
    """A group with some of its members; `columns` are those of a table."""

    group: Group
    columns: list[str]
    exemplars: list[Exemplar]


def groups_of(study: Study) -> list[Group]:
    """Return the groups, largest first; those without a name are numbered in this order."""
    labels, names, placed = study.labels_, study.names_, study.constraints.placed()
    collections = study.collections_
    groups = []
    for rank, label in enumerate(group_sizes(labels)):
        members = np.flatnonzero(labels == label)
        own = names.get(label, f"Group {rank + 1}")
        name = SEPARATOR.join([*collections.get(label, ()), own])
        groups.append(Group(label, name, Sign.of(rank), members, int(placed[members].sum())))
    return groups


def group_cards(study: Study, groups: list[Group]) -> Iterator[GroupCard]:
    """Yield each of the groups with the members that show what it is like."""
    items, thumbnails = study.items, Thumbnails(study.items)
    for group in groups:
        chosen = exemplars(study, group.members, n=_EXEMPLARS)
        columns = [] if items.rows is None else list(items.rows[chosen[0]])[:_MOST_COLUMNS]
        shown = [_exemplar(items, item, columns, thumbnails) for item in chosen]
        yield GroupCard(group, columns, shown)


def _exemplar(items: Items, item: int, columns: list[str], thumbnails: Thumbnails) -> Exemplar:
    """Return an item as the report shows it."""
    row = {} if items.rows is None else items.rows[item]
    return Exemplar(
        id=items.ids[item],
        text="" if items.texts is None else items.texts[item],
        picture="" if items.pictures is None else _data_url(item, thumbnails),
        cells=[_rounded(row.get(column)) for column in columns],
    )


def _data_url(item: int, thumbnails: Thumbnails) -> str:
    """Return the picture of an item as part of the page."""
    try:
        content, media_type = thumbnails.picture(item, _THUMBNAIL)
    except LikewiseError:  # a file that is missing or broken must not spoil the report
        return ""
    return f"data:{media_type};base64,{b64encode(content).decode()}"


def _rounded(value: object) -> object:
    """Return numbers with six digits, anything else as it is."""
    return f"{value:.6g}" if isinstance(value, float) and value == value else value
