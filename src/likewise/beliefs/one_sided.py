"""Who says one thing only, whatever is shown: a bias that shows without comparing people."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from math import log2

from likewise.journal.pairs import Answer, Verdict

_LEAST = 20  # answers of one kind, and no other, from which on that is looked at
_SURPRISE = 20.0  # bits: such a run of answers is expected once in a million times


@dataclass
class OneSided:
    """How one-sided somebody's answers are, and how little that was expected.

    Parameters
    ----------
    said : set of Verdict
        All that was said.
    n : int
        How often.
    surprise : float
        Bits: how unlikely these answers were by what the items look like.

    Examples
    --------
    >>> said = OneSided()
    >>> for _ in range(25):
    ...     said.add(Verdict.SAME, 0.1)
    >>> said.is_blind
    True
    """

    said: set[Verdict] = field(default_factory=set)
    n: int = 0
    surprise: float = 0.0

    @classmethod
    def of(cls, answers: Iterable[Answer]) -> OneSided:
        """Return this of the answers that one person has given to predicted questions."""
        found = cls()
        for answer in answers:
            if answer.same_probability is not None and answer.verdict is not Verdict.UNSURE:
                found.add(answer.verdict, answer.same_probability)
        return found

    def add(self, verdict: Verdict, same_probability: float) -> None:
        """Count one more answer, and how likely "same" was."""
        self.said.add(verdict)
        self.n += 1
        chance = same_probability if verdict is Verdict.SAME else 1 - same_probability
        self.surprise -= log2(min(max(chance, 1e-3), 1.0))

    @property
    def is_blind(self) -> bool:
        """Whether it was always the same, although that is not what the items look like."""
        return len(self.said) == 1 and self.n >= _LEAST and self.surprise > _SURPRISE
