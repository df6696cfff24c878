"""Everything slow, off the event loop: questions, groups, what would be asked next."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext, suppress
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from likewise.journal.pairs import Answer, Pair, Question, Verdict
from likewise.quality import Advice, advise
from likewise.study import Study
from likewise.study.branch import Branch
from likewise.web.apart import Apart, Gone

T = TypeVar("T")
Ids = tuple[int, ...]


@dataclass(frozen=True)
class Grouping:
    """The group of every item after some answers, and how sure it is."""

    labels: npt.NDArray[np.int64]  # (n,)
    confidence: npt.NDArray[np.float64]  # (n,)


@dataclass(frozen=True)
class HowFar:
    """How a study stands after some answers."""

    answers: int
    disputes: int
    advice: Advice


class Thinker:
    """A branch of the study that only one thread ever touches.

    What somebody waits for goes first: `foresee` gives up as soon as anything else is wanted.
    After `move_out` the thinking is done in a process of its own, as soon as that is ready and as
    long as it lives: what is found is the same, but the serving is not held up by it.
    """

    def __init__(self, study: Study) -> None:
        self._branch = Branch.of(study)
        self._worker = ThreadPoolExecutor(1, "likewise-thinking")
        self._wanted = 0  # tasks that somebody waits for
        self._grouping: tuple[Ids, Grouping] | None = None
        self._apart: Apart | None = None  # once it has begun
        self._started: Apart | None = None
        self.doing = ""  # in words, for a page that has to wait

    def close(self) -> None:
        """Finish what runs, drop what waits."""
        self._worker.shutdown(wait=False, cancel_futures=True)
        if self._started is not None:
            self._started.close()
        self._worker.shutdown()

    # -- what is thought about ---------------------------------------------------------------

    async def ask(
        self, answers: Sequence[Answer], pending: Iterable[Pair], n: int
    ) -> list[Question]:
        """Up to `n` questions after these answers."""
        what = "choosing the next question"
        return await self._urgently(what, answers, _ask, n, frozenset(pending))

    async def foresee(
        self, answers: Sequence[Answer], pending: Iterable[Pair], pair: Pair, verdict: Verdict
    ) -> list[Question] | None:
        """The question after one more answer; None when something more urgent came."""
        held = frozenset(pending)

        def work() -> list[Question] | None:
            return None if self._wanted else self._do(answers, _foresee, pair, verdict, held)

        return await asyncio.wrap_future(self._worker.submit(work))

    async def grouping(self, answers: Sequence[Answer]) -> Grouping:
        """The groups after these answers; the latest are kept."""
        ids = tuple(answer.id for answer in answers)
        if self._grouping is None or self._grouping[0] != ids:
            found = await self._urgently("regrouping the items", answers, _grouping)
            self._grouping = ids, found
        return self._grouping[1]

    async def how_far(self, answers: Sequence[Answer], *, hurry: bool) -> HowFar:
        """How far it is after these answers; in a hurry, roughly."""
        return await self._urgently("looking how far it is", answers, _how_far, hurry)

    async def why(self, answers: Sequence[Answer], pair: Pair) -> str:
        """Why a pair was worth asking after these answers."""
        return await self._urgently("remembering why", answers, _why, pair)

    async def places(self, answers: Sequence[Answer], item: int, n: int) -> list[tuple[int, int]]:
        """The groups the item likely belongs to: one item of each, and the member most like it."""
        what = "looking for likely groups"
        return await self._urgently(what, answers, Branch.likely_groups, item, n)

    async def look(
        self, answers: Sequence[Answer], what: str, work: Callable[..., T], *args: Any
    ) -> T:
        """Anything else that is computed from a study and takes a while.

        `work` is given the study first. It must be a function of a module, not made on the way.
        """
        return await self._urgently(what, answers, work, *args)

    async def _urgently(
        self, what: str, answers: Sequence[Answer], work: Callable[..., T], *args: Any
    ) -> T:
        self._wanted += 1

        def told() -> T:
            self.doing = what
            try:
                return self._do(answers, work, *args)
            finally:
                self.doing = ""

        try:
            return await asyncio.wrap_future(self._worker.submit(told))
        finally:
            self._wanted -= 1

    # -- where it is thought -----------------------------------------------------------------

    def move_out(self) -> None:
        """Think in a process of its own, as soon as there is one."""
        if self._started is None:
            self._started = Apart()
            threading.Thread(target=self._move, args=[self._started], daemon=True).start()

    def _move(self, apart: Apart) -> None:
        # If there can be no such process, or the server stops, everything is done here as before.
        with suppress(Gone, RuntimeError):
            apart.wait()
            self._worker.submit(self._hand_over, apart)

    def _hand_over(self, apart: Apart) -> None:
        apart.begin(self._branch)
        self._apart = apart

    def _do(self, answers: Sequence[Answer], work: Callable[..., T], *args: Any) -> T:
        """What `work` finds in a branch with these answers; in the worker's thread."""
        if self._apart is not None:
            try:
                return self._apart.do(answers, work, *args)
            except Gone:
                self._apart = None
        self._branch.follow(answers)
        return work(self._branch, *args)


def _ask(branch: Branch, n: int, pending: frozenset[Pair]) -> list[Question]:
    # One question is for somebody alone, who gets exactly what the study would ask.
    with nullcontext() if n == 1 else branch.hurrying():
        return branch.ask(n, pending=pending)


def _foresee(
    branch: Branch, pair: Pair, verdict: Verdict, pending: frozenset[Pair]
) -> list[Question]:
    with branch.supposing(pair, verdict):
        return branch.ask(1, pending=pending)


def _how_far(branch: Branch, hurry: bool) -> HowFar:
    with branch.hurrying() if hurry else nullcontext():
        return HowFar(branch.n_answers, len(branch.disputes()), advise(branch))


def _why(branch: Branch, pair: Pair) -> str:
    return branch.explain(pair)


def _grouping(branch: Branch) -> Grouping:
    return Grouping(branch.labels_, branch.confidence_)


def quietly(task: asyncio.Task[Any]) -> None:
    """Let a task that nobody waits for end without complaint when the server stops."""
    if not task.cancelled():
        task.exception()
