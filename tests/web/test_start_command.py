"""`likewise` alone, and `likewise start`: what is said before anything is read."""

from __future__ import annotations

import os
import socket
from pathlib import Path

import pytest
from typer.testing import CliRunner

from likewise.cli.app import app
from likewise.cli.pile_source import PileSource
from web.conftest import TABLE, running, visiting


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a table."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("LIKEWISE_HOME", str(tmp_path / "own"))
    (tmp_path / "things.csv").write_text(TABLE)
    return tmp_path


def test_without_a_terminal_the_commands_are_listed() -> None:
    told = CliRunner().invoke(app, [])
    assert told.exit_code == 0
    assert "Usage" in told.output
    assert "start" in told.output


def test_a_busy_port_is_told_before_anything_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(PileSource, "read", lambda *_: pytest.fail("it was read"))
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        for words in (["start", "things.csv", "--no-browser"], ["--no-browser"]):
            told = CliRunner().invoke(app, [*words, "--port", port])
            assert told.exit_code == 2
            assert "choose another --port" in told.stderr


def test_a_folder_that_cannot_be_written_is_told_with_another_place(
    here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(PileSource, "read", lambda *_: pytest.fail("it was read"))
    allowed = os.access

    def access(path: str | Path, mode: int) -> bool:  # as for others than root
        return Path(path) != here and allowed(path, mode)

    monkeypatch.setattr("likewise.cli.own_place.os.access", access)
    for words in (["--no-browser"], ["--terminal"], ["--budget", "3"]):
        told = CliRunner().invoke(app, ["start", str(here / "things.csv"), *words])
        assert told.exit_code == 2
        said = " ".join(told.stderr.split())
        assert "cannot be kept there; say where else with --store" in said
        assert str(here / "own" / "studies") in "".join(told.stderr.split())
    assert sorted(path.name for path in here.iterdir()) == ["things.csv"]


def test_a_study_is_kept_where_store_says(here: Path) -> None:
    (here / "kept").mkdir()
    words = ["things.csv", "--store", "kept/mine.likewise.db"]
    begun = CliRunner().invoke(
        app, ["start", *words, "--terminal", "--budget", "2"], input="s\nd\n"
    )
    assert begun.exit_code == 0, begun.output
    assert [path.name for path in (here / "kept").glob("*.db")] == ["mine.likewise.db"]
    assert not list(here.glob("*.likewise.db"))
    status = CliRunner().invoke(app, ["status", *words, "--json"])
    assert '"answers": 2' in status.output
    for store, said in (("kept/x.txt", "ends in .db or .jsonl"), ("no/x.db", "there is no folder")):
        told = CliRunner().invoke(app, ["start", "things.csv", "--no-browser", "--store", store])
        assert told.exit_code == 2
        assert said in " ".join(told.stderr.split())


def test_a_bad_file_ends_with_a_sentence_and_2(here: Path) -> None:
    (here / "bad.csv").write_text("size\n1\n")
    told = CliRunner().invoke(app, ["start", "bad.csv", "--no-browser", "--port", "0"])
    assert told.exit_code == 2
    assert "at least 2 items" in " ".join(told.stderr.split())
    assert "http://127.0.0.1" in told.stdout


@pytest.mark.slow
def test_likewise_alone_serves_a_page_to_choose_a_pile(here: Path) -> None:
    words = ("--no-browser", "--port", "0")
    with running(*words, folder=here) as (_, url), visiting(url) as client:
        assert client.get("/api/start").json()["state"] == "choosing"
        found = client.get("/api/start/folder", params={"path": str(here)}).json()
        assert found["files"] == ["things.csv"]
