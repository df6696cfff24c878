"""`likewise answer --by`: a language model from the command line."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner

from likewise.answerers.chat_endpoint import KEY
from likewise.cli.app import app
from likewise.testing import ChatServer, chat_server

WORDS = ("car", "bus", "bike", "apple", "pear", "plum")


def judge(one: str, other: str) -> str:
    fruit = [any(word in text for word in WORDS[3:]) for text in (one, other)]
    return "same" if fruit[0] == fruit[1] else "different"


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[ChatServer]:
    monkeypatch.delenv(KEY, raising=False)
    monkeypatch.setenv("LIKEWISE_CACHE", str(tmp_path / "cache"))
    with chat_server(judge) as served:
        monkeypatch.setenv("LIKEWISE_LLM_URL", served.address)
        yield served


@pytest.fixture
def pile(tmp_path: Path) -> Path:
    path = tmp_path / "things.csv"
    with path.open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["id", "size", "text"])
        for k in range(24):
            writer.writerow([k, k % 5, f"a {WORDS[k % 6]} number {k}"])
    return path


def run(*typed: object) -> tuple[int, str]:
    done = CliRunner().invoke(app, [str(one) for one in typed])
    assert done.exception is None or isinstance(done.exception, SystemExit), done.exception
    return done.exit_code, done.output


def begin(pile: Path) -> tuple[object, ...]:
    return ("answer", pile, "--by", "small", "--method", "random-items", "--text", "text")


def test_a_dry_run_then_the_answers_then_the_groups_and_all_of_it_taken_back(
    server: ChatServer, pile: Path
) -> None:
    code, said = run(*begin(pile), "--budget", 60, "--price", "1,2", "--dry-run")
    assert code == 0
    assert "would take about" in said
    assert "Nothing was sent." in said
    assert not server.bodies
    code, said = run(*begin(pile), "--money", 0.5, "--price", "1,2", "--send")
    assert code == 0, said
    assert "Nothing is left to ask" in said
    assert "tokens sent" in said
    code, said = run("labels", pile, "--text", "text", "--out", pile.with_name("groups.csv"))
    written = pile.with_name("groups.csv").read_text().splitlines()
    groups = [row["group"] for row in csv.DictReader(written)]
    assert code == 0
    assert len(set(groups)) == 2
    code, said = run("retract", pile, "--text", "text", "--all-of", "small")
    assert code == 0, said
    assert "answers of small" in said
    code, said = run(*begin(pile), "--budget", 5, "--send")
    assert "5 were remembered from earlier calls, and free" in said


@pytest.mark.parametrize(
    ("typed", "sentence"),
    [
        (["--send"], "say how far it may go"),
        (["--budget", "5"], "allow it with --send"),
        (["--dry-run"], "for how many answers"),
        (["--budget", "5", "--send", "--price", "cheap"], "--price is one amount"),
        (["--money", "1", "--send"], "needs a price"),
        (["--budget", "5", "--send", "--endpoint", "nowhere"], "needs the address of its server"),
    ],
)
def test_what_cannot_be_is_one_sentence(
    server: ChatServer, pile: Path, typed: list[str], sentence: str
) -> None:
    code, said = run(*begin(pile), *typed)
    assert code == 2
    assert sentence in said.replace("\n", " ")
    assert not server.bodies
    assert not list(pile.parent.glob("*.likewise.*"))  # refused before anything was begun


def test_a_model_that_has_said_one_thing_only_is_remarked_on(
    server: ChatServer, pile: Path
) -> None:
    server.judge = lambda one, other: "same"
    code, said = run(*begin(pile), "--budget", 15, "--send")
    assert code == 0, said
    assert "Every answer was 'same': look at a few" in said
    assert "--all-of small" in said


def test_no_endpoint_is_one_sentence(pile: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("LIKEWISE_LLM_URL", raising=False)
    code, said = run(*begin(pile), "--budget", 5, "--send")
    assert code == 2
    assert "LIKEWISE_LLM_URL" in said


def test_options_of_a_model_need_a_model(pile: Path) -> None:
    code, said = run("answer", pile, "--money", "1")
    assert code == 2
    assert "name one with --by" in said


@pytest.mark.parametrize(("status", "sentence"), [("401", "valid key"), ("404", "its models")])
def test_a_server_that_refuses_is_one_sentence(
    server: ChatServer, pile: Path, status: str, sentence: str
) -> None:
    server.faults = [status]
    code, said = run(*begin(pile), "--budget", 5, "--send")
    assert code == 2
    assert sentence in said
    code, said = run(*begin(pile), "--budget", 5, "--send")
    assert code == 0


def test_retract_needs_a_number_or_a_name(pile: Path) -> None:
    code, said = run("retract", pile)
    assert code == 2
    assert "--all-of NAME" in said
