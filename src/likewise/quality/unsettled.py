"""What keeps somebody from stopping: answers in dispute, and programs that nobody has checked."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from likewise.journal.pairs import Pair, Question
from likewise.study import Study

_FEWEST = 10  # answers of a program, from which on it matters whether it errs
_DOUBTFUL = 0.1  # that what is believed is wrong
_ANY_GOOD = 0.5  # whoever may err more often than that may know nothing at all


@dataclass(frozen=True)
class Unsettled:
    """What is not settled, however sure the groups look.

    Parameters
    ----------
    n_disputes : int
        Contradictions that are open. Where several have answered, those in which it is still in
        doubt who is right: about the others the more credible have been believed.
    program : str
        One that may err in every other answer, by all that is known; "" if there is none.
    n_program : int
        How many answers it gave.

    Examples
    --------
    >>> study = Study([[0.0], [0.1], [5.0]])
    >>> for pair, verdict in [((0, 1), "same"), ((1, 2), "same"), ((0, 2), "different")]:
    ...     _ = study.tell(pair, verdict)
    >>> Unsettled.of(study)
    Unsettled(n_disputes=1, program='', n_program=0)
    """

    n_disputes: int
    program: str
    n_program: int

    @classmethod
    def of(cls, study: Study) -> Unsettled:
        """Return what is not settled in a study."""
        programs = ((who, n) for who, n in unknown_programs(study).items() if n >= _FEWEST)
        program, n_program = next(programs, ("", 0))
        answers = study.answers
        if len({one.who for one in answers}) < 2:
            return cls(study.n_disputes, program, n_program)
        overruled, beliefs = study.constraints.overruled, study.doubts().beliefs
        against = [one.pair for one in answers if one.id in overruled] if overruled else []
        likely = (beliefs.same_probability_of(pair) for pair in against)
        # What came since error rates were estimated is in doubt until they are again.
        n_in_doubt = sum(q is None or _DOUBTFUL <= q <= 1 - _DOUBTFUL for q in likely)
        return cls(n_in_doubt, program, n_program)

    @property
    def sentence(self) -> str:
        """What is to be done first; empty if there is nothing."""
        if self.n_disputes:
            return f"Answers contradict each other in {self.n_disputes} places: settle those first."
        if self.program:
            return (
                f"{self.program}, a program, gave {self.n_program} answers, and how often it errs "
                "is not known: answer some of the same questions first."
            )
        return ""


def unknown_programs(study: Study) -> dict[str, int]:
    """Return the programs that may err in every other answer, with how many they gave.

    By all that is known, which is what people have said about the same pairs; those who gave most
    come first.
    """
    given = Counter(one.who for one in study.answers if one.by_program and not one.is_gold)
    if not given:
        return {}
    beliefs = study.doubts().beliefs
    high = dict(zip(beliefs.votes.people, beliefs.intervals.high.tolist(), strict=True))
    return {who: n for who, n in given.most_common() if high.get(who, 1.0) > _ANY_GOOD}


def question_to_compare(study: Study) -> Question | None:
    """Return what only unknown programs have answered, the most doubtful first; None if nothing is.

    The answer of a person says whether such a program is any good.
    """
    programs = unknown_programs(study).keys()
    if not programs:
        return None
    said: dict[Pair, set[str]] = {}
    for one in study.answers:
        said.setdefault(one.pair.unordered, set()).add(one.who)
    beliefs = study.doubts().beliefs
    for pair in beliefs.most_doubtful():
        if said[pair] <= programs:
            return Question(pair, beliefs.same_probability_of(pair) or 0.0)
    return None
