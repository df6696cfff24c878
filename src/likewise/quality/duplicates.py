"""How far a study of duplicates is: by the model of pairs itself, not by how answers went."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from likewise.auto.records import PairQuestions, RecordLinkage

_WORTH = 0.05  # pairs that an answer must be expected to put right to be worth giving
# Standard deviations on either side of the estimate, and what the model may be wrong by at the end
# and, in addition, before any answer: chosen so that intervals held the truth on generated tables
# and on restaurants.
_WIDTH, _MODEL, _UNTAUGHT = 2.0, 0.03, 0.04


@dataclass(frozen=True)
class DuplicatesOutlook:
    """What the model of pairs expects.

    Parameters
    ----------
    right, low, high : float
        The expected share of rows that have their partners and no other, and an interval.
    gain : float
        What the next answers are expected to add to it.
    questions_left : int
        How many answers are worth giving.
    """

    right: float
    low: float
    high: float
    gain: float
    questions_left: int

    @classmethod
    def of(cls, model: RecordLinkage, n_answers: int, n_next: int) -> DuplicatesOutlook:
        """Return the outlook on the next answers after the first ones."""
        sure = model.confidence_
        right = float(sure.mean())
        # A pair that is wrong is so for both of its rows.
        spread = float(np.sqrt(2 * (sure * (1 - sure)).sum())) / len(sure)
        away = _WIDTH * spread + _MODEL + _UNTAUGHT * 5 / (5 + n_answers)
        gains = np.minimum(PairQuestions().gains(model), 1.0)
        next_ones = float(np.sort(gains)[::-1][:n_next].sum())
        return cls(
            right=right,
            low=max(right - away, 0.0),
            high=min(right + away, 1.0),
            gain=min(2 * next_ones / len(sure), 1 - right),
            questions_left=int((gains > _WORTH).sum()),
        )
