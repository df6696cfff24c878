"""Commands that only look write nothing, also when the pile has grown."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from likewise.cli.app import app
from likewise.stores import SqlStore

runner = CliRunner()
ROWS = "name,size\n" + "".join(f"n{k},{k % 3 * 5 + k / 10}\n" for k in range(9))


@pytest.fixture
def table(tmp_path: Path) -> Path:
    path = tmp_path / "table.csv"
    path.write_text(ROWS)
    begun = runner.invoke(
        app, ["start", str(path), "--id", "name", "--terminal", "--budget", "3"], input="s\nd\ns\n"
    )
    assert begun.exit_code == 0, begun.output
    return path


def kept(path: Path) -> tuple[bytes, list[object], list[object]]:
    file = path.with_suffix(".likewise.db")
    store = SqlStore(file)
    return file.read_bytes(), list(store.read()), list(store.read_items())


@pytest.mark.parametrize(
    "command",
    [
        ["status", "--json"],
        ["labels", "--json"],
        ["report", "--out", "{folder}/report.html"],
        ["answers", "export", "{folder}/answers.csv"],
    ],
    ids=lambda command: command[0],
)
def test_who_only_looks_leaves_the_store_as_it_is(table: Path, command: list[str]) -> None:
    before = kept(table)
    lines = ROWS.splitlines(keepends=True)
    table.write_text("".join([*lines[:4], *lines[5:], "new,7\n"]))
    verb, *rest = (word.format(folder=table.parent) for word in command)
    arguments = [verb, str(table), *rest, "--id", "name"]
    done = runner.invoke(app, arguments)
    assert done.exit_code == 0, done.output
    assert kept(table) == before
    if verb == "labels":  # what is new is there, what has gone is not
        ids = [row["id"] for row in json.loads(done.stdout)]
        assert "new" in ids
        assert "n3" not in ids
    if verb == "status":
        found = json.loads(done.stdout)
        gone = "1 row is gone; the answers about them are kept"
        assert found["changes"] == ["1 row is new", gone]
        assert found["items"] == 9
        shown = runner.invoke(app, ["status", str(table), "--id", "name"]).stdout
        assert "taken in by whoever answers next; nothing was written" in shown


def test_who_answers_takes_the_growth_in(table: Path) -> None:
    table.write_text(ROWS + "new,7\n")
    goes_on = ["start", str(table), "--id", "name", "--terminal", "--budget", "1"]
    assert runner.invoke(app, goes_on, input="d\n").exit_code == 0
    assert [item.id for item in SqlStore(table.with_suffix(".likewise.db")).read_items()][
        -1
    ] == "new"
    found = json.loads(runner.invoke(app, ["status", str(table), "--id", "name", "--json"]).stdout)
    assert found["changes"] == []
