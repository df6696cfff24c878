"""The contract of answerers, kept by a rule and by a language model."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from likewise.answerers import LanguageModel, Program
from likewise.answerers.chat_endpoint import KEY
from likewise.items import Items
from likewise.testing import AnswererContract, chat_server


class FirstLetter:
    """Texts are the same that begin alike."""

    name = "first letter"

    def about(self, items: Items, study: str = "") -> FirstLetter:
        self.letters = [str(text)[:1] for text in items.texts or ()]
        return self

    def __call__(self, i: int, j: int) -> bool:
        return self.letters[i] == self.letters[j]


class TestRule(AnswererContract):
    @pytest.fixture
    def build(self) -> Callable[[], Program]:
        return FirstLetter


class TestLanguageModel(AnswererContract):
    @pytest.fixture
    def build(
        self, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
    ) -> Iterator[Callable[[], Program]]:
        monkeypatch.delenv(KEY, raising=False)
        monkeypatch.setenv("LIKEWISE_CACHE", str(tmp_path))
        with chat_server(lambda one, other: "same" if one[:1] == other[:1] else "different") as up:
            yield lambda: LanguageModel(base_url=up.address, model="small", send=True)
