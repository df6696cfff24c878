"""What was answered in a study, by whom, and what is believed of it."""

from __future__ import annotations

from collections.abc import Sequence
from operator import attrgetter
from typing import TYPE_CHECKING

from likewise.beliefs import Beliefs, Doubts, Inference
from likewise.journal.constraints import Constraints
from likewise.journal.disputes import Dispute
from likewise.journal.pairs import Answer, Question
from likewise.study.annotated import AnnotatedStudy
from likewise.study.answerers import answerers_frame

if TYPE_CHECKING:
    import pandas as pd


class AnsweredStudy(AnnotatedStudy):
    """The answers of a study and the people who gave them; `Study` groups items by them."""

    _inference: Inference

    @property
    def identity(self) -> str:
        """What tells this study from all others; kept in its journal, the same for ever."""
        return self._state.opened.identity

    @property
    def answers(self) -> list[Answer]:
        """The answers that stand, oldest first."""
        return list(self._state.answers)

    @property
    def n_answers(self) -> int:
        """How many answers stand."""
        return len(self._state.answers)

    @property
    def constraints(self) -> Constraints:
        """What follows from the answers; to be read, not changed.

        Where several people have answered, those of their answers that are believed to be wrong
        are without effect.
        """
        return self._inference.constraints(self._state.constraints)

    def answer_sent_as(self, client_id: str) -> Answer | None:
        """Return the answer with this `client_id`, also if it was taken back since."""
        return self._state.by_client_id.get(client_id)

    def disputes(self, offset: int = 0, limit: int | None = None) -> list[Dispute]:
        """Return the answers that contradict others, each with the shortest such chain.

        All of them, oldest first, or `limit` after the first `offset`.
        """
        return self.constraints.disputes(offset, limit)

    @property
    def n_disputes(self) -> int:
        """How many answers contradict others; to count them takes no time."""
        return self.constraints.n_disputes

    @property
    def beliefs_(self) -> Beliefs:
        """What is believed about every answered pair, and about everybody who has answered."""
        return self._inference.beliefs(self._state.constraints)

    @property
    def answerers_(self) -> pd.DataFrame:
        """A row per person who has answered: how often each errs, what it has cost and taken.

        The columns are `who`; `answers`; `error_same` and `error_different`, how often "different"
        is said of pairs that are the same, and "same" of those that differ; `low` and `high`,
        between which the share of wrong answers lies with 95 % probability; `agreement`, the share
        of answers that are believed; `says_same`, the share of "same"; `one_sided`, whether nothing
        else was ever said although the items look otherwise; `gold`, how many known answers were
        asked, and `gold_right`, the share of them that was right; `cost`; `seconds`, of those
        answers that were timed. Whoever gave only known answers is not listed.
        """
        return answerers_frame(self.answers, self.beliefs_)

    def doubts(self, least: float = 0.1) -> Doubts:
        """Return what is wrong with a chance of at least so much, by the latest error rates."""
        latest = self._inference.latest(self._state.constraints)
        return Doubts(latest, least=least, cautious=False)

    def second_opinions(self, n: int = 10, *, who: str = "") -> list[Question]:
        """Return up to `n` answered pairs that are most likely believed wrongly, the worst first.

        Pairs about which `who` has answered are left out.
        """
        beliefs = self.beliefs_
        mine = {answer.pair.unordered for answer in self.answers if who and answer.who == who}
        pairs = [pair for pair in beliefs.most_doubtful() if pair not in mine][:n]
        return [Question(pair, beliefs.same_probability_of(pair) or 0.0) for pair in pairs]

    @property
    def _kept(self) -> Sequence[Answer]:
        return self._state.answers

    def _key(self) -> tuple[int, ...]:
        return (self._state.n_switched, *map(attrgetter("id"), self._state.answers))
