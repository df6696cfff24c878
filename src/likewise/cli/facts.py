"""Numbers about a study that several pages show."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import numpy as np

from likewise.pairs import Verdict

if TYPE_CHECKING:
    from likewise.study import Study


_WINDOW = 20  # how many answers "recent" means


def shares_as_predicted(study: Study) -> list[float]:
    """After each answer, the share of the latest ones that were the likelier of the two."""
    came = [hit for answer in study.answers if (hit := answer.as_predicted) is not None]
    recent = [came[max(0, k - _WINDOW) : k] for k in range(1, len(came) + 1)]
    return [sum(part) / len(part) for part in recent]


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


def placed(study: Study) -> int:
    """How many items are known to belong to one of the groups."""
    known = study.constraints
    marks = [known.mark(pillar) for pillar in known.pillars]
    return int(np.isin(known.marks(), marks).sum())


def inferred_pairs(study: Study) -> int:
    """Pairs of placed items whose verdict follows from the answers without being one of them."""
    known = study.constraints
    n = placed(study)
    answered = {
        answer.pair.unordered
        for answer in study.answers
        if answer.verdict is not Verdict.UNSURE
        and known.pillar_of(answer.pair.i) is not None
        and known.pillar_of(answer.pair.j) is not None
    }
    return n * (n - 1) // 2 - len(answered)
