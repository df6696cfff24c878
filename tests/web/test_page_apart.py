"""Thinking in a process of its own: the same is found, and nobody notices when it ends."""

from __future__ import annotations

import asyncio
import subprocess
import sys
import time
from collections.abc import Iterator

import pytest

from likewise.errors import LikewiseError
from likewise.journal.pairs import Pair, Verdict
from likewise.study import Study
from likewise.study.branch import Branch
from likewise.web.apart import Apart, Gone
from likewise.web.thinking import Thinker
from web.conftest import pile


@pytest.fixture
def apart() -> Iterator[Apart]:
    process = Apart()
    process.wait()
    yield process
    process.close()


def ask(branch: Branch, n: int) -> object:
    return branch.ask(n)


def fail(branch: Branch) -> None:
    branch.require_pair(0, 0)


def chat(branch: Branch) -> str:
    print("whatever a library prints")  # noqa: T201
    return "heard"


def test_it_asks_and_groups_as_the_study_does_whatever_is_answered_or_taken_back(
    apart: Apart,
) -> None:
    study = Study(pile()[0])
    apart.begin(Branch.of(study))
    for verdict in ("different", "same", None, "different", None, None, "unsure", "same"):
        if verdict is None:
            study.undo()
        else:
            question = study.ask()
            assert question is not None
            study.tell(question, verdict)
        assert apart.do(study.answers, Branch.ask) == study.ask()
    labels, confidence = apart.do(study.answers, _labels)
    assert labels == study.labels_.tolist()
    assert confidence == study.confidence_.tolist()


def _labels(branch: Branch) -> tuple[list[int], list[float]]:
    return branch.labels_.tolist(), branch.confidence_.tolist()


def test_an_error_comes_back_as_it_was_and_what_is_printed_disturbs_nobody(apart: Apart) -> None:
    study = Study(pile()[0])
    apart.begin(Branch.of(study))
    with pytest.raises(LikewiseError, match="two different items"):
        apart.do([], fail)
    assert apart.do([], chat) == "heard"


def test_a_process_that_ended_is_gone(apart: Apart) -> None:
    apart.begin(Branch.of(Study(pile()[0])))
    apart._process.kill()
    with pytest.raises(Gone):
        apart.do([], ask, 3)


def test_a_branch_that_cannot_be_carried_over_stays_here(apart: Apart) -> None:
    branch = Branch.of(Study(pile()[0]))
    branch._fits.fitted = ({(): lambda: None}, {})  # type: ignore[dict-item]
    with pytest.raises(Gone):
        apart.begin(branch)


def test_the_thinker_moves_out_and_comes_back_when_the_process_dies() -> None:
    study = Study(pile()[0])
    thinker = Thinker(study)
    expected = study.ask()

    async def think() -> None:
        thinker.move_out()
        thinker.move_out()
        until = time.monotonic() + 120
        while thinker._apart is None and time.monotonic() < until:
            assert await thinker.ask([], [], 1) == [expected]
            await asyncio.sleep(0.05)
        assert thinker._apart is not None
        assert await thinker.ask([], [], 1) == [expected]
        there = await thinker.foresee([], [], Pair(0, 1), Verdict.SAME)
        grouping = await thinker.grouping([])
        thinker._apart._process.kill()
        assert await thinker.ask([], [], 1) == [expected]
        assert thinker._apart is None
        assert await thinker.foresee([], [], Pair(0, 1), Verdict.SAME) == there
        assert grouping.labels.tolist() == study.labels_.tolist()

    asyncio.run(asyncio.wait_for(think(), 180))
    thinker.close()


def test_a_thinker_that_is_closed_while_it_moves_leaves_nothing_behind() -> None:
    thinker = Thinker(Study(pile()[0]))
    thinker.move_out()
    assert thinker._started is not None
    thinker.close()
    assert thinker._started._process.poll() is not None


def test_the_process_ends_with_its_parent() -> None:
    script = (
        "import os, sys, signal; from likewise.web.apart import Apart; apart = Apart(); "
        "apart.wait(); print(apart._process.pid, flush=True); os.kill(os.getpid(), 9)"
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
