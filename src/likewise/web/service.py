"""The service of one study: dispatcher, worker, and which thread may use which."""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import Callable, Coroutine, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from enum import Enum
from itertools import takewhile
from types import MappingProxyType
from typing import Any, Generic, TypeVar

import numpy as np
import numpy.typing as npt

from likewise.journal.pairs import Answer, AnswerDraft, Pair, Verdict
from likewise.piles.ahead import ReadingCount
from likewise.study import Study
from likewise.study.edits import Edit
from likewise.study.question_kinds import AnyQuestion
from likewise.views.group_titles import GroupTitles
from likewise.views.map_layout import layout
from likewise.views.thumbnails import Thumbnails
from likewise.web.dispatcher import Dispatcher, SelectionContext
from likewise.web.offers import Offer, pair_of
from likewise.web.people.names import People
from likewise.web.prefetch import Prefetch
from likewise.web.security.access import Access, Visitor
from likewise.web.worker import GroupSnapshot, StudyProgress, Worker

T = TypeVar("T")

_ATTEMPTS = 50  # others may take every question that was found for somebody, but not for ever
_PROGRESS_SECONDS = 5.0  # computed at every answer of many people it would be all that is computed
_PROGRESS_SHARE = 10  # times as long as it takes, for the same reason
# How long a person waits for a question that was not foreseen before a spare one comes: with the
# time to draw it, below what is felt as waiting. Not at all, where the last choice took longer.
_SPARE_SECONDS = 0.02


class NoQuestion(Enum):
    """Why somebody is asked nothing."""

    LEFT = "nothing is left to ask"
    FOR_NOW = "others are looking at what is left"


@dataclass(frozen=True)
class _Offered(Generic[T]):
    """A pair that was offered: as it is rendered, and how busy the dispatcher is."""

    pair: Pair
    rendered: T
    alone: bool
    low: bool


class StudyService:
    """Owns a study while it is served; every request goes through here.

    A study must be used by one thread at a time. The dispatcher has a thread of its own, in which
    answers are recorded without delay; the worker has another, with a branch of the study, in
    which the next questions and the groups are computed.

    Parameters
    ----------
    study
        The study; nobody else may write to it from this process while it is served.
    name
        What the page calls it.
    overlap, gold_every, prices, lease_seconds
        As of `likewise.web.dispatcher.Dispatcher`.
    shared
        Whether several people are expected, who should give their names.
    worker_process
        Whether a second process computes as soon as several people answer.
    access
        Whose the tokens are; None when nobody needs one.
    """

    def __init__(
        self,
        study: Study,
        *,
        name: str = "",
        overlap: int = 1,
        gold_every: int = 0,
        prices: Mapping[str, float] = MappingProxyType({}),
        lease_seconds: float = 60.0,
        shared: bool = False,
        worker_process: bool = False,
        access: Access | None = None,
    ) -> None:
        self.study = study
        self.name = name or "likewise"
        self.shared = shared
        self.thumbnails, self.titles = Thumbnails(study.items), GroupTitles(study.items)
        self.people = People(study, access)
        self.dispatcher = Dispatcher(
            study,
            overlap=overlap,
            gold_every=gold_every,
            prices=prices,
            lease_seconds=lease_seconds,
        )
        self.worker = Worker(study)
        self.prefetch = Prefetch(self)
        self._worker_process = worker_process
        self._study_thread = ThreadPoolExecutor(1, "likewise-study")
        self._submitted: deque[
            tuple[Callable[[Study], AnswerDraft], Future[tuple[Answer, bool]]]
        ] = deque()
        self._background: set[asyncio.Task[Any]] = set()
        self._selection: asyncio.Task[SelectionContext] | None = None
        self._progress: asyncio.Task[StudyProgress] | None = None
        self._progress_started = self._progress_took = 0.0
        self._several_people = False
        self._map: asyncio.Task[npt.NDArray[np.int64]] | None = None
        self.reading: ReadingCount | None = None  # of items that are to join

    def close(self) -> None:
        """Stop computing; whatever was acknowledged is on the disk already."""
        for task in self._background:
            task.cancel()
        self.worker.close()
        self._study_thread.shutdown(cancel_futures=True)

    async def with_study(self, work: Callable[..., T], *args: Any) -> T:
        """Run something short in the thread in which the study may be touched."""
        return await asyncio.wrap_future(self._study_thread.submit(work, *args))

    def expect_people(self) -> None:
        """Get the second process ready before several people answer, if they are expected."""
        if self.shared and self._worker_process:
            self.worker.start_process()

    def run_in_background(self, work: Coroutine[Any, Any, T]) -> asyncio.Task[T]:
        """Run a coroutine until it ends or the service is closed."""
        return self._start(work)

    async def adopt(self, study: Study) -> bool:
        """Go on with the same study on a pile that has grown.

        That may be by rows or copies alone, for which items of before stand too.

        Returns
        -------
        bool
            False, and nothing is changed, if nothing has joined or left, or if not all items so far
            keep their numbers.
        """
        # Whoever asks first on the larger pile must not wait for what can be computed before.
        await asyncio.to_thread(study.ask)
        worker = await asyncio.to_thread(Worker, study)

        def swap() -> Worker:
            before = self.study.items
            if not (study.items.continues(before) and study.items.stands_for_others_than(before)):
                return worker
            study.refresh()
            self.study, self.thumbnails = study, Thumbnails(study.items)
            self.titles = GroupTitles(study.items)
            self.people.study = study
            self.dispatcher.adopt(study)
            replaced, self.worker, self._map = self.worker, worker, None
            return replaced

        replaced = await self.with_study(swap)
        await asyncio.to_thread(replaced.finish)
        return replaced is not worker

    async def follow_switches(self) -> None:
        """Compute by the views of the items that count now, if others did before."""

        def swap() -> Worker | None:
            if self.worker.items is self.study.items:
                return None
            replaced, self.worker = self.worker, Worker(self.study)
            self._map = self._progress = None
            self.dispatcher.invalidate()
            return replaced

        replaced = await self.with_study(swap)
        if replaced is not None:
            await asyncio.to_thread(replaced.finish)

    async def person(self, visitor: Visitor, annotator: str) -> str:
        """Return who answers, where the request of a visitor says `annotator`.

        Raises
        ------
        NotAllowed
            If it names somebody else than who was invited.
        AnswerError
            If the name is none, or looks like that of somebody else.
        """
        who = visitor.person(annotator)
        # Who was invited was named by the owner; anybody else may have made the name up.
        if who and visitor.is_owner and not self.people.knows(who):
            await self.with_study(self.people.admit, who)
        return who

    # -- questions ---------------------------------------------------------------------------

    async def question(
        self, who: str, render: Callable[[Study, Pair], T], skip: Pair | None = None
    ) -> T | NoQuestion:
        """Lease a pair to this person and return it rendered, or say why there is none.

        `render` runs in the study's thread, together with the lease: every change of threads
        costs time while another one is computing.
        """
        for _ in range(_ATTEMPTS):
            offered: _Offered[T] | None = await self.with_study(self._offer, who, render, skip)
            if offered is not None:
                self._prepare_next(who, offered)
                return offered.rendered
            skip = None
            if self._selection is not None and not self._selection.done():
                # Questions are being selected for somebody else: one of them may do.
                await asyncio.shield(self._selection)
                continue
            self._selection = self._start(self._select(who))
            context = await asyncio.shield(self._selection)
            if await self.with_study(self._is_exhausted, context, who):
                waits = await self.with_study(self.dispatcher.waits_for_others, who)
                return NoQuestion.FOR_NOW if waits else NoQuestion.LEFT
        return NoQuestion.FOR_NOW

    def _offer(
        self, who: str, render: Callable[[Study, Pair], T], skip: Pair | None
    ) -> _Offered[T] | None:
        """Offer a pair of the queue and render it."""
        offer = self.dispatcher.offer(who, skip)
        if offer is None:
            return None
        pair = pair_of(offer)
        rendered = render(self.study, pair)
        return _Offered(pair, rendered, self.dispatcher.is_alone(who), self.dispatcher.is_low())

    def _is_exhausted(self, context: SelectionContext, who: str) -> bool:
        """Return whether the selection found nothing, although nothing was left out."""
        if context.version != self.dispatcher.version or self.dispatcher.has_questions():
            return False
        return not self.dispatcher.clear_skipped(who)

    async def _select(self, who: str) -> SelectionContext:
        """Select the next questions and queue them; return what they were selected by."""
        context = await self.with_study(self.dispatcher.selection_context, who)
        questions = await self.worker.ask(context.answers, context.pending, context.n)
        await self.with_study(self.dispatcher.refill, context.version, questions)
        self._start(self.worker.prepare(context.answers))
        return context

    def _prepare_next(self, who: str, offered: _Offered[T]) -> None:
        """Start to select what comes next while the person looks at the pair."""
        if offered.alone:
            self.prefetch.after_pair(who, offered.pair)
            return
        if self._worker_process:
            self.worker.start_process()
        if offered.low and (self._selection is None or self._selection.done()):
            self._selection = self._start(self._select(who))

    # -- other kinds of question -------------------------------------------------------------

    async def question_of_kind(
        self,
        who: str,
        kind: str,
        render: Callable[[Study, Offer], T],
        skip: Pair | None = None,
    ) -> T | NoQuestion:
        """Lease a question of a kind to this person and return it rendered; as `question`."""
        spare, selection = False, None
        for _ in range(_ATTEMPTS):
            offered: tuple[Offer, T] | None = await self.with_study(
                self._offer_kind, who, kind, render, skip, spare
            )
            if offered is not None:
                question, rendered = offered
                self.prefetch.after_offer(who, kind, question)
                return rendered
            skip = None
            if not spare:
                selection = None
                if self.worker.choice_seconds < _SPARE_SECONDS:
                    selection = self._start(self._select_kind(who, kind))
                    await asyncio.wait({selection}, timeout=_SPARE_SECONDS)
                spare = True
                continue
            spare = False
            selection = selection or self._start(self._select_kind(who, kind))
            context, found = await asyncio.shield(selection)
            if found is None and context.version == self.dispatcher.version:
                if await self.with_study(self.dispatcher.clear_skipped, who):
                    continue
                waits = await self.with_study(self.dispatcher.waits_for_others, who)
                return NoQuestion.FOR_NOW if waits else NoQuestion.LEFT
        return NoQuestion.FOR_NOW

    def _offer_kind(
        self,
        who: str,
        kind: str,
        render: Callable[[Study, Offer], T],
        skip: Pair | None,
        spare: bool,
    ) -> tuple[Offer, T] | None:
        """Offer what was chosen ahead of time and render it."""
        offer = self.dispatcher.offer(who, skip, kind=kind, spare=spare)
        return None if offer is None else (offer, render(self.study, offer))

    async def _select_kind(
        self, who: str, kind: str
    ) -> tuple[SelectionContext, AnyQuestion | None]:
        """Choose a question of a kind; return it, and what it was chosen by."""
        context = await self.with_study(self.dispatcher.selection_context, who)
        found = await self.worker.ask_kind(context.answers, context.pending, kind)
        if found is not None:
            ready = self.dispatcher.ready
            await self.with_study(ready.choose, who, kind, context.version, found)
        return context, found

    async def reply(self, who: str, work: Callable[[Study], T]) -> T:
        """Record the reply to a place or a sheet, made of several answers."""

        def run() -> T:
            n_before = self.study.n_answers
            given: Sequence[Answer] = ()
            try:
                done = work(self.study)
                given = done if isinstance(done, Edit) else ()
                return done
            finally:
                self.dispatcher.replied(who, given, n_before)

        return await self.with_study(run)

    # -- answers -----------------------------------------------------------------------------

    async def record(self, make: Callable[[Study], AnswerDraft]) -> tuple[Answer, bool]:
        """Record an answer durably; return it and whether it is disputed.

        `make` finds the items in the study's thread, where they cannot move meanwhile.
        """
        recorded: Future[tuple[Answer, bool]] = Future()
        self._submitted.append((make, recorded))
        self._study_thread.submit(self._record_submitted)
        return await asyncio.wrap_future(recorded)

    def _record_submitted(self) -> None:
        """Record all answers that have come while the study's thread was busy, in one write."""
        drafts: list[tuple[AnswerDraft, Future[tuple[Answer, bool]]]] = []
        for make, recorded in [self._submitted.popleft() for _ in range(len(self._submitted))]:
            try:
                drafts.append((make(self.study), recorded))
            except Exception as error:  # noqa: BLE001 - raised again in the request that waits
                recorded.set_exception(error)
        try:
            results = self.dispatcher.record([draft for draft, _ in drafts])
        except Exception as error:  # noqa: BLE001 - raised again in every request that waits
            for _, recorded in drafts:
                recorded.set_exception(error)
            return
        for (_, recorded), result in zip(drafts, results, strict=True):
            if isinstance(result, Answer):
                recorded.set_result((result, self._is_disputed(result)))
            else:
                recorded.set_exception(result)

    def _is_disputed(self, answer: Answer) -> bool:
        """Return whether the other answers imply another verdict; of known ones nobody is told."""
        if max(answer.pair) >= len(self.study.items):  # sent again, about an item that has left
            return False
        if self.dispatcher.checks.is_gold(answer.pair):
            return False
        implied = self.study.constraints.implied(*answer.pair)
        return answer.verdict is not Verdict.UNSURE and implied is not answer.verdict

    async def retract(self, answer_id: int, visitor: Visitor, who: str, *, again: bool) -> Answer:
        """Take an answer back in the name of `who`; with `again` they are asked its pair next."""

        def retract() -> Answer:
            visitor.require_own(self.study.find(answer_id).who, "taking back")
            return self.dispatcher.retract(answer_id, who, again=again)

        return await self.with_study(retract)

    async def edit(self, work: Callable[[Study], T]) -> T:
        """Run something that changes the study other than by a single answer."""

        def run() -> T:
            try:
                return work(self.study)
            finally:
                self.dispatcher.invalidate()

        return await self.with_study(run)

    async def answers(self) -> list[Answer]:
        """Return the answers that stand."""
        return await self.with_study(lambda: self.study.answers)

    # -- results -----------------------------------------------------------------------------

    async def groups(self) -> GroupSnapshot:
        """Return the groups after all answers so far."""
        while True:
            found = await self.worker.groups(await self.answers())
            if len(found.labels) == len(self.study.items):  # the pile may have grown meanwhile
                return found

    async def progress(self) -> StudyProgress:
        """Return how far the study is; when several people answer, as of some seconds ago."""
        age = time.monotonic() - self._progress_started
        recent = age < max(_PROGRESS_SECONDS, _PROGRESS_SHARE * self._progress_took)
        if self._progress is None or not (recent and self._several_people):
            self._progress_started = time.monotonic()
            self._progress = self._start(self._compute_progress())
        return await asyncio.shield(self._progress)

    async def _compute_progress(self) -> StudyProgress:
        """Compute how far the study is now; roughly when several people answer."""
        answers, active = await self.with_study(
            lambda: (self.study.answers, self.dispatcher.active())
        )
        self._several_people = len(active) > 1
        found = await self.worker.progress(answers, roughly=self._several_people)
        self._progress_took = time.monotonic() - self._progress_started
        return found

    async def explain(self, answer_id: int, visitor: Visitor) -> str:
        """Return why the pair of an answer was worth asking, by what was known before it."""
        answers = await self.answers()
        before = list(takewhile(lambda answer: answer.id != answer_id, answers))
        if len(before) == len(answers):
            raise LookupError(f"there is no answer {answer_id}")
        visitor.require_own(answers[len(before)].who, "explaining")
        return await self.worker.explain(before, answers[len(before)].pair)

    async def map(self) -> npt.NDArray[np.int64]:  # (n, 2)
        """Return where each item lies on the map; computed once, beside everything else."""
        if self._map is None:
            seed = self.study.random_state
            self._map = self._start(asyncio.to_thread(layout, self.study.items, seed))
        return await asyncio.shield(self._map)

    def _start(self, work: Coroutine[Any, Any, T]) -> asyncio.Task[T]:
        """Run a coroutine in the background until it ends or the service is closed."""
        task = asyncio.ensure_future(work)
        self._background.add(task)
        task.add_done_callback(self._background.discard)
        task.add_done_callback(_ignore_outcome)
        return task


def _ignore_outcome(task: asyncio.Task[Any]) -> None:
    """Let a task that nobody awaits end without a warning when the server stops."""
    if not task.cancelled():
        task.exception()
