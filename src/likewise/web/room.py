"""The room where one study is answered: a desk, a thinker, and who may use which when."""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from itertools import takewhile
from typing import Any, Generic, TypeVar

import numpy as np
import numpy.typing as npt

from likewise.journal.pairs import Answer, AnswerDraft, Pair, Verdict
from likewise.study import Study
from likewise.views.map_layout import layout
from likewise.views.thumbnails import Thumbnails
from likewise.web.desk import Desk, Situation
from likewise.web.thinking import Grouping, HowFar, Thinker, quietly

T = TypeVar("T")


@dataclass(frozen=True)
class _Handed(Generic[T]):
    """A pair that was handed out: as it is shown, and what is known about who else is there."""

    pair: Pair
    shown: T
    alone: bool
    low: bool


_ATTEMPTS = 50  # others may take every question that was found for somebody, but not for ever
_FAR_EVERY = 5.0  # seconds; with every answer of many people it would be all that is thought about
_FORESEEN = (Verdict.SAME, Verdict.DIFFERENT, Verdict.UNSURE)


class Room:
    """Owns a study while it is served; everything a request wants goes through here.

    A study must be used by one thread at a time. The desk has a thread of its own, in which
    answers are recorded without delay; the thinker has another, with a branch of the study, in
    which the next questions and the groups are computed.
    """

    def __init__(
        self,
        study: Study,
        *,
        name: str = "",
        overlap: int = 1,
        lease_seconds: float = 60.0,
        shared: bool = False,
        apart: bool = False,
    ) -> None:
        self.study = study
        self.name = name or "likewise"
        self.shared = shared  # whether several people are expected, who should tell their names
        self._apart = apart  # whether several people may have a second process think for them
        self.media = Thumbnails(study.items)
        self.desk = Desk(study, overlap=overlap, lease_seconds=lease_seconds)
        self.thinker = Thinker(study)
        self._at_desk = ThreadPoolExecutor(1, "likewise-desk")
        self._incoming: deque[tuple[AnswerDraft, Future[tuple[Answer, bool]]]] = deque()
        self._thinking: asyncio.Task[Situation] | None = None
        self._background: set[asyncio.Task[Any]] = set()
        self._far: asyncio.Task[HowFar] | None = None
        self._looked = 0.0  # when that was begun
        self._several = False
        self._map: asyncio.Task[npt.NDArray[np.int64]] | None = None

    def close(self) -> None:
        """Stop thinking; whatever was acknowledged is on the disk already."""
        for task in self._background:
            task.cancel()
        self.thinker.close()
        self._at_desk.shutdown(cancel_futures=True)

    async def with_study(self, work: Callable[..., T], *args: Any) -> T:
        """Run something short in the desk's thread, where the study may be touched."""
        return await asyncio.wrap_future(self._at_desk.submit(work, *args))

    # -- questions ---------------------------------------------------------------------------

    async def question(
        self, who: str, show: Callable[[Study, Pair], T], skip: Pair | None = None
    ) -> T | None:
        """What `show` makes of the pair this person is to judge; None when nothing is left.

        The pair is leased to them. `show` runs in the desk's thread, at once: every change of
        threads costs time while another one is thinking.
        """
        for _ in range(_ATTEMPTS):
            handed: _Handed[T] | None = await self.with_study(self._hand_out, who, show, skip)
            if handed is not None:
                self._prepare(who, handed)
                return handed.shown
            skip = None
            if self._thinking is not None and not self._thinking.done():
                # Somebody else's wish is being thought about: what comes of it may do.
                await asyncio.shield(self._thinking)
                continue
            self._thinking = self._start(self._think(who))
            situation = await asyncio.shield(self._thinking)
            if await self.with_study(self._is_exhausted, situation, who):
                return None
        return None

    def _hand_out(
        self, who: str, show: Callable[[Study, Pair], T], skip: Pair | None
    ) -> _Handed[T] | None:
        pair = self.desk.hand_out(who, skip)
        if pair is None:
            return None
        return _Handed(pair, show(self.study, pair), self.desk.alone(who), self.desk.runs_low())

    def _is_exhausted(self, situation: Situation, who: str) -> bool:
        """Whether thinking has found nothing, although nothing was left out."""
        if situation.version != self.desk.version or self.desk.has_ready():
            return False
        return not self.desk.unskip(who)

    async def _think(self, who: str) -> Situation:
        situation = await self.with_study(self.desk.situation, who)
        questions = await self.thinker.ask(situation.answers, situation.pending, situation.n)
        await self.with_study(self.desk.lay_ready, situation.version, questions)
        return situation

    def _prepare(self, who: str, handed: _Handed[T]) -> None:
        """While the person looks, think about what comes after."""
        if handed.alone:
            self._start(self._foresee(who, handed.pair))
            return
        if self._apart:
            self.thinker.move_out()
        if handed.low and (self._thinking is None or self._thinking.done()):
            self._thinking = self._start(self._think(who))

    async def _foresee(self, who: str, pair: Pair) -> None:
        situation = await self.with_study(self.desk.situation, who)
        for verdict in _FORESEEN:
            questions = None
            # What somebody waits for goes first; this is tried again after it.
            while questions is None:
                if self.desk.version != situation.version:
                    return
                questions = await self.thinker.foresee(
                    situation.answers, situation.pending, pair, verdict
                )
            await self.with_study(
                self.desk.lay_foreseen, situation.version, pair, verdict, questions
            )
            for question in questions:
                await asyncio.to_thread(self.media.prepare, question.pair)

    async def likely_groups(self, item: int, n: int) -> list[tuple[int, int]]:
        """Up to `n` groups this item may belong to: an item of each, and the most similar one."""
        answers = await self.answers()
        return await self.thinker.places(answers, item, n)

    # -- answers -----------------------------------------------------------------------------

    async def record(self, told: AnswerDraft) -> tuple[Answer, bool]:
        """Keep an answer, which is then on the disk; the answer, and whether it is disputed."""
        kept: Future[tuple[Answer, bool]] = Future()
        self._incoming.append((told, kept))
        self._at_desk.submit(self._take_in)
        return await asyncio.wrap_future(kept)

    def _take_in(self) -> None:
        """Keep all answers that have come while the desk was busy."""
        incoming = [self._incoming.popleft() for _ in range(len(self._incoming))]
        try:
            replies = self.desk.record([told for told, _ in incoming])
        except Exception as error:  # noqa: BLE001 - whoever waits is told
            for _, kept in incoming:
                kept.set_exception(error)
            return
        for (_, kept), reply in zip(incoming, replies, strict=True):
            if isinstance(reply, Answer):
                kept.set_result((reply, self._is_disputed(reply)))
            else:
                kept.set_exception(reply)

    def _is_disputed(self, answer: Answer) -> bool:
        implied = self.study.constraints.implied(*answer.pair)
        return answer.verdict is not Verdict.UNSURE and implied is not answer.verdict

    async def take_back(self, answer_id: int, who: str) -> Answer:
        """Take an answer back."""
        return await self.with_study(self.desk.take_back, answer_id, who)

    async def edit(self, work: Callable[[Study], T]) -> T:
        """Run something that changes the study other than by a single answer."""

        def changing() -> T:
            try:
                return work(self.study)
            finally:
                self.desk.edited()

        return await self.with_study(changing)

    async def answers(self) -> list[Answer]:
        """The answers that stand."""
        return await self.with_study(lambda: self.study.answers)

    # -- what is known -----------------------------------------------------------------------

    async def grouping(self) -> tuple[Sequence[Answer], Grouping]:
        """The groups after all answers so far, and these answers."""
        answers = await self.answers()
        return answers, await self.thinker.grouping(answers)

    async def how_far(self) -> HowFar:
        """How the study stands; when several people answer, as of some seconds ago."""
        recent = time.monotonic() - self._looked < _FAR_EVERY
        if self._far is None or not (recent and self._several):
            self._looked = time.monotonic()
            self._far = self._start(self._look_how_far())
        return await asyncio.shield(self._far)

    async def _look_how_far(self) -> HowFar:
        answers, active = await self.with_study(lambda: (self.study.answers, self.desk.active()))
        self._several = len(active) > 1
        return await self.thinker.how_far(answers, hurry=self._several)

    async def why(self, answer_id: int) -> str:
        """Why the pair of an answer was worth asking, by what was known before it."""
        answers = await self.answers()
        before = list(takewhile(lambda answer: answer.id != answer_id, answers))
        if len(before) == len(answers):
            raise LookupError(f"there is no answer {answer_id}")
        return await self.thinker.why(before, answers[len(before)].pair)

    async def map(self) -> npt.NDArray[np.int64]:
        """Where each item lies on the map; computed once, beside everything else."""
        if self._map is None:
            seed = self.study.random_state
            self._map = self._start(asyncio.to_thread(layout, self.study.items, seed))
        return await asyncio.shield(self._map)

    def _start(self, work: Any) -> asyncio.Task[Any]:
        task: asyncio.Task[Any] = asyncio.ensure_future(work)
        self._background.add(task)
        task.add_done_callback(self._background.discard)
        task.add_done_callback(quietly)
        return task
