"""Programs that answer questions and die while they do, to see what a store still holds."""

from __future__ import annotations

import multiprocessing
import random
import signal
import time
from collections.abc import Callable
from dataclasses import dataclass
from multiprocessing.connection import Connection
from typing import Any
from uuid import uuid4

from sqlalchemy import text

from likewise.journal import Answered, Event, Retracted
from likewise.journal.pairs import Answer
from likewise.stores import open_store
from likewise.stores.sql import SqlStore
from likewise.study import Study

# Programs are started as forks of one that has imported everything and done nothing yet.
_programs = multiprocessing.get_context("forkserver")
_programs.set_forkserver_preload(
    ["likewise.testing.durability", "likewise.stores.sql", "likewise.stores.migrations", "psycopg"]
)

_PATIENCE = 60.0  # seconds until a server has noticed that a program is dead
_X = [[float(10 * (n % 4) + n // 4 * 0.1)] for n in range(40)]
_TRUTH = [n % 4 for n in range(40)]


@dataclass(slots=True)
class Toll:
    """What became of answers: told to the answerer as kept, and found in the store."""

    kills: int = 0
    acknowledged: int = 0
    kept: int = 0  # more than acknowledged, when death came between keeping and telling


def kill_while_answering(
    fresh: Callable[[], str],
    times: int,
    *,
    seed: int = 0,
    disturb: Callable[[int], None] = lambda kills: None,
) -> Toll:
    """Kill a program `times` times at random moments, and look after each what its store holds.

    `fresh` gives the name of a new store, whenever the study in the last one was complete;
    `disturb` is called while the program answers, to kill a server, say. An AssertionError says
    what was lost, doubled or changed.
    """
    rng = random.Random(seed)
    toll = Toll()
    while toll.kills < times:
        store = fresh()
        witness = Study(_X, method="random")  # hears of the same answers, and never dies
        complete = False
        while toll.kills < times and not complete:
            told, complete = _one_life(store, rng, toll, disturb)
            _check(store, witness, told, toll)
    return toll


def _one_life(
    store: str, rng: random.Random, toll: Toll, disturb: Callable[[int], None]
) -> tuple[list[Answer], bool]:
    """Run one program until it dies: the answers it was told are kept, and whether it was done."""
    mine, its = _programs.Pipe(duplex=False)
    name = uuid4().hex  # by which a server knows it
    on_server = "://" in store
    place = f"{store}&application_name={name}" if on_server else store
    program = _programs.Process(target=_answer, args=(place, its))
    program.start()
    its.close()
    told: list[Answer] = []
    try:
        if rng.random() < 0.8:  # else it dies while it opens the store
            # Answers are waited for, not time: a busy machine kills no earlier.
            for _ in range(rng.randint(1, 4)):
                told.append(mine.recv())
            disturb(toll.kills)
        time.sleep(rng.uniform(0, 0.1))
        program.kill()
        while True:
            told.append(mine.recv())
    except EOFError:
        pass
    finally:
        program.join()
        mine.close()
    killed = program.exitcode == -signal.SIGKILL
    assert killed or program.exitcode == 0, f"it ended with {program.exitcode}"
    if on_server:
        _wait_until_forgotten(store, name)
    toll.kills += killed
    return told, not killed


def _wait_until_forgotten(store: str, name: str) -> None:
    """Wait until the server has done all that the dead program had asked of it."""
    sessions = text("SELECT count(*) FROM pg_stat_activity WHERE application_name = :name")
    database = SqlStore(store).database
    deadline = time.monotonic() + _PATIENCE
    while database.read(lambda connection: connection.scalar(sessions, {"name": name})):
        assert time.monotonic() < deadline, "the server does not let go of a dead program"
        time.sleep(0.001)
    database.close()


def _answer(store: str, acknowledged: Connection) -> None:
    study = Study(_X, method="random", store=store)
    while (question := study.ask()) is not None:
        i, j = question.pair
        acknowledged.send(study.tell(question, _TRUTH[i] == _TRUTH[j], who="Ada", seconds=1.5))


def _check(store: str, witness: Study, told: list[Answer], toll: Toll) -> None:
    kept = [event.answer for event in open_store(store).read() if isinstance(event, Answered)]
    assert [answer.id for answer in kept] == list(range(len(kept))), "lost, doubled or mixed up"
    new = kept[witness.n_answers :]
    assert new[: len(told)] == told, "an acknowledged answer was lost or changed"
    assert len(new) <= len(told) + 1, "more was kept than was answered"
    for answer in new:
        witness.tell(answer.pair, answer.verdict)
    reopened = Study(_X, method="random", store=store)
    assert reopened.ask() == witness.ask(), "the next question is another one"
    toll.acknowledged += len(told)
    toll.kept += len(new)


def answer_side_by_side(store: str, *, programs: int = 2, answers: int = 500) -> list[Answer]:
    """Let several programs answer in one study at once; return all answers, as the store has them.

    An AssertionError says what was lost, doubled, mixed up or refused.
    """
    Study(_X, method="random", store=store)
    names = [f"program {number}" for number in range(programs)]
    running = [
        _programs.Process(target=_answer_many, args=(store, name, answers)) for name in names
    ]
    for program in running:
        program.start()
    for program in running:
        program.join()
    assert [program.exitcode for program in running] == [0] * programs, "a program failed"
    events: list[Event] = open_store(store).read()
    assert not any(isinstance(event, Retracted) for event in events)
    kept = [event.answer for event in events if isinstance(event, Answered)]
    assert [answer.id for answer in kept] == list(range(programs * answers))
    for name in names:
        order = [answer.seconds for answer in kept if answer.who == name]
        assert order == [float(n) for n in range(answers)], f"{name}: lost, doubled or mixed up"
    return kept


def _answer_many(store: str, who: str, answers: int) -> None:
    study: Any = Study(_X, method="random", store=store)
    for n in range(answers):
        study.tell((n % 39, 39), "unsure", who=who, seconds=n)
        time.sleep(0.001 * (n % 4))  # else whoever has the turn keeps it
