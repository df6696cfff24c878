"""Numbers about a study that several pages show."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from likewise.study import Study

_SIZES = 8  # of groups in one sentence


def group_sizes(study: Study) -> list[int]:
    """How many items each group holds, largest first."""
    return sorted(Counter(study.labels_.tolist()).values(), reverse=True)


def in_words(sizes: list[int]) -> str:
    """Groups by their sizes, of many the largest.

    >>> in_words([7]), in_words([4, 2, 1]), in_words([9, 8, 7, 6, 5, 4, 3, 2, 1, 1])
    ('one group of 7', '3 groups, of 4, 2 and 1', '10 groups, of 9, 8, 7, 6, 5, 4, 3, 2 and fewer')
    """
    shown = [str(size) for size in sizes[:_SIZES]]
    if len(sizes) == 1:
        return f"one group of {shown[0]}"
    if len(sizes) > _SIZES:
        shown.append("fewer")
    return f"{len(sizes)} groups, of {', '.join(shown[:-1])} and {shown[-1]}"
