"""Several people: leases, overlap, agreement."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import krippendorff
import numpy as np
import pytest
from fastapi.testclient import TestClient
from hypothesis import given
from hypothesis import strategies as st

from likewise.errors import StoreError
from likewise.journal.pairs import Answer, AnswerDraft, Pair, Verdict
from likewise.quality.agreement import krippendorff_alpha
from likewise.study import Study
from likewise.web.dispatcher import Dispatcher
from likewise.web.service import StudyService
from web.conftest import Open, pile

VERDICTS = ("same", "different", "unsure")


def ask(client: TestClient, who: str) -> dict[str, Any] | None:
    reply = client.get("/api/question", params={"annotator": who})
    return None if reply.status_code == 204 else dict(reply.json())


def test_nobody_gets_a_pair_that_another_is_looking_at(opened: Open) -> None:
    client = opened(Study(pile(60)[0]))
    held = [ask(client, f"person-{k}") for k in range(8)]
    assert all(held)
    pairs = {frozenset(question["pair"]) for question in held if question}
    assert len(pairs) == 8
    assert [ask(client, f"person-{k}") for k in range(8)] == held


@pytest.mark.parametrize("name", [None, "study.likewise.db"])
def test_many_people_answer_at_once_and_nothing_is_lost_or_doubled(
    opened: Open, tmp_path: Path, name: str | None
) -> None:
    items, truth = pile(60, groups=4)
    study = Study(items, store=None if name is None else tmp_path / name)
    client = opened(study)
    sent: list[tuple[str, list[int]]] = []

    def work(who: str) -> None:
        for k in range(12):
            question = ask(client, who)
            if question is None:
                return
            i, j = question["pair"]
            body = {
                "question": question["id"], "verdict": "same" if truth[i] == truth[j] else
                "different", "annotator": who, "client_id": f"{who}-{k}",
            }  # fmt: skip
            replies = [client.post("/api/answers", json=body) for _ in range(1 + k % 2)]
            assert {reply.status_code for reply in replies} == {201}
            sent.append((who, question["pair"]))

    with ThreadPoolExecutor(6) as people:
        list(people.map(work, [f"person-{k}" for k in range(6)]))
    kept = [(answer.who, list(answer.pair)) for answer in study.answers]
    assert sorted(kept) == sorted(sent)
    pairs = [answer.pair.unordered for answer in study.answers]
    assert len(pairs) == len(set(pairs))
    assert study.disputes() == []


def test_a_lease_ends_when_its_holder_is_silent() -> None:
    now = [0.0]
    study = Study(pile()[0])
    dispatcher = Dispatcher(study, overlap=1, lease_seconds=60, clock=lambda: now[0])
    assert dispatcher.is_alone("Ada")
    context = dispatcher.selection_context("Ada")
    dispatcher.refill(context.version, [study.ask()])  # type: ignore[list-item]
    assert dispatcher.offer("Ada") is not None
    assert not dispatcher.is_alone("Bob")
    now[0] = 61.0
    assert dispatcher.is_alone("Bob")


def submission(who: str, pair: Pair, verdict: Verdict, client_id: str) -> AnswerDraft:
    return AnswerDraft(pair, verdict, who=who, client_id=client_id)


def test_answers_that_come_together_are_kept_together_each_on_its_merits(tmp_path: Path) -> None:
    study = Study(pile()[0], store=tmp_path / "study.db")
    dispatcher = Dispatcher(study, overlap=1, lease_seconds=60)
    same, different = Verdict.SAME, Verdict.DIFFERENT
    dispatcher.record([submission("Ada", Pair(0, 1), same, "a-1")])
    replies = dispatcher.record(
        [
            submission("Ada", Pair(2, 3), same, "a-2"),
            submission(
                "Bob", Pair(2, 3), different, "b-1"
            ),  # contradicts, and is kept as a dispute
            submission("Ada", Pair(3, 2), different, "a-3"),  # from another window
            submission("Ada", Pair(2, 3), same, "a-2"),  # the same, sent twice
            submission("Ada", Pair(0, 1), same, "a-1"),  # sent again
            submission("Bob", Pair(5, 5), same, "b-2"),
            submission("Bob", Pair(4, 5), same, "b-3"),
        ]
    )
    assert [r.id if isinstance(r, Answer) else type(r).__name__ for r in replies] == [
        1, 2, "AlreadyAnswered", 1, 0, "AnswerError", 3
    ]  # fmt: skip
    assert [answer.client_id for answer in study.answers] == ["a-1", "a-2", "b-1", "b-3"]
    assert dispatcher.version == 4
    assert len(study.disputes()) == 1
    assert Study.open(tmp_path / "study.db", pile()[0]).answers == study.answers


def test_when_answers_cannot_be_kept_everybody_who_waits_is_told() -> None:
    study = Study(pile()[0])
    service = StudyService(study)

    def full(_: Any) -> None:
        raise StoreError("the disk is full")

    study.store.append = full  # type: ignore[method-assign,assignment]

    async def send() -> list[Any]:
        sent = [
            service.record(
                lambda _, k=k: submission(str(k), Pair(k, k + 1), Verdict.SAME, str(k))  # type: ignore[misc]
            )
            for k in range(3)
        ]
        return await asyncio.gather(*sent, return_exceptions=True)

    replies = asyncio.run(send())
    service.close()
    assert [str(reply) for reply in replies] == 3 * ["the disk is full"]
    assert study.n_answers == 0


def test_with_overlap_the_same_pair_goes_to_several_people(opened: Open) -> None:
    client = opened(Study(pile()[0]), overlap=2)
    first = ask(client, "Ada")
    assert first is not None
    body = {"question": first["id"], "verdict": "same", "annotator": "Ada"}
    client.post("/api/answers", json=body)
    second = ask(client, "Bob")
    assert second is not None
    assert set(second["pair"]) == set(first["pair"])
    client.post("/api/answers", json={**body, "annotator": "Bob", "question": second["id"]})
    third = ask(client, "Cleo")
    assert third is not None
    assert set(third["pair"]) != set(first["pair"])
    found = client.get("/api/people").json()
    assert found["alpha"] == 1.0
    assert [(p["name"], p["answers"]) for p in found["people"]] == [
        ("Ada", 1), ("Bob", 1), ("Cleo", 0)
    ]  # fmt: skip


def test_the_leads_view_tells_who_did_what_but_not_what_they_said(client: TestClient) -> None:
    for who, verdict in (("Ada", "same"), ("Ada", "unsure"), ("Bob", "different")):
        question = ask(client, who)
        assert question is not None
        body = {"question": question["id"], "verdict": verdict, "annotator": who, "seconds": 2}
        client.post("/api/answers", json=body)
    ada, bob = client.get("/api/people").json()["people"]
    assert (ada["name"], ada["answers"], ada["unsure"], ada["median_seconds"]) == ("Ada", 2, 1, 2)
    assert bob["latest"] > ada["latest"][:10]
    assert "verdict" not in client.get("/api/people").text
    assert client.get("/api/answers", params={"annotator": "Bob"}).json()[0]["annotator"] == "Bob"


@given(st.lists(st.tuples(st.integers(0, 5), st.integers(0, 3), st.sampled_from(VERDICTS))))
def test_alpha_is_that_of_the_literature(said: list[tuple[int, int, str]]) -> None:
    table = np.full((4, 6), np.nan)
    answers = []
    for number, (unit, who, verdict) in enumerate(said):
        pair = Pair(unit, unit + 10) if number % 2 else Pair(unit + 10, unit)
        answers.append(Answer(number, pair, Verdict(verdict), who=str(who)))
        if verdict != "unsure":
            table[who, unit] = float(verdict == "same")
    found = krippendorff_alpha(answers)
    judged = table[:, (~np.isnan(table)).sum(axis=0) > 1]
    values = np.unique(judged[~np.isnan(judged)])
    if not judged.size:
        assert found is None
    elif len(values) == 1:
        assert found == 1.0
    else:
        expected = krippendorff.alpha(reliability_data=judged, level_of_measurement="nominal")
        assert found == pytest.approx(expected)


def test_the_next_question_is_ready_for_every_answer_although_others_are_served_first() -> None:
    service = StudyService(Study(pile()[0]))

    async def look_and_wait() -> tuple[Pair, set[tuple[int, Pair, Verdict]]]:
        pair = await service.question("Ada", lambda _, shown: shown)
        assert isinstance(pair, Pair)
        await asyncio.gather(*(service.groups() for _ in range(3)))
        while len(service.dispatcher._prefetched) < len(Verdict):
            await asyncio.sleep(0.01)
        return pair, set(service.dispatcher._prefetched)

    pair, prefetched = asyncio.run(asyncio.wait_for(look_and_wait(), 60))
    service.close()
    assert prefetched == {(0, pair.unordered, verdict) for verdict in Verdict}
