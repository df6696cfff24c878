"""From what was said to what follows: the likeliest culprits have no effect."""

from __future__ import annotations

from collections import defaultdict

from likewise.beliefs.one_person import beliefs_of_one
from likewise.beliefs.posterior import Beliefs
from likewise.journal.constraints import Constraints
from likewise.journal.pairs import Answer, Pair, Verdict

# From the first number of answers on, everything is believed anew only after a share of them more:
# a long study then costs little more per answer than a short one. What comes in between is
# weighed by the error rates as they are, pair by pair.
_ALWAYS_BELOW = 256
_SHARE = 16


class Inference:
    """Keeps constraints in step with what is believed of the answers.

    While all answers are one trusted person's, what follows from them is what the journal says, and
    nothing is computed. With several, or somebody alone whose answers weigh less than 1, answers
    that are believed to be wrong are overruled: they stay among the answers, are shown as disputes,
    and have no effect.

    Whatever is returned depends on the answers alone, not on when it was asked for.

    Examples
    --------
    >>> from likewise.journal.pairs import Pair, Verdict
    >>> said = [("Bob", "different"), ("Ada", "same"), ("Cem", "same")]
    >>> known = Constraints.of(
    ...     2, [Answer(k, Pair(0, 1), Verdict.of(v), who=w) for k, (w, v) in enumerate(said)]
    ... )
    >>> known.implied(0, 1), Inference().constraints(known).implied(0, 1)
    (<Verdict.DIFFERENT: 'different'>, <Verdict.SAME: 'same'>)
    """

    def __init__(self) -> None:
        self._followed: tuple[Constraints, int] | None = None
        self._believed: Constraints | None = None
        self._judgement: _Judgement | None = None
        self._beliefs: list[tuple[list[Answer], Beliefs]] = []  # with the answers each is of

    def constraints(self, known: Constraints) -> Constraints:
        """Return what follows from the answers in `known`, by what is believed of them."""
        if known.n_people < 2 and not (known.n_untrusted and known.n_disputes):
            return known
        if self._believed is None or not self._is_followed(known):
            overruled = self._overruled(given(known.answers))
            self._believed = _brought_up_to_date(self._believed, known, overruled)
            self._followed = known, known.n_changes
        return self._believed

    def beliefs(self, known: Constraints) -> Beliefs:
        """Return what is believed of all the answers in `known`."""
        return self._beliefs_of(given(known.answers))

    def latest(self, known: Constraints) -> Beliefs:
        """Return what was believed when error rates were last estimated, which costs nothing."""
        answers = given(known.answers)
        return self._beliefs_of(answers[: estimated_after(len(answers))])

    def _overruled(self, answers: list[Answer]) -> frozenset[int]:
        """Return the ids of the answers that are believed to be wrong."""
        n = estimated_after(len(answers))
        judgement = self._judgement
        if judgement is None or judgement.n_estimated != n or not judgement.begins(answers):
            judgement = self._judgement = _Judgement(self._beliefs_of(answers[:n]), answers[:n])
        for answer in answers[len(judgement.answers) :]:
            judgement.add(answer)
        return frozenset(judgement.overruled)

    def _beliefs_of(self, answers: list[Answer]) -> Beliefs:
        for known, beliefs in self._beliefs:
            if known == answers:
                return beliefs
        # Two are kept: of all answers, and of those that error rates were estimated from.
        self._beliefs = [*self._beliefs[-1:], (answers, _believed(answers))]
        return self._beliefs[-1][1]

    def _is_followed(self, known: Constraints) -> bool:
        return (
            self._followed is not None
            and self._followed[0] is known
            and self._followed[1] == known.n_changes
        )


class _Judgement:
    """Which answers are overruled; one more costs no more than what was said about its pair.

    Parameters
    ----------
    beliefs
        What is believed of the first answers.
    answers
        Those answers.
    """

    def __init__(self, beliefs: Beliefs, answers: list[Answer]) -> None:
        self._beliefs = beliefs
        self.answers = list(answers)
        self.n_estimated = len(answers)
        self.overruled = set(beliefs.overruled(answers))
        self._said: defaultdict[Pair, list[Answer]] = defaultdict(list)
        for answer in answers:
            self._said[answer.pair.unordered].append(answer)

    def begins(self, answers: list[Answer]) -> bool:
        """Return whether these answers begin with those that were judged."""
        return self.answers == answers[: len(self.answers)]

    def add(self, answer: Answer) -> None:
        """Judge an answer, and anew whatever else was said about its pair."""
        self.answers.append(answer)
        said = self._said[answer.pair.unordered]
        said.append(answer)
        self.overruled.difference_update(one.id for one in said)
        self.overruled |= self._beliefs.overruled_by_themselves(said)


def _believed(answers: list[Answer]) -> Beliefs:
    alone = len({answer.who for answer in answers if answer.verdict is not Verdict.UNSURE}) < 2
    return beliefs_of_one(answers) if alone else Beliefs.of(answers)


def estimated_after(n_answers: int) -> int:
    """Return of how many answers, the first ones, error rates are estimated.

    >>> [estimated_after(n) for n in (100, 1000, 1013, 20_000)]
    [100, 992, 992, 19456]
    """
    if n_answers < _ALWAYS_BELOW:
        return n_answers
    stride = 1 << ((n_answers // _SHARE).bit_length() - 1)
    return n_answers - n_answers % stride


def given(answers: list[Answer]) -> list[Answer]:
    """Return the answers that somebody gave, without those that are only assumed."""
    return [answer for answer in answers if answer.id >= 0]


def _brought_up_to_date(
    believed: Constraints | None, known: Constraints, overruled: frozenset[int]
) -> Constraints:
    """Return constraints of the same answers, less what the overruled ones say."""
    if believed is None or believed.n_items != known.n_items or believed.n_groups != known.n_groups:
        believed = Constraints(known.n_items, known.n_groups)
    shared = _n_shared(believed.answers, known.answers)
    changed = believed.overruled ^ overruled
    if changed:
        ids = enumerate(answer.id for answer in believed.answers[:shared])
        shared = next((k for k, one in ids if one in changed), shared)
    while len(believed.answers) > shared:
        believed.pop()
    believed.overruled = overruled
    for answer in known.answers[shared:]:
        believed.add(answer)
    return believed


def _n_shared(ours: list[Answer], theirs: list[Answer]) -> int:
    """Return with how many equal answers both begin."""
    # The usual case is told fast: lists look first whether two things are one.
    if ours == theirs[: len(ours)]:
        return len(ours)
    pairs = enumerate(zip(ours, theirs, strict=False))
    return next((k for k, (mine, other) in pairs if mine != other), min(len(ours), len(theirs)))
