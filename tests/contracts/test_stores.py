from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from uuid import uuid4

import pytest

from likewise.stores import JsonLinesStore, MemoryStore, SqlStore, Store
from likewise.testing import StoreContract
from likewise.testing.postgres import PostgresServer


class TestMemoryStore(StoreContract):
    @pytest.fixture
    def store(self) -> Store:
        return MemoryStore()

    @pytest.fixture
    def reopen(self, store: Store) -> Callable[[], Store]:
        return lambda: store  # memory is no place to come back to


class TestJsonLinesStore(StoreContract):
    @pytest.fixture
    def store(self, tmp_path: Path) -> Store:
        return JsonLinesStore(tmp_path / "study.jsonl")

    @pytest.fixture
    def reopen(self, tmp_path: Path) -> Callable[[], Store]:
        return lambda: JsonLinesStore(tmp_path / "study.jsonl")


class TestSqliteStore(StoreContract):
    @pytest.fixture
    def store(self, tmp_path: Path) -> Store:
        return SqlStore(tmp_path / "study.db")

    @pytest.fixture
    def reopen(self, tmp_path: Path) -> Callable[[], Store]:
        return lambda: SqlStore(tmp_path / "study.db")


class TestPostgresStore(StoreContract):
    @pytest.fixture
    def name(self) -> str:
        return uuid4().hex

    @pytest.fixture
    def store(self, postgres: PostgresServer, name: str) -> Store:
        return SqlStore(postgres.url, study=name)

    @pytest.fixture
    def reopen(self, postgres: PostgresServer, name: str) -> Callable[[], Store]:
        return lambda: SqlStore(postgres.url, study=name)
