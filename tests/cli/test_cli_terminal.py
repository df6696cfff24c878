"""One session at a real terminal, as a person has it."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any

import pytest

pexpect = pytest.importorskip("pexpect")
pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="needs a POSIX terminal")

ROWS = """\
id,height,colour
p1,10,red
p2,11,red
p3,52,blue
p4,50,blue
p5,90,green
p6,91,green
"""
RIGHT, LEFT = "\x1b[C", "\x1b[D"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "plants.csv").write_text(ROWS)
    return tmp_path


def sit_down(folder: Path, *words: str) -> Any:
    """Start the program at a terminal of 80 columns and 24 lines."""
    environment = {k: v for k, v in os.environ.items() if k not in ("NO_COLOR", "COLUMNS", "LINES")}
    return pexpect.spawn(
        sys.executable,
        ["-c", "from likewise.cli import main; main()", *words],
        cwd=folder,
        env=environment | {"TERM": "xterm-256color", "COLORTERM": "truecolor"},
        dimensions=(24, 80),
        encoding="utf-8",
        timeout=180,  # a first question may have to compile what it needs
    )


def question(child: Any, answers: int, note: str = "") -> tuple[str, str]:
    """Wait for the page after so many answers; the two rows that it asks about."""
    child.expect(rf"{answers} answers? · .*?id (p\d).*?id (p\d)")
    pair = (child.match[1], child.match[2])
    if note:
        child.expect_exact(note)
    child.expect_exact("keys")  # the page is complete
    return pair


def test_a_person_answers_by_keys_undoes_stops_and_goes_on(folder: Path) -> None:
    child = sit_down(folder, "answer", "plants.csv")
    first = question(child, 0)
    child.send("d")
    second = question(child, 1)
    child.send(LEFT)
    third = question(child, 2)
    child.send(RIGHT)
    question(child, 3)
    child.send(" ")
    question(child, 4)
    child.send("x")
    question(child, 4, "That key means nothing here")
    child.send("?")
    child.expect_exact("take back the last answer")
    child.send("?")
    question(child, 4)
    child.send("u")
    question(child, 3, "Taken back: not sure.")
    child.send("\x7f")
    assert question(child, 2, "Taken back: same.") == third
    child.send("q")
    child.expect_exact("2 answers in all")
    child.expect_exact("likewise answer plants.csv")
    child.expect(pexpect.EOF)
    child.close()
    assert child.exitstatus == 0

    again = sit_down(folder, "answer", "plants.csv")
    assert question(again, 2) == third
    again.send("\x1a")
    assert question(again, 1) == second
    again.send("u")
    assert question(again, 0) == first
    again.sendintr()
    again.expect_exact("Every answer is kept in plants.likewise.jsonl")
    again.expect(pexpect.EOF)
    again.close()
    assert again.exitstatus == 130


def test_the_demo_can_be_watched_and_stopped(folder: Path) -> None:
    child = sit_down(folder, "demo", "--simulate", "--items", "60")
    child.expect_exact("agreement with the truth")
    child.expect(r"ARI 0\.\d\d")
    child.expect_exact("The labels say:")
    child.send("q")
    child.expect(r"\d+ answers?, \d+ groups? found, ARI \d\.\d\d \(\d\.\d\d before the first")
    child.expect(pexpect.EOF)
    child.close()
    assert child.exitstatus == 0


def test_the_terminal_is_given_back_as_it_was(folder: Path) -> None:
    child = sit_down(folder, "demo", "--terminal", "--items", "40")
    child.expect_exact("none yet: the first answers make them")
    child.expect_exact("keys")
    assert not child.getecho()
    child.setwinsize(40, 120)
    child.expect_exact("none yet: the first answers make them")  # redrawn for the new size
    child.send("\x1b")
    child.expect_exact("0 answers made")
    child.expect_exact("likewise start FOLDER or FILE")
    child.expect(pexpect.EOF)
    child.close()
    assert child.exitstatus == 0
