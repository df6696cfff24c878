"""From scores to items: the best few that do not tell the same story."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from likewise.strategies.base import View


def rounded(score: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Scores to six digits of the largest: what differs by less is a tie, won by the first item."""
    largest = float(np.abs(score).max()) or 1.0
    return np.asarray(np.round(score / largest, 6))


def unlike_each_other(
    view: View, candidates: npt.NDArray[np.int64], score: npt.NDArray[np.float64], n: int
) -> list[int]:
    """Take the best, discount what resembles it, and go on."""
    score = rounded(score)
    affinity = view.affinity.affinity_
    chosen: list[int] = []
    for _ in range(min(n, len(candidates))):
        best = int(score.argmax())
        chosen.append(int(candidates[best]))
        if len(chosen) < n:
            row = affinity[[candidates[best]]]
            row = np.asarray(row.todense() if hasattr(row, "todense") else row).ravel()[candidates]
            likeness = row / max(float(row.max()), 1e-12)
            score = np.where(score > 0, score * (1 - likeness), score - 1e-6 * likeness)
            score[best] = np.finfo(np.float64).min  # not -inf: times a likeness of 1 that is NaN
    return chosen
