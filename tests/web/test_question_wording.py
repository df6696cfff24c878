"""Questions about faces are about people, wherever they are asked."""

from __future__ import annotations

from pathlib import Path

import pytest
from fastapi.testclient import TestClient
from typer.testing import CliRunner

from face_photographs import Corners, corners
from likewise.cli.app import app
from likewise.piles import face_files, read_pile
from likewise.report import questionnaire
from likewise.study import Study
from likewise.views.question_wording import PEOPLE, THINGS, wording_of
from web.conftest import Open, ask, grown, pile


@pytest.fixture
def faces(tmp_path: Path) -> Path:
    """Three photographs of three people."""
    folder = tmp_path / "photos"
    folder.mkdir()
    for name, colours in (("a", ("red", "blue")), ("b", ("red",)), ("c", ("blue", "lime"))):
        corners(folder / f"{name}.png", *colours)
    return folder


def test_the_terminal_and_a_questionnaire_ask_about_people(
    faces: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(face_files, "DlibFaces", Corners)
    printed = CliRunner().invoke(app, ["answer", str(faces), "--faces"], input="stop\n")
    assert PEOPLE.pair in printed.stdout
    assert THINGS.pair not in printed.stdout
    items = read_pile(faces, faces=True).items
    assert f">{PEOPLE.pair}</h2>" in questionnaire(Study(items), n=1)


def test_the_page_is_told_how_to_ask(faces: Path, opened: Open) -> None:
    items = read_pile(faces, faces=Corners()).items
    assert wording_of(items) is PEOPLE
    assert _asked(opened(Study(items)), "pair") == PEOPLE.pair
    study, _ = grown()
    client = opened(study)
    assert _asked(client, "pair") == THINGS.pair
    assert _asked(client, "place") == THINGS.place
    assert _asked(client, "sheet").startswith("Which of these ")
    assert wording_of(pile()[0]) is THINGS


def _asked(client: TestClient, kind: str) -> str:
    question = ask(client, "Ada", kind=kind)
    assert question is not None
    assert question["kind"] == kind
    return str(question["ask"])
