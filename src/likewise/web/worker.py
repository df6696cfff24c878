"""The worker: everything slow, off the event loop, on a branch of the study."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext, suppress
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from likewise.items import Items
from likewise.journal.pairs import Answer, Pair, Question, Verdict
from likewise.quality import Advice, advise
from likewise.study import Study
from likewise.study.branch import Branch
from likewise.study.question_kinds import AnyQuestion
from likewise.web.foresight import Guess, ask_after_reply, ask_kind
from likewise.web.offers import Told
from likewise.web.worker_process import WorkerProcess, WorkerProcessDied, compute_in_one_thread

_MOST_PROCESSES = 4  # one that dies again and again is not started for ever
T = TypeVar("T")
AnswerIds = tuple[int, ...]


@dataclass(frozen=True)
class GroupSnapshot:
    """The group of every item after some answers, and how sure it is."""

    labels: npt.NDArray[np.int64]  # (n,)
    confidence: npt.NDArray[np.float64]  # (n,)


@dataclass(frozen=True)
class StudyProgress:
    """How far a study is after some answers."""

    answers: int
    disputes: int
    advice: Advice


class Worker:
    """Computes on a branch of the study that only one thread ever touches.

    What somebody waits for goes first: `ask_after` gives up as soon as anything else is wanted.
    After `start_process` the work is done in another process, as soon as that is ready and as long
    as it lives: the results are the same, but serving requests is not held up by it. When it has
    died or was stopped, the work goes on here, and the next `start_process` starts another.

    Attributes
    ----------
    activity
        What is being computed, in words, for a page that has to wait; "" when nothing is.
    """

    def __init__(self, study: Study) -> None:
        self._branch = Branch.of(study)
        self._thread = ThreadPoolExecutor(1, "likewise-worker", compute_in_one_thread)
        self._n_urgent = 0  # tasks that somebody waits for
        self._groups: tuple[AnswerIds, GroupSnapshot] | None = None
        self._started: WorkerProcess | None = None
        self._process: WorkerProcess | None = None  # the same, once it holds the branch
        self._n_processes = 0
        self.activity = ""
        self.choice_seconds = 0.0  # how long it took to choose a place or a sheet, the last time

    @property
    def items(self) -> Items:
        """What is computed on: the items, compared by the views that count."""
        return self._branch.items

    def close(self) -> None:
        """Finish what runs, drop what waits."""
        self._thread.shutdown(wait=False, cancel_futures=True)
        if self._started is not None:
            self._started.close()
        self._thread.shutdown()

    def finish(self) -> None:
        """Finish everything that was asked for, then end: another worker has taken over."""
        self._thread.shutdown()
        if self._started is not None:
            self._started.close()

    # -- what is computed --------------------------------------------------------------------

    async def ask(
        self, answers: Sequence[Answer], pending: Iterable[Pair], n: int
    ) -> list[Question]:
        """Return up to `n` questions after these answers, none of them `pending`."""
        activity = "choosing the next question"
        return await self.compute(activity, answers, _ask, n, frozenset(pending))

    async def ask_after(
        self, answers: Sequence[Answer], pending: Iterable[Pair], pair: Pair, verdict: Verdict
    ) -> list[Question] | None:
        """Return the question after one more answer; None when something more urgent came."""
        left_out = frozenset(pending)

        def work() -> list[Question] | None:
            return (
                None if self._n_urgent else self._run(answers, _ask_after, pair, verdict, left_out)
            )

        return await asyncio.wrap_future(self._thread.submit(work))

    async def prepare(self, answers: Sequence[Answer]) -> None:
        """Compute what later questions would wait for, unless somebody waits now."""

        def work() -> None:
            if not self._n_urgent:
                self._run(answers, Branch.prepare)

        await asyncio.wrap_future(self._thread.submit(work))

    async def ask_kind(
        self, answers: Sequence[Answer], pending: Iterable[Pair], kind: str
    ) -> AnyQuestion | None:
        """Return the question of a kind after these answers, None when nothing is left."""
        activity, began = "choosing the next question", time.monotonic()
        found = await self.compute(activity, answers, ask_kind, kind, frozenset(pending))
        self.choice_seconds = time.monotonic() - began
        return found

    async def ask_after_reply(
        self,
        answers: Sequence[Answer],
        pending: Iterable[Pair],
        kind: str,
        question: AnyQuestion,
        guess: Guess | None,
    ) -> tuple[Told | None, AnyQuestion | None] | None:
        """Return what a reply says and the question after it; None when something urgent came."""
        args = kind, question, guess, frozenset(pending)

        def work() -> tuple[Told | None, AnyQuestion | None] | None:
            if self._n_urgent:
                return None
            began = time.monotonic()
            found = self._run(answers, ask_after_reply, *args)
            if guess is not None:  # else nothing had to be learned before
                self.choice_seconds = time.monotonic() - began
            return found

        return await asyncio.wrap_future(self._thread.submit(work))

    async def groups(self, answers: Sequence[Answer]) -> GroupSnapshot:
        """Return the groups after these answers; the latest are cached."""
        ids = tuple(answer.id for answer in answers)
        if self._groups is None or self._groups[0] != ids:
            self._groups = ids, await self.compute("regrouping the items", answers, _groups)
        return self._groups[1]

    async def progress(self, answers: Sequence[Answer], *, roughly: bool) -> StudyProgress:
        """Return how far the study is after these answers; `roughly` takes less time."""
        # Nobody waits for it as for a question: what is being foreseen goes on.
        work = "looking how far it is", answers, _progress, roughly
        return await self.compute(*work, urgent=False)

    async def explain(self, answers: Sequence[Answer], pair: Pair) -> str:
        """Return why a pair was worth asking after these answers."""
        return await self.compute("remembering why", answers, Branch.explain, pair)

    async def compute(
        self,
        activity: str,
        answers: Sequence[Answer],
        work: Callable[..., T],
        *args: Any,
        urgent: bool = True,
    ) -> T:
        """Return what `work` finds in a branch that holds these answers.

        Parameters
        ----------
        activity
            What to call it while it runs.
        answers
            The answers that stand.
        work
            Called with the branch and `args`. It may run in another process: a function of a
            module, not one made on the way.
        urgent
            Whether what is only foreseen gives way to it.
        """
        self._n_urgent += urgent

        def run() -> T:
            self.activity = activity
            try:
                return self._run(answers, work, *args)
            finally:
                self.activity = ""

        try:
            return await asyncio.wrap_future(self._thread.submit(run))
        finally:
            self._n_urgent -= urgent

    # -- where it is computed ----------------------------------------------------------------

    def start_process(self) -> None:
        """Compute in another process, as soon as there is one; while it lives, do nothing more."""
        if self._started is None and self._n_processes < _MOST_PROCESSES:
            self._n_processes += 1
            self._started = WorkerProcess()
            threading.Thread(target=self._await_process, args=[self._started], daemon=True).start()

    def _await_process(self, process: WorkerProcess) -> None:
        """Hand the branch over once the process has loaded its modules."""
        # If there can be no such process, or the server stops, everything is done here as before.
        with suppress(WorkerProcessDied, RuntimeError):
            process.wait_until_ready()
            self._thread.submit(self._hand_over, process)

    def _hand_over(self, process: WorkerProcess) -> None:
        """Send the branch; from now on the process computes."""
        process.load(self._branch)
        self._process = process

    def _run(self, answers: Sequence[Answer], work: Callable[..., T], *args: Any) -> T:
        """Return what `work` finds after these answers; called in the worker's thread."""
        if self._process is not None:
            try:
                return self._process.run(answers, work, *args)
            except WorkerProcessDied:
                self._process.close()
                self._process = self._started = None
        self._branch.follow(answers)
        return work(self._branch, *args)


def _ask(branch: Branch, n: int, pending: frozenset[Pair]) -> list[Question]:
    """Return up to `n` questions, selected roughly if there are several."""
    # One question is for somebody alone, who gets exactly what the study would ask.
    with nullcontext() if n == 1 else branch.warm_started():
        return branch.ask(n, pending=pending)


def _ask_after(
    branch: Branch, pair: Pair, verdict: Verdict, pending: frozenset[Pair]
) -> list[Question]:
    """Return the question that would follow this answer."""
    with branch.assuming(pair, verdict):
        return branch.ask(1, pending=pending)


def _progress(branch: Branch, roughly: bool) -> StudyProgress:
    """Return how far the branch is."""
    with branch.warm_started() if roughly else nullcontext():
        return StudyProgress(branch.n_answers, branch.n_disputes, advise(branch))


def _groups(branch: Branch) -> GroupSnapshot:
    """Return the groups of the branch."""
    return GroupSnapshot(branch.labels_, branch.confidence_)
