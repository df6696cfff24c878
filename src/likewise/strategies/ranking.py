"""From scores to items: the best few that are unlike each other."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from likewise.strategies.base import View


def rounded(score: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Round scores to six digits of the largest, so that a tie is one on every machine.

    The first item wins a tie.

    >>> rounded(np.array([2.0, 1.0, 1.0 + 1e-9]))
    array([1. , 0.5, 0.5])
    """
    largest = float(np.abs(score).max()) or 1.0
    return np.asarray(np.round(score / largest, 6))


def unlike_each_other(
    view: View, candidates: npt.NDArray[np.int64], score: npt.NDArray[np.float64], n: int
) -> list[int]:
    """Choose the best candidates, discounting those similar to one already chosen.

    Parameters
    ----------
    view : View
        Of the study; its affinity says who is similar.
    candidates : ndarray of shape (m,)
        Items to choose from.
    score : ndarray of shape (m,)
        The larger the better. After each choice a score is multiplied by one minus the similarity
        to the chosen item, 1 being the largest that the chosen item has.
    n : int
        How many at most. With 1 this is the first candidate of the largest score.

    Returns
    -------
    list of int
        Items, best first.

    Examples
    --------
    >>> import likewise as lw
    >>> view = lw.Study([[0.0], [0.1], [5.0], [5.1]], method="random").view
    >>> unlike_each_other(view, np.arange(4), np.array([1.0, 0.9, 0.8, 0.7]), 2)
    [0, 2]
    """
    score = rounded(score)
    affinity = view.affinity.affinity_
    chosen: list[int] = []
    for _ in range(min(n, len(candidates))):
        best = int(score.argmax())
        chosen.append(int(candidates[best]))
        if len(chosen) < n:
            row = affinity[[candidates[best]]]
            row = np.asarray(row.todense() if hasattr(row, "todense") else row).ravel()[candidates]
            similarity = row / max(float(row.max()), 1e-12)
            score = np.where(score > 0, score * (1 - similarity), score - 1e-6 * similarity)
            score[best] = np.finfo(np.float64).min  # not -inf: times 0 that is NaN
    return chosen


def unlike_in_effect(
    effects: npt.NDArray[np.float64],  # (m, p)
    score: npt.NDArray[np.float64],  # (m,)
    n: int,
) -> list[int]:
    """Choose candidates whose effects add up: each by what those before it leave over.

    Parameters
    ----------
    effects : ndarray of shape (m, p)
        What each candidate would change.
    score : ndarray of shape (m,)
        The larger the better. It is multiplied by the share of the candidate's effect that is
        orthogonal to all effects chosen before: 1 at first, 0 for what has the same effect again.
    n : int
        How many at most. With 1 this is the first candidate of the largest score.

    Returns
    -------
    list of int
        Places among the candidates, best first.

    Notes
    -----
    With the length of the effect as score the product of the chosen ones is the volume that the
    effects span, and the choice is the greedy one for a determinantal point process, the pivots of
    a QR decomposition: Kulesza and Taskar, "Determinantal point processes for machine learning",
    2012.

    Examples
    --------
    >>> effects = np.array([[2.0, 0.0], [1.9, 0.1], [0.0, 1.0]])
    >>> unlike_in_effect(effects, np.array([2.0, 1.9, 1.0]), 2)
    [0, 2]
    """
    score = rounded(score)
    length = np.linalg.norm(effects, axis=1, keepdims=True)
    left = effects / np.where(length > 0, length, 1.0)
    open_ = np.ones(len(score), dtype=bool)
    chosen: list[int] = []
    for _ in range(min(n, len(score))):
        share = np.linalg.norm(left, axis=1)
        worth = np.where(open_, rounded(score * share), -np.inf)
        best = int(worth.argmax())
        chosen.append(best)
        open_[best] = False
        if share[best] > 1e-9:
            direction = left[best] / share[best]
            left = left - np.outer(left @ direction, direction)
    return chosen
