"""Computing in another process: the same is found, and nobody notices when it ends."""

from __future__ import annotations

import asyncio
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from likewise.errors import LikewiseError
from likewise.journal.pairs import Pair, Verdict
from likewise.study import Study
from likewise.study.branch import Branch
from likewise.web.worker import Worker
from likewise.web.worker_process import WorkerProcess, WorkerProcessDied
from web.conftest import pile


@pytest.fixture
def process() -> Iterator[WorkerProcess]:
    found = WorkerProcess()
    found.wait_until_ready()
    yield found
    found.close()


def ask(branch: Branch, n: int) -> object:
    return branch.ask(n)


def fail(branch: Branch) -> None:
    branch.require_pair(0, 0)


def chat(branch: Branch) -> str:
    print("whatever a library prints")  # noqa: T201
    return "heard"


def test_it_asks_and_groups_as_the_study_does_whatever_is_answered_or_taken_back(
    process: WorkerProcess,
) -> None:
    study = Study(pile()[0])
    process.load(Branch.of(study))
    for verdict in ("different", "same", None, "different", None, None, "unsure", "same"):
        if verdict is None:
            study.undo()
        else:
            question = study.ask()
            assert question is not None
            study.tell(question, verdict)
        assert process.run(study.answers, Branch.ask) == study.ask()
    labels, confidence = process.run(study.answers, _labels)
    assert labels == study.labels_.tolist()
    assert confidence == study.confidence_.tolist()


def _labels(branch: Branch) -> tuple[list[int], list[float]]:
    return branch.labels_.tolist(), branch.confidence_.tolist()


def test_an_error_comes_back_as_it_was_and_what_is_printed_disturbs_nobody(
    process: WorkerProcess,
) -> None:
    study = Study(pile()[0])
    process.load(Branch.of(study))
    with pytest.raises(LikewiseError, match="two different items"):
        process.run([], fail)
    assert process.run([], chat) == "heard"


def test_a_process_that_ended_is_gone(process: WorkerProcess) -> None:
    process.load(Branch.of(Study(pile()[0])))
    process._process.kill()
    with pytest.raises(WorkerProcessDied):
        process.run([], ask, 3)


def test_a_branch_that_cannot_be_carried_over_stays_here(process: WorkerProcess) -> None:
    branch = Branch.of(Study(pile()[0]))
    branch._fits.fitted = ({(): lambda: None}, {}, {})  # type: ignore[dict-item]
    with pytest.raises(WorkerProcessDied):
        process.load(branch)


def test_the_worker_computes_in_the_process_and_comes_back_when_that_dies() -> None:
    study = Study(pile()[0])
    worker = Worker(study)
    expected = study.ask()

    async def compute() -> None:
        worker.start_process()
        worker.start_process()
        until = time.monotonic() + 120
        while worker._process is None and time.monotonic() < until:
            assert await worker.ask([], [], 1) == [expected]
            await asyncio.sleep(0.05)
        assert worker._process is not None
        assert await worker.ask([], [], 1) == [expected]
        there = await worker.ask_after([], [], Pair(0, 1), Verdict.SAME)
        groups = await worker.groups([])
        worker._process._process.kill()
        assert await worker.ask([], [], 1) == [expected]
        assert worker._process is None
        assert await worker.ask_after([], [], Pair(0, 1), Verdict.SAME) == there
        assert groups.labels.tolist() == study.labels_.tolist()

    asyncio.run(asyncio.wait_for(compute(), 180))
    worker.close()


def test_a_worker_that_is_closed_while_its_process_starts_leaves_nothing_behind() -> None:
    worker = Worker(Study(pile()[0]))
    worker.start_process()
    assert worker._started is not None
    worker.close()
    assert worker._started._process.poll() is not None


def test_the_process_ends_with_its_parent() -> None:
    script = (
        "import os; from likewise.web.worker_process import WorkerProcess; "
        "process = WorkerProcess(); process.wait_until_ready(); "
        "print(process._process.pid, flush=True); os.kill(os.getpid(), 9)"
    )
    parent = subprocess.run([sys.executable, "-c", script], capture_output=True, check=False)
    pid, until = int(parent.stdout), time.monotonic() + 30
    while _lives(pid):
        assert time.monotonic() < until, "the process outlived its parent"
        time.sleep(0.05)


def _lives(pid: int) -> bool:
    """Whether a process is there and more than a name that nobody has asked for yet."""
    found = subprocess.run(["ps", "-o", "stat=", "-p", str(pid)], capture_output=True, check=False)
    return found.stdout.strip()[:1] not in (b"", b"Z")


def wait_for(branch: Branch, heard: Path) -> str:
    until = time.monotonic() + 60
    while not heard.exists() and time.monotonic() < until:
        time.sleep(0.02)
    return "done"


def test_a_stopped_process_is_killed_and_the_work_goes_on_in_another() -> None:
    study = Study(pile()[0])
    worker = Worker(study)
    expected = study.ask()

    async def until_handed_over() -> WorkerProcess:
        worker.start_process()
        until = time.monotonic() + 120
        while worker._process is None and time.monotonic() < until:
            await asyncio.sleep(0.05)
        assert worker._process is not None
        return worker._process

    async def compute() -> None:
        first = await until_handed_over()
        first._silent_seconds = 0.5
        first._process.send_signal(signal.SIGSTOP)
        assert await worker.ask([], [], 1) == [expected]
        assert first._process.poll() is not None
        second = await until_handed_over()
        assert second is not first
        assert await worker.ask([], [], 1) == [expected]

    asyncio.run(asyncio.wait_for(compute(), 240))
    worker.close()


def test_a_process_that_computes_for_long_gives_signs_of_life(
    process: WorkerProcess, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    process.load(Branch.of(Study(pile()[0])))
    heard, read, messages = tmp_path / "heard", process._read, []

    def noting() -> object:
        messages.append(read())
        heard.touch()
        return messages[-1]

    monkeypatch.setattr(process, "_read", noting)
    assert process.run([], wait_for, heard) == "done"
    assert len(messages) > 1  # signs of life, then the reply
    assert process.run([], chat) == "heard"


def test_a_process_that_dies_again_and_again_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    worker, begun = Worker(Study(pile()[0])), []
    monkeypatch.setattr("likewise.web.worker.WorkerProcess", lambda: begun.append(1))
    monkeypatch.setattr(worker, "_await_process", lambda process: None)
    for _ in range(50):
        worker.start_process()
        worker._started = None  # as after its death
    assert 1 < len(begun) < 10
    worker.close()
