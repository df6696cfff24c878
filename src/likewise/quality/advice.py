"""Stopping advice: how much is right by now, what the next answers bring, and both in words.

The numbers are estimates from `Evidence`, by two short formulas whose coefficients were learned
from simulated studies and tried on data sets held out: `python -m benchmarks advice` does both,
and docs/howto/stopping.md shows how far they can be trusted. An audit (`Audit`) needs none.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import ceil, exp, log

import numpy as np

from likewise.auto import Committee
from likewise.auto.kind_of_pile import sentence_about
from likewise.auto.records import RecordLinkage
from likewise.quality.duplicates import DuplicatesOutlook
from likewise.quality.evidence import Evidence
from likewise.quality.progress import inferred_pairs, shares_as_predicted
from likewise.quality.unsettled import Unsettled
from likewise.study import Study

FORESEEN = 200  # answers ahead: beyond these, how many are left is a guess
NEXT = 50  # answers ahead that the expected gain is about
FEWEST = 10  # answers before which nothing is estimated
ENOUGH_RIGHT = 0.9  # whoever stops below this should know why
_FARTHEST = 10_000  # answers that anybody looks ahead
SMALL_GAIN = 0.01  # of all items, for the next answers: less is not worth the while


@dataclass(frozen=True)
class Coefficients:
    """Of the log odds that an item which no answer has placed is right, and of the gain."""

    constant: float
    neighbours: float
    agreement: float
    pace: float
    confidence: float
    per_group: float  # of the logarithm of answers per group
    low: float  # the interval, in log odds around the estimate
    high: float
    placing: float  # what placing an item brings, as a multiple of its chance to be wrong
    learning: float  # what answers teach about other items, against the number of answers


# The default method says by itself how sure it is, whatever kind of question it asks; the pace
# depends on the kind. Of other methods less is known.
_OF_DEFAULT = Coefficients(0.344, 0, 0, 0, 0.995, -0.143, -1.428, 2.512, 1.959, 3.241)
_OF_OTHERS = Coefficients(0.058, 0.722, 0.352, -0.307, 0, 0, -1.307, 2.199, 1.009, 5.388)


def coefficients_of(method: str) -> Coefficients:
    """Return the coefficients for the default method, or those for all others."""
    return _OF_DEFAULT if method == "auto" else _OF_OTHERS


@dataclass(frozen=True)
class Advice:
    """How far a study is.

    Shares are of all items, None before ten answers were given and while a program that may know
    nothing gave many of them.

    Parameters
    ----------
    answers, groups : int
        How many there are.
    settled_pairs : int
        Pairs that are known without having been asked about.
    as_predicted : float or None
        The share of the latest 20 answers that were the likelier ones.
    right : float or None
        The expected share of items in the right group, after the best matching of groups with the
        person's.
    low, high : float or None
        Between these `right` lies in nine of ten studies.
    gain : float or None
        What the next 50 answers are expected to add to `right`.
    questions_left : int or None
        How many answers it may take until stopping is advised.
    may_stop : bool
        Whether it is advised.
    sentence : str
        All of this in words, and what kind of pile it is where that is known.
    """

    answers: int
    groups: int
    settled_pairs: int
    as_predicted: float | None
    right: float | None
    low: float | None
    high: float | None
    gain: float | None
    questions_left: int | None
    may_stop: bool
    sentence: str


def advise(study: Study) -> Advice:
    """Say how good the groups are and whether more answers are worth the while.

    >>> study = Study([[0.0], [0.1], [0.2], [5.0], [5.1], [5.2]], n_clusters=2)
    >>> print(advise(study).sentence)
    Too early to tell: answer at least 10 questions.
    >>> truth = [0, 0, 0, 1, 1, 1]
    >>> while (question := study.ask()) is not None:
    ...     i, j = question.pair
    ...     _ = study.tell(question, truth[i] == truth[j])
    >>> print(advise(study).sentence)
    Every item is placed by answers: you may stop.
    """
    evidence = Evidence.of(study)
    groups = np.unique(study.labels_, return_inverse=True)[1]
    n_groups = int(groups.max()) + 1
    foreseen = shares_as_predicted(study)
    by = coefficients_of(study.method)
    estimate = estimated(evidence, by)
    unsettled = Unsettled.of(study)
    first = unsettled.sentence
    stop = evidence.n_placed == evidence.n_items and not first
    left: int | None = 0 if stop else None
    if estimate is not None:
        left = questions_left(evidence, estimate.right, n_groups, by)
        stop = left == 0 and not first
    gain = None if estimate is None else expected_gain(evidence, estimate.right, by)
    model, about = study.clustering_, ""
    if isinstance(model, Committee) and evidence.n_answers >= FEWEST:
        about = f"{sentence_about(groups)} "  # of all items, whatever is computed on
    if isinstance(model, RecordLinkage):
        outlook, about = DuplicatesOutlook.of(model, evidence.n_answers, NEXT), f"{model.about_} "
        estimate = Estimate(outlook.right, outlook.low, outlook.high)
        gain, left = outlook.gain, outlook.questions_left
        stop = left == 0 and evidence.n_answers >= FEWEST and not first
    if unsettled.program:  # what is right by its answers may as well be wrong
        estimate = gain = left = None
    return Advice(
        answers=evidence.n_answers,
        groups=n_groups,
        settled_pairs=inferred_pairs(study),
        as_predicted=foreseen[-1] if foreseen else None,
        right=None if estimate is None else estimate.right,
        low=None if estimate is None else estimate.low,
        high=None if estimate is None else estimate.high,
        gain=gain,
        questions_left=left,
        may_stop=stop,
        sentence=about + (first or _sentence(evidence, estimate, gain, left, stop)),
    )


@dataclass(frozen=True)
class Estimate:
    """The share of items in the right group."""

    right: float
    low: float
    high: float


def estimated(evidence: Evidence, by: Coefficients) -> Estimate | None:
    """Estimate how much is right; None when too little has been answered to tell."""
    if evidence.n_placed == evidence.n_items:
        return Estimate(1.0, 1.0, 1.0)
    if evidence.n_answers < FEWEST or not evidence.n_placed:
        return None
    odds = (
        by.constant
        + by.neighbours * log_odds(evidence.neighbours)
        + by.agreement * log_odds(evidence.agreement)
        + by.pace * evidence.pace
        + by.confidence * log_odds(evidence.confidence)
        + by.per_group * evidence.log_answers_per_group
    )
    # What answers have placed is right; the rest as likely as the odds say.
    right, low, high = (
        1 - evidence.open_share / (1 + exp(odds + shift)) for shift in (0.0, by.low, by.high)
    )
    # Odds beyond the last that are told apart may as well be those of certainty.
    return Estimate(right, low, 1.0 if odds + by.high > log_odds(1.0) else high)


def expected_gain(evidence: Evidence, right: float, by: Coefficients) -> float:
    """Return what the next 50 answers are expected to add to the share of items that are right."""
    placing, learning = prospects(evidence)
    return (1 - right) * min(1.0, by.placing * placing + by.learning * learning)


def prospects(evidence: Evidence) -> tuple[float, float]:
    """Return the share of open items that the next 50 answers place, and the learning term."""
    n_open = evidence.open_share * evidence.n_items
    placing = min(1.0, NEXT * evidence.pace / n_open) if n_open else 0.0
    return placing, 1 / max(evidence.n_answers, 1)


def questions_left(evidence: Evidence, right: float, n_groups: int, by: Coefficients) -> int:
    """Return how many answers it takes until stopping is advised; 0 when it is advised now.

    At most what it takes to place every item, and never looking farther than ten thousand.
    """
    n_open = evidence.n_items - evidence.n_placed
    pace = max(evidence.pace, 1 / max(n_groups, 1))  # an item is placed once every group was asked
    most = min(ceil(n_open / pace), _FARTHEST)
    fewest = max(0, 20 - evidence.n_answers, 2 * n_groups - evidence.n_answers)
    asked, so_far = 0, evidence
    while asked < most:
        gain = expected_gain(so_far, right, by)
        if asked >= fewest and right >= ENOUGH_RIGHT and gain < SMALL_GAIN:
            return asked
        asked += NEXT
        right += gain
        n_placed = min(evidence.n_items, round(so_far.n_placed + NEXT * evidence.pace))
        so_far = replace(evidence, n_answers=so_far.n_answers + NEXT, n_placed=n_placed)
    return most


def log_odds(share: float) -> float:
    """Return the logarithm of the odds, kept finite.

    >>> log_odds(0.5)
    0.0
    """
    share = min(max(share, 0.01), 0.99)
    return log(share / (1 - share))


def _sentence(
    evidence: Evidence,
    estimate: Estimate | None,
    gain: float | None,
    left: int | None,
    stop: bool,
) -> str:
    if evidence.n_placed == evidence.n_items:
        return "Every item is placed by answers: you may stop."
    if estimate is None or gain is None:
        return f"Too early to tell: answer at least {FEWEST} questions."
    state = (
        f"About {estimate.right:.0%} of the items are in the right group "
        f"(likely between {estimate.low:.0%} and {estimate.high:.0%}); "
        f"{NEXT} more answers would put about {_few(gain * evidence.n_items)} more right"
    )
    if stop:
        return f"You may stop. {state}."
    if gain < SMALL_GAIN and estimate.right < ENOUGH_RIGHT:
        return f"Answers help slowly here. {state}; features that tell items apart would too."
    if left is not None and left > FORESEEN:
        return f"Go on. {state}, and more than {FORESEEN} answers may be worth giving."
    return f"Go on. {state}, and about {left} answers may be worth giving."


def _few(items: float) -> str:
    return f"{items:.0f} items" if round(items) != 1 else "1 item"
