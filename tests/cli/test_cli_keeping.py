"""`likewise backup` and `likewise verify`, as somebody would type them."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from likewise.cli.app import app
from likewise.stores import SqlStore

ROWS = "name,size\n" + "".join(f"n{k},{k % 3 * 5 + k / 10}\n" for k in range(9))


def run(*words: object, given: str = "") -> Result:
    return CliRunner().invoke(app, [str(word) for word in words], input=given)


@pytest.fixture
def table(tmp_path: Path) -> Path:
    path = tmp_path / "table.csv"
    path.write_text(ROWS)
    begun = run("start", path, "--terminal", "--budget", 3, "--id", "name", given="s\nd\ns\n")
    assert begun.exit_code == 0, begun.output
    return path


def test_a_pile_is_backed_up_and_goes_on_from_its_backup(table: Path, tmp_path: Path) -> None:
    done = run("backup", table, tmp_path / "safe.db")
    assert done.exit_code == 0, done.output
    assert "4 events" in done.stdout
    again = run("backup", table, tmp_path / "safe.db")
    assert (again.exit_code, "exists already" in again.stderr) == (2, True)
    assert run("backup", table, tmp_path / "safe.db", "--overwrite").exit_code == 0
    journal = table.with_suffix(".likewise.db")
    events = SqlStore(journal).read()
    journal.unlink()
    (tmp_path / "safe.db").rename(journal)
    assert SqlStore(journal).read() == events
    assert json.loads(run("status", table, "--id", "name", "--json").stdout)["answers"] == 3


def test_a_sound_study_is_said_to_be_sound(table: Path) -> None:
    done = run("verify", table, "--id", "name")
    assert done.exit_code == 0, done.output
    assert "is sound." in done.stdout
    alone = json.loads(run("verify", table.with_suffix(".likewise.db"), "--json").stdout)
    assert alone["notes"] == ["the items were not compared; give the pile for that"]
    table.write_text(ROWS + "new,3\n")
    grown = json.loads(run("verify", table, "--id", "name", "--json").stdout)
    assert (grown["sound"], grown["notes"]) == (True, ["1 row is new"])


def test_other_content_than_was_answered_about_is_not_sound(table: Path) -> None:
    table.write_text(ROWS.replace("n4,5.4", "n4,17"))
    done = run("verify", table, "--id", "name")
    assert done.exit_code == 1
    assert "1 row now with other content than was answered about: n4" in done.stdout
    assert "is not sound." in done.stdout


def test_what_is_missing_is_said_and_the_rest_is_saved(table: Path, tmp_path: Path) -> None:
    journal = table.with_suffix(".likewise.db")
    with closing(sqlite3.connect(journal)) as connection, connection:
        connection.execute("DELETE FROM events WHERE position = 2")
    found = run("verify", table)
    assert (found.exit_code, "1 events are missing" in found.stdout) == (1, True)
    refused = run("status", table)
    assert (refused.exit_code, "likewise backup --salvage" in refused.stderr) == (2, True)
    saved = run("backup", table, tmp_path / "saved.likewise.jsonl", "--salvage")
    assert saved.exit_code == 0, saved.output
    assert "3 events" in saved.stdout
    assert "1 were lost" in saved.stdout
    assert run("verify", tmp_path / "saved.likewise.jsonl").exit_code == 0


def test_what_is_not_there_cannot_be_verified_or_backed_up(tmp_path: Path) -> None:
    (tmp_path / "table.csv").write_text(ROWS)
    for verb, rest in (("verify", ()), ("backup", (tmp_path / "copy.db",))):
        done = run(verb, tmp_path / "table.csv", *rest)
        assert (done.exit_code, "nobody has answered anything" in done.stderr) == (2, True)
        done = run(verb, tmp_path / "none.db", *rest)
        assert (done.exit_code, "there is no" in done.stderr) == (2, True)


@pytest.mark.parametrize("command", ["serve", "status", "labels", "answer"])
def test_an_address_is_no_pile_and_its_password_is_not_repeated(command: str) -> None:
    found = CliRunner().invoke(app, [command, "postgresql://ada:secret@host/name"])
    assert found.exit_code == 2
    assert "a pile is a file or a folder" in found.output
    assert "secret" not in found.output
