"""What a study knows about the quality of its own groups.

Items that answers have placed show how far likeness can be trusted: it is known where they belong,
so it can be counted how often their neighbours predict it. Of the others it can be counted how
often two predictions agree: the group they were given, and that of the nearest placed items.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import log

import numpy as np
import numpy.typing as npt

from likewise.affinities.neighbour_votes import neighbour_votes
from likewise.study import Study

_VOTERS = 7  # nearest placed items that vote
_SAMPLE = 500  # items of each kind that are counted in a large pile: a person waits
_RECENT = 50  # answers back to which the pace is counted


@dataclass(frozen=True)
class Evidence:
    """Shares between 0 and 1, never quite reaching either where few items were counted.

    Attributes
    ----------
    n_items, n_answers, n_placed, n_groups : int
        How many items, answers, items placed by answers and groups there are.
    neighbours : float
        The share of placed items that the majority of their neighbours puts right.
    agreement : float
        The share of other items whose group is that of the nearest placed ones.
    pace : float
        Items placed per answer, of the latest fifty.
    confidence : float
        How sure the study is of the items that no answer has placed, on average.
    """

    n_items: int
    n_answers: int
    n_placed: int
    neighbours: float
    agreement: float
    pace: float
    confidence: float
    n_groups: int

    @property
    def open_share(self) -> float:
        """The share of items that no answer has placed."""
        return 1 - self.n_placed / self.n_items

    @property
    def log_answers_per_group(self) -> float:
        """The logarithm of how many answers there are for each group."""
        return log(max(self.n_answers, 1) / self.n_groups)

    @classmethod
    def of(cls, study: Study) -> Evidence:
        """Count what a study shows; the sample, if one is needed, depends on its seed."""
        n_items, study = len(study.items), study.reduced
        labels, done = study.labels_, study.constraints.placed()
        rng = np.random.default_rng([study.random_state, study.n_answers])
        there, open_items = (_some(np.flatnonzero(mask), rng) for mask in (done, ~done))
        view = study.view
        votes = neighbour_votes(view.affinity.affinity_, labels)
        right = votes[there].argmax(axis=1) == labels[there]
        agree = np.zeros(0, dtype=bool)
        if len(there) and len(open_items):
            away = view.distances(open_items, there)
            agree = nearest_group(away, labels[there]) == labels[open_items]
        return cls(
            n_items=n_items,
            n_answers=study.n_answers,
            n_placed=int(done.sum()),
            neighbours=_share(right),
            agreement=_share(agree),
            pace=_pace(study),
            confidence=float(study.confidence_[~done].mean()) if len(open_items) else 1.0,
            n_groups=len(np.unique(labels)),
        )


def nearest_group(
    away: npt.NDArray[np.float64], groups: npt.NDArray[np.int64]
) -> npt.NDArray[np.int64]:  # (items, placed), (placed,) -> (items,)
    """Return the group of the nearest placed items, whose votes weigh less the farther they are.

    >>> nearest_group(np.array([[1.0, 5.0, 1.5, 1.5]]), np.array([0, 1, 2, 2]))
    array([2])
    """
    k = min(_VOTERS, away.shape[1])
    voters = np.argpartition(away, k - 1, axis=1)[:, :k]
    distance = np.take_along_axis(away, voters, axis=1)
    closest = np.maximum(distance.min(axis=1, keepdims=True), 1e-12)
    weight = np.exp(-0.5 * (distance / closest) ** 2)
    tally = np.zeros((len(away), int(groups.max()) + 1))
    for voter in range(k):
        np.add.at(tally, (np.arange(len(away)), groups[voters[:, voter]]), weight[:, voter])
    best: npt.NDArray[np.int64] = tally.argmax(axis=1)
    return best


def _share(hits: npt.NDArray[np.bool_]) -> float:
    """Return the share of hits, as if there had been one more hit and one more miss."""
    return float((hits.sum() + 1) / (len(hits) + 2))


def _pace(study: Study) -> float:
    """Return how many items an answer places: those that only the latest fifty are about."""
    recent = study.answers[-_RECENT:]
    items = {answer.pair.i for answer in recent} | {answer.pair.j for answer in recent}
    before = {item for answer in study.answers[:-_RECENT] for item in answer.pair}
    known = study.constraints
    fresh = [item for item in items - before if known.representative_of(item) is not None]
    return len(fresh) / max(len(recent), 1)


def _some(positions: npt.NDArray[np.int64], rng: np.random.Generator) -> npt.NDArray[np.int64]:
    if len(positions) <= _SAMPLE:
        return positions
    return np.sort(rng.choice(positions, _SAMPLE, replace=False))
