"""What to call a group that nobody has named: by its words, its columns, or one of its pictures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import PurePath
from threading import Lock
from typing import Any

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp

from likewise.items import FrameRows, Items
from likewise.items.encodable import encodable

_WORDS = 3
_MOST_COLUMNS = 40  # of a table that are looked at
_KINDS = 50  # different values up to which a column is one of kinds
_DISTINCT = 0.8  # standard deviations by which the numbers of a group must lie apart
_LIFT = 1.5  # times as often as elsewhere a value must occur in a group
_CUT = 28  # characters of a value or a file name
_MOST_KEPT = 5000  # titles that are remembered

Members = npt.NDArray[np.int64]


class GroupTitles:
    """Finds a title for any set of items; what depends on the whole pile is computed once.

    Several threads may ask at once.

    Parameters
    ----------
    items
        The pile.

    Examples
    --------
    >>> texts = ["my card is blocked", "blocked card", "the parcel is late", "late parcel today"]
    >>> titles = GroupTitles(Items.of(np.eye(4), texts=texts))
    >>> titles(np.array([0, 1]))
    'blocked · card'
    """

    def __init__(self, items: Items) -> None:
        self._items = items
        self._kept: dict[bytes, str] = {}
        self._lock = Lock()
        self._words: _Words | None = None
        self._columns: _Columns | None = None

    def __call__(self, members: Members) -> str:
        """Return a title for the group of these items; without anything to tell, by the first."""
        if not len(members):
            return ""
        key = np.ascontiguousarray(members).tobytes()
        with self._lock:
            if key not in self._kept:
                while len(self._kept) >= _MOST_KEPT:
                    del self._kept[next(iter(self._kept))]
                self._kept[key] = encodable(self._title(members) or self._like(members))
            return self._kept[key]

    def _title(self, members: Members) -> str:
        items = self._items
        if items.texts is not None:
            self._words = self._words or _Words(items.texts)
            return self._words.title(members)
        if items.rows is not None and items.pictures is None:
            self._columns = self._columns or _Columns(items.rows)
            return self._columns.title(members)
        return ""

    def _like(self, members: Members) -> str:
        items, name = self._items, self._items.ids[int(members[0])]
        if items.pictures is not None:
            name = PurePath(name).stem
        elif name.isdecimal():  # a number alone could be anything
            name = f"{'text' if items.texts is not None else 'row'} {name}"
        return f"like {_cut(name)}"


class _Words:
    """Words that occur in one group more than elsewhere."""

    def __init__(self, texts: Sequence[str]) -> None:
        from sklearn.feature_extraction.text import CountVectorizer

        self._texts = texts
        counter = CountVectorizer(
            binary=True, stop_words="english", min_df=2, max_features=20_000,
            token_pattern=r"(?u)\b[^\W\d_]{3,}\b",
        )  # fmt: skip
        try:
            self._found = sp.csr_matrix(counter.fit_transform(texts), dtype=np.float64)
        except ValueError:  # no text has a word that another one has
            self._found = sp.csr_matrix((0, 0))
            return
        self._words = counter.get_feature_names_out()
        self._usual = np.asarray(self._found.mean(axis=0)).ravel()

    def title(self, members: Members) -> str:
        if len(members) == 1:  # what is rare in it says little of a group
            return _cut(self._texts[int(members[0])])
        if not self._found.shape[1]:
            return ""
        share = np.asarray(self._found[members].mean(axis=0)).ravel()
        # How much a word tells of the group: how often it is there, times how unusual that is.
        told = share * np.log(np.maximum(share, 1e-12) / self._usual)
        best = np.lexsort((np.arange(len(told)), -np.round(told, 9)))[:_WORDS]
        return " · ".join(str(self._words[k]) for k in best if told[k] > 0)


class _Columns:
    """Columns whose values are others in one group than elsewhere."""

    def __init__(self, rows: Sequence[Mapping[str, Any]]) -> None:
        import pandas as pd

        if isinstance(rows, FrameRows):
            frame = rows.frame.iloc[:, :_MOST_COLUMNS]
        else:
            frame = pd.DataFrame.from_records(list(rows)).iloc[:, :_MOST_COLUMNS]
        self._numbers: dict[str, npt.NDArray[np.float64]] = {}
        # The kinds of value of a column, which of them each row has, and how many have each.
        self._values: dict[str, tuple[Sequence[str], Members, npt.NDArray[np.int64]]] = {}
        for name in frame.columns:
            column = pd.to_numeric(frame[name], errors="coerce")
            if column.notna().mean() > 0.9:
                spread = float(column.std())
                if spread > 0:
                    self._numbers[str(name)] = ((column - column.mean()) / spread).to_numpy()
            elif frame[name].nunique() <= _KINDS:
                of_row, kinds = pd.factorize(frame[name].astype(str), sort=True)
                self._values[str(name)] = [*kinds], of_row, np.bincount(of_row)

    def title(self, members: Members) -> str:
        told: list[tuple[float, str]] = []
        for name, numbers in self._numbers.items():
            away = float(np.nanmean(numbers[members])) if len(members) else 0.0
            if abs(away) >= _DISTINCT:
                told.append((abs(away), f"{'high' if away > 0 else 'low'} {_cut(name)}"))
        for name, (kinds, of_row, in_all) in self._values.items():
            counts = np.bincount(of_row[members], minlength=len(kinds))
            best = int(counts.argmax())
            value, share = kinds[best], counts[best] / len(members)
            usual = float(in_all[best] / len(of_row))
            if share > 0.5 and share >= _LIFT * usual and value:
                told.append((float(share * np.log(share / usual)), f"{_cut(name)} {_cut(value)}"))
        most = sorted(told, key=lambda one: (-round(one[0], 9), one[1]))[:_WORDS]
        return " · ".join(words for _, words in most)


def _cut(text: str) -> str:
    """Return a short form of a value."""
    text = " ".join(text.split())
    return text if len(text) <= _CUT else f"{text[:_CUT]}…"
