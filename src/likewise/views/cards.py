"""What the page shows of an item, and which members stand for a group."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp

from likewise.items import Items
from likewise.study import Study

_LONGEST = 20_000  # characters of a text or a cell that are shown at most
_LOOKED_AT = 500  # members among which the centre of a group is sought


def card(items: Items, item: int) -> dict[str, Any]:
    """One item, ready to be drawn: its name and a picture, a text, cells or nothing more."""
    found: dict[str, Any] = {"item": item, "id": items.ids[item]}
    if items.pictures is not None:
        found["picture"] = f"/media/{item}"
    if items.texts is not None:
        found["text"] = _shortened(items.texts[item])
    if items.rows is not None:
        found["row"] = [[str(name), _shortened(cell)] for name, cell in items.rows[item].items()]
    return found


def cards(items: Items, chosen: Iterable[int]) -> list[dict[str, Any]]:
    """Several items, ready to be drawn."""
    return [card(items, item) for item in chosen]


def known_members(study: Study, item: int) -> npt.NDArray[np.int64]:
    """All items known to be the same as this one, itself included."""
    known = study.constraints
    return np.flatnonzero(known.components() == known.component(item))


def exemplars(study: Study, members: npt.NDArray[np.int64], n: int = 5) -> list[int]:
    """Up to `n` members that show what a group is like: its centre, its edge, the latest.

    >>> study = Study([[0.0], [1.0], [2.0], [3.0], [9.0]])
    >>> exemplars(study, np.array([0, 1, 2, 3, 4]), n=2)
    [3, 4]
    """
    looked_at = members[:_LOOKED_AT]
    chosen: dict[int, None] = {}
    if study.items.features is not None and len(looked_at):
        X = study.items.features[looked_at]
        X = X.toarray() if sp.issparse(X) else X
        away = ((X - X.mean(axis=0)) ** 2).sum(axis=1)
        # The centre first; then what lies farthest out shows how wide the group is.
        chosen[int(looked_at[away.argmin()])] = None
        chosen[int(looked_at[away.argmax()])] = None
    inside = set(members.tolist())
    for answer in reversed(study.answers):
        if len(chosen) >= min(n, len(members)):
            break
        chosen.update(dict.fromkeys(item for item in answer.pair if item in inside))
    chosen.update(dict.fromkeys(looked_at[:n].tolist()))
    return list(chosen)[:n]


def _shortened(value: object) -> str:
    text = str(value)
    return text if len(text) <= _LONGEST else text[:_LONGEST] + " …"
