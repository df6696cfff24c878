"""Questions, answers and placements: asking, answering, taking back, placing."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

from likewise.journal import Verdict
from likewise.study import Study
from web.conftest import Open, about, ask, grown, pile, tell


def test_a_whole_study_is_answered_with_the_questions_of_the_library(opened: Open) -> None:
    items, truth = pile()
    client, alone = opened(Study(items)), Study(items)
    asked = 0
    while (question := ask(client)) is not None:
        expected = alone.ask()
        assert expected is not None
        assert question["pair"] == list(expected.pair)
        i, j = question["pair"]
        verdict = "same" if truth[i] == truth[j] else "different"
        assert tell(client, question["id"], verdict).status_code == 201
        alone.tell(expected, Verdict(verdict))
        asked += 1
    assert alone.ask() is None
    assert asked > 10
    labels = [row["group"] for row in client.get("/api/labels").json()]
    assert labels == alone.labels_.tolist()


def test_asking_again_gives_the_same_question_and_shows_both_sides(client: TestClient) -> None:
    first = ask(client)
    assert first == ask(client)
    assert first is not None
    i, j = first["pair"]
    assert [card["item"] for card in first["items"]] == [i, j]
    assert first["items"][0]["id"] == f"photo-{i:02}.png"
    assert first["items"][0]["picture"] == f"/media/{i}"
    assert first["sizes"] == [1, 1]
    assert "same_probability" not in first


def test_exemplars_are_known_to_be_the_same(opened: Open, study: Study) -> None:
    client = opened(study)
    question = ask(client)
    assert question is not None
    i, j = question["pair"]
    free = [k for k in range(30) if k not in (i, j)]
    for k in free[:8]:
        study.tell((k, j), "same")
    again = ask(client)
    assert again is not None
    assert again["sizes"][again["pair"].index(j)] == 9
    shown = [card["item"] for card in again["exemplars"][1]]
    assert len(shown) == 5
    assert set(shown) <= set(free[:8])


def test_the_same_client_id_twice_is_one_answer(client: TestClient) -> None:
    question = ask(client)
    assert question is not None
    first = tell(client, question["id"], "same", client_id="abc", seconds=1.5)
    second = tell(client, question["id"], "same", client_id="abc", seconds=1.5)
    assert (first.status_code, second.status_code) == (201, 201)
    assert first.json() == second.json()
    assert client.get("/api/study").json()["answers"] == 1


@pytest.mark.parametrize("name", ["study.likewise.jsonl", "study.likewise.db"])
def test_an_answer_sent_again_after_a_restart_is_one_answer(
    opened: Open, tmp_path: Path, name: str
) -> None:
    items, _ = pile()
    client = opened(Study(items, store=tmp_path / name))
    question = ask(client)
    assert question is not None
    before = tell(client, question["id"], "different", client_id="x-1").json()
    client.delete(f"/api/answers/{before['id']}")
    again = opened(Study.open(tmp_path / name, items))
    assert tell(again, question["id"], "different", client_id="x-1").json()["id"] == before["id"]
    assert again.get("/api/study").json()["answers"] == 0  # it was taken back, and stays so
    fresh = tell(again, question["id"], "different", client_id="x-2")
    assert fresh.status_code == 201
    assert len(Study.open(tmp_path / name, items).answers) == 1


def test_what_was_predicted_is_told_after_the_answer(client: TestClient) -> None:
    question = ask(client)
    assert question is not None
    kept = tell(client, question["id"], "same", seconds=2.5).json()
    assert 0 < kept["same_probability"] < 1
    assert kept["as_predicted"] == (kept["same_probability"] > 0.5)
    assert kept["seconds"] == 2.5
    assert kept["annotator"] == "Ada"


def test_a_second_window_is_told_that_the_question_was_answered(client: TestClient) -> None:
    question = ask(client)
    assert question is not None
    assert ask(client) == question
    assert tell(client, question["id"], "same", client_id="one").status_code == 201
    late = tell(client, question["id"], "different", client_id="two")
    assert late.status_code == 409
    assert "already" in late.json()["detail"]
    assert client.get("/api/study").json()["answers"] == 1


def test_what_was_taken_back_is_asked_again(client: TestClient) -> None:
    asked = []
    for _ in range(3):
        question = ask(client)
        assert question is not None
        asked.append(question["id"])
        tell(client, question["id"], "different")
    for expected in reversed(asked):
        latest = client.get("/api/answers", params={"annotator": "Ada"}).json()[-1]
        reply = client.delete(f"/api/answers/{latest['id']}", params={"annotator": "Ada"})
        assert reply.status_code == 200
        again = ask(client)
        assert again is not None
        assert again["id"] == expected
    assert client.delete("/api/answers/0").status_code == 422


def test_a_skipped_question_makes_room_for_another_and_comes_back_at_the_end(
    opened: Open,
) -> None:
    items, truth = pile(n=6, groups=2)
    client = opened(Study(items))
    first = ask(client)
    assert first is not None
    second = ask(client, skip=first["id"])
    assert second is not None
    assert set(second["pair"]) != set(first["pair"])
    seen: list[str] = []
    question: dict[str, Any] | None = second
    while question is not None and len(seen) < 40:
        seen.append(question["id"])
        i, j = question["pair"]
        tell(client, question["id"], "same" if truth[i] == truth[j] else "different")
        question = ask(client)
    assert question is None
    labels = [row["group"] for row in client.get("/api/labels").json()]
    assert len(set(zip(labels, truth.tolist(), strict=True))) == 2


def test_unsure_is_an_answer(client: TestClient) -> None:
    question = ask(client)
    assert question is not None
    assert tell(client, question["id"], "unsure").json()["verdict"] == "unsure"
    other = ask(client)
    assert other is not None
    assert other["id"] != question["id"]


def test_likely_groups_come_with_the_question_when_asked_for(opened: Open) -> None:
    study, truth = grown()
    client = opened(study)
    assert ask(client)["kind"] == "pair"  # type: ignore[index]
    question = ask(client, kind="place")
    assert question is not None
    assert question["kind"] == "place"
    assert len(question["places"]) == 3
    for place in question["places"]:
        shown = [card["item"] for card in place["exemplars"]]
        assert place["exemplars"][0]["key"] == place["member"]
        assert place["size"] >= len(shown)
        assert len({truth[item] for item in shown}) == 1


def test_a_click_on_a_group_is_one_answer_when_the_groups_are_known_to_differ(
    opened: Open,
) -> None:
    study, truth = grown()
    client = opened(study)
    question = ask(client, kind="place")
    assert question is not None
    item = question["item"]["item"]
    right = next(p for p in question["places"] if truth[p["exemplars"][0]["item"]] == truth[item])
    body = {
        "item": item, "member": right["member"], "annotator": "Ada",
        "among": [p["member"] for p in question["places"]], "client_id": "click", "seconds": 3,
    }  # fmt: skip
    first, second = (client.post("/api/placements", json=body) for _ in range(2))
    assert first.status_code == 201
    assert first.json() == second.json()
    assert [a["verdict"] for a in first.json()["answers"]] == ["same"]
    said = study.constraints.implied(item, right["exemplars"][0]["item"])
    assert said is not None
    assert said.value == "same"


def test_a_new_group_differs_from_all_that_were_shown_and_from_no_others(opened: Open) -> None:
    study, _ = grown()
    client = opened(study)
    question = ask(client, kind="place")
    assert question is not None
    item = question["item"]["item"]
    shown = [place["exemplars"][0]["item"] for place in question["places"]][:2]
    body = {"item": item, "group": "new", "annotator": "Ada", "among": shown, "seconds": 4}
    kept = client.post("/api/placements", json=body).json()["answers"]
    assert [(a["pair"], a["verdict"]) for a in kept] == [
        ([item, other], "different") for other in shown
    ]
    assert len({a["click"] for a in kept}) == 1
    assert [a["seconds"] for a in kept] == [4, None]


def test_a_placement_by_the_group_number_alone_will_do(opened: Open) -> None:
    study, truth = grown()
    client = opened(study)
    question = ask(client)
    assert question is not None
    item = question["pair"][0]
    labels = study.labels_
    representative = next(p for p in study.constraints.representatives if truth[p] == truth[item])
    body = {
        "item": item,
        "group": int(labels[representative]),
        "annotator": "Ada",
        "client_id": "c",
    }
    reply = client.post("/api/placements", json=body)
    assert reply.status_code == 201
    assert reply.json()["answers"][0]["verdict"] == "same"
    after = study.labels_
    assert after[item] == after[representative]
    everything = client.post("/api/placements", json={"item": 0, "group": 999, "annotator": ""})
    assert everything.status_code == 422


def test_a_new_group_differs_from_every_group_if_nothing_else_is_said(opened: Open) -> None:
    study, _ = grown()
    client = opened(study)
    item = next(k for k in range(30) if study.constraints.representative_of(k) is None)
    client.post("/api/placements", json={"item": item, "group": "new", "client_id": "n"})
    assert len(study.constraints.representatives) == 4
    assert study.constraints.representative_of(item) == item


def test_asking_again_after_a_dispute_asks_whoever_wanted_it(
    client: TestClient, study: Study
) -> None:
    asked = about(study, 3, 4)
    tell(client, asked, "same")
    client.delete("/api/answers/0", params={"annotator": "Ada"})
    question = ask(client)
    assert question is not None
    assert question["id"] == asked
    assert tell(client, asked, "different").status_code == 201


def test_why_a_pair_was_asked_is_told_by_what_was_known_before(opened: Open) -> None:
    study, known = Study(pile()[0]), Study(pile()[0])
    client = opened(study)
    for number in range(4):
        question = known.ask()
        assert question is not None
        client.get("/api/question", params={"annotator": "Ada"})
        body = {"question": about(study, *question.pair), "verdict": "different"}
        client.post("/api/answers", json={**body, "annotator": "Ada"})
        why = known.explain(question)
        assert client.get(f"/api/answers/{number}/why").json() == {"why": why}
        known.tell(question, "different")
    assert client.get("/api/answers/99/why").status_code == 404
