"""A language model as a guest of a study that is served: over HTTP, and on the page."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from fastapi.testclient import TestClient
from playwright.sync_api import expect
from typer.testing import CliRunner

from likewise.answerers import LanguageModel
from likewise.cli.app import app
from likewise.items import Items
from likewise.journal.pairs import Answer, Pair, Verdict
from likewise.quality.program_agreement import agreement_with_people
from likewise.simulation import Money
from likewise.study import Study
from likewise.testing import ChatServer, chat_server
from likewise.web.security import Access
from web.conftest import Live, Open

TEXTS = [f"a {kind} number {k}" for k in range(8) for kind in ("plum", "saw")]
TRUTH = [k % 2 for k in range(16)]


def judge(one: str, other: str) -> str:
    return "same" if ("plum" in one) == ("plum" in other) else "different"


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[ChatServer]:
    monkeypatch.setenv("LIKEWISE_CACHE", str(tmp_path / "cache"))
    with chat_server(judge) as served:
        yield served


def guest_of(server: ChatServer, **settings: Any) -> LanguageModel:
    return LanguageModel(
        base_url=server.address, model="small", send=True, sleep=lambda _: None, swapped=0.0,
        questions_per_call=3, **settings,
    )  # fmt: skip


def study() -> Study:
    X = np.c_[np.array(TRUTH) * 5.0, np.random.default_rng(0).random(16)]
    return Study(Items.of(X, texts=TEXTS), method="random-items")


def ended(client: TestClient, within: float = 30.0) -> dict[str, Any]:
    """What the guest says of itself once it has stopped."""
    until = time.monotonic() + within
    while time.monotonic() < until:
        found: dict[str, Any] = client.get("/api/guest").json()
        if not found["running"]:
            return found
        time.sleep(0.02)
    raise AssertionError("the guest does not stop")


def test_a_guest_answers_within_its_budget_and_is_taken_back_as_a_whole(
    opened: Open, server: ChatServer
) -> None:
    served = study()
    served.tell((0, 2), "same", who="Ada")
    client = opened(served, guest=guest_of(server, price=0.01, budget=Money(1)))
    assert client.get("/api/guest").json()["name"] == "small"
    assert client.post("/api/guest", json={"answers": 5}).status_code == 202
    found = ended(client)
    assert (found["answers"], found["answered"]) == (5, 5)
    assert found["spent"] == pytest.approx(0.05)
    assert found["limit"] == 1
    assert "last answer" in found["reason"]
    theirs = [answer for answer in served.answers if answer.who == "small"]
    assert all(answer.by_program for answer in theirs)
    (ada, small) = client.get("/api/people").json()["people"]
    assert (ada["is_program"], small["is_program"]) == (False, True)
    assert small["errors"]["cost"] == pytest.approx(0.05)
    kept = client.get("/api/answers", params={"annotator": "small"}).json()
    assert all(answer["by_program"] for answer in kept)
    back = client.delete("/api/guest/answers", params={"annotator": "Ada"}).json()
    assert back == {"answers": 5}
    assert [answer.who for answer in served.answers] == ["Ada"]
    assert client.post("/api/undo", json={"annotator": "Ada"}).status_code == 201
    assert served.n_answers == 6


def test_money_is_the_limit_and_said(opened: Open, server: ChatServer) -> None:
    client = opened(study(), guest=guest_of(server, price=0.01, budget=Money(0.04)))
    client.post("/api/guest", json={"answers": 100})
    found = ended(client)
    assert found["spent"] == 0.04
    assert "allow more to go on" in found["reason"]
    client.delete("/api/guest/answers")
    assert client.get("/api/guest").json()["spent"] == 0.04  # what was paid does not come back


def test_a_guest_is_stopped_and_not_started_twice(opened: Open, server: ChatServer) -> None:
    served = study()
    client = opened(served, guest=guest_of(server))
    server.faults, server.delay = ["slow"] * 50, 0.5
    client.post("/api/guest", json={"answers": 1000})
    again = client.post("/api/guest", json={"answers": 1})
    assert again.status_code == 422
    assert "answering already; stop it first" in again.json()["detail"]
    client.delete("/api/guest")
    assert ended(client)["reason"] == "stopped"
    assert len(server.bodies) <= 2
    assert served.n_answers == 3 * len(server.replied)  # what was paid for is kept


def test_a_server_that_fails_is_told_in_a_sentence(opened: Open, server: ChatServer) -> None:
    client = opened(study(), guest=guest_of(server))
    server.faults = ["401"]
    client.post("/api/guest", json={"answers": 3})
    found = ended(client)
    assert (found["answers"], found["running"]) == (0, False)
    assert found["reason"]


def test_proposals_have_no_effect_until_a_person_confirms_them(
    opened: Open, server: ChatServer
) -> None:
    served = study()
    client = opened(served, guest=guest_of(server))
    client.post("/api/guest", json={"answers": 4, "propose": True})
    assert ended(client)["proposals"] == 4
    assert served.n_answers == 0
    proposals = client.get("/api/guest/proposals").json()
    assert all(
        judge(*(card["text"] for card in one["items"])) == one["verdict"] for one in proposals
    )
    answers = [{"question": one["question"], "verdict": one["verdict"]} for one in proposals[:3]]
    body = {"answers": answers, "annotator": "Ada"}
    kept = client.post("/api/guest/proposals", json=body).json()["answers"]
    assert [answer["annotator"] for answer in kept] == ["Ada"] * 3
    assert {answer.who for answer in served.answers} == {"Ada"}
    assert client.get("/api/guest").json()["proposals"] == 1


def test_agreement_with_people_is_told_by_kind_of_pair() -> None:
    said = [
        Answer(0, Pair(0, 1), Verdict.SAME, who="Ada"),
        Answer(1, Pair(1, 2), Verdict.DIFFERENT, who="Bob"),
        Answer(2, Pair(0, 1), Verdict.SAME, who="m", same_probability=0.9),
        Answer(3, Pair(0, 2), Verdict.SAME, who="m", same_probability=0.5),  # follows otherwise
        Answer(4, Pair(1, 2), Verdict.DIFFERENT, who="m", same_probability=0.5),
        Answer(5, Pair(3, 4), Verdict.SAME, who="m"),  # nobody knows
    ]
    found = [(one.kind, one.compared, one.agreed) for one in agreement_with_people(said, "m", 5)]
    assert found == [("same, looks the same", 1, 1), ("different, unclear", 2, 1)]


def test_only_the_owner_has_a_say_about_the_guest(opened: Open, server: ChatServer) -> None:
    access = Access(token="o" * 32)
    invited = access.invite("Bob")
    client = opened(study(), guest=guest_of(server), access=access)
    theirs = {"authorization": f"Bearer {invited}"}
    assert client.get("/api/guest", headers=theirs).status_code == 403
    assert client.delete("/api/guest", headers=theirs).status_code == 403
    assert client.post("/api/guest", headers=theirs, json={"answers": 1}).status_code == 403


def test_without_a_guest_nothing_is_started(client: TestClient) -> None:
    assert client.get("/api/guest").json()["name"] == ""
    refused = client.post("/api/guest", json={"answers": 1})
    assert refused.status_code == 404
    assert "likewise serve --guest MODEL" in refused.json()["detail"]


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        (["--guest", "m"], "--guest needs the address of the model's server"),
        (["--guest", "m", "--endpoint", "http://localhost:1/v1"], "allow it with --send"),
        (
            ["--guest", "m", "--endpoint", "http://localhost:1/v1", "--send", "--price", "1"],
            "a guest with a price needs a limit",
        ),
        (["--money", "1"], "name one with --guest"),
    ],
)
def test_a_guest_that_cannot_be_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: list[str], problem: str
) -> None:
    monkeypatch.delenv("LIKEWISE_LLM_URL", raising=False)
    table = tmp_path / "table.csv"
    table.write_text("name,size\n" + "".join(f"n{k},{k % 4}\n" for k in range(12)))
    done = CliRunner().invoke(app, ["serve", str(table), *words])
    assert done.exit_code == 2
    assert problem in " ".join(done.output.split())
    assert len(list(tmp_path.iterdir())) == 1  # nothing was begun


@pytest.mark.slow
def test_a_guest_on_the_page(live: Callable[..., Live], visit: Any, server: ChatServer) -> None:
    served = study()
    served.tell((0, 2), "same", who="Ada")
    page = visit(live(served, guest=guest_of(server)).url)
    page.goto(page.url.split("#")[0] + "#progress")
    panel = page.locator(".guest")
    expect(panel).to_contain_text("Items are sent to 127.0.0.1")
    panel.get_by_label("Questions").fill("6")
    panel.get_by_role("button", name="Let it answer").click()
    expect(panel).to_contain_text("6 answers of it stand")
    panel.get_by_label("propose only").check()
    panel.get_by_role("button", name="Let it answer").click()
    panel.get_by_role("button", name="Confirm").click()
    page.get_by_role("dialog").get_by_role("button", name="Confirm").click()
    expect(panel.get_by_role("button", name="Confirm")).to_have_count(0)
    assert sum(answer.who != "small" for answer in served.answers) > 1
    panel.get_by_role("button", name="Take back all").click()
    page.get_by_role("dialog").get_by_role("button", name="Take them back").click()
    expect(panel).to_contain_text("0 answers of it stand")
    assert all(answer.who != "small" for answer in served.answers)
