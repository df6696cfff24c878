"""The groups as the report shows them: name, size, and a few members to see what it is about."""

from __future__ import annotations

from base64 import b64encode
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from likewise.errors import LikewiseError
from likewise.items import Items
from likewise.report.drawings import sign
from likewise.report.markup import tag, text
from likewise.study import Study
from likewise.views.cards import exemplars
from likewise.views.thumbnails import Thumbnails

_EXEMPLARS = 6
_MOST_GROUPS = 60  # shown with their members; further ones are counted
_THUMBNAIL = 144  # pixels: sharp at twice its size on the page
_MOST_COLUMNS, _LONGEST_CELL, _LONGEST_TEXT = 5, 60, 220


@dataclass(frozen=True)
class Group:
    """One group: its place by size, what it is called, its members and how many are certain."""

    rank: int
    label: int
    name: str
    named: bool  # by a person
    members: npt.NDArray[np.int64]
    n_placed: int


def groups_of(study: Study) -> list[Group]:
    """The groups, largest first."""
    labels, names, placed = study.labels_, study.names_, study.constraints.placed()
    sizes = np.bincount(labels)
    # Equal ones in the order of their first members, so that labels may change their numbers.
    found = [(int(-sizes[k]), int(np.argmax(labels == k)), k) for k in np.flatnonzero(sizes)]
    return [
        Group(
            rank,
            int(label),
            names.get(int(label), f"Group {rank + 1}"),
            int(label) in names,
            members := np.flatnonzero(labels == label),
            int(placed[members].sum()),
        )
        for rank, (_, _, label) in enumerate(sorted(found))
    ]


def cards(study: Study, groups: list[Group]) -> str:
    """A card for each group, as far as there is room."""
    media = Thumbnails(study.items)
    shown = "".join(_card(study, group, media) for group in groups[:_MOST_GROUPS])
    rest = groups[_MOST_GROUPS:]
    if not rest:
        return shown
    n_items = sum(len(group.members) for group in rest)
    return shown + tag(
        "p", f"{len(rest)} smaller groups, of {n_items} items, are not shown.", class_="quiet"
    )


def _card(study: Study, group: Group, media: Thumbnails) -> str:
    n = len(group.members)
    size = f"{n:,} items" if n != 1 else "1 item"
    facts = f"{size}, {n / len(study.items):.0%} of all; {group.n_placed:,} placed by answers"
    heading = tag("h3", sign(group.rank), text(group.name, 120))
    members = exemplars(study, group.members, n=_EXEMPLARS)
    return tag(
        "article",
        tag("header", heading, tag("p", facts, class_="quiet")),
        _members(study.items, members, media),
        class_="group",
    )


def _members(items: Items, members: list[int], media: Thumbnails) -> str:
    if items.pictures is not None:
        return tag("ul", *(_picture(items, item, media) for item in members), class_="pictures")
    if items.rows is not None:
        return _rows(items, members)
    said = (
        tag("li", tag("b", text(items.ids[item], 60)), " ", text(_said(items, item), _LONGEST_TEXT))
        for item in members
    )
    return tag("ul", *said, class_="texts")


def _said(items: Items, item: int) -> str:
    return "" if items.texts is None else items.texts[item]


def _picture(items: Items, item: int, media: Thumbnails) -> str:
    name = items.ids[item]
    try:
        content, kind = media.picture(item, _THUMBNAIL)
    except LikewiseError:  # a file that is gone or broken must not spoil the report
        return tag("li", tag("span", "no picture", class_="missing"), _caption(name))
    source = f"data:{kind};base64,{b64encode(content).decode()}"
    return tag("li", f'<img src="{source}" alt="{text(name)}" loading="lazy">', _caption(name))


def _caption(name: str) -> str:
    return tag("small", text(name, 40), title=name)


def _rows(items: Items, members: list[int]) -> str:
    assert items.rows is not None
    columns = list(items.rows[members[0]])[:_MOST_COLUMNS]
    head = tag("tr", *(tag("th", text(name, 30), scope="col") for name in ("id", *columns)))
    body = (
        tag(
            "tr",
            tag("th", text(items.ids[item], 40), scope="row"),
            *(tag("td", text(_cell(items.rows[item].get(c)), _LONGEST_CELL)) for c in columns),
        )
        for item in members
    )
    table = tag("table", tag("thead", head), tag("tbody", *body))
    return tag("div", table, class_="table", tabindex=0, role="region", aria_label="members")


def _cell(value: object) -> object:
    return f"{value:.6g}" if isinstance(value, float) and value == value else value
