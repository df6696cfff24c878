from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from likewise.stores import JsonLinesStore, MemoryStore, Store
from likewise.testing import StoreContract


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
