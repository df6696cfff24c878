"""The JSON paths: asking, answering, taking back, placing, looking."""

from __future__ import annotations

import csv
import io
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from fastapi.testclient import TestClient

from likewise.items import Items
from likewise.study import Study
from web.conftest import Open, pile


def ask(client: TestClient, who: str = "Ada", **more: Any) -> dict[str, Any] | None:
    reply = client.get("/api/question", params={"annotator": who, **more})
    assert reply.status_code in (200, 204), reply.text
    return None if reply.status_code == 204 else dict(reply.json())


def tell(client: TestClient, question: str, verdict: str, who: str = "Ada", **more: Any) -> Any:
    body = {"question": question, "verdict": verdict, "annotator": who, **more}
    return client.post("/api/answers", json=body)


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
        alone.tell(expected, verdict)
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


# -- placements --------------------------------------------------------------------------------


def grown(answers: int = 12) -> tuple[Study, Any]:
    """A study in which three groups are known."""
    items, truth = pile()
    study = Study(items)
    while len(study.constraints.representatives) < 3 or study.n_answers < answers:
        question = study.ask()
        assert question is not None
        i, j = question.pair
        study.tell(question, bool(truth[i] == truth[j]))
    return study, truth


def test_likely_groups_come_with_the_question_when_asked_for(opened: Open) -> None:
    study, truth = grown()
    client = opened(study)
    assert ask(client)["places"] is None  # type: ignore[index]
    question = ask(client, places=True)
    assert question is not None
    places = question["places"]
    assert 1 <= len(places) <= 5
    for place in places:
        shown = {card["item"] for card in place["exemplars"]}
        assert place["member"] in shown
        assert len({truth[item] for item in shown}) == 1


def test_a_click_on_a_group_is_one_answer_when_the_groups_are_known_to_differ(
    opened: Open,
) -> None:
    study, truth = grown()
    client = opened(study)
    question = ask(client, places=True)
    assert question is not None
    item = question["pair"][0]
    right = next(p for p in question["places"] if truth[p["member"]] == truth[item])
    body = {
        "item": item, "group": right["group"], "member": right["member"], "annotator": "Ada",
        "among": [p["member"] for p in question["places"]], "client_id": "click", "seconds": 3,
    }  # fmt: skip
    first, second = (client.post("/api/placements", json=body) for _ in range(2))
    assert first.status_code == 201
    assert first.json() == second.json()
    assert [a["verdict"] for a in first.json()["answers"]] == ["same"]
    assert study.constraints.implied(item, right["member"]).value == "same"  # type: ignore[union-attr]


def test_a_new_group_differs_from_all_that_were_shown_and_from_no_others(opened: Open) -> None:
    study, _ = grown()
    client = opened(study)
    question = ask(client, places=True)
    assert question is not None
    item = question["pair"][0]
    shown = [place["member"] for place in question["places"]][:2]
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


# -- looking -----------------------------------------------------------------------------------


def test_labels_come_as_json_and_as_csv(client: TestClient) -> None:
    as_json = client.get("/api/labels").json()
    reply = client.get("/api/labels", params={"format": "csv"})
    assert reply.headers["content-type"].startswith("text/csv")
    rows = list(csv.DictReader(io.StringIO(reply.text)))
    assert list(rows[0]) == ["item", "group", "name", "confidence"]
    assert [row["item"] for row in rows] == [row["id"] for row in as_json]
    assert [int(row["group"]) for row in rows] == [row["group"] for row in as_json]


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


def test_the_study_tells_how_it_stands(client: TestClient) -> None:
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
    assert ask(client, places=True) is not None
    assert len(client.get("/api/map").json()["x"]) == 5
    assert client.get("/api/disputes").json() == {"disputes": [], "doubtful": []}


# -- disputes, edits ---------------------------------------------------------------------------


def test_a_contradiction_is_told_with_its_loop_and_ends_when_one_side_goes(
    client: TestClient,
) -> None:
    for question, verdict in (("0-1", "same"), ("1-2", "same"), ("0-2", "different")):
        kept = tell(client, question, verdict).json()
    assert kept["disputed"]
    (dispute,) = client.get("/api/disputes").json()["disputes"]
    assert {a["id"] for a in dispute["answers"]} == {0, 1, 2}
    assert dispute["answers"][0]["disputed"]
    assert {card["item"] for card in dispute["items"]} == {0, 1, 2}
    client.delete("/api/answers/1")
    assert client.get("/api/disputes").json()["disputes"] == []


def test_asking_again_after_a_dispute_asks_whoever_wanted_it(client: TestClient) -> None:
    tell(client, "3-4", "same")
    client.delete("/api/answers/0", params={"annotator": "Ada"})
    question = ask(client)
    assert question is not None
    assert question["id"] == "3-4"
    assert tell(client, "3-4", "different").status_code == 201


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


def test_why_a_pair_was_asked_is_told_by_what_was_known_before(opened: Open) -> None:
    study, known = Study(pile()[0]), Study(pile()[0])
    client = opened(study)
    for number in range(4):
        question = known.ask()
        assert question is not None
        client.get("/api/question", params={"annotator": "Ada"})
        body = {"question": f"{question.pair.i}-{question.pair.j}", "verdict": "different"}
        client.post("/api/answers", json={**body, "annotator": "Ada"})
        why = known.explain(question)
        assert client.get(f"/api/answers/{number}/why").json() == {"why": why}
        known.tell(question, "different")
    assert client.get("/api/answers/99/why").status_code == 404


def test_pictures_of_the_next_questions_are_made_while_the_person_looks(opened: Open) -> None:
    client = opened(Study(pile()[0]))
    client.get("/api/question", params={"annotator": "Ada"})
    thumbnails, until = client.app.state.service.thumbnails, time.monotonic() + 60  # type: ignore[attr-defined]
    while not thumbnails._kept:
        assert time.monotonic() < until
        time.sleep(0.02)
    assert {size for _, size in thumbnails._kept} == {1024}
