"""Questions of other kinds than the pair: asked, replied to in one piece, taken back in one."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from fastapi.testclient import TestClient

from likewise.journal.pairs import Verdict
from likewise.journal.questions import PlaceQuestion, SheetQuestion
from likewise.study import Study
from likewise.study.branch import Branch
from likewise.web.foresight import Guess, ask_after_reply, likely_replies
from likewise.web.offers import pair_of, told_by
from likewise.web.service import StudyService
from web.conftest import Open, Truth, ask, grown, pile


def sheet_of(client: TestClient, who: str = "Ada") -> dict[str, Any]:
    """A sheet that is leased to somebody."""
    question = ask(client, who, kind="sheet")
    assert question is not None
    assert question["kind"] == "sheet"
    return question


def reply_to(sheet: dict[str, Any], truth: Truth, **more: Any) -> dict[str, Any]:
    """The true reply to a sheet."""
    cards, kind = [sheet["first"], *sheet["items"]], truth[sheet["first"]["item"]]
    belonging = [card["key"] for card in cards if truth[card["item"]] == kind]
    body = {
        "study": sheet["study"], "items": [card["key"] for card in cards], "belonging": belonging,
        "annotator": "Ada", "client_id": "one", "seconds": 5,
    }  # fmt: skip
    if sheet["group"] is None:
        right = [p for p in sheet["places"] if truth[p["exemplars"][0]["item"]] == kind]
        among = [place["member"] for place in sheet["places"]]
        body |= {"into": right[0]["member"]} if right else {"into": "new", "among": among}
    return {**body, **more}


def test_a_sheet_is_kept_once_however_often_it_is_sent_and_taken_back_whole(opened: Open) -> None:
    study, truth = grown()
    client, before = opened(study), study.answers
    sheet = sheet_of(client)
    assert 3 <= len(sheet["items"]) == len(sheet["ticked"]) <= 23
    assert sheet_of(client) == sheet  # it is held until it is answered
    body = reply_to(sheet, truth)
    first, second = (client.post("/api/sheets", json=body) for _ in range(2))
    assert (first.status_code, second.status_code) == (201, 201)
    assert first.json() == second.json()
    assert len(first.json()["answers"]) >= len(sheet["items"])
    assert study.disputes() == []
    other = client.post("/api/sheets", json={**body, "belonging": body["items"][:1]})
    assert other.status_code == 409
    assert client.post("/api/undo", json={"annotator": "Ada"}).status_code == 201
    assert study.answers == before
    assert sheet_of(client)["id"] == sheet["id"]  # it is asked again as it was


def test_what_was_taken_back_does_not_come_to_who_wants_another_kind(opened: Open) -> None:
    study, truth = grown()
    client = opened(study)
    client.post("/api/sheets", json=reply_to(sheet_of(client), truth))
    assert ask(client, kind="place")["kind"] == "place"  # type: ignore[index]
    client.post("/api/undo", json={"annotator": "Ada"})
    question = ask(client, kind="place")
    assert question is not None
    assert question["kind"] == "place"  # what is wanted now
    body = {
        "item": question["item"]["key"], "member": question["places"][0]["member"],
        "annotator": "Ada", "client_id": "two",
    }  # fmt: skip
    assert client.post("/api/placements", json=body).status_code == 201
    client.post("/api/undo", json={"annotator": "Ada"})
    pair = ask(client, kind="pair")
    assert pair is not None
    assert pair["kind"] == "pair"  # wanted only after it was taken back
    assert sheet_of(client)["kind"] == "sheet"


def test_a_sheet_about_other_things_than_are_there_is_refused(opened: Open) -> None:
    study, truth = grown()
    client = opened(study)
    body = reply_to(sheet_of(client), truth)
    changed = [body["items"][0], "3-0123456789abcdef", *body["items"][2:]]
    for wrong, status in (
        ({"study": "abc"}, 409),
        ({"items": changed}, 409),
        ({"items": body["items"][:1]}, 422),
        ({"belonging": [29, 28, 27, 26, 25, 24, 23]}, 422),
        ({"into": "elsewhere"}, 422),
    ):
        assert client.post("/api/sheets", json={**body, **wrong}).status_code == status
    assert study.n_answers == 12


def test_a_new_group_is_founded_with_its_name_in_one_step(opened: Open) -> None:
    study, _ = grown()
    client = opened(study)
    question = ask(client, kind="place")
    assert question is not None
    item = question["item"]["item"]
    body = {
        "item": question["item"]["key"], "group": "new", "name": "ferns", "annotator": "Ada",
        "among": [place["member"] for place in question["places"]], "client_id": "n",
    }  # fmt: skip
    for _ in range(2):
        assert client.post("/api/placements", json=body).status_code == 201
    assert study.named == {item: "ferns"}
    later = ask(client, kind="place")
    assert later is not None
    assert "ferns" in [place["name"] for place in later["places"]]
    client.post("/api/undo", json={"annotator": "Ada"})
    assert study.named.get(item, "") == ""
    assert study.n_answers == 12
    neither = {"item": question["item"]["key"], "annotator": "Ada"}
    assert client.post("/api/placements", json=neither).status_code == 422


def test_two_people_never_look_at_the_same_items(opened: Open) -> None:
    client = opened(grown()[0])
    seen: list[set[int]] = []
    for who in ("Ada", "Bob"):
        question = ask(client, who, kind="sheet")
        assert question is not None
        cards = question["items"] if question["kind"] == "sheet" else [question["item"]]
        seen.append({card["item"] for card in cards})
    assert not seen[0] & seen[1]


def test_what_is_skipped_comes_again_when_nothing_else_is_left(opened: Open) -> None:
    client = opened(grown()[0])
    sheet = sheet_of(client)
    skipped = {card["item"] for card in sheet["items"]}
    later = ask(client, kind="sheet", skip=sheet["id"])
    assert later is not None
    assert not skipped & {card["item"] for card in later.get("items", [])}
    for _ in range(8):
        later = ask(client, kind="sheet", skip=later["id"])
        assert later is not None
        if later["id"] == sheet["id"]:
            return
    pytest.fail("it never came again")


@pytest.mark.parametrize("kind", ["place", "sheet", "best"])
def test_everything_is_sorted_in_the_end(opened: Open, kind: str) -> None:
    study, truth = Study(pile()[0]), pile()[1]
    client, asked = opened(study), set()
    for number in range(90):
        question = ask(client, kind=kind)
        if question is None:
            break
        asked.add(question["kind"])
        if question["kind"] == "pair":
            i, j = question["pair"]
            verdict = "same" if truth[i] == truth[j] else "different"
            body = {"question": question["id"], "verdict": verdict, "annotator": "Ada"}
            reply = client.post("/api/answers", json=body)
        elif question["kind"] == "sheet":
            body = reply_to(question, truth, client_id=f"c{number}")
            reply = client.post("/api/sheets", json=body)
        else:
            sheet = {**question, "first": question["item"], "items": [], "group": None}
            body = reply_to(sheet, truth)
            where = {"group": "new"} if body["into"] == "new" else {"member": body["into"]}
            body = {"item": question["item"]["key"], "annotator": "Ada", **where}
            reply = client.post("/api/placements", json=body)
        assert reply.status_code == 201
    assert kind in asked or kind == "best"
    assert len({(a, b) for a, b in zip(study.labels_, truth, strict=True)}) == 3


def test_what_is_foreseen_is_what_is_asked() -> None:
    study, _ = grown()
    branch = Branch.of(study)
    for kind in ("place", "sheet"):
        question = study.ask(kind=kind)
        guess = next(iter(likely_replies(question)))  # type: ignore[arg-type]
        told, foreseen = ask_after_reply(branch, kind, question, guess, frozenset())  # type: ignore[arg-type]
        if isinstance(question, PlaceQuestion):
            group = question.groups[question.members.index(guess.into)]
            given = study.tell(question, group)
        else:
            assert isinstance(question, SheetQuestion)
            given = study.tell(question, guess.belonging)
        assert told == told_by(given)  # type: ignore[arg-type]
        found = study.ask(kind=kind) or study.ask(kind="place")
        assert foreseen == found
        branch.follow(study.answers)
    assert branch.answers == study.answers
    assert Guess(Verdict.SAME) != Guess(Verdict.DIFFERENT)


def test_the_pictures_of_the_next_sheet_can_be_loaded_before_it_comes(opened: Open) -> None:
    study, truth = grown()
    client = opened(study)
    assert client.get("/api/ahead?annotator=Ada").json() == []  # nothing was asked
    sheet = sheet_of(client)
    ahead = client.get("/api/ahead?annotator=Ada").json()
    assert client.get("/api/ahead?annotator=Bob").json() == []
    believed = [card["key"] for card, tick in zip(sheet["items"], sheet["ticked"], strict=True)
                if tick]  # fmt: skip
    body = reply_to(sheet, truth, belonging=[sheet["first"]["key"], *believed])
    assert client.post("/api/sheets", json=body).status_code == 201
    following = ask(client, kind="sheet")
    assert following is not None
    shown = following["items"] if following["kind"] == "sheet" else [following["item"]]
    assert {card["key"] for card in shown} <= {one["key"] for one in ahead}
    for one in ahead[:2]:
        path = f"{one['picture']}?size={one['size']}&key={one['key']}"
        assert client.get(path).headers["content-type"] == "image/png"


def test_the_next_question_is_ready_whatever_is_replied() -> None:
    study, _ = grown()
    service = StudyService(study)

    async def look_and_wait() -> tuple[Any, Any, Any]:
        offer = await service.question_of_kind("Ada", "sheet", lambda _, shown: shown)
        ready = service.dispatcher.ready
        while ready.spare("Ada", "sheet", 0) is None or not ready._foreseen:
            await asyncio.sleep(0.01)
        return offer, ready.spare("Ada", "sheet", 0), dict(ready._foreseen)

    offer, spare, foreseen = asyncio.run(asyncio.wait_for(look_and_wait(), 60))
    service.close()
    assert isinstance(offer, SheetQuestion)
    about = set(spare.items) if isinstance(spare, SheetQuestion) else {spare.item}
    assert not about & set(offer.items[1:])
    ticked = zip(offer.items, offer.ticked, strict=True)
    believed = {item for item, tick in ticked if tick} - {offer.items[0]}
    ((_, _, _, told),) = foreseen
    same = {pair for pair, verdict in told if verdict is Verdict.SAME}
    assert {item for pair in same for item in pair} - {offer.items[0]} == believed
    assert pair_of(offer).j == offer.items[0]
