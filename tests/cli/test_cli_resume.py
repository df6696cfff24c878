"""A command that goes on with a study opens its journal once and reads it once."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from likewise.cli.app import app
from likewise.stores import JsonLinesStore, SqlStore
from pile_files import paint_photos


@pytest.fixture
def calls(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """How often stores were opened, and journals read from the start or from later on."""
    counted: Counter[str] = Counter()

    def counting(store: type, method: str) -> None:
        original = getattr(store, method)

        def call(*args: Any, **kwargs: Any) -> Any:
            counted["open" if method == "__init__" else "read"] += 1
            return original(*args, **kwargs)

        monkeypatch.setattr(store, method, call)

    for store in (SqlStore, JsonLinesStore):
        for method in ("__init__", "read"):
            counting(store, method)
    return counted


@pytest.fixture
def table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    path = Path("pots.csv")
    path.write_text("id,size\n" + "".join(f"p{k},{k % 3}{k}\n" for k in range(12)))
    return path


def run(*words: str, typed: str = "") -> str:
    result = CliRunner().invoke(app, list(words), input=typed)
    assert result.exit_code == 0, result.output
    return result.stdout


@pytest.mark.parametrize("begin", ["start", "answer"])
@pytest.mark.parametrize(
    "words",
    [
        ("status", "pots.csv"),
        ("labels", "pots.csv"),
        ("start", "pots.csv", "--terminal"),
        ("answer", "pots.csv"),
        ("report", "pots.csv"),
        ("answers", "pots.csv", "export", "answers.csv"),
        ("audit", "pots.csv", "--pairs", "4"),
    ],
    ids=lambda words: words[0],
)
def test_a_resumed_command_opens_and_reads_once(
    table: Path, calls: Counter[str], begin: str, words: tuple[str, ...]
) -> None:
    run(begin, "pots.csv", "--budget", "3", typed="same\ndifferent\nsame\n")
    calls.clear()
    run(*words, typed="stop\n")
    assert calls == {"open": 1, "read": 1}


def test_a_pile_that_lost_and_gained_items_is_opened_and_read_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, calls: Counter[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    photos = paint_photos(tmp_path / "photos", 6)
    run("start", "photos", "--budget", "3", typed="same\ndifferent\nsame\n")
    next(iter(sorted(photos.rglob("*.png")))).unlink()
    calls.clear()
    resumed = run("start", "photos", "--terminal", typed="stop\n")
    assert "1 picture is gone" in resumed
    assert calls == {"open": 1, "read": 1}


def test_a_new_study_is_opened_once(table: Path, calls: Counter[str]) -> None:
    run("start", "pots.csv", "--terminal", typed="stop\n")
    assert calls == {"open": 1, "read": 1}


def test_a_pile_without_a_study_opens_nothing(table: Path, calls: Counter[str]) -> None:
    result = CliRunner().invoke(app, ["status", "pots.csv"])
    assert result.exit_code == 2
    assert "nobody has answered anything" in result.output
    assert not calls
