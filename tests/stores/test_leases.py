"""Leases: one holder per pair, no holder for ever."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from uuid import uuid4

import pytest

from likewise.errors import AnswerError
from likewise.journal.pairs import Pair, Question
from likewise.stores import JsonLinesStore, Lease, Leases, MemoryLeases, MemoryStore, SqlStore
from likewise.stores._sql_leases import SqlLeases
from likewise.stores.leases import SteadyClock, steady_time

PAIR = Pair(4, 2)


class Clock:
    """Time that passes when told to."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture(params=["memory", "sqlite", "postgres"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> MemoryStore | SqlStore:
    if request.param == "memory":
        return MemoryStore()
    if request.param == "sqlite":
        return SqlStore(tmp_path / "study.db")
    return SqlStore(request.getfixturevalue("postgres").url, study=uuid4().hex)


@pytest.fixture
def leases(store: MemoryStore | SqlStore, clock: Clock) -> Leases:
    if isinstance(store, MemoryStore):
        return MemoryLeases(clock=clock)
    return SqlLeases(store.database, store.study, clock=clock)


def test_nothing_is_held_at_first(leases: Leases) -> None:
    assert leases.held() == []
    assert not leases.extend(PAIR, "Ada", 60)
    leases.release(PAIR, "Ada")


def test_a_pair_has_one_holder_in_whatever_order_it_is_named(leases: Leases) -> None:
    assert leases.take(PAIR, "Ada", 60) == Lease(Pair(2, 4), "Ada", 1060.0)
    assert leases.take(Pair(2, 4), "Bob", 60) is None
    assert leases.take(Question(PAIR, 0.5), "Bob", 60) is None
    assert leases.take(Pair(2, 5), "Bob", 60) is not None
    assert leases.held() == [Lease(Pair(2, 4), "Ada", 1060.0), Lease(Pair(2, 5), "Bob", 1060.0)]


def test_who_has_a_pair_may_take_it_again(leases: Leases, clock: Clock) -> None:
    leases.take(PAIR, "Ada", 60)
    clock.now += 30
    assert leases.take(PAIR, "Ada", 60) == Lease(Pair(2, 4), "Ada", 1090.0)
    assert len(leases.held()) == 1


def test_a_lease_that_has_run_out_blocks_nobody(leases: Leases, clock: Clock) -> None:
    leases.take(PAIR, "Ada", 60)
    clock.now += 59.5
    assert leases.take(PAIR, "Bob", 60) is None
    clock.now += 0.5
    assert leases.held() == []
    assert not leases.extend(PAIR, "Ada", 60)
    assert leases.take(PAIR, "Bob", 60) is not None
    leases.release(PAIR, "Ada")
    assert [lease.who for lease in leases.held()] == ["Bob"]


def test_a_heartbeat_keeps_a_lease(leases: Leases, clock: Clock) -> None:
    leases.take(PAIR, "Ada", 60)
    for _ in range(5):
        clock.now += 50
        assert leases.extend(PAIR, "Ada", 60)
        assert not leases.extend(PAIR, "Bob", 60)
        assert leases.take(PAIR, "Bob", 60) is None
    clock.now += 60
    assert leases.take(PAIR, "Bob", 60) is not None


def test_only_the_holder_gives_a_pair_back(leases: Leases) -> None:
    leases.take(PAIR, "Ada", 60)
    leases.release(PAIR, "Bob")
    assert leases.take(PAIR, "Bob", 60) is None
    leases.release(Pair(2, 4), "Ada")
    assert leases.take(PAIR, "Bob", 60) is not None


@pytest.mark.parametrize("seconds", [0, -1, float("nan"), float("inf")])
def test_a_lease_lasts_for_a_while(leases: Leases, seconds: float) -> None:
    for use in (leases.take, leases.extend):
        with pytest.raises(AnswerError, match="longer than 0 seconds"):
            use(PAIR, "Ada", seconds)


def test_of_many_who_want_a_pair_at_once_one_gets_it(store: MemoryStore | SqlStore) -> None:
    def wins(who: int) -> list[bool]:
        return [store.leases.take(Pair(0, n), str(who), 60) is not None for n in range(1, 6)]

    with ThreadPoolExecutor(4) as pool:
        won = list(pool.map(wins, range(4)))
    assert [sum(each) for each in zip(*won, strict=True)] == [1] * 5
    assert len(store.leases.held()) == 5


def test_leases_of_two_studies_do_not_mix(tmp_path: Path) -> None:
    one, other = (SqlStore(tmp_path / "a.db", study=name) for name in ("one", "other"))
    assert one.leases.take(PAIR, "Ada", 60) is not None
    assert other.leases.held() == []
    assert other.leases.take(PAIR, "Bob", 60) is not None


def test_a_text_file_has_leases_within_the_program(tmp_path: Path) -> None:
    store = JsonLinesStore(tmp_path / "a.jsonl")
    assert store.leases.take(PAIR, "Ada", 60) is not None
    assert store.leases.take(PAIR, "Bob", 60) is None


def test_a_clock_that_is_set_back_prolongs_no_lease() -> None:
    wall, passed = Clock(), Clock()
    steady = SteadyClock(wall=wall, monotonic=passed)
    leases = MemoryLeases(clock=steady)
    assert leases.take(Pair(0, 1), "Ada", 60) is not None
    wall.now -= 3600
    passed.now += 61
    assert leases.held() == []
    assert leases.take(Pair(0, 1), "Bob", 60) is not None


def test_a_clock_that_is_set_forward_is_followed() -> None:
    wall, passed = Clock(), Clock()
    steady = SteadyClock(wall=wall, monotonic=passed)
    before = steady()
    wall.now += 3600
    assert steady() == before + 3600


def test_leases_in_a_file_go_by_a_clock_that_never_goes_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    leases = SqlStore(tmp_path / "a.db").leases
    taken = leases.take(PAIR, "Ada", 60)
    assert taken is not None
    monkeypatch.setattr(steady_time, "_wall", lambda: taken.until - 10_000)
    again = leases.take(PAIR, "Ada", 60)
    assert again is not None
    assert again.until >= taken.until
