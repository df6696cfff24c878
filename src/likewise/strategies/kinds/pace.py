"""The pace of a person: how many seconds each kind of question takes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields, replace
from math import isfinite

import numpy as np
import numpy.typing as npt

from likewise.errors import MethodError
from likewise.items import Items
from likewise.journal.pairs import Answer

Array = npt.NDArray[np.float64]

# Replies of each kind that are taken to have been as quick as expected, beside those measured.
_PRIOR = 8
_RECENT = 50  # the latest replies of each kind that were measured
_SHORT, _LONG = 0.1, 10.0  # times as expected: beyond that somebody pressed twice, or went away


@dataclass(frozen=True, kw_only=True)
class Pace:
    """How long a person takes, in seconds; the defaults are those of the keystroke-level model.

    Parameters
    ----------
    think : float
        To make up one's mind.
    key, click : float
        To press a key, and to point at something and click.
    glance : float
        To take in a picture, or a group that one knows.
    text : float
        To read a text of a few words.
    word : float
        To read a word of a longer one.
    row : float
        To read a row of a table.
    pair, place, sheet : float
        How many times as long questions of each kind take; 1 is as computed from the others.

    References
    ----------
    Card, Moran and Newell, "The keystroke-level model for user performance time with interactive
    systems", 1980.

    Examples
    --------
    >>> looks = np.array([0.3, 0.3])
    >>> round(Pace().of_pair(looks), 2), round(Pace().times(2).of_pair(looks / 0.5), 2)
    (2.15, 4.3)
    """

    think: float = 1.35
    key: float = 0.2
    click: float = 1.2
    glance: float = 0.3
    text: float = 1.5
    word: float = 0.25
    row: float = 1.5
    pair: float = 1.0
    place: float = 1.0
    sheet: float = 1.0

    def __post_init__(self) -> None:
        for one in fields(self):
            value = getattr(self, one.name)
            if not (isfinite(value) and value >= 0) or (one.name in _KINDS and value == 0):
                raise MethodError(f"{one.name} of a pace must be a number of seconds; got {value}")

    def times(self, factor: float) -> Pace:
        """Return the pace of somebody who takes `factor` times as long for everything."""
        slower = {one: factor * getattr(self, one) for one in _SECONDS}
        return replace(self, **slower)

    def looks(self, items: Items) -> Array:  # (n,)
        """Return the seconds that it takes to take each item in, by what is shown of it."""
        if items.pictures is not None:
            return np.full(len(items), self.glance)
        if items.texts is not None:
            words = np.array([len(text.split()) for text in items.texts], dtype=np.float64)
            return np.maximum(self.text, self.word * words)
        if items.rows is not None:
            return np.full(len(items), self.row)
        return np.full(len(items), self.glance)

    def of_pair(self, looks: Sequence[float] | Array) -> float:
        """Return the seconds of a pair whose items take so long to look at."""
        return float(self.pair * (self.think + np.sum(looks) + self.key))

    def of_place(self, look: float, n_groups: float) -> float:
        """Return the seconds of placing an item when so many groups are looked at on the way."""
        return float(self.place * (self.think + look + self.glance * n_groups + self.key))

    def of_sheet(self, looks: float, n_changed: float, n_groups: float | None) -> float:
        """Return the seconds of a sheet.

        Parameters
        ----------
        looks : float
            Seconds to take all of its items in.
        n_changed : float
            How many ticks are changed.
        n_groups : float, optional
            How many groups are looked at to say where the items go; None if that is not asked.
        """
        seconds = self.think + looks + self.click * n_changed + self.key
        if n_groups is not None:
            seconds += self.think + self.glance * n_groups + self.key
        return float(self.sheet * seconds)

    def measured(self, replies: Iterable[Sequence[Answer]], looks: Array) -> Pace:
        """Return the pace of somebody whose replies took as long as their first answers say.

        Of each kind the median counts, of how many times as long as expected it took; eight
        replies that took as long as expected are added.

        Parameters
        ----------
        replies : iterable of sequence of Answer
            The answers of each reply: one to a pair; all about one item, or all against one.
        looks : ndarray of shape (n,)
            Of all items.
        """
        ratios: dict[str, list[float]] = {kind: [] for kind in _KINDS}
        for reply in replies:
            took = reply[0].seconds
            if took is not None and took > 0:
                kind, expected = self._expected(reply, looks)
                ratios[kind].append(took / expected)
        medians = {
            kind: float(np.median([*np.clip(found[-_RECENT:], _SHORT, _LONG), *[1.0] * _PRIOR]))
            for kind, found in ratios.items()
        }
        return replace(self, **{kind: getattr(self, kind) * medians[kind] for kind in _KINDS})

    def _expected(self, reply: Sequence[Answer], looks: Array) -> tuple[str, float]:
        """Return the kind of a reply, and how long it was expected to take."""
        i, j = reply[0].pair
        # Only a question about a pair comes with a prediction.
        if reply[0].same_probability is not None:
            return "pair", self.of_pair(looks[[i, j]])
        if all(answer.pair.i == i for answer in reply):
            return "place", self.of_place(float(looks[i]), len(reply))
        shown = {item for answer in reply for item in answer.pair}
        return "sheet", self.of_sheet(float(looks[list(shown)].sum()), 0.0, None)


_KINDS = ("pair", "place", "sheet")
_SECONDS = tuple(one.name for one in fields(Pace) if one.name not in _KINDS)
