"""People are separate: the owner of a study, and those who were invited to answer in it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from fastapi.testclient import TestClient

from likewise.journal import Retracted
from likewise.study import Study
from likewise.web.security import Access
from web.conftest import Open, ask, grown, pile, tell

Client = Callable[..., TestClient]


@pytest.fixture
def access() -> Access:
    """Tokens of the owner, of Ada and of Bob."""
    found = Access(token="owner")
    for name in ("Ada", "Bob"):
        found.invite(name)
    return found


@pytest.fixture
def as_person(opened: Open, study: Study, access: Access) -> Client:
    """Opens one server, and gives clients that came by the link of somebody."""
    app = opened(study, access=access).app

    def client(name: str = "") -> TestClient:
        token = access.invited[name] if name else access.token
        found = TestClient(app, base_url="http://127.0.0.1:8000")
        assert found.get("/", params={"token": token}).status_code == 200
        return found

    return client


def test_who_was_invited_answers_under_their_own_name_alone(
    as_person: Client, study: Study
) -> None:
    ada = as_person("Ada")
    assert ada.get("/api/study").json()["person"] == "Ada"
    question = ask(ada, "")
    assert question is not None
    assert ask(ada, "Ada") == question
    assert tell(ada, question["id"], "same", "").json()["annotator"] == "Ada"
    body = {"item": 5, "group": "new", "annotator": "Bob"}
    refused = [
        ada.get("/api/question", params={"annotator": "Bob"}),
        tell(ada, (0, 2), "same", "Bob"),
        tell(ada, (0, 2), "same", "owner"),
        ada.post("/api/placements", json=body),
    ]
    assert [reply.status_code for reply in refused] == [403] * 4
    assert "made for Ada" in refused[0].json()["detail"]
    assert [answer.who for answer in study.answers] == ["Ada"]


def test_nobody_reads_or_takes_back_what_another_answered(as_person: Client, study: Study) -> None:
    owner, ada, bob = as_person(), as_person("Ada"), as_person("Bob")
    mine = tell(owner, (0, 1), "same", "Cleo").json()["id"]
    hers = tell(ada, (2, 3), "same", "Ada").json()["id"]
    for number in (mine, hers):
        assert bob.delete(f"/api/answers/{number}").status_code == 403
        assert bob.get(f"/api/answers/{number}/why").status_code == 403
    for name in ("Ada", "Cleo"):
        assert bob.get("/api/answers", params={"annotator": name}).status_code == 403
    assert bob.get("/api/answers").json() == []
    assert [one["name"] for one in bob.get("/api/people").json()["people"]] == ["Bob"]
    assert study.n_answers == 2
    assert [one["id"] for one in ada.get("/api/answers").json()] == [hers]
    assert ada.delete(f"/api/answers/{hers}").status_code == 200
    assert owner.get("/api/answers", params={"annotator": "Cleo"}).json()[0]["id"] == mine
    assert {one["name"] for one in owner.get("/api/people").json()["people"]} == {
        "Ada", "Bob", "Cleo"
    }  # fmt: skip


def test_what_others_answered_and_groups_as_a_whole_are_for_the_owner(
    opened: Open, access: Access
) -> None:
    study, _ = grown()
    app = opened(study, access=access).app
    ada = TestClient(app, base_url="http://127.0.0.1:8000")
    ada.headers["authorization"] = f"Bearer {access.invited['Ada']}"
    bodies: dict[str, Any] = {
        "name": {"item": 0, "name": "x"},
        "merge": {"items": [0, 1], "force": True},
        "split": {"items": [0], "force": True},
        "not-here": {"items": [0], "force": True},
        "move": {"items": [0], "into": 1, "force": True},
        "confirm": {"items": [0]},
        "collection": {"item": 0, "collection": "x"},
        "also": {"items": [0], "into": 1},
    }
    before = study.n_answers
    for path, body in bodies.items():
        reply = ada.post(f"/api/groups/{path}", json=body)
        assert (path, reply.status_code) == (path, 403)
        assert "owner" in reply.json()["detail"]
    for path in ("/api/disputes", "/api/labels", "/api/labels?format=csv", "/api/guest",
                 "/api/guest/proposals", "/api/verification"):  # fmt: skip
        assert ada.get(path).status_code == 403
    assert ada.post("/api/guest", json={"answers": 1}).status_code == 403
    assert ada.post("/api/views", json={"off": []}).status_code == 403
    assert ada.post("/api/collections", json={"collection": "x", "to": ""}).status_code == 403
    assert ada.post("/api/stacks/apart", json={"item": 0}).status_code == 403
    assert ada.post("/api/predict", json={"vectors": [[0.0, 0.0]]}).status_code == 403
    assert ada.delete("/api/guest").status_code == 403
    assert ada.delete("/api/guest/answers").status_code == 403
    assert ada.post("/api/people", json={"name": "Eve"}).status_code == 403
    assert ada.delete("/api/people/Bob").status_code == 403
    assert study.n_answers == before
    for path in ("/", "/api/study", "/api/groups", "/api/groups/0", "/api/map", "/media/0",
                 "/api/items?item=0", "/api/groups/0/like?item=0", "/api/merges", "/api/ahead",
                 "/api/question", "/api/question?kind=sheet", "/api/reviews",
                 "/api/collections"):  # fmt: skip
        assert ada.get(path).status_code == 200, path


def test_every_path_is_either_open_to_who_was_invited_or_the_owners(as_person: Client) -> None:
    """A path that is added must be put on one of the lists in this file and in the docs."""
    tried = {
        "/api/study", "/api/question", "/api/answers", "/api/answers/{answer_id}",
        "/api/answers/{answer_id}/why", "/api/placements", "/api/people", "/api/people/{name}",
        "/api/groups", "/api/groups/{group}", "/api/groups/name", "/api/groups/merge",
        "/api/groups/split", "/api/groups/not-here", "/api/map", "/api/items", "/api/disputes",
        "/api/labels", "/media/{item}", "/api/undo",
        "/api/answers/{answer_id}/confirm", "/api/unsure", "/api/export/{form}",
        "/api/folders", "/api/sheets", "/api/groups/move", "/api/groups/confirm",
        "/api/groups/{group}/like", "/api/merges",
        "/api/guest", "/api/guest/answers", "/api/guest/proposals",
        "/api/views", "/api/predict", "/api/verification", "/api/reviews", "/api/reviews/clear",
        "/api/collections", "/api/groups/collection", "/api/groups/also", "/api/stacks/{item}",
        "/api/stacks/apart", "/api/ahead",
    }  # fmt: skip
    assert set(as_person().get("/openapi.json").json()["paths"]) == tried


def test_the_journal_says_who_took_an_answer_back(as_person: Client, study: Study) -> None:
    owner, ada = as_person(), as_person("Ada")
    first = tell(ada, (0, 1), "same", "Ada").json()["id"]
    second = tell(ada, (2, 3), "same", "Ada").json()["id"]
    owner.delete(f"/api/answers/{first}", params={"annotator": "Cleo", "again": False})
    ada.delete(f"/api/answers/{second}")
    taken = [event for event in study.store.read() if isinstance(event, Retracted)]
    assert [(event.answer_id, event.who) for event in taken] == [(first, "Cleo"), (second, "Ada")]
    assert all(event.when for event in taken)


def test_an_edit_by_force_says_who_took_the_answers_back(client: TestClient, study: Study) -> None:
    tell(client, (0, 1), "different", "Ada")
    body = {"items": [0, 1], "annotator": "Cleo", "force": True}
    assert client.post("/api/groups/merge", json=body).status_code == 201
    taken = [event.who for event in study.store.read() if isinstance(event, Retracted)]
    assert taken == ["Cleo"]


def test_the_owner_invites_and_withdraws_on_the_page(as_person: Client) -> None:
    owner = as_person()
    headers = {"origin": "http://127.0.0.1:8000"}
    made = owner.post("/api/people", json={"name": " E\u200bve "}, headers=headers)
    assert made.status_code == 201
    assert made.json()["name"] == "Eve"
    eve = TestClient(owner.app, base_url="http://127.0.0.1:8000")
    assert eve.get(made.json()["link"]).status_code == 200
    assert eve.get("/api/study").json()["person"] == "Eve"
    for name in ("eve", "Еve", "", "ADA"):
        assert owner.post("/api/people", json={"name": name}).status_code == 422
    assert owner.delete("/api/people/Eve").status_code == 200
    assert owner.delete("/api/people/Eve").status_code == 404
    assert eve.get("/api/study").status_code == 401


def test_without_tokens_nobody_can_be_invited(client: TestClient) -> None:
    assert client.post("/api/people", json={"name": "Eve"}).status_code == 422
    assert client.delete("/api/people/Eve").status_code == 404


def test_a_name_is_written_in_one_way_and_cannot_be_that_of_somebody_else(
    client: TestClient, study: Study
) -> None:
    assert tell(client, (0, 1), "same", "Ada").status_code == 201
    assert tell(client, (0, 2), "same", " A\u200bda\u00a0").json()["annotator"] == "Ada"
    assert tell(client, (0, 3), "same", "Ａｄａ").json()["annotator"] == "Ada"
    for name in ("ada", "Аda", "Аԁа", "ADA"):
        reply = tell(client, (0, 4), "same", name)
        assert reply.status_code == 422, name
        assert client.get("/api/question", params={"annotator": name}).status_code == 422
    assert "looks like 'Ada'" in tell(client, (0, 4), "same", "ada").json()["detail"]
    assert {answer.who for answer in study.answers} == {"Ada"}


# -- questions that others hold ------------------------------------------------------------------


def test_nothing_for_now_is_told_apart_from_nothing_left(opened: Open) -> None:
    items, truth = pile(4, groups=2)
    client = opened(Study(items), lease_seconds=60)
    held: dict[str, dict[str, Any]] = {}
    for name in ("Ada", "Bob", "Cleo", "Dan", "Eve", "Flo", "Gus"):
        reply = client.get("/api/question", params={"annotator": name})
        if reply.status_code == 204:
            break
        held[name] = reply.json()
    assert held
    assert int(reply.headers["retry-after"]) > 0
    for _ in range(20):
        for name in held:
            question = ask(client, name)
            if question is not None:
                i, j = question["pair"]
                tell(client, question["id"], "same" if truth[i] == truth[j] else "different", name)
    done = client.get("/api/question", params={"annotator": "Ada"})
    assert done.status_code == 204
    assert "retry-after" not in done.headers


def test_people_cannot_be_made_up_without_end(
    opened: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("likewise.web.dispatcher._MOST_PEOPLE", 3)
    client = opened(Study(pile(40)[0]))
    for k in range(3):
        assert ask(client, f"person {k}") is not None
    reply = client.get("/api/question", params={"annotator": "one more"})
    assert reply.status_code == 429
    assert "people are answering already" in reply.json()["detail"]
    assert ask(client, "person 1") is not None
    assert tell(client, (0, 1), "same", "one more").status_code == 201  # answers are never refused


@pytest.mark.parametrize(
    "headers",
    [
        {"sec-fetch-site": "cross-site", "sec-fetch-mode": "no-cors", "sec-fetch-dest": "image"},
        {"sec-fetch-site": "same-site"},
        {"origin": "http://evil.example"},
        {"origin": "null"},
    ],
)
def test_another_site_cannot_even_ask(client: TestClient, headers: dict[str, str]) -> None:
    paths = client.get("/openapi.json").json()["paths"]
    gets = [path.format(answer_id=0, group=0, item=0, name="x", form="csv") for path in paths
            if "get" in paths[path]]  # fmt: skip
    assert len(gets) > 10
    for path in (*gets, "/openapi.json", "/static/app.js"):
        reply = client.get(path, params={"annotator": "made up"}, headers=headers)
        assert reply.status_code == 403, path
    assert client.get("/api/people").json()["people"] == []


def test_another_site_can_link_to_the_page(client: TestClient) -> None:
    headers = {"sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate"}
    assert client.get("/", headers=headers).status_code == 200
    framed = {**headers, "sec-fetch-mode": "no-cors"}
    assert client.get("/", headers=framed).status_code == 403
