"""An audit: random pairs held against the groups, which bounds their error with a guarantee.

Half of the pairs lie within a group and half across two, as the groups were when it began. None
was chosen because it is telling, so their errors can be counted: with no error in m pairs, the rate
is at most 1 - delta^(1/m), except with probability delta.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import ceil, log

import numpy as np
import numpy.typing as npt
from scipy.stats import beta

from likewise.errors import AnswerError, MethodError
from likewise.journal.pairs import Pair, Reply, Verdict
from likewise.study import Study


@dataclass(frozen=True)
class Audit:
    """Random pairs to ask about, what the groups say to each, and what was answered so far.

    Parameters
    ----------
    pairs : tuple of Pair
        What is asked about.
    expected : tuple of Verdict
        What the groups say about each.
    answers : tuple of Verdict or None
        What was answered; None: not asked yet.
    delta : float
        The chance that the bound fails, between 0 and 1.
    answer_error : float
        How often a person is wrong, from 0 to below 0.5; it is taken off the bound.

    References
    ----------
    C. Clopper, E. Pearson, "The use of confidence or fiducial limits", Biometrika 26, 1934.

    Examples
    --------
    >>> study = Study([[0.0], [0.1], [0.2], [5.0], [5.1], [5.2]], n_clusters=2)
    >>> audit = Audit.of(study, 6)
    >>> truth = [0, 0, 0, 1, 1, 1]
    >>> for i, j in audit.pairs:
    ...     audit = audit.with_answer((i, j), truth[i] == truth[j])
    >>> audit.n_errors, round(audit.error_upper_, 3)
    (0, 0.393)
    """

    pairs: tuple[Pair, ...]
    expected: tuple[Verdict, ...]
    answers: tuple[Verdict | None, ...]
    delta: float = 0.05
    answer_error: float = 0.0

    @classmethod
    def of(
        cls, study: Study, n_pairs: int, *, delta: float = 0.05, answer_error: float = 0.0
    ) -> Audit:
        """Draw an audit of the groups as they are; the same again for the same answers.

        What answers have settled already is filled in: nobody is asked what is known.
        """
        _require_share(delta, "delta")
        if not 0 <= answer_error < 0.5:
            raise MethodError(f"answer_error must be from 0 to below 0.5 but got {answer_error}")
        rng = np.random.default_rng([study.random_state, study.n_answers, 1])
        labels = study.labels_
        pairs = tuple(draw_pairs(labels, n_pairs, rng))
        expected = tuple(_together(labels, pair) for pair in pairs)
        known = tuple(study.constraints.implied(*pair) for pair in pairs)
        return cls(pairs, expected, known, delta, answer_error)

    @property
    def open(self) -> list[Pair]:
        """The pairs that are still to be asked about."""
        answered = zip(self.pairs, self.answers, strict=True)
        return [pair for pair, answer in answered if answer is None]

    def with_answer(self, pair: Pair | tuple[int, int], verdict: Reply) -> Audit:
        """Return the audit with one more answer; "unsure" takes the pair out of it."""
        wanted = Pair(*pair).unordered
        answers = tuple(
            Verdict.of(verdict) if each.unordered == wanted else answer
            for each, answer in zip(self.pairs, self.answers, strict=True)
        )
        if answers == self.answers and wanted not in [each.unordered for each in self.pairs]:
            raise AnswerError(f"the pair {tuple(pair)} is not part of this audit")
        return replace(self, answers=answers)

    @property
    def n_judged(self) -> int:
        """How many pairs were answered "same" or "different"."""
        return sum(answer in (Verdict.SAME, Verdict.DIFFERENT) for answer in self.answers)

    @property
    def n_errors(self) -> int:
        """How many of them the groups have wrong."""
        both = zip(self.answers, self.expected, strict=True)
        return sum(a is not w for a, w in both if a in (Verdict.SAME, Verdict.DIFFERENT))

    @property
    def error_upper_(self) -> float:
        """The largest rate of wrong pairs that the audit leaves open; 1 before any answer."""
        bound = error_upper(self.n_errors, self.n_judged, self.delta)
        return max(0.0, bound - self.answer_error)

    @property
    def sentence(self) -> str:
        """The result in plain words."""
        if not self.n_judged:
            return "The audit has no answer yet."
        less = (
            f", less the {self.answer_error:.1%} by which answers are wrong"
            if self.answer_error
            else ""
        )
        return (
            f"{self.n_errors} of {self.n_judged} random pairs were wrong: at most "
            f"{self.error_upper_:.1%} of such pairs are{less}, "
            f"with {1 - self.delta:.0%} certainty."
        )


def error_upper(n_errors: int, n_pairs: int, delta: float = 0.05) -> float:
    """Return the error rate that is exceeded with probability `delta` at most.

    >>> round(error_upper(0, 59), 6), round(error_upper(0, 100), 6)
    (0.049508, 0.029513)
    """
    _require_share(delta, "delta")
    if not 0 <= n_errors <= n_pairs:
        raise MethodError(f"there cannot be {n_errors} errors among {n_pairs} pairs")
    if n_errors == n_pairs:
        return 1.0
    return float(beta.ppf(1 - delta, n_errors + 1, n_pairs - n_errors))


def pairs_needed(rate: float, delta: float = 0.05) -> int:
    """Return how many pairs without an error show that at most this rate is wrong.

    >>> pairs_needed(0.05), pairs_needed(0.01)
    (59, 299)
    """
    _require_share(rate, "rate")
    _require_share(delta, "delta")
    return ceil(log(delta) / log(1 - rate))


def draw_pairs(labels: npt.NDArray[np.int64], n_pairs: int, rng: np.random.Generator) -> list[Pair]:
    """Draw different random pairs, half within a group and half across, as far as there are."""
    if n_pairs < 1:
        raise MethodError(f"an audit needs at least 1 pair but got {n_pairs}")
    sizes = np.bincount(labels)
    n_within = int((sizes * (sizes - 1) // 2).sum())
    n_across = len(labels) * (len(labels) - 1) // 2 - n_within
    within = min(n_within, max(n_pairs - n_pairs // 2, n_pairs - n_across))
    across = min(n_across, n_pairs - within)
    if within + across < n_pairs:
        raise MethodError(
            f"{len(labels)} items have only {n_within + n_across} pairs; audit fewer than {n_pairs}"
        )
    drawn = [*_draw(labels, within, True, rng), *_draw(labels, across, False, rng)]
    return [drawn[k] for k in rng.permutation(len(drawn))]


def _draw(
    labels: npt.NDArray[np.int64], n_pairs: int, within: bool, rng: np.random.Generator
) -> list[Pair]:
    """Draw different pairs within groups, or across them, each as likely as any other."""
    order = np.argsort(labels, kind="stable")
    size = np.bincount(labels)[labels[order]]  # of the group of each item, in that order
    start = np.searchsorted(labels[order], labels[order])
    rank = np.arange(len(labels))
    partners = size - 1 if within else len(labels) - size
    found: dict[Pair, None] = {}
    while len(found) < n_pairs:
        one = rng.choice(rank, size=2 * n_pairs, p=partners / partners.sum())
        other = rng.integers(partners[one])  # which of its partners, counted in order
        if within:
            other = start[one] + other
            other += other >= one
        else:
            other += np.where(other >= start[one], size[one], 0)
        for i, j in zip(order[one].tolist(), order[other].tolist(), strict=True):
            found.setdefault(Pair(i, j).unordered)
    return list(found)[:n_pairs]


def _together(labels: npt.NDArray[np.int64], pair: Pair) -> Verdict:
    return Verdict.SAME if labels[pair.i] == labels[pair.j] else Verdict.DIFFERENT


def _require_share(value: float, name: str) -> None:
    if not 0 < value < 1:
        raise MethodError(f"{name} must be between 0 and 1 but got {value}")
