"""Which answers look odd beside the others: worth a second look, or better left out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp
from sklearn.utils import check_array

from likewise.affinities.base import Links, checked_links
from likewise.affinities.forest.constraint_forest import leaf_incidence
from likewise.errors import DataError, MethodError
from likewise.journal.pairs import Answer, Verdict

Scores = npt.NDArray[np.float64]
Pairs = npt.NDArray[np.int64]

# With fewer answers of a kind there is nothing to compare them with: nothing is doubted.
FEWEST = 5
_FEWEST_TREES = 50  # fewer, and by chance every one of them has seen some answer
_BLOCK = 500  # pairs whose likeness to all others is held at a time
MEASURES = ("prediction", "inconsistency")


def doubts(
    X: Any,
    *,
    must_link: Links = None,
    cannot_link: Links = None,
    measure: str = "prediction",
    n_trees: int = 500,
    n_jobs: int | None = None,
    random_state: int = 0,
) -> Scores:  # (n_must + n_cannot,), must-links first
    """Score how doubtful each answered pair is; 0 for all if there are too few answers.

    A classification forest learns from the answers which pairs are of one kind, given how the two
    items differ and where they lie (eq. 10). "prediction" is the probability with which the trees
    that have not seen an answer say its opposite. "inconsistency" is the paper's ξ (eq. 11): how
    rarely a pair shares leaves with others of the same answer; it has no upper end.

    Zhu, Loy and Gong, "Constrained clustering with imperfect oracles", 2015, section III-D.

    >>> import numpy as np
    >>> X = np.array([[0.0], [0.1], [0.2], [0.3], [5.0], [5.1], [5.2], [5.3]])
    >>> same = [(0, 1), (1, 2), (2, 3), (4, 5), (5, 6), (6, 7), (0, 7)]  # the last is wrong
    >>> different = [(0, 4), (1, 5), (2, 6), (3, 7), (0, 5), (1, 6)]
    >>> scores = doubts(X, must_link=same, cannot_link=different)
    >>> (same + different)[scores.argmax()]
    (0, 7)
    """
    if measure not in MEASURES:
        raise MethodError(f"there is no measure {measure!r}; there are {', '.join(MEASURES)}")
    found = both_doubts(
        X,
        must_link=must_link,
        cannot_link=cannot_link,
        n_trees=n_trees,
        n_jobs=n_jobs,
        random_state=random_state,
    )
    return found[MEASURES.index(measure)]


def both_doubts(
    X: Any,
    *,
    must_link: Links,
    cannot_link: Links,
    n_trees: int,
    n_jobs: int | None = None,
    random_state: int = 0,
) -> tuple[Scores, Scores]:
    """Return "prediction" and "inconsistency" of each answered pair, from one forest."""
    from sklearn.ensemble import RandomForestClassifier

    if n_trees < _FEWEST_TREES:
        raise MethodError(
            f"n_trees must be at least {_FEWEST_TREES}, not {n_trees}: "
            "each answer is judged by the trees that have not seen it"
        )
    if X is None or sp.issparse(X):
        raise MethodError(
            "doubts are raised from features in a dense array; items known only by how alike they "
            "are need an embedding first, and sparse rows a reduction such as truncated SVD"
        )
    X = check_array(X, dtype=np.float64)
    must = checked_links(must_link, len(X), "must_link")
    cannot = checked_links(cannot_link, len(X), "cannot_link")
    same = np.arange(len(must) + len(cannot)) < len(must)
    if min(len(must), len(cannot)) < FEWEST:
        return np.zeros(len(same)), np.zeros(len(same))
    pairs = pair_features(X, np.vstack([must, cannot]))
    forest = RandomForestClassifier(
        n_estimators=n_trees, oob_score=True, n_jobs=n_jobs, random_state=random_state
    ).fit(pairs, same)
    opposite: Scores = np.where(same, *forest.oob_decision_function_.T)
    return opposite, inconsistency(forest.apply(pairs), same)


@dataclass(frozen=True)
class Doubt:
    """An answer that looks wrong, and how likely it is by what the others say."""

    answer: Answer
    probability: float  # that the opposite is true


def doubtful(
    X: Any, answers: Sequence[Answer], *, n_trees: int = 200, random_state: int = 0
) -> list[Doubt]:
    """Return the answers whose opposite is likelier by all the others, the most doubtful first."""
    same = [answer for answer in answers if answer.verdict is Verdict.SAME]
    different = [answer for answer in answers if answer.verdict is Verdict.DIFFERENT]
    scores = doubts(
        X,
        must_link=[(answer.pair.i, answer.pair.j) for answer in same],
        cannot_link=[(answer.pair.i, answer.pair.j) for answer in different],
        n_trees=n_trees,
        random_state=random_state,
    )
    found = zip([*same, *different], scores.tolist(), strict=True)
    likely = [Doubt(answer, score) for answer, score in found if score > 0.5]
    return sorted(likely, key=lambda doubt: (-doubt.probability, doubt.answer.id))


def least_doubtful(
    must_link: Links, cannot_link: Links, scores: Scores, *, share: float = 0.5
) -> tuple[Pairs, Pairs]:
    """Return the links that are doubted least, so large a share of them (the paper's β); ties stay.

    >>> least_doubtful([(0, 1), (2, 3)], [(0, 2), (1, 3)], np.array([0.9, 0.1, 0.2, 0.3]))
    (array([[2, 3]]), array([[0, 2]]))
    """
    if not 0 <= share <= 1:
        raise MethodError(f"share must be between 0 and 1, not {share}")
    must, cannot = (
        np.asarray([] if pairs is None else pairs, dtype=np.int64).reshape(-1, 2)
        for pairs in (must_link, cannot_link)
    )
    if len(scores) != len(must) + len(cannot):
        raise DataError(
            f"there are {len(scores)} scores for {len(must) + len(cannot)} links; "
            "give the scores that `doubts` returned for these links"
        )
    n_kept = int(np.ceil(share * len(scores)))
    kept = scores <= np.sort(scores)[n_kept - 1] if n_kept else np.zeros(len(scores), dtype=bool)
    return must[kept[: len(must)]], cannot[kept[len(must) :]]


def pair_features(X: npt.NDArray[np.float64], pairs: Pairs) -> npt.NDArray[np.float64]:
    """Describe how two items differ, and where they lie: [|xi - xj|, (xi + xj) / 2] (eq. 10).

    >>> pair_features(np.array([[0.0], [4.0]]), np.array([[0, 1]]))
    array([[4., 2.]])
    """
    first, second = X[pairs[:, 0]], X[pairs[:, 1]]
    return np.hstack([np.abs(first - second), (first + second) / 2])


def inconsistency(leaves: npt.NDArray[np.integer], same: npt.NDArray[np.bool_]) -> Scores:
    """Compute ξ of each pair from the leaves it falls into, (m, n_trees), and its answer (eq. 11).

    A pair counts as its own neighbour, so that no sum is zero.
    """
    scores = np.zeros(len(same))
    for answer in (True, False):
        mine = np.flatnonzero(same == answer)
        incidence = leaf_incidence(leaves[mine])
        sums = np.empty(len(mine))
        for start in range(0, len(mine), _BLOCK):
            shares = incidence[start : start + _BLOCK] @ incidence.T / leaves.shape[1]
            sums[start : start + _BLOCK] = np.asarray(shares.multiply(shares).sum(axis=1)).ravel()
        rarity = 1 / sums
        scores[mine] = rarity / np.median(rarity) - 1 if len(mine) else 0.0
    return scores
