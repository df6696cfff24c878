"""Tables in which things are written down more than once, each time a little differently."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from likewise.errors import DataError

if TYPE_CHECKING:
    import pandas as pd

Labels = npt.NDArray[np.int64]
Random = np.random.Generator
Row = dict[str, str]

_BEGINNINGS = [
    "b", "br", "c", "ch", "d", "f", "g", "gr", "h", "j", "k", "kl", "l", "m", "n", "p",
    "r", "s", "sch", "st", "t", "tr", "v", "w",
]  # fmt: skip
_VOWELS = ["a", "e", "i", "o", "u", "ai", "ei", "ou"]
_ENDINGS = ["n", "r", "s", "t", "l", "m", "ck", "nd", "rt", "ss", "lt"]
_LETTERS = "abcdefghijklmnopqrstuvwxyz"


@dataclass(frozen=True)
class Slips:
    """How often a copied cell is other than the original, each a share of all copied cells.

    Parameters
    ----------
    typo : float
        A letter more, less, or another one, or two that have changed places.
    swap : float
        Two words have changed places.
    shorten : float
        A word is cut to its first letter, or left out.
    gap : float
        The cell is empty.
    other : float
        The cell holds something else: people move, and journals are renamed.
    """

    typo: float = 0.3
    swap: float = 0.08
    shorten: float = 0.15
    gap: float = 0.05
    other: float = 0.05

    def __post_init__(self) -> None:
        for name, share in vars(self).items():
            if not 0 <= share <= 1:
                raise DataError(f"{name} must be a share between 0 and 1 but got {share}")


def people(
    *,
    random_state: int = 0,
    n_entities: int = 500,
    duplicated: float = 0.3,
    most_copies: int = 3,
    slips: Slips | None = None,
) -> tuple[pd.DataFrame, Labels]:
    """Draw a table of people: name, address, city, born, phone.

    Parameters
    ----------
    random_state : int
        The seed.
    n_entities : int
        How many people there are.
    duplicated : float
        The share of them that are written down more than once.
    most_copies : int
        How often at most, beside the first time; most are so once.
    slips : Slips, optional
        How often copies differ.

    Returns
    -------
    table : pandas.DataFrame
        A row for each time that somebody was written down, in random order.
    labels : array of int
        Who it is.

    Examples
    --------
    >>> table, who = people(n_entities=10, random_state=1)
    >>> list(table.columns), len(set(who.tolist()))
    (['name', 'address', 'city', 'born', 'phone'], 10)
    """
    rng = np.random.default_rng(random_state)
    given, family = _words(rng, 120, 2), _words(rng, max(60, n_entities // 3), 2)
    streets, cities = _words(rng, max(40, n_entities // 8), 3), _words(rng, 25, 2)

    def draw() -> Row:
        born = np.datetime64("1930-01-01") + int(rng.integers(27_000))
        phone = rng.integers(10, size=9)
        return {
            "name": f"{_common(rng, given)} {_common(rng, family)}",
            "address": f"{rng.integers(1, 250)} {_common(rng, streets)} street",
            "city": _common(rng, cities),
            "born": str(born),
            "phone": "".join(map(str, phone)),
        }

    def rewritten(row: Row) -> Row:
        phone = row["phone"]
        if phone and rng.random() < 0.5:
            row["phone"] = f"({phone[:3]}) {phone[3:6]}-{phone[6:]}"
        return row

    return _table(rng, draw, rewritten, n_entities, duplicated, most_copies, slips or Slips())


def bibliography(
    *,
    random_state: int = 0,
    n_entities: int = 500,
    duplicated: float = 0.6,
    most_copies: int = 1,
    slips: Slips | None = None,
) -> tuple[pd.DataFrame, Labels]:
    """Draw a table of publications: title, authors, venue, year; parameters as for `people`.

    Titles share words, authors write several of them, and venues have a long and a short name.

    Parameters
    ----------
    random_state : int
        The seed.
    n_entities : int
        How many publications there are.
    duplicated : float
        The share of them that are listed more than once.
    most_copies : int
        How often at most, beside the first time.
    slips : Slips, optional
        How often copies differ.

    Examples
    --------
    >>> table, which = bibliography(n_entities=10, random_state=1)
    >>> list(table.columns)
    ['title', 'authors', 'venue', 'year']
    """
    rng = np.random.default_rng(random_state)
    subjects, given = _words(rng, max(80, n_entities // 3), 3), _words(rng, 60, 1)
    family = _words(rng, max(50, n_entities // 2), 2)
    words = _words(rng, 24, 2)
    venues = [f"{words[k]} conference on {words[k + 12]} systems" for k in range(12)]

    def draw() -> Row:
        title = [_common(rng, subjects) for _ in range(int(rng.integers(4, 9)))]
        title.insert(2, str(rng.choice(["for", "of", "in", "with"])))
        names = [
            f"{_common(rng, given)} {_common(rng, family)}" for _ in range(int(rng.integers(1, 5)))
        ]
        return {
            "title": " ".join(title),
            "authors": ", ".join(names),
            "venue": str(rng.choice(venues)),
            "year": str(1990 + int(rng.integers(30))),
        }

    def rewritten(row: Row) -> Row:
        if rng.random() < 0.5:
            row["venue"] = "".join(word[0] for word in row["venue"].split())
        if rng.random() < 0.5:
            row["authors"] = ", ".join(
                f"{words[0][0]}. {words[-1]}"
                for words in (name.split() for name in row["authors"].split(", "))
                if words
            )
        return row

    return _table(rng, draw, rewritten, n_entities, duplicated, most_copies, slips or Slips())


def _table(
    rng: Random,
    draw: Callable[[], Row],
    rewritten: Callable[[Row], Row],
    n_entities: int,
    duplicated: float,
    most_copies: int,
    slips: Slips,
) -> tuple[pd.DataFrame, Labels]:
    """Draw the things, write some of them down again, and shuffle."""
    import pandas as pd

    if n_entities < 1 or most_copies < 1:
        raise DataError("there must be at least one thing, and one copy of those that have any")
    rows, labels = [], []
    for entity in range(n_entities):
        original = draw()
        rows.append(original)
        labels.append(entity)
        if rng.random() >= duplicated:
            continue
        n_copies = min(int(rng.geometric(0.7)), most_copies)
        for _ in range(n_copies):
            rows.append(_copied(rng, rewritten(dict(original)), draw, slips))
            labels.append(entity)
    order = rng.permutation(len(rows))
    table = pd.DataFrame([rows[k] for k in order.tolist()]).replace("", None)
    return table, np.array(labels, dtype=np.int64)[order]


def _copied(rng: Random, row: Row, draw: Callable[[], Row], slips: Slips) -> Row:
    """Copy a row by hand."""
    copied = {}
    for column, cell in row.items():
        if rng.random() < slips.swap:
            cell = _swapped(rng, cell)
        if rng.random() < slips.shorten:
            cell = _shortened(rng, cell)
        if rng.random() < slips.typo:
            cell = _mistyped(rng, cell)
        if rng.random() < slips.other:
            cell = draw()[column]
        copied[column] = "" if rng.random() < slips.gap else cell
    return copied


def _mistyped(rng: Random, cell: str) -> str:
    if len(cell) < 2:
        return cell
    at, kind = int(rng.integers(len(cell) - 1)), int(rng.integers(4))
    letter = _LETTERS[int(rng.integers(len(_LETTERS)))]
    if kind == 0:
        return cell[:at] + letter + cell[at:]
    if kind == 1:
        return cell[:at] + cell[at + 1 :]
    if kind == 2:
        return cell[:at] + letter + cell[at + 1 :]
    return cell[:at] + cell[at + 1] + cell[at] + cell[at + 2 :]


def _swapped(rng: Random, cell: str) -> str:
    words = cell.split()
    if len(words) < 2:
        return cell
    a, b = rng.choice(len(words), 2, replace=False)
    words[a], words[b] = words[b], words[a]
    return " ".join(words)


def _shortened(rng: Random, cell: str) -> str:
    words = cell.split()
    if len(words) < 2:
        return cell
    at = int(rng.integers(len(words)))
    if rng.random() < 0.5:
        words[at] = words[at][0] + "."
    else:
        del words[at]
    return " ".join(words)


def _words(rng: Random, n: int, n_syllables: int) -> list[str]:
    """Make up words, all different."""
    found: dict[str, None] = {}
    while len(found) < n:
        word = "".join(
            str(rng.choice(_BEGINNINGS)) + str(rng.choice(_VOWELS)) for _ in range(n_syllables)
        )
        found.setdefault(word + str(rng.choice(_ENDINGS)))
        if rng.random() < 0.01:  # so that it ends where few syllables make few words
            n_syllables += 1
    return list(found)


def _common(rng: Random, words: Sequence[str]) -> str:
    """Return a word; the first ones are much more common than the last."""
    return words[int(len(words) * rng.random() ** 2)]
