"""Requests that no page would send, and sentences that tell too much."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from likewise.errors import StoreError
from likewise.journal import Answered, Named
from likewise.journal.pairs import Answer, Pair, Verdict
from likewise.stores import JsonLinesStore
from likewise.stores.stored_journal import StoredJournal
from likewise.study import Study
from likewise.web.errors import without_places
from web.conftest import Open, about, pile, tell

JSON = {"content-type": "application/json"}


@pytest.mark.parametrize(
    "body",
    [
        b'{"question": "0-1", "verdict": "same", "annotator": "\\ud800"}',
        b'{"question": "\\udfff", "verdict": "same"}',
        b'{"question": "0-1", "verdict": ["\\ud800"], "annotator": {"\\ud800": 1}}',
        b'{"question": "0-1", "verdict": "same", "client_id": "\\ud800"}',
        b'{"question": "0-1", "verdict": "same", "seconds": NaN}',
        b'{"question": "0-1", "verdict": "same", "seconds": Infinity}',
        b'{"question": "0-1", "verdict": "same", "seconds": ' + b"9" * 5000 + b"}",
        b"[" * 100_000,
        b'{"a":' * 50_000,
        b"\xff\xfe\x00",
        b"null",
    ],
)
def test_a_body_that_is_no_answer_is_refused_and_nothing_is_kept(opened: Open, body: bytes) -> None:
    study = Study(pile()[0])
    body = body.replace(b'"0-1"', f'"{about(study, 0, 1)}"'.encode())
    reply = opened(study).post("/api/answers", content=body, headers=JSON)
    assert 400 <= reply.status_code < 500, reply.text
    assert study.n_answers == 0


@pytest.mark.parametrize("name", [b"\\ud800", b"cats \\udc00"])
def test_a_name_that_is_no_text_is_refused(opened: Open, name: bytes) -> None:
    body = b'{"item": 0, "name": "' + name + b'"}'
    reply = opened(Study(pile()[0])).post("/api/groups/name", content=body, headers=JSON)
    assert reply.status_code == 422


def test_text_that_is_no_text_in_an_older_journal_is_sent_readable(
    opened: Open, tmp_path: Path
) -> None:
    items = replace(pile()[0], texts=["half \ud83d of a pair"] * 30)
    path = tmp_path / "old.jsonl"
    Study(items, store=path)
    stored = StoredJournal.read(JsonLinesStore(path))
    stored.append([Answered(Answer(0, Pair(0, 1), Verdict.SAME, who="\ud800", seconds=1e999))])
    stored.append([Named(0, "\udc00", who="\ud800")])
    client = opened(Study.open(path, items))
    for where in ("/api/answers", "/api/people", "/api/groups", "/api/labels", "/api/items?item=0"):
        assert client.get(where).status_code == 200, where
    for where in ("/api/map", "/api/labels?format=csv", "/api/question?annotator=Ada"):
        assert client.get(where).status_code == 200, where


def test_a_sentence_about_the_disk_tells_no_folder(
    opened: Open, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "with a blank" / "pile.likewise.jsonl"
    path.parent.mkdir()
    client = opened(Study(pile()[0], store=path))
    path.unlink()
    path.mkdir()  # whoever opens it as a file is told where it is
    reply = tell(client, (0, 1), "same")
    assert reply.status_code == 503
    assert "pile.likewise.jsonl" in reply.json()["detail"]
    assert str(tmp_path) not in reply.text
    assert "with a blank" not in reply.text


@pytest.mark.parametrize(
    ("sentence", "told"),
    [
        ("/home/ann/p.db cannot be opened", "p.db cannot be opened"),
        ("there is no file '/a/b/c.csv'; check", "there is no file 'c.csv'; check"),
        (r"C:\Users\ann\p.db is gone", "p.db is gone"),
        ("postgresql://ann@db.example.org/x is down", "the database is down"),
        ("same and/or different, 3/4", "same and/or different, 3/4"),
        ("a group named cats / dogs", "a group named cats / dogs"),
    ],
)
def test_places_are_left_out_of_sentences(sentence: str, told: str) -> None:
    assert without_places(sentence) == told


def test_errors_of_every_kind_pass_through_the_same_door(
    opened: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    client = opened(Study(pile()[0]))

    def broken(*_: object) -> None:
        raise StoreError("/srv/secret/pile.db is damaged")

    thumbnails = client.app.state.service.thumbnails  # type: ignore[attr-defined]
    monkeypatch.setattr(thumbnails, "picture", broken)
    reply = client.get("/media/0")
    assert (reply.status_code, reply.json()) == (503, {"detail": "pile.db is damaged"})
