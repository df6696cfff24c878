"""Plain counts about a study: what is settled, and how often answers were foreseen."""

from __future__ import annotations

from likewise.journal.pairs import Verdict
from likewise.study import Study

_WINDOW = 20  # how many answers "recent" means


def shares_as_predicted(study: Study) -> list[float]:
    """Return after each answer the share of the latest ones that were the likelier of the two."""
    came = [hit for answer in study.answers if (hit := answer.as_predicted) is not None]
    recent = [came[max(0, k - _WINDOW) : k] for k in range(1, len(came) + 1)]
    return [sum(part) / len(part) for part in recent]


def placed(study: Study) -> int:
    """Return how many items are known to belong to one of the groups."""
    return int(study.constraints.placed().sum())


def inferred_pairs(study: Study) -> int:
    """Return how many pairs of placed items are known by inference, without having been asked."""
    known = study.constraints
    n = placed(study)
    answered = {
        answer.pair.unordered
        for answer in study.answers
        if answer.verdict is not Verdict.UNSURE
        and known.representative_of(answer.pair.i) is not None
        and known.representative_of(answer.pair.j) is not None
    }
    return n * (n - 1) // 2 - len(answered)
