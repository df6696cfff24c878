"""Which verification question is most worth asking, as a study is now."""

from __future__ import annotations

import numpy as np

from likewise.beliefs import Beliefs, Inference, VerificationQuestion, VerificationQuestions
from likewise.beliefs.inference import estimated_after, given
from likewise.journal.constraints import Constraints
from likewise.strategies import View

# What is placed later is placed by what was answered before: a mistake costs that, too.
_WORTH = 2.0
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
            self._weighed = beliefs, VerificationQuestions(beliefs)
        looks, labels = self._weighed[1], view.clustering.labels_
        asked = labels[looks.items]
        # Those who share a label follow the items of it that were asked about, all alike.
        followers = _WORTH * np.bincount(labels)[asked] / np.bincount(asked)[asked]
        answers = given(known.answers)
        since = {one.pair.unordered for one in answers[estimated_after(len(answers)) :]}
        put_off = since | view.deferred
        found = looks.by_gain(followers, _FEWEST_RIGHT)
        return next((look for look in found if look.pair.unordered not in put_off), None)
