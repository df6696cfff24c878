"""Everything slow, in a thread of its own: questions, groups, what would be asked next."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from likewise.branch import Branch
from likewise.pairs import Answer, Pair, Question, Verdict
from likewise.study import Study

T = TypeVar("T")
Ids = tuple[int, ...]


@dataclass(frozen=True)
class Grouping:
    """The group of every item after some answers, and how sure it is."""

    labels: npt.NDArray[np.int64]  # (n,)
    confidence: npt.NDArray[np.float64]  # (n,)


class Thinker:
    """A branch of the study that only one thread ever touches.

    What somebody waits for goes first: `foresee` gives up as soon as anything else is wanted.
    """

    def __init__(self, study: Study) -> None:
        self._branch = Branch.of(study)
        self._worker = ThreadPoolExecutor(1, "likewise-thinking")
        self._wanted = 0  # tasks that somebody waits for
        self._grouping: tuple[Ids, Grouping] | None = None
        self.doing = ""  # in words, for a page that has to wait

    def close(self) -> None:
        """Finish what runs, drop what waits."""
        self._worker.shutdown(cancel_futures=True)

    async def ask(
        self, answers: Sequence[Answer], pending: Iterable[Pair], n: int
    ) -> list[Question]:
        """Up to `n` questions after these answers."""
        held = frozenset(pending)

        def work() -> list[Question]:
            self._branch.follow(answers)
            return self._branch.ask(n, pending=held)

        return await self._urgently("choosing the next question", work)

    async def foresee(
        self, answers: Sequence[Answer], pending: Iterable[Pair], pair: Pair, verdict: Verdict
    ) -> list[Question] | None:
        """The question after one more answer; None when something more urgent came."""
        held = frozenset(pending)

        def work() -> list[Question] | None:
            if self._wanted:
                return None
            self._branch.follow(answers)
            with self._branch.supposing(pair, verdict):
                return self._branch.ask(1, pending=held)

        return await asyncio.wrap_future(self._worker.submit(work))

    async def grouping(self, answers: Sequence[Answer]) -> Grouping:
        """The groups after these answers; the latest are kept."""
        ids = tuple(answer.id for answer in answers)
        if self._grouping is not None and self._grouping[0] == ids:
            return self._grouping[1]

        def work() -> Grouping:
            if self._grouping is None or self._grouping[0] != ids:
                self._branch.follow(answers)
                self._grouping = ids, Grouping(self._branch.labels_, self._branch.confidence_)
            return self._grouping[1]

        return await self._urgently("regrouping the items", work)

    async def places(self, answers: Sequence[Answer], item: int, n: int) -> list[tuple[int, int]]:
        """The groups the item likely belongs to: one item of each, and the member most like it."""

        def work() -> list[tuple[int, int]]:
            self._branch.follow(answers)
            return self._branch.likely_groups(item, n)

        return await self._urgently("looking for likely groups", work)

    async def look(self, answers: Sequence[Answer], work: Callable[[Study], T], what: str) -> T:
        """Anything else that is computed from a study and takes a while."""

        def on_branch() -> T:
            self._branch.follow(answers)
            return work(self._branch)

        return await self._urgently(what, on_branch)

    async def _urgently(self, what: str, work: Callable[[], T]) -> T:
        self._wanted += 1

        def told() -> T:
            self.doing = what
            try:
                return work()
            finally:
                self.doing = ""

        try:
            return await asyncio.wrap_future(self._worker.submit(told))
        finally:
            self._wanted -= 1


def quietly(task: asyncio.Task[Any]) -> None:
    """Let a task that nobody waits for end without complaint when the server stops."""
    if not task.cancelled():
        task.exception()
