"""The study as a whole: how far it is, labels, map, items of every kind."""

from __future__ import annotations

import csv
import io
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from fastapi.testclient import TestClient

from likewise.items import Items
from likewise.study import Study
from web.conftest import Open, ask, pile


def test_labels_come_as_json_and_as_csv(client: TestClient) -> None:
    as_json = client.get("/api/labels").json()
    reply = client.get("/api/labels", params={"format": "csv"})
    assert reply.headers["content-type"].startswith("text/csv")
    rows = list(csv.DictReader(io.StringIO(reply.text)))
    assert list(rows[0]) == ["item", "group", "name", "confidence"]
    assert [row["item"] for row in rows] == [row["id"] for row in as_json]
    assert [int(row["group"]) for row in rows] == [row["group"] for row in as_json]


def test_the_study_tells_how_far_it_is(client: TestClient) -> None:
    found = client.get("/api/study").json()
    assert (found["items"], found["answers"], found["method"]) == (30, 0, "auto")
    assert found["groups"] == len({row["group"] for row in client.get("/api/labels").json()})
    assert found["kind"] == "pictures"
    assert isinstance(found["advice"]["sentence"], str)
    assert set(found["progress"]) >= {"answers", "settled_pairs", "questions_left", "may_stop"}


@pytest.mark.parametrize(
    ("change", "kind"),
    [
        ({"pictures": None, "texts": ["<b>a</b>"] * 30}, "texts"),
        ({"pictures": None, "rows": [{"a": 1, "b": None}] * 30}, "rows"),
        ({"pictures": None}, "numbers"),
    ],
)
def test_texts_rows_and_bare_numbers_are_shown_too(
    opened: Open, change: dict[str, Any], kind: str
) -> None:
    client = opened(Study(replace(pile()[0], **change)))
    assert client.get("/api/study").json()["kind"] == kind
    question = ask(client)
    assert question is not None
    card = question["items"][0]
    assert card["picture"] is None
    assert card["text"] == ("<b>a</b>" if kind == "texts" else None)
    assert card["row"] == ([["a", "1"], ["b", "None"]] if kind == "rows" else None)


def test_items_known_only_by_their_likeness_have_a_page_too(opened: Open) -> None:
    X = np.array([[0.0], [0.1], [5.0], [5.1], [9.0]])
    client = opened(Study(Items.from_distances(np.abs(X - X.T))))
    assert ask(client, kind="place") is not None
    assert len(client.get("/api/map").json()["x"]) == 5
    nothing = {"disputes": [], "n_disputes": 0, "doubtful": []}
    assert client.get("/api/disputes").json() == nothing
