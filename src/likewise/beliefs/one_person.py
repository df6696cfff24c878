"""What is believed of somebody who answers alone: only answers that check others tell who errs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from likewise.beliefs.error_rates import ErrorRates
from likewise.beliefs.posterior import Beliefs
from likewise.beliefs.votes import Votes
from likewise.journal.constraints import Constraints
from likewise.journal.pairs import Answer

_MOST_ROUNDS = 4


def beliefs_of_one(answers: Sequence[Answer]) -> Beliefs:
    """Return what is believed after the answers of one person.

    Where several answer, agreement tells who errs. Somebody alone agrees with himself wherever
    nothing was asked twice, right or wrong; so only answers whose pair was implied by others count,
    when they were given: a *check*. One that is believed confirms two answers, itself and what it
    checked; one that is overruled, or overrules, is a mistake. What a check was expected to say
    is left out: it was expected because of the answers that it checks.

    Examples
    --------
    >>> from likewise.journal.pairs import Pair, Verdict
    >>> said = [((0, 1), "same"), ((2, 3), "same"), ((0, 2), "same"), ((1, 3), "different")]
    >>> said += [((0, 3), "different"), ((1, 2), "different")]
    >>> told = [Answer(k, Pair(*pair), Verdict.of(v)) for k, (pair, v) in enumerate(said)]
    >>> found = beliefs_of_one(told)
    >>> sorted(found.overruled(told)), float(found.rates.same[0].round(3))
    ([2], 0.1)
    """
    checks = _checks(answers, frozenset())
    own = (replace(one, same_probability=None) if one.id in checks else one for one in answers)
    votes = Votes.of(own, relied_on=1.0)
    overruled: frozenset[int] | None = None
    rates = ErrorRates.expected(votes)
    beliefs = Beliefs.by_rates(votes, rates)
    for _ in range(_MOST_ROUNDS):
        found = beliefs.overruled(answers)
        if found == overruled:
            break
        overruled = found
        n_confirming = len(_checks(answers, overruled))
        rates = ErrorRates.checked(votes, n_wrong=len(overruled), n_right=2 * n_confirming)
        beliefs = Beliefs.by_rates(votes, rates)
    return beliefs


def _checks(answers: Sequence[Answer], overruled: frozenset[int]) -> set[int]:
    """Return the ids of answers whose pair was settled by others before, overruled ones left out.

    With none overruled, those that contradict the others are checks, too.
    """
    ends = np.array([one.pair for one in answers], dtype=np.int64).reshape(-1, 2)
    # Only items that were asked about: most of a large pile never are.
    places = np.unique(ends, return_inverse=True)[1].reshape(-1, 2)
    known = Constraints(int(places.max(initial=-1)) + 1)
    checks = set()
    for answer, (i, j) in zip(answers, places.tolist(), strict=True):
        if answer.id in overruled:
            continue
        if known.implied(i, j) is not None:
            checks.add(answer.id)
        known.add(replace(answer, pair=type(answer.pair)(i, j)))
    return checks
