"""Values as text that is safe to show, and numbers in words."""

from __future__ import annotations

import unicodedata
from collections.abc import Collection
from itertools import islice

ACCENT = "cyan"
_SIZES = 8  # of groups in one sentence
_UNSEEN = ("Cc", "Cs", "Zl", "Zp")  # control characters and the like, by category
# Characters that would turn the reading direction of everything after them.
_TURNING = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")


def safe(value: object) -> str:
    """Return a value as text that cannot move the cursor, change colours or hide what follows.

    Control characters and marks of writing direction become �; None and NaN become a dash.

    >>> safe("a\\x1b[31mb"), safe(float("nan")), safe("two\\r\\nlines")
    ('a�[31mb', '—', 'two\\nlines')
    """
    if value is None or value != value:  # NaN is the one value that differs from itself
        return "—"
    text = str(value).replace("\r\n", "\n").expandtabs(4)
    return "".join(
        "�" if c != "\n" and (unicodedata.category(c) in _UNSEEN or c in _TURNING) else c
        for c in text
    )


def count(n: int, thing: str) -> str:
    """Return a number with its noun in the singular or plural.

    >>> count(1, "answer"), count(12000, "answer")
    ('1 answer', '12,000 answers')
    """
    return f"{n:,} {thing}" if n == 1 else f"{n:,} {thing}s"


def sizes_in_words(sizes: Collection[int]) -> str:
    """Describe groups by their sizes; of many, by the eight largest.

    >>> sizes_in_words([7]), sizes_in_words([4, 2, 1])
    ('one group of 7', '3 groups, of 4, 2 and 1')
    >>> sizes_in_words([9, 8, 7, 6, 5, 4, 3, 2, 1, 1])
    '10 groups, of 9, 8, 7, 6, 5, 4, 3, 2 and fewer'
    """
    shown = [str(size) for size in islice(sizes, _SIZES)]
    if len(sizes) == 1:
        return f"one group of {shown[0]}"
    if len(sizes) > _SIZES:
        shown.append("fewer")
    return f"{len(sizes)} groups, of {', '.join(shown[:-1])} and {shown[-1]}"


def review_in_words(id: str, note: str, who: str) -> str:  # noqa: A002 - the field is called so
    """Say which item needs review, why, and who asks for it.

    >>> review_in_words("a.jpg", "blurred?", "Ada"), review_in_words("b.jpg", "", "")
    ('a.jpg: blurred? (Ada)', 'b.jpg')
    """
    said = f"{id}: {note}" if note else id
    return f"{said} ({who})" if who else said
