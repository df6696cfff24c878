"""Numbers about a study that several pages show."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from likewise.study import Study


def group_sizes(study: Study) -> list[int]:
    """How many items each group holds, largest first."""
    return sorted(Counter(study.labels_.tolist()).values(), reverse=True)


def in_words(sizes: list[int]) -> str:
    """Groups by their sizes.

    >>> in_words([7]), in_words([4, 2, 1])
    ('one group of 7', '3 groups, of 4, 2 and 1')
    """
    *most, last = map(str, sizes)
    if not most:
        return f"one group of {last}"
    return f"{len(sizes)} groups, of {', '.join(most)} and {last}"
