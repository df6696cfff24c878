"""What is said beside the answers, by HTTP: everybody sees it, and no group moves."""

from __future__ import annotations

import csv
import io

import pytest

from likewise.web.security import Access
from web.conftest import Open, grown


def test_a_mark_is_seen_by_all_cleared_by_anybody_and_undone(opened: Open) -> None:
    study, _ = grown()
    client = opened(study)
    key = client.get("/api/items", params={"item": 4}).json()[0]["key"]
    body = {"items": [key, 5], "note": " <b>blurred?</b> ", "annotator": "Ada"}
    done = client.post("/api/reviews", json=body)
    assert done.status_code == 201
    assert [row["item"]["item"] for row in done.json()] == [4, 5]
    first = client.get("/api/reviews").json()[0]
    assert (first["note"], first["annotator"]) == ("<b>blurred?</b>", "Ada")
    assert first["group"] == study.labels_[4]
    assert client.get("/api/study").json()["reviews"] == 2
    group = client.get(f"/api/groups/{first['group']}").json()
    assert group["noted"][key] == {"review": "<b>blurred?</b>", "also": []}
    left = client.post("/api/reviews/clear", json={"items": [4], "annotator": "Bob"}).json()
    assert [row["item"]["item"] for row in left] == [5]
    undone = client.post("/api/undo", json={"annotator": "Bob"}).json()
    assert undone["sentence"] == "the mark for review is back"
    assert undone["is_edit"]
    client.post("/api/undo", json={"annotator": "Ada"})
    assert client.get("/api/reviews").json() == []
    assert study.n_answers == 12


def test_groups_are_collected_and_items_belong_to_several(opened: Open) -> None:
    study, _ = grown()
    client = opened(study)
    one, other, third = study.constraints.representatives[:3]
    labels = study.labels_
    for item, collection in ((one, "all / animals"), (other, "all")):
        done = client.post(
            "/api/groups/collection",
            json={"item": item, "collection": collection, "annotator": "Ada"},
        )
        assert done.status_code == 201
    assert client.get("/api/collections").json() == [
        {"collection": ["all"], "groups": [labels[other]]},
        {"collection": ["all", "animals"], "groups": [labels[one]]},
    ]
    moved = client.post("/api/collections", json={"collection": "all", "to": "world / all"})
    assert [row["collection"] for row in moved.json()] == [
        ["world", "all"],
        ["world", "all", "animals"],
    ]
    also = client.post("/api/groups/also", json={"items": [third], "into": one})
    assert also.json() == [labels[one]]
    group = client.get(f"/api/groups/{labels[one]}").json()
    assert group["collection"] == ["world", "all", "animals"]
    assert [card["item"] for card in group["also"]] == [third]
    text = client.get("/api/export/csv").text
    rows = list(csv.DictReader(io.StringIO(text)))
    assert rows[one]["collection"] == "world / all / animals"
    assert rows[third]["also"] == str(labels[one])
    assert client.get("/api/export/parquet").status_code == 200
    assert client.get("/api/export/json").json()[third]["also"] == str(labels[one])
    assert client.get("/api/labels").json()[third]["also"] == str(labels[one])
    assert "collection,also" in client.get("/api/labels", params={"format": "csv"}).text
    gone = client.post("/api/groups/also", json={"items": [third], "into": one, "belongs": False})
    assert gone.json() == []
    assert study.labels_.tolist() == labels.tolist()


@pytest.mark.parametrize(
    ("path", "body", "status", "sentence"),
    [
        ("/api/reviews", {"items": [30]}, 422, "between 0 and 29"),
        ("/api/reviews", {"items": ["4-abc"]}, 409, "holds something else"),
        ("/api/reviews", {"items": [1], "study": "abc"}, 409, "another study"),
        ("/api/reviews", {"items": [1], "note": "a\nb"}, 422, ""),
        ("/api/groups/collection", {"item": 1, "collection": "x" * 101}, 422, "100 characters"),
        ("/api/collections", {"collection": "none", "to": "x"}, 422, "in a collection 'none'"),
        ("/api/groups/also", {"items": [1], "into": 1}, 422, "own group"),
    ],
)
def test_what_does_not_fit_is_refused_in_a_sentence(
    opened: Open, path: str, body: dict[str, object], status: int, sentence: str
) -> None:
    client = opened(grown()[0])
    reply = client.post(path, json=body)
    assert reply.status_code == status
    assert sentence in str(reply.json()["detail"])


def test_who_was_invited_marks_and_clears_but_leaves_groups_alone(opened: Open) -> None:
    access = Access()
    client = opened(grown()[0], access=access)
    client.headers["authorization"] = f"Bearer {access.invite('Ann')}"
    assert client.post("/api/reviews", json={"items": [1], "annotator": "Ann"}).status_code == 201
    assert client.get("/api/reviews").json()[0]["annotator"] == "Ann"
    cleared = client.post("/api/reviews/clear", json={"items": [1], "annotator": "Ann"})
    assert cleared.json() == []
    for path, body in (
        ("/api/groups/collection", {"item": 1, "collection": "x"}),
        ("/api/collections", {"collection": "x", "to": "y"}),
        ("/api/groups/also", {"items": [1], "into": 2}),
    ):
        assert client.post(path, json={**body, "annotator": "Ann"}).status_code == 403
