from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from uuid import uuid4

import numpy as np
import pytest

from likewise.errors import Overtaken
from likewise.journal import Event
from likewise.stores import (
    ItemStore,
    JsonLinesStore,
    LeasingStore,
    MemoryItemStore,
    MemoryStore,
    SqlStore,
    Store,
    SubsetStore,
    leases_of,
)
from likewise.testing import ItemStoreContract, LeasingStoreContract, StoreContract
from likewise.testing.postgres import PostgresServer


class PlainStore:
    """Two methods and nothing more, as somebody else would write them."""

    def __init__(self, place: list[Event]) -> None:
        self.place = place
        self.known = 0

    def append(self, events: Sequence[Event]) -> None:
        if len(self.place) > self.known:
            raise Overtaken("read first")
        self.place.extend(events)
        self.known = len(self.place)

    def read(self, since: int = 0) -> list[Event]:
        self.known = len(self.place)
        return self.place[since:]


class TestPlainStore(StoreContract):
    @pytest.fixture
    def place(self) -> list[Event]:
        return []

    @pytest.fixture
    def store(self, place: list[Event]) -> Store:
        return PlainStore(place)

    @pytest.fixture
    def reopen(self, place: list[Event]) -> Callable[[], Store]:
        return lambda: PlainStore(place)


class TestMemoryStore(StoreContract, LeasingStoreContract):
    @pytest.fixture
    def store(self) -> Store:
        return MemoryStore()

    @pytest.fixture
    def reopen(self, store: Store) -> Callable[[], Store]:
        return lambda: store  # memory is no place to come back to


class TestMemoryItemStore(StoreContract, LeasingStoreContract, ItemStoreContract):
    @pytest.fixture
    def store(self) -> Store:
        return MemoryItemStore()

    @pytest.fixture
    def reopen(self, store: Store) -> Callable[[], Store]:
        return lambda: store


class TestJsonLinesStore(StoreContract, LeasingStoreContract):
    shares_leases = False

    @pytest.fixture
    def store(self, tmp_path: Path) -> Store:
        return JsonLinesStore(tmp_path / "study.jsonl")

    @pytest.fixture
    def reopen(self, tmp_path: Path) -> Callable[[], Store]:
        return lambda: JsonLinesStore(tmp_path / "study.jsonl")


class TestSqliteStore(StoreContract, LeasingStoreContract, ItemStoreContract):
    @pytest.fixture
    def store(self, tmp_path: Path) -> Store:
        return SqlStore(tmp_path / "study.db")

    @pytest.fixture
    def reopen(self, tmp_path: Path) -> Callable[[], Store]:
        return lambda: SqlStore(tmp_path / "study.db")


class TestPostgresStore(StoreContract, LeasingStoreContract, ItemStoreContract):
    @pytest.fixture
    def name(self) -> str:
        return uuid4().hex

    @pytest.fixture
    def store(self, postgres: PostgresServer, name: str) -> Store:
        return SqlStore(postgres.url, study=name)

    @pytest.fixture
    def reopen(self, postgres: PostgresServer, name: str) -> Callable[[], Store]:
        return lambda: SqlStore(postgres.url, study=name)


class TestSubsetStore(StoreContract, LeasingStoreContract):
    """A store that numbers the items anew, the same way for all who open it."""

    @pytest.fixture
    def whole(self, tmp_path: Path) -> Path:
        return tmp_path / "study.db"

    @pytest.fixture
    def store(self, whole: Path) -> Store:
        return SubsetStore(SqlStore(whole), np.array([1, 2, 4]))

    @pytest.fixture
    def reopen(self, whole: Path) -> Callable[[], Store]:
        return lambda: SubsetStore(SqlStore(whole), np.array([1, 2, 4]))


def test_a_plain_store_fits_no_more_than_it_has() -> None:
    store = PlainStore([])
    assert isinstance(store, Store)
    assert not isinstance(store, LeasingStore)
    assert not isinstance(store, ItemStore)
    assert leases_of(store).held() == []


def test_leases_are_those_of_the_store_where_it_has_any() -> None:
    store = MemoryStore()
    assert leases_of(store) is store.leases
    subset = SubsetStore(PlainStore([]), np.arange(2))
    assert leases_of(subset) is leases_of(subset)
