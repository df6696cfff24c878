"""Programs and servers that are killed, and programs that write side by side."""

from __future__ import annotations

import os
from collections.abc import Callable
from itertools import count, pairwise
from pathlib import Path
from uuid import uuid4

import psycopg
import pytest

import likewise as lw
from likewise.errors import AnswerError, StoreError
from likewise.journal import Event
from likewise.stores import JsonLinesStore, open_store
from likewise.testing.durability import answer_side_by_side, kill_while_answering
from likewise.testing.postgres import PostgresServer

pytestmark = pytest.mark.skipif(
    not hasattr(os, "fork"), reason="programs are forked and killed on Unix"
)
X = [[0.0], [0.1], [5.0], [5.1], [9.0], [9.1]]
KINDS = ["db", "jsonl", "postgres"]


@pytest.fixture(params=KINDS)
def fresh(request: pytest.FixtureRequest, tmp_path: Path) -> Callable[[], str]:
    """Gives names of new stores."""
    if request.param == "postgres":
        server: PostgresServer = request.getfixturevalue("postgres")
        return lambda: f"{server.url}&study={uuid4().hex}"
    numbers = count()
    return lambda: str(tmp_path / f"{next(numbers)}.{request.param}")


@pytest.mark.slow
def test_killing_the_program_loses_and_doubles_nothing(fresh: Callable[[], str], seed: int) -> None:
    toll = kill_while_answering(fresh, 20, seed=seed)
    assert toll.kills == 20
    assert toll.acknowledged > 20


@pytest.mark.slow
def test_killing_the_server_as_well_loses_and_doubles_nothing(
    postgres: PostgresServer, seed: int
) -> None:
    def kill_server(kills: int) -> None:
        if kills % 2:
            postgres.kill()
            postgres.start()

    toll = kill_while_answering(
        lambda: f"{postgres.url}&study={uuid4().hex}", 10, seed=seed, disturb=kill_server
    )
    assert toll.acknowledged > 5


@pytest.mark.slow
def test_a_server_that_keeps_slowly_loses_and_doubles_nothing(
    postgres: PostgresServer, seed: int
) -> None:
    """What a killed program had sent is kept after its death."""
    lw.Study(X, store=f"{postgres.url}&study={uuid4().hex}")  # makes the tables
    with psycopg.connect(postgres.url, autocommit=True) as connection:
        connection.execute(
            """
            CREATE FUNCTION likewise.dawdle() RETURNS trigger LANGUAGE plpgsql
            AS $$ BEGIN PERFORM pg_sleep(0.05); RETURN NULL; END $$;
            CREATE CONSTRAINT TRIGGER dawdle AFTER INSERT ON likewise.events
            DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION likewise.dawdle()
            """
        )
        toll = kill_while_answering(lambda: f"{postgres.url}&study={uuid4().hex}", 10, seed=seed)
        connection.execute("DROP FUNCTION likewise.dawdle CASCADE")
    assert toll.kept > toll.acknowledged


@pytest.mark.slow
def test_two_programs_answer_500_times_each_in_one_study(fresh: Callable[[], str]) -> None:
    answers = answer_side_by_side(fresh(), programs=2, answers=500)
    turns = sum(one.who != other.who for one, other in pairwise(answers))
    assert turns > 5  # or nothing was side by side


def test_a_loss_would_be_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    read = JsonLinesStore.read

    def all_but_the_last(store: JsonLinesStore, since: int = 0) -> list[Event]:
        events = read(store, since)
        return events[:-1] if len(events) > 1 else events

    monkeypatch.setattr(JsonLinesStore, "read", all_but_the_last)
    with pytest.raises(AssertionError, match="acknowledged answer was lost"):
        kill_while_answering(lambda: str(tmp_path / f"{uuid4().hex}.jsonl"), 5)


def test_two_studies_on_one_store_hear_of_each_other(fresh: Callable[[], str]) -> None:
    place = fresh()
    one, other = lw.Study(X, store=place), lw.Study(X, store=place)
    first = one.tell((0, 1), "same", who="Ada")
    second = other.tell((2, 3), "same", who="Bob")
    assert (first.id, second.id) == (0, 1)
    assert other.answers == [first, second]
    assert one.answers == [first]
    assert one.refresh() == 1
    assert one.refresh() == 0
    assert one.answers == other.answers
    assert one.ask() == other.ask() == lw.Study.open(place, X).ask()


def test_an_answer_taken_back_by_another_cannot_be_taken_back_again(
    fresh: Callable[[], str],
) -> None:
    place = fresh()
    one = lw.Study(X, store=place)
    one.tell((0, 1), "same")
    other = lw.Study(X, store=place)
    other.undo()
    with pytest.raises(AnswerError, match="no answer 0"):
        one.undo()
    assert lw.Study(X, store=place).answers == []
    assert one.tell((0, 1), "different").id == 1


def test_a_study_begun_twice_in_one_moment_is_begun_once(
    fresh: Callable[[], str], monkeypatch: pytest.MonkeyPatch
) -> None:
    place = fresh()
    store = open_store(place)
    read = store.read
    calls = count()

    def read_too_early(since: int = 0) -> list[object]:
        if next(calls) == 0:
            assert read() == []
            lw.Study(X, store=place)  # the other program
            return []
        return list(read(since))

    monkeypatch.setattr(store, "read", read_too_early)
    study = lw.Study(X, store=store)
    study.tell((0, 1), "same")
    assert lw.Study.open(place, X).answers == study.answers
    monkeypatch.undo()
    with pytest.raises(StoreError, match="random_state"):
        lw.Study(X, store=place, random_state=3)
