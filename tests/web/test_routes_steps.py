"""`/api/undo`: what a person did last is taken back as a whole."""

from __future__ import annotations

from fastapi.testclient import TestClient

from likewise.study import Study
from web.conftest import Open, ask, grown, tell


def undo(client: TestClient, who: str = "Ada") -> dict[str, object]:
    reply = client.post("/api/undo", json={"annotator": who})
    assert reply.status_code == 201, reply.text
    return dict(reply.json())


def test_a_forced_merge_shows_what_it_takes_back_and_undo_brings_it_back(opened: Open) -> None:
    study, _ = grown()
    client = opened(study)
    before, labels = study.answers, study.labels_.tolist()
    one, other = study.constraints.representatives[:2]
    merge = {"items": [one, other], "annotator": "Ada"}
    refused = client.post("/api/groups/merge", json=merge).json()
    said = {(a.pair.i, a.pair.j): a.verdict.value for a in before}
    assert refused["against"]
    for against in refused["against"]:
        pair = tuple(against["answer"]["pair"])
        assert said[pair] == against["answer"]["verdict"] == "different"
        assert [card["item"] for card in against["items"]] == list(pair)
    assert client.post("/api/groups/merge", json={**merge, "force": True}).status_code == 201
    assert study.answers != before
    undone = undo(client)
    assert undone["restored"] == len(refused["against"])
    assert undone["is_edit"]
    assert study.answers == before
    assert study.labels_.tolist() == labels


def test_a_name_is_taken_back(opened: Open) -> None:
    study, _ = grown()
    client = opened(study)
    client.post("/api/groups/name", json={"item": 0, "name": "cats", "annotator": "Ada"})
    assert undo(client)["sentence"] == "the name “cats” is gone"
    assert study.names_ == {}


def test_an_answer_is_asked_again_and_a_click_is_one_step(client: TestClient, study: Study) -> None:
    question = ask(client)
    assert question is not None
    tell(client, question["id"], "different")
    undone = undo(client)
    assert (undone["is_edit"], undone["restored"], study.n_answers) == (False, 0, 0)
    again = ask(client)
    assert again is not None
    assert again["id"] == question["id"]
    for i, j in ((0, 1), (0, 2), (1, 2)):
        tell(client, (i, j), "different")
    client.post("/api/placements", json={"item": 5, "group": "new", "annotator": "Ada"})
    assert study.n_answers == 6
    undo(client)
    assert study.n_answers == 3


def test_an_answer_taken_back_under_check_comes_back(client: TestClient, study: Study) -> None:
    kept = tell(client, (0, 1), "same", "Bob").json()["id"]
    client.delete(f"/api/answers/{kept}", params={"annotator": "Ada", "again": False})
    assert study.n_answers == 0
    undo(client)
    assert [answer.who for answer in study.answers] == ["Bob"]


def test_with_nothing_to_take_back_a_sentence_says_so(client: TestClient) -> None:
    tell(client, (0, 1), "same", "Bob")
    reply = client.post("/api/undo", json={"annotator": "Ada"})
    assert reply.status_code == 422
    assert "no answer to take back" in reply.json()["detail"]
    other = client.post("/api/undo", json={"annotator": "Bob", "study": "0123456789abcdef"})
    assert other.status_code == 409
