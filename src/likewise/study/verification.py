"""A study that asks about what is known: where a mistake would cost most."""

from __future__ import annotations

from abc import abstractmethod
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from likewise.beliefs import Beliefs, Inference, VerificationQuestion, VerificationQuestions
from likewise.beliefs.inference import estimated_after, given
from likewise.journal.constraints import Constraints
from likewise.journal.group_number import NumberOfGroups
from likewise.journal.pairs import Question
from likewise.strategies import GainEstimator, View
from likewise.study.question_kinds import AskingStudy

if TYPE_CHECKING:
    from likewise.study.reduction.reduced import InnerStudy

# What is placed later is placed by what was answered before: a mistake costs that, too.
_WORTH = 2.0
_USUAL_GAIN = 1.0  # items that a question puts right, where the method does not say
_FEWEST_RIGHT = 0.25  # items; below that nothing is looked at twice


class VerificationChooser:
    """Finds what is best verified; weighed once, as long as beliefs stay as they are."""

    def __init__(self) -> None:
        self._weighed: tuple[Beliefs, VerificationQuestions] | None = None

    def best(
        self, known: Constraints, inference: Inference, view: View
    ) -> VerificationQuestion | None:
        """Return the best question to verify what is `known`; None if little hangs on any."""
        beliefs = inference.latest(known)
        if self._weighed is None or self._weighed[0] is not beliefs:
            believed = inference.constraints(known)
            all_found = len(believed.representatives) == believed.n_groups
            found = believed.representatives if all_found else ()
            self._weighed = beliefs, VerificationQuestions(beliefs, found)
        looks, labels = self._weighed[1], view.clustering.labels_
        asked = labels[looks.items]
        # Those who share a label follow the items of it that were asked about, all alike.
        followers = _WORTH * np.bincount(labels)[asked] / np.bincount(asked)[asked]
        answers = given(known.answers)
        since = {one.pair.unordered for one in answers[estimated_after(len(answers)) :]}
        put_off = since | view.deferred
        worth = looks.by_gain(followers, _FEWEST_RIGHT)
        return next((look for look in worth if look.pair.unordered not in put_off), None)


class VerifyingStudy(AskingStudy):
    """What a study asks of somebody alone who may err; `Study` groups items by the answers."""

    n_clusters: NumberOfGroups

    @property
    @abstractmethod
    def _inner(self) -> InnerStudy | None: ...

    @cached_property
    def _verifying(self) -> VerificationChooser:
        return VerificationChooser()

    def verification(self) -> Question | None:
        """Return a question about what is known, if a mistake in it would cost more than a new one.

        People err, and whoever answers alone is never asked about what follows from the answers.
        This is such a question, across what one wrong answer would hold together or keep apart,
        where most items depend on it: see `VerificationQuestions`. How often somebody errs is
        learned from the replies, so that who is always right is soon left in peace. None when
        nothing is worth it, or when several people answer, who check one another.

        Tell such answers with a weight below 1, and of those that contradict each other the
        likeliest are believed; with weight 1 contradictions are kept as disputes, to be settled.

        Examples
        --------
        >>> from likewise import Study
        >>> study = Study([[0.0], [0.1], [5.0], [5.1]] * 10)
        >>> for pair in (0, 4), (2, 6), (0, 2):
        ...     _ = study.tell(pair, "same")
        >>> study.verification().pair, study.constraints.implied(6, 4)
        (Pair(i=2, j=4), <Verdict.SAME: 'same'>)
        """
        known = self._state.constraints
        if known.n_people != 1 or self.n_clusters == 1:  # with one group all is said
            return None
        inner = self._inner
        if inner is not None:
            found = inner.study.verification()
            return None if found is None else inner.outward(found)
        look = self._verifying.best(known, self._inference, self._view(frozenset()))
        if look is None or look.gain <= self._gain_of_asking():
            return None
        seconds = self.pace.of_pair(self._looks[[*look.pair]])
        return Question(look.pair, look.same_probability, seconds)

    def _gain_of_asking(self) -> float:
        """Return how many items the next question is expected to put right."""
        if isinstance(self._strategy, GainEstimator):
            return self._strategy.gain(self._view(frozenset()))
        return _USUAL_GAIN
