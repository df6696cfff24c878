"""What a column of records holds, and at which level two of its cells agree."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from enum import StrEnum
from typing import Any

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp

from likewise.features.records.normalising import as_code, days_of, normalised, numbers_of

Positions = npt.NDArray[np.int64]
Levels = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]

GAP = 0  # the level of pairs of which a cell is missing
_ALIKE = (0.15, 0.3, 0.45, 0.6, 0.75, 0.9)  # likeness at which the next level of texts begins
_NEAR = (0.2, 0.05, 0.01)  # share of random pairs whose numbers are nearer, likewise
_SAMPLED = 20_000  # random pairs from which that share is known
_MOSTLY = 0.9  # of the cells of a column make it what it is
_OFTEN = 0.3  # share of the texts with a number from which numbers are worth a look
_OTHER_NUMBERS = 2  # the level of texts, however alike, that hold other numbers
_DIGITS = re.compile(r"\d+")
_AT_ONCE = 200_000  # pairs whose pieces are multiplied at a time


class ColumnKind(StrEnum):
    """What the cells of a column are, and so how they are compared."""

    TEXT = "text"  # by characters in threes, by words, and by the numbers within
    CODE = "code"  # by characters in twos, whatever separates them
    NUMBER = "number"  # by the difference
    DATE = "date"  # by the days between, and by digits that were mistyped


class ComparedColumn:
    """The cells of a column, ready to be compared pair by pair.

    Levels rise with likeness: 0 where a cell is missing, 1 where the two have nothing in common,
    `n_levels` - 1 where they are equal but for case, accents and punctuation.

    Parameters
    ----------
    name : str
        What the column is called.
    cells : sequence of str
        Its cells as text; empty where missing.
    is_number : bool
        Whether the table holds numbers there.

    Attributes
    ----------
    kind : ColumnKind
        What the cells are.
    n_levels : int
        How many levels of agreement there are.
    value : ndarray of shape (n,)
        Which of the distinct cells each row has.
    missing : ndarray of bool of shape (n,)
        Where the column is empty.
    distinct : list of str
        The distinct cells as they are compared.

    Examples
    --------
    >>> column = ComparedColumn("name", ["Art's Deli", "arts deli", "art's delicatessen", ""])
    >>> column.compare(np.array([0, 0, 0]), np.array([1, 2, 3]))
    array([8, 3, 0])
    """

    def __init__(self, name: str, cells: Sequence[str], is_number: bool = False) -> None:
        self.name = name
        self.kind = _kind_of(cells, is_number)
        write: Callable[[str], str] = as_code if self.kind is ColumnKind.CODE else normalised
        if self.kind is ColumnKind.NUMBER:
            write = str.strip
        written, of_row = np.unique(np.array(cells, dtype=object).astype(str), return_inverse=True)
        same = [write(cell) for cell in written.tolist()]
        distinct, merged = np.unique(np.array(same, dtype=str), return_inverse=True)
        self.distinct: list[str] = distinct.tolist()
        self.value: Positions = merged[of_row].astype(np.int64)
        self.missing = np.array([not text for text in self.distinct])[self.value]
        self._prepare()

    @property
    def n_levels(self) -> int:
        """How many levels there are, that of gaps included."""
        if self.kind in (ColumnKind.TEXT, ColumnKind.CODE):
            return len(_ALIKE) + 3
        return len(_NEAR) + 3

    @property
    def distinctness(self) -> float:
        """How many different cells there are, as a share of those that are not empty."""
        n = int((~self.missing).sum())
        return len(np.unique(self.value[~self.missing])) / n if n else 0.0

    def compare(self, i: Positions, j: Positions) -> Levels:
        """Return the level at which the cells of rows i and j agree, element by element."""
        a, b = self.value[i], self.value[j]
        if self.kind in (ColumnKind.TEXT, ColumnKind.CODE):
            levels = 1 + np.searchsorted(_ALIKE, self._likeness(a, b), side="right")
            levels = np.where(self._other_numbers(a, b), np.minimum(levels, _OTHER_NUMBERS), levels)
        else:
            levels = self._level_of_difference(a, b)
        levels = np.where(a == b, self.n_levels - 1, np.minimum(levels, self.n_levels - 2))
        gaps = self.missing[i] | self.missing[j]
        return np.asarray(np.where(gaps, GAP, levels), dtype=np.int64)

    def _prepare(self) -> None:
        """Compute pieces or numbers of the distinct cells."""
        self._pieces: list[sp.csr_matrix] = []
        self._numerals = sp.csr_matrix((len(self.distinct), 0))
        if self.kind is ColumnKind.TEXT:
            counts = np.bincount(self.value, minlength=len(self.distinct))
            self._pieces = [
                _weighted(self.distinct, counts, analyzer="char_wb", ngram_range=(3, 3)),
                _weighted(self.distinct, counts, token_pattern=r"\S+"),
            ]
            self._numerals = _numerals(self.distinct)
            return
        if self.kind is ColumnKind.CODE:
            padded = [f"^{text}$" for text in self.distinct]
            ones = np.ones(len(padded), dtype=np.int64)
            self._pieces = [
                _weighted(padded, ones, analyzer="char", ngram_range=(2, 2), lowercase=False)
            ]
            return
        if self.kind is ColumnKind.DATE:
            self._numbers = days_of(text.replace(" ", "-") for text in self.distinct)
        else:
            self._numbers = numbers_of(self.distinct)
        filled = np.flatnonzero(~self.missing)
        rng = np.random.default_rng(0)
        self._usual = np.zeros(1)
        if len(filled):
            one, other = self._numbers[self.value[rng.choice(filled, (2, _SAMPLED))]]
            away = np.abs(one - other)
            self._usual = np.sort(away[np.isfinite(away)])

    def _likeness(self, a: Positions, b: Positions) -> Floats:
        """Return the larger of the cosines of pieces of distinct cells a and b."""
        likeness = np.zeros(len(a))
        for begin in range(0, len(a), _AT_ONCE):
            part = slice(begin, begin + _AT_ONCE)
            for pieces in self._pieces:
                shared = pieces[a[part]].multiply(pieces[b[part]]).sum(axis=1)
                likeness[part] = np.maximum(likeness[part], np.asarray(shared).ravel())
        return likeness

    def _other_numbers(self, a: Positions, b: Positions) -> npt.NDArray[np.bool_]:
        """Return whether texts a and b both hold numbers, but none of them in common.

        Streets have many houses, and a series many parts: in numbers texts differ that are alike.
        """
        if not self._numerals.shape[1]:
            return np.zeros(len(a), dtype=bool)
        some = np.diff(self._numerals.indptr) > 0
        shared = self._numerals[a].multiply(self._numerals[b]).sum(axis=1)
        return np.asarray(some[a] & some[b] & (np.asarray(shared).ravel() == 0))

    def _level_of_difference(self, a: Positions, b: Positions) -> Levels:
        away = np.abs(self._numbers[a] - self._numbers[b])
        # The share of random pairs that are nearer than these two.
        nearer = np.searchsorted(self._usual, away, side="left") / max(len(self._usual), 1)
        levels = 1 + sum((nearer <= share).astype(np.int64) for share in _NEAR)
        levels = np.where(np.isfinite(away), levels, 1)
        if self.kind is ColumnKind.DATE:
            pairs = zip(a.tolist(), b.tolist(), strict=True)
            slips = [_one_slip(self.distinct[x], self.distinct[y]) for x, y in pairs]
            levels = np.where(slips, self.n_levels - 2, levels)
        return np.asarray(levels, dtype=np.int64)


def _numerals(texts: Sequence[str]) -> sp.csr_matrix:
    """Return which numbers each text holds; no column where hardly any holds one."""
    from sklearn.feature_extraction.text import CountVectorizer

    filled = sum(map(bool, texts))
    if sum(bool(_DIGITS.search(text)) for text in texts) < _OFTEN * filled or not filled:
        return sp.csr_matrix((len(texts), 0))
    numbers = CountVectorizer(binary=True, dtype=np.float64, token_pattern=_DIGITS.pattern)
    return sp.csr_matrix(numbers.fit_transform(texts))


def _kind_of(cells: Sequence[str], is_number: bool) -> ColumnKind:
    """Return what a column holds, by its cells that are not empty."""
    filled = [cell for cell in cells if cell]
    looked_at = filled[:: max(1, len(filled) // 2000)]
    if not looked_at:
        return ColumnKind.TEXT
    if is_number or np.isfinite(numbers_of(looked_at)).mean() >= _MOSTLY:
        # Long numbers, hardly one twice, are names of things: phones, barcodes.
        long = np.mean([cell.isdigit() and len(cell) >= 6 for cell in looked_at])
        unique = len(set(filled)) > 0.5 * len(filled)
        return ColumnKind.CODE if long >= _MOSTLY and unique else ColumnKind.NUMBER
    if np.isfinite(days_of(looked_at)).mean() >= _MOSTLY:
        return ColumnKind.DATE
    digits = [sum(map(str.isdigit, cell)) >= 0.4 * len(cell.replace(" ", "")) for cell in looked_at]
    return ColumnKind.CODE if np.mean(digits) >= _MOSTLY else ColumnKind.TEXT


def _weighted(texts: Sequence[str], counts: npt.NDArray[np.int64], **options: Any) -> sp.csr_matrix:
    """Return pieces of texts, the rarer the heavier; rows have length one."""
    from sklearn.feature_extraction.text import CountVectorizer
    from sklearn.preprocessing import normalize

    if not any(text.strip() for text in texts):
        return sp.csr_matrix((len(texts), 1))
    found = sp.csr_matrix(CountVectorizer(dtype=np.float64, **options).fit_transform(texts))
    found.data = 1 + np.log(found.data)
    n = float(counts.sum())
    in_rows = np.asarray((found > 0).astype(np.float64).T @ counts.astype(np.float64)).ravel()
    return sp.csr_matrix(normalize(found @ sp.diags_array(1 + np.log(n / in_rows))))


def _one_slip(a: str, b: str) -> bool:
    """Return whether two dates differ in one digit, or in two parts that changed places."""
    if len(a) != len(b):
        return False
    return sum(x != y for x, y in zip(a, b, strict=True)) == 1 or sorted(a) == sorted(b)
