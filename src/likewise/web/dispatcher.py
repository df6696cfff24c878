"""The dispatcher: who has which question, who skipped what, who answered what.

Nothing here waits or computes for long; one thread at a time may use it.
"""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType

from likewise.errors import AnswerError, ReusedClientId
from likewise.journal.pairs import Answer, AnswerDraft, Changes, Pair, Question, Verdict
from likewise.journal.steps import JournalStep
from likewise.stores import leases_of
from likewise.study import Study
from likewise.study.question_kinds import AnyQuestion
from likewise.web.offers import Offer, ReadyQuestions, is_settled, pair_of, pairs_of, told_by
from likewise.web.people.checks import Checks
from likewise.web.people.opinions import Opinions
from likewise.web.people.routing import Routing
from likewise.web.repeats import Repeats

_FINAL = (Verdict.SAME, Verdict.DIFFERENT)
# Questions that are chosen at once for each of several people, and how few left are too few: they
# must last while the next ones are being chosen, or representatives of a large pile are split.
_PER_PERSON, _LOW = 12, 10
# At once: whoever makes people up must not be able to reserve all questions for them.
_MOST_PEOPLE = 200
_REFRESH_SECONDS = 1.0  # between two checks for what other programs have recorded


class AlreadyAnswered(AnswerError):  # noqa: N818 - reads as what it is
    """This person has answered this question already, for instance in another window."""


class TooManyPeople(AnswerError):  # noqa: N818 - reads as what it is
    """So many people hold questions that nobody else is given one for now."""


@dataclass(frozen=True)
class SelectionContext:
    """What the selection of the next questions depends on.

    Attributes
    ----------
    version
        The dispatcher's version that `answers` belong to.
    answers
        The answers that stand.
    pending
        Pairs that must not be selected: others hold them, or this person skipped them.
    n
        How many questions are wanted.
    """

    version: int
    answers: list[Answer]
    pending: frozenset[Pair]
    n: int


class Dispatcher:
    """Offers questions to people and records their answers; the only writer of the study.

    Who is alone gets exactly the questions that `study.ask()` would give. Several people get
    questions that were chosen together, so that nobody's answer makes another's superfluous.
    Questions of other kinds are chosen for each person; where a reply was not foreseen and choosing
    takes long, a question about other items comes first.

    Parameters
    ----------
    study
        The study that is asked about and written to.
    overlap, gold_every
        As of `Checks`; with an overlap of 1 nobody repeats another's question.
    prices
        As of `Routing`.
    lease_seconds
        How long an offered question stays reserved, and how long a silent person counts as active.
    clock
        Monotonic seconds; replaced in tests.

    Attributes
    ----------
    version
        Grows with every change of the answers.
    ready
        The places and sheets that were chosen ahead of time.
    """

    def __init__(
        self,
        study: Study,
        *,
        overlap: int = 1,
        gold_every: int = 0,
        prices: Mapping[str, float] = MappingProxyType({}),
        lease_seconds: float,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.study = study
        self.routing = Routing(prices)
        self._checks = Checks(overlap=overlap, gold_every=gold_every, routing=self.routing)
        self.lease_seconds = lease_seconds
        self.version = 0
        self._clock = clock
        self._leases = leases_of(study.store)
        self._offers: dict[str, Offer] = {}
        self._kinds: dict[str, str] = {}  # that were wanted when those were made
        self.ready = ReadyQuestions()
        self._skipped: dict[str, dict[Pair, None]] = defaultdict(dict)
        self._repeats = Repeats()
        self._queue: list[Question] = []
        self._queue_version = -1  # the version the queue was chosen after
        self._prefetched: dict[tuple[int, Pair, Verdict], list[Question]] = {}
        self._opinions = Opinions()
        self._opinions_version = -1
        self._last_request: dict[str, float] = {}  # by person
        self._last_refresh = 0.0

    @property
    def overlap(self) -> int:
        """How many people are asked about each pair; 0: another where that is worth it."""
        return self._checks.overlap

    @property
    def checks(self) -> Checks:
        """What of all that was answered somebody else should see."""
        self._checks.follow(self.study, self.version)
        return self._checks

    # -- offering questions ------------------------------------------------------------------

    def offer(
        self, who: str, skip: Pair | None = None, *, kind: str = "pair", spare: bool = False
    ) -> Offer | None:
        """Return what `who` holds, or lease a new question; None when nothing is ready.

        Parameters
        ----------
        who
            Who asks.
        skip
            The pair by which a question is named that they do not want.
        kind
            What they want to be asked, as for `Study.ask`.
        spare
            Whether a question will do that was chosen before their last reply came.
        """
        self._refresh()
        self._note_request(who)
        if skip is not None:
            self._skip(who, skip)
        if self._kinds.get(who, kind) != kind:
            self._repeats.keep_kind(who, kind)
            if who in self._offers:
                self._leases.release(pair_of(self._offers.pop(who)), who)
        self._kinds[who] = kind
        if self.held_by(who) is not None and self._lease(self._offers[who], who):
            return self._offers[who]
        self._offers.pop(who, None)
        for offer in self._candidates(who, kind, spare=spare):
            if self._lease(offer, who):
                self._queue = [question for question in self._queue if question is not offer]
                return offer
        return None

    def held_by(self, who: str) -> Pair | None:
        """Return the pair by which what this person was offered last is named, if still open."""
        if who not in self._offers:
            return None
        offer = self._offers[who]
        return pair_of(offer) if self._is_open(offer, who) else None

    def selection_context(self, who: str) -> SelectionContext:
        """Return what the next questions for this person are to be selected by."""
        held = {lease.pair for lease in self._leases.held() if lease.who != who}
        opinions = self._latest_opinions()
        # Who answered no longer looks at it. The lease is left to end by itself: giving it back
        # would be one more thing to write, for which everybody has to wait.
        pending = {pair for pair in held if not opinions.about(pair)} | self._skipped[who].keys()
        # A lease stands for one pair; others in this program look at whole sheets.
        for other in self.active() & self._offers.keys() - {who}:
            pending.update(pairs_of(self._offers[other]))
        n = 1 if self.is_alone(who) else _PER_PERSON * len(self.active())
        return SelectionContext(self.version, self.study.answers, frozenset(pending), n)

    def refill(self, version: int, questions: list[Question]) -> None:
        """Replace the queue by questions selected after the answers of `version`."""
        if version >= self._queue_version:
            self._queue, self._queue_version = list(questions), version

    def prefetch(
        self, version: int, pair: Pair, verdict: Verdict, questions: list[Question]
    ) -> None:
        """Keep the questions that become the queue if `pair` is answered with `verdict`."""
        if version == self.version:
            self._prefetched[version, pair.unordered, verdict] = questions

    def has_questions(self) -> bool:
        """Return whether the queue holds questions that fit the answers so far."""
        return self._queue_version == self.version and bool(self._queue)

    def is_low(self) -> bool:
        """Return whether several people will soon have to wait for questions."""
        active = len(self.active())
        return active > 1 and len(self._queue) < _LOW * active

    def is_alone(self, who: str) -> bool:
        """Return whether nobody else is answering."""
        return not self.active() - {who}

    def active(self) -> set[str]:
        """Return who has sent a request within the time of a lease."""
        now = self._clock()
        return {who for who, when in self._last_request.items() if now - when < self.lease_seconds}

    def waits_for_others(self, who: str) -> bool:
        """Return whether others hold questions that this person could be asked as well."""
        opinions = self._latest_opinions()
        return any(
            lease.who != who
            and lease.who not in opinions.about(lease.pair)
            and self._is_open(lease.pair, who)
            for lease in self._leases.held()
        )

    def clear_skipped(self, who: str) -> bool:
        """Forget what this person skipped; return whether there was anything."""
        return bool(self._skipped.pop(who, None))

    # -- recording answers -------------------------------------------------------------------

    def record(self, drafts: Sequence[AnswerDraft]) -> list[Answer | AnswerError]:
        """Record answers in one write; return for each the recorded answer or why it was refused.

        What is returned as an answer is durable. One that was recorded before is returned again;
        another one under the same client id is refused.
        """
        new: dict[str, AnswerDraft] = {}
        refused: dict[str, AnswerError] = {}
        for one in drafts:
            if one.client_id in new or self.study.answer_sent_as(one.client_id) is not None:
                continue
            try:
                self._require_unanswered(one, new.values())
                new[one.client_id] = one
            except AnswerError as error:
                refused[one.client_id] = error
        if new:
            self._append(list(new.values()))
        return [refused.get(one.client_id) or self._recorded(one) for one in drafts]

    def _require_unanswered(self, one: AnswerDraft, others: Iterable[AnswerDraft]) -> None:
        """Raise `AlreadyAnswered` if this person has judged the pair and was not asked again."""
        self.study.require_pair(*one.pair)
        pair = one.pair.unordered
        if self._repeats.holds(one.who, pair):
            return
        final = self._latest_opinions().about(pair).get(one.who) in _FINAL
        if final or any(other.who == one.who and other.pair.unordered == pair for other in others):
            raise AlreadyAnswered("you have answered this question already, in another window")

    def _append(self, new: list[AnswerDraft]) -> None:
        """Write drafts to the study and move queue, leases and offers on."""
        offers = {one.client_id: self._offer_for(one) for one in new}
        # Only who is alone has something prefetched, and sends one answer at a time.
        prefetched = self._prefetched.get((self.version, new[0].pair.unordered, new[0].verdict))
        n_before, version = self.study.n_answers, self.version

        drafts = [self._complete(one, offers[one.client_id]) for one in new]
        given = self.study.record(lambda: Changes(drafts))
        if self.study.n_answers == n_before + len(given):
            for answer in given:
                self._advance(answer)
            if prefetched is not None and len(given) == 1:
                self.refill(self.version, prefetched)
            if len(given) == 1:
                self.ready.move_on(given[0].who, version, told_by(given), self.version)
        else:  # another program answered at the same time
            self._advance()
        for one in new:
            self._repeats.drop(one.who, one.pair)
            if self.overlap != 1:  # the next person is to be asked the same
                self._leases.release(one.pair, one.who)
            if self._offers.get(one.who) is offers[one.client_id]:
                del self._offers[one.who]

    def _offer_for(self, one: AnswerDraft) -> Offer:
        """Return the pair as it was offered: with the prediction, if there was one."""
        offer = self._offers.get(one.who, one.pair)
        return offer if pair_of(offer).unordered == one.pair.unordered else one.pair

    def _complete(self, draft: AnswerDraft, offer: Offer) -> AnswerDraft:
        """Return the answer to what was offered, with its prediction if there was one."""
        predicted = offer.same_probability if isinstance(offer, Question) else None
        cost = self.routing.price_of(draft.who)
        return replace(draft, pair=pair_of(offer), same_probability=predicted, cost=cost)

    def replied(self, who: str, given: Sequence[Answer], n_before: int) -> None:
        """Move on after the reply to a place or a sheet, which was recorded as these answers."""
        offer, version = self._offers.pop(who, None), self.version
        self._advance()
        if offer is not None:
            self._repeats.drop(who, pair_of(offer))
            self._leases.release(pair_of(offer), who)
        if offer is not None and given:
            self._repeats.remember(who, given[0], offer)
        if self.study.n_answers == n_before + len(given):  # nobody else wrote at the same time
            self.ready.move_on(who, version, told_by(given), self.version)

    def _recorded(self, one: AnswerDraft) -> Answer | ReusedClientId:
        """Return the answer recorded under the draft's client id, if it is the draft's."""
        answer = self.study.answer_sent_as(one.client_id)
        assert answer is not None
        return answer if answer.repeats(one) else ReusedClientId(one.client_id)

    def retract(self, answer_id: int, who: str, *, again: bool) -> Answer:
        """Take an answer back in the name of `who`; with `again` they are asked its pair next.

        It is a step like any other: `undo` brings the answer back.
        """
        answer = self.study.find(answer_id)
        self.study.record(lambda: Changes((), [self.study.find(answer_id).id], who, is_step=True))
        self._leases.release(answer.pair, answer.who)
        self._advance()
        if again:
            self._repeat(answer, who)
        return answer

    def undo(self, who: str) -> JournalStep:
        """Take back what this person did last, and return it; what was asked is asked again."""
        step = self.study.last_step(who=who)
        self.study.undo(who=who)
        assert step is not None  # else there was nothing to undo
        for answer in step.given:
            self._leases.release(answer.pair, answer.who)
        self._advance()
        # What a question was answered by has a name; what an edit of groups gave was not asked.
        if step.given and step.given[0].client_id:
            self._repeat(step.given[0], who, kind=self._kinds.get(who, "best"))
        return step

    def _repeat(self, answer: Answer, who: str, kind: str = "best") -> None:
        """Ask this person next about the pair of an answer that was taken back.

        Unless they want another kind of question by now.
        """
        if max(answer.pair) >= len(self.study.items):  # it has left the pile
            return
        held = self._offers.pop(who, None)
        if held is not None:
            self._leases.release(pair_of(held), who)
        self._repeats.add(who, answer, kind)

    def adopt(self, study: Study) -> None:
        """Go on with the same study on a grown pile: its items so far keep their numbers."""
        self.study = study
        self._leases = leases_of(study.store)
        self._advance()

    def invalidate(self) -> None:
        """Drop what was selected: answers came or went without the dispatcher."""
        self._advance()

    # -- bookkeeping -------------------------------------------------------------------------

    def _note_request(self, who: str) -> None:
        """Count a person as active; refuse one more than can be served."""
        active = self.active()
        if who not in active and len(active) >= _MOST_PEOPLE:
            raise TooManyPeople(
                f"{_MOST_PEOPLE} people are answering already; wait until one of them stops"
            )
        self._last_request = {one: self._last_request[one] for one in active}
        self._last_request[who] = self._clock()
        self.routing.present = self._last_request.keys()

    def _candidates(self, who: str, kind: str, *, spare: bool) -> Iterator[Offer]:
        """Yield what may be offered to this person, in order of preference."""
        yield from self._repeats.of(who)
        for pair in self.checks.pairs_for(who, self._latest_opinions(), self.study.random_state):
            if self._is_open(pair, who):
                yield pair
        if kind != "pair":
            yield from self._ready_for(who, kind, spare=spare)
            return
        if self._queue_version == self.version or not self.is_alone(who):
            for question in self.routing.in_order(who, self._queue):
                if self._is_open(question.pair, who):
                    yield question

    def _ready_for(self, who: str, kind: str, *, spare: bool) -> Iterator[AnyQuestion]:
        """Yield what was chosen for this person ahead of time and still makes sense."""
        version = self.version if self.is_alone(who) else None
        found = [self.ready.chosen(who, kind, version)]
        if spare:
            found.append(self.ready.spare(who, kind, self.version))
        looked_at = {
            pair.unordered
            for other in self.active() & self._offers.keys() - {who}
            for pair in pairs_of(self._offers[other])
        }
        for question in found:
            if question is None or not self._is_open(question, who):
                continue
            if looked_at.isdisjoint(pair.unordered for pair in pairs_of(question)):
                yield question

    def _is_open(self, offer: Offer, who: str) -> bool:
        """Return whether asking this person about the offer still makes sense."""
        pair = pair_of(offer)
        if self._repeats.holds(who, pair):
            return True
        if not isinstance(offer, Pair | Question):
            skipped = self._skipped[who].keys()
            settled = is_settled(self.study.constraints, offer)
            return not settled and skipped.isdisjoint(one.unordered for one in pairs_of(offer))
        if pair.unordered in self._skipped[who]:
            return False
        people = self._latest_opinions().about(pair)
        if people.get(who) in _FINAL:
            return False
        if people and self.checks.is_wanted(pair, who, self._latest_opinions()):
            return True
        return self.study.constraints.implied(*pair) is None

    def _lease(self, offer: Offer, who: str) -> bool:
        """Reserve an offer for a person; return whether nobody else holds it."""
        if self._leases.take(pair_of(offer), who, self.lease_seconds) is None:
            return False
        self._offers[who] = offer
        return True

    def _skip(self, who: str, pair: Pair) -> None:
        """Offer the pair to others and not to this person until `clear_skipped`."""
        held = self._offers.pop(who, pair)
        if pair_of(held).unordered != pair.unordered:
            held = pair
        self._skipped[who].update((one.unordered, None) for one in pairs_of(held))
        self._repeats.drop(who, pair)
        self._leases.release(pair, who)
        self._queue_version = -1  # what was chosen may follow from what is skipped

    def _latest_opinions(self) -> Opinions:
        """Return the latest verdict of every person about every pair."""
        if self._opinions_version != self.version:
            self._opinions = Opinions.of(self.study.answers)
            self._opinions_version = self.version
        return self._opinions

    def _advance(self, answer: Answer | None = None) -> None:
        """Begin a new version: one answer more, or None for any other change."""
        opinions = self._latest_opinions() if answer is not None else None
        self.version += 1
        self._prefetched.clear()
        if answer is not None and opinions is not None:
            # The usual case need not go through all answers again.
            opinions.add(answer.pair, answer.who, answer.verdict)
            self._opinions_version = self.version

    def _refresh(self) -> None:
        """Take in what other programs have recorded, once in a while."""
        now = self._clock()
        if now - self._last_refresh < _REFRESH_SECONDS:
            return
        self._last_refresh = now
        if self.study.refresh():
            self._advance()
            self.ready.forget()
