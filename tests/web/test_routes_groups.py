"""Groups: what they are, and changing them as a whole."""

from __future__ import annotations

import threading
from collections.abc import Iterable

import pytest

from likewise.items import Items
from likewise.web.schemas import Card
from web.conftest import Open, grown


def test_groups_and_map_tell_the_same_as_the_labels(opened: Open) -> None:
    study, _ = grown()
    client = opened(study)
    labels = [row["group"] for row in client.get("/api/labels").json()]
    groups = client.get("/api/groups", params={"members": 100}).json()
    assert [g["size"] for g in groups] == sorted((g["size"] for g in groups), reverse=True)
    for group in groups:
        members = {card["item"] for card in group["members"]}
        assert members == {k for k, label in enumerate(labels) if label == group["group"]}
        alone = client.get(f"/api/groups/{group['group']}").json()
        assert {card["item"] for card in alone["members"]} == members
    drawn = client.get("/api/map").json()
    assert drawn["groups"] == labels
    assert len(drawn["x"]) == len(drawn["y"]) == 30
    assert 0 <= min(drawn["x"] + drawn["y"]) <= max(drawn["x"] + drawn["y"]) <= 10_000
    assert client.get("/api/groups/77").status_code == 404


def test_the_members_of_a_group_come_in_pages_without_gaps(opened: Open) -> None:
    study, _ = grown()
    client = opened(study)
    size = client.get("/api/groups/0").json()["size"]
    pages = [
        client.get("/api/groups/0", params={"offset": k, "members": 4}).json()["members"]
        for k in range(0, size, 4)
    ]
    shown = [card["item"] for page in pages for card in page]
    assert len(shown) == len(set(shown)) == size


def test_groups_can_be_named_merged_and_split(opened: Open) -> None:
    study, _ = grown()
    client = opened(study)
    one, other = study.constraints.representatives[:2]
    client.post("/api/groups/name", json={"item": one, "name": "cats", "annotator": "Ada"})
    rows = client.get("/api/labels").json()
    assert {row["name"] for row in rows if row["group"] == rows[one]["group"]} == {"cats"}

    refused = client.post("/api/groups/merge", json={"items": [one, other]})
    assert refused.status_code == 409
    assert "contradicts" in refused.json()["detail"]
    done = client.post("/api/groups/merge", json={"items": [one, other], "force": True})
    assert done.status_code == 201
    rows = client.get("/api/labels").json()
    assert rows[one]["group"] == rows[other]["group"]

    done = client.post("/api/groups/split", json={"items": [other], "force": True})
    assert done.status_code == 201
    rows = client.get("/api/labels").json()
    assert rows[one]["group"] != rows[other]["group"]


def test_what_does_not_belong_leaves_its_group(opened: Open) -> None:
    study, _ = grown()
    client = opened(study)
    labels = [row["group"] for row in client.get("/api/labels").json()]
    representative = study.constraints.representatives[0]
    guessed = next(
        k
        for k in range(30)
        if labels[k] == labels[representative] and study.constraints.representative_of(k) is None
    )
    reply = client.post("/api/groups/not-here", json={"items": [guessed], "annotator": "Ada"})
    assert reply.status_code == 201
    assert [a["verdict"] for a in reply.json()["answers"]] == ["different"]
    after = [row["group"] for row in client.get("/api/labels").json()]
    assert after[guessed] != after[representative]


def test_groups_come_in_pages_and_no_reply_is_without_bounds(
    opened: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    study, _ = grown()
    client = opened(study)
    whole = client.get("/api/groups", params={"members": 200}).json()
    pages = [
        client.get("/api/groups", params={"members": 200, "offset": k, "limit": 1}).json()
        for k in range(len(whole) + 1)
    ]
    assert [group for page in pages for group in page] == whole
    monkeypatch.setattr("likewise.web.routes.groups._MOST_CARDS", 6)
    bounded = client.get("/api/groups", params={"members": 200}).json()
    assert [group["size"] for group in bounded] == [group["size"] for group in whole]
    assert 0 < sum(len(group["members"]) for group in bounded) <= 6


def test_groups_are_drawn_beside_the_study_not_in_its_thread(
    opened: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn_in: set[str] = set()

    def noting(items: Items, chosen: Iterable[int]) -> list[Card]:
        drawn_in.add(threading.current_thread().name)
        return []

    study, _ = grown()
    client = opened(study)
    monkeypatch.setattr(Card, "all_of", noting)
    client.get("/api/groups")
    client.get("/api/groups/0")
    assert drawn_in
    assert not any(name.startswith("likewise-study") for name in drawn_in)


def test_members_are_moved_confirmed_and_merged_in_one_step_each(opened: Open) -> None:
    study, truth = grown()
    client, before = opened(study), study.answers
    group = client.get("/api/groups/0", params={"order": "doubtful", "members": 3}).json()
    surest = client.get("/api/groups/0", params={"members": 10}).json()
    assert len(group["members"]) == 3
    doubtful = [card["key"] for card in group["members"]]
    known = study.constraints.placed()
    assert not known[group["members"][0]["item"]]
    assert {card["key"] for card in surest["members"]} > set(doubtful)

    def undo() -> None:
        assert client.post("/api/undo", json={"annotator": "Ada"}).status_code == 201
        assert study.answers == before

    kept = client.post("/api/groups/confirm", json={"items": doubtful, "annotator": "Ada"})
    assert {answer["verdict"] for answer in kept.json()["answers"]} == {"same"}
    undo()
    target = int((truth != truth[group["members"][0]["item"]]).argmax())
    body = {"items": doubtful, "into": target, "annotator": "Ada"}
    assert client.post("/api/groups/move", json=body).status_code == 201
    labels = study.labels_
    assert {labels[card["item"]] for card in group["members"]} == {labels[target]}
    undo()
    body = {"items": doubtful, "into": "new", "name": "odd", "annotator": "Ada"}
    assert client.post("/api/groups/move", json=body).status_code == 201
    assert "odd" in [one["name"] for one in client.get("/api/groups").json()]
    undo()
    assert "odd" not in [one["name"] for one in client.get("/api/groups").json()]
    body = {"items": study.constraints.representatives, "annotator": "Ada"}
    assert client.post("/api/groups/merge", json=body).status_code == 409
    assert client.post("/api/groups/merge", json={**body, "force": True}).status_code == 201
    assert len(set(study.labels_.tolist())) == 1
    undo()
    several = {"items": study.constraints.representatives, "annotator": "Ada"}
    assert client.post("/api/groups/confirm", json=several).status_code == 422


def test_an_item_that_answers_hold_elsewhere_is_moved_by_force(opened: Open) -> None:
    study, _ = grown()
    client = opened(study)
    one, other, _ = study.constraints.representatives
    refused = client.post("/api/groups/move", json={"items": [one], "into": other})
    assert refused.status_code == 409
    assert refused.json()["against"]
    done = client.post("/api/groups/move", json={"items": [one], "into": other, "force": True})
    assert done.status_code == 201
    assert study.labels_[one] == study.labels_[other]
    assert study.disputes() == []


def test_alike_members_and_groups_that_may_be_one_are_found(opened: Open) -> None:
    study, _ = grown()
    client = opened(study)
    group = client.get("/api/groups/0").json()
    item = group["members"][1]["key"]
    like = client.get("/api/groups/0/like", params={"item": item}).json()["items"]
    assert item in like
    assert set(like) <= {card["key"] for card in group["members"]}
    assert client.get("/api/groups/9/like", params={"item": 0}).status_code == 404
    assert client.get("/api/merges").json() == []  # answers say that all three differ
