"""When to stop: how good the groups are by now, and what more answers would bring."""

from __future__ import annotations

from likewise.quality.advice import Advice, advise
from likewise.quality.audit import Audit, error_upper, pairs_needed
from likewise.quality.doubts import answers_in_doubt
from likewise.quality.progress import inferred_pairs, placed, shares_as_predicted

__all__ = [
    "Advice",
    "Audit",
    "advise",
    "answers_in_doubt",
    "error_upper",
    "inferred_pairs",
    "pairs_needed",
    "placed",
    "shares_as_predicted",
]
