"""The desk at which questions are handed out: who has which, who skipped what, who said what.

Nothing here waits or thinks; one thread at a time works at the desk.
"""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from likewise._version import __version__
from likewise.errors import AnswerError
from likewise.journal import Answered
from likewise.journal.events import timestamp
from likewise.journal.pairs import Answer, Pair, Question, Verdict
from likewise.stores import leases_of
from likewise.study import Study

# A question, or a pair that is asked about again or by a second person: then nothing was predicted.
Asked = Question | Pair

_FINAL = (Verdict.SAME, Verdict.DIFFERENT)
# Questions that are chosen at once for each of several people, and how few left are too few: they
# must last while the next are being thought of.
_CHOSEN, _LOW = 5, 3
_NEWS_EVERY = 1.0  # seconds between two looks at what other programs have recorded


class AnsweredBefore(AnswerError):  # noqa: N818 - reads as what it is
    """This person has answered this question already, for instance in another window."""


@dataclass(frozen=True)
class Situation:
    """What has to be known to think about the next question."""

    version: int
    answers: list[Answer]
    pending: frozenset[Pair]
    n: int  # how many questions are wanted


@dataclass(frozen=True)
class Told:
    """What somebody says about a pair, under a name by which it is recognised if sent again."""

    who: str
    pair: Pair
    verdict: Verdict
    client_id: str
    seconds: float | None = None

    def answer(self, number: int, asked: Asked) -> Answer:
        """The answer as it is kept; what was predicted is known of a question."""
        expected = asked.same_probability if isinstance(asked, Question) else None
        return Answer(
            number,
            pair_in(asked),
            self.verdict,
            who=self.who,
            when=timestamp(),
            seconds=self.seconds,
            same_probability=expected,
            model_version="" if expected is None else __version__,
            client_id=self.client_id,
        )


class Desk:
    """Hands out questions and takes in answers; the only one who writes in the study.

    Who is alone gets exactly the questions that `study.ask()` would give. Several people get
    questions that were chosen together, so that nobody's answer makes another's superfluous.
    """

    def __init__(
        self,
        study: Study,
        *,
        overlap: int,
        lease_seconds: float,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.study = study
        self.overlap = overlap
        self.lease_seconds = lease_seconds
        self.version = 0  # grows with every change of the answers
        self._clock = clock
        self._leases = leases_of(study.store)
        self._handed: dict[str, Asked] = {}
        self._skipped: dict[str, dict[Pair, None]] = defaultdict(dict)
        self._wanted: dict[str, dict[Pair, Asked]] = defaultdict(dict)  # to be asked again
        self._ready: list[Question] = []
        self._ready_for = -1  # the version they were chosen after
        self._foreseen: dict[tuple[int, Pair, Verdict], list[Question]] = {}
        self._said: dict[Pair, dict[str, Verdict]] = {}
        self._said_for = -1
        self._seen: dict[str, float] = {}  # when each person last wanted something
        self._looked = 0.0

    # -- handing out -------------------------------------------------------------------------

    def hand_out(self, who: str, skip: Pair | None = None) -> Pair | None:
        """The question that `who` has, or a new one; None when somebody has to think first."""
        self._take_in_news()
        self._seen[who] = self._clock()
        if skip is not None:
            self._skip(who, skip)
        held = self.holding(who)
        if held is not None and self._lease(self._handed[who], who):
            return held
        self._handed.pop(who, None)
        for asked in self._candidates(who):
            if self._lease(asked, who):
                self._ready = [question for question in self._ready if question is not asked]
                return pair_in(asked)
        return None

    def holding(self, who: str) -> Pair | None:
        """The pair this person is looking at, if it is still open."""
        if who not in self._handed:
            return None
        pair = pair_in(self._handed[who])
        return pair if self._is_open(pair, who) else None

    def situation(self, who: str) -> Situation:
        """What to think about for this person."""
        held = {lease.pair for lease in self._leases.held() if lease.who != who}
        said = self._what_was_said()
        # Who answered no longer looks at it. The lease is left to end by itself: giving it back
        # would be one more thing to write, for which everybody has to wait.
        pending = {pair for pair in held if pair not in said} | self._skipped[who].keys()
        n = 1 if self.alone(who) else _CHOSEN * len(self.active())
        return Situation(self.version, self.study.answers, frozenset(pending), n)

    def lay_ready(self, version: int, questions: list[Question]) -> None:
        """Put questions on the desk that were chosen after the answers of `version`."""
        if version >= self._ready_for:
            self._ready, self._ready_for = list(questions), version

    def lay_foreseen(
        self, version: int, pair: Pair, verdict: Verdict, questions: list[Question]
    ) -> None:
        """Put questions aside for the case that a pair is answered so."""
        if version == self.version:
            self._foreseen[version, pair.unordered, verdict] = questions

    def has_ready(self) -> bool:
        """Whether there are questions on the desk that fit the answers so far."""
        return self._ready_for == self.version and bool(self._ready)

    def runs_low(self) -> bool:
        """Whether several people will soon have to wait."""
        active = len(self.active())
        return active > 1 and len(self._ready) < _LOW * active

    def alone(self, who: str) -> bool:
        """Whether nobody else is answering."""
        return not self.active() - {who}

    def unskip(self, who: str) -> bool:
        """Forget what was skipped; whether there was anything."""
        return bool(self._skipped.pop(who, None))

    # -- taking in ---------------------------------------------------------------------------

    def record(self, told: Sequence[Told]) -> list[Answer | AnswerError]:
        """Keep answers, or say why not; what is kept is on the disk when this returns.

        However many they are, the disk is waited for once.
        """
        new: dict[str, Told] = {}
        refused: dict[str, AnswerError] = {}
        for one in told:
            if one.client_id in new or self.study.told(one.client_id) is not None:
                continue
            try:
                self._require_unsaid(one, new.values())
                new[one.client_id] = one
            except AnswerError as error:
                refused[one.client_id] = error
        if new:
            self._keep(list(new.values()))
        return [refused.get(one.client_id) or self._kept(one) for one in told]

    def _require_unsaid(self, one: Told, others: Iterable[Told]) -> None:
        self.study.require_pair(*one.pair)
        pair = one.pair.unordered
        if pair in self._wanted[one.who]:
            return
        said = self._what_was_said().get(pair, {}).get(one.who) in _FINAL
        if said or any(other.who == one.who and other.pair.unordered == pair for other in others):
            raise AnsweredBefore("you have answered this question already, in another window")

    def _keep(self, new: list[Told]) -> None:
        asked = {one.client_id: self._as_handed(one) for one in new}
        # Only who is alone has something foreseen, and sends one answer at a time.
        foreseen = self._foreseen.get((self.version, new[0].pair.unordered, new[0].verdict))
        n_before = self.study.n_answers

        def answered(next_id: int) -> list[Answered]:
            left = [one for one in new if self.study.told(one.client_id) is None]
            return [
                Answered(one.answer(next_id + k, asked[one.client_id]))
                for k, one in enumerate(left)
            ]

        given = self.study.record(answered)
        if self.study.n_answers == n_before + len(given):
            for answer in given:
                self._changed(answer)
            if foreseen is not None and len(given) == 1:
                self.lay_ready(self.version, foreseen)
        else:  # another program answered in the same moment
            self._changed()
        for one in new:
            self._wanted[one.who].pop(one.pair.unordered, None)
            if self.overlap > 1:  # the next person is to be asked the same
                self._leases.release(one.pair, one.who)
            if self._handed.get(one.who) is asked[one.client_id]:
                del self._handed[one.who]

    def _as_handed(self, one: Told) -> Asked:
        """The pair as this person was asked about it: with the prediction, if there was one."""
        handed = self._handed.get(one.who, one.pair)
        return handed if pair_in(handed).unordered == one.pair.unordered else one.pair

    def _kept(self, one: Told) -> Answer:
        answer = self.study.told(one.client_id)
        assert answer is not None
        return answer

    def take_back(self, answer_id: int, who: str) -> Answer:
        """Take an answer back; `who` did so is asked about its pair again."""
        answer = self.study.retract(answer_id)
        self._leases.release(answer.pair, answer.who)
        self._changed()
        if who:
            held = self._handed.pop(who, None)
            if held is not None:
                self._leases.release(pair_in(held), who)
            predicted = answer.same_probability
            self._wanted[who].pop(answer.pair.unordered, None)  # the latest is asked first
            self._wanted[who][answer.pair.unordered] = (
                answer.pair if predicted is None else Question(answer.pair, predicted)
            )
        return answer

    def edited(self) -> None:
        """Tell the desk that answers came or went without it."""
        self._changed()

    # -- bookkeeping -------------------------------------------------------------------------

    def _candidates(self, who: str) -> Iterator[Asked]:
        yield from reversed(self._wanted[who].values())
        if self.overlap > 1:
            yield from self._second_opinions(who)
        if self._ready_for == self.version or not self.alone(who):
            for question in list(self._ready):
                if self._is_open(question.pair, who):
                    yield question

    def _second_opinions(self, who: str) -> Iterator[Pair]:
        """Pairs that others have judged, but not yet enough of them."""
        for pair, people in self._what_was_said().items():
            if who not in people and len(people) < self.overlap and self._is_open(pair, who):
                yield pair

    def _is_open(self, pair: Pair, who: str) -> bool:
        """Whether asking this person about the pair still makes sense."""
        if pair.unordered in self._wanted[who]:
            return True
        if pair.unordered in self._skipped[who]:
            return False
        people = self._what_was_said().get(pair.unordered, {})
        if people.get(who) in _FINAL:
            return False
        if people and len(people) < self.overlap:
            return True
        return self.study.constraints.implied(*pair) is None

    def _lease(self, asked: Asked, who: str) -> bool:
        if self._leases.take(pair_in(asked), who, self.lease_seconds) is None:
            return False
        self._handed[who] = asked
        return True

    def _skip(self, who: str, pair: Pair) -> None:
        self._skipped[who][pair.unordered] = None
        self._wanted[who].pop(pair.unordered, None)
        self._handed.pop(who, None)
        self._leases.release(pair, who)
        self._ready_for = -1  # what was chosen may follow from what is skipped

    def active(self) -> set[str]:
        """Who has wanted something as lately as a lease lasts."""
        now = self._clock()
        return {who for who, seen in self._seen.items() if now - seen < self.lease_seconds}

    def _what_was_said(self) -> dict[Pair, dict[str, Verdict]]:
        if self._said_for != self.version:
            self._said = {}
            for answer in self.study.answers:
                self._said.setdefault(answer.pair.unordered, {})[answer.who] = answer.verdict
            self._said_for = self.version
        return self._said

    def _changed(self, answer: Answer | None = None) -> None:
        said = self._what_was_said() if answer is not None else {}
        self.version += 1
        self._foreseen.clear()
        if answer is not None:  # the usual case need not go through all answers again
            said.setdefault(answer.pair.unordered, {})[answer.who] = answer.verdict
            self._said_for = self.version

    def _take_in_news(self) -> None:
        now = self._clock()
        if now - self._looked < _NEWS_EVERY:
            return
        self._looked = now
        if self.study.refresh():
            self._changed()


def pair_in(asked: Asked) -> Pair:
    """The pair that was asked about."""
    return asked.pair if isinstance(asked, Question) else asked
