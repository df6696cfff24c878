"""Answers that wait in the browser: whatever happens to the server, none is lost or mixed up."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, Route, expect

from likewise.piles import begin_study, read_pile, resume_study
from likewise.study import Study
from likewise.web.security import Access
from web.conftest import Live, pile, shown, wait_for_question, wait_until

pytestmark = pytest.mark.slow
Serve = Callable[..., Live]
LISTED = "Object.keys(localStorage).filter((key) => key.startsWith('likewise-answer:')).length"


def answer_without_server(server: Live, page: Page, key: str = "ArrowLeft") -> None:
    """Answer while nobody listens; the server is gone afterwards."""
    server.close()
    page.keyboard.press(key)
    expect(page.locator("#notice")).to_contain_text("1 answer waits safely")


class Refusals:
    """Something else than the server that replies to answers, until it is told to let them pass."""

    def __init__(self, status: int, **more: Any) -> None:
        self.sent: list[float] = []  # when each answer was sent
        self._reply: dict[str, Any] = {"status": status, **more}

    def __call__(self, route: Route) -> None:
        self.sent.append(time.monotonic())
        if self._reply:
            route.fulfill(json={"detail": "something is the matter"}, **self._reply)
        else:
            route.continue_()

    def end(self) -> None:
        """Let what is sent from here on pass."""
        self._reply = {}


def test_an_answer_waits_until_its_own_pile_is_served_at_the_port_again(
    live: Serve, visit: Any
) -> None:
    mine, other = Study(pile()[0]), Study(pile(seed=1)[0])
    server = live(mine, name="mine")
    page = visit(server.url)
    wait_for_question(page, 1)
    pair = shown(page)
    answer_without_server(server, page)

    server = live(other, name="other", port=server.port)
    expect(page.locator("#reports")).to_contain_text("1 answer about “mine” waits safely")
    expect(page.locator("#pile")).to_have_text("other")
    assert other.n_answers == 0
    wait_for_question(page, 1)
    page.keyboard.press("ArrowRight")
    wait_for_question(page, 2)
    assert [answer.verdict.value for answer in other.answers] == ["same"]
    assert page.evaluate(LISTED) == 1

    server.close()
    server = live(mine, name="mine", port=server.port)
    page.reload()
    wait_for_question(page, 2)
    assert [(set(one.pair), one.verdict.value) for one in mine.answers] == [
        (set(pair), "different")
    ]
    assert other.n_answers == 1
    assert page.evaluate(LISTED) == 0
    expect(page.locator("#reports")).to_be_hidden()


@pytest.mark.parametrize("gone", ["a row of the question", "a row before it"])
def test_an_answer_is_kept_about_the_rows_that_were_shown_or_not_at_all(
    live: Serve, visit: Any, tmp_path: Path, gone: str
) -> None:
    table, store = tmp_path / "table.csv", tmp_path / "table.likewise.db"
    rows = [f"n{k:02},{10 * (k % 3) + k / 100}" for k in range(20)]
    table.write_text("\n".join(["name,size", *rows]))
    study = begin_study(read_pile(table, id_column="name"), store)
    server = live(study, name="table.csv")
    page = visit(server.url)
    wait_for_question(page, 1)
    question = study.ask()
    assert question is not None
    ids = {study.items.ids[item] for item in question.pair}
    answer_without_server(server, page)

    absent = max(ids) if gone == "a row of the question" else min({"n00", "n01", "n02"} - ids)
    table.write_text("\n".join(["name,size", *(r for r in rows if not r.startswith(absent))]))
    after = resume_study(read_pile(table, id_column="name"), store)[0]
    live(after, name="table.csv", port=server.port)
    if gone == "a row of the question":
        report = page.locator("#reports")
        expect(report).to_contain_text("was not kept: an item that was shown is no longer in")
        for name in ids:
            expect(report).to_contain_text(name)
        wait_for_question(page, 1)
        assert after.n_answers == 0
        page.get_by_role("button", name="Understood").click()
        expect(report).to_be_hidden()
        page.keyboard.press("ArrowLeft")  # the rest goes on
    wait_for_question(page, 2)
    (kept,) = after.answers
    if gone == "a row before it":
        assert {after.items.ids[item] for item in kept.pair} == ids
    assert page.evaluate(LISTED) == 0


def test_an_answer_outlives_a_new_token_and_is_kept_once_the_new_link_is_opened(
    live: Serve, visit: Any
) -> None:
    study = Study(pile()[0])
    server = live(study, access=Access(token="first-token"))
    page = visit(f"{server.url}/?token=first-token")
    wait_for_question(page, 1)
    answer_without_server(server, page)
    live(study, access=Access(token="second-token"), port=server.port)
    expect(page.locator("#notice")).to_contain_text("open the link that it printed last")
    expect(page.locator("#notice")).to_contain_text("1 answer waits safely in this browser")
    assert page.evaluate(LISTED) == 1
    second = page.context.new_page()
    second.goto(f"{server.url}/?token=second-token")
    wait_for_question(second, 2)
    assert study.n_answers == 1
    wait_for_question(page, 2)  # the first window has noticed
    assert page.evaluate(LISTED) == 0


def test_a_server_that_asks_for_time_gets_it_and_then_the_answer(live: Serve, visit: Any) -> None:
    server = live(Study(pile()[0]))
    refusals = Refusals(429, headers={"retry-after": "2"})
    page = visit(server.url, routes={"**/api/answers": refusals})
    wait_for_question(page, 1)
    page.keyboard.press("ArrowLeft")
    expect(page.locator("#notice")).to_contain_text("left alone for 2 seconds")
    expect(page.locator("#notice")).to_contain_text("1 answer waits safely")
    refusals.end()
    page.evaluate("dispatchEvent(new Event('focus'))")
    wait_for_question(page, 2)
    assert len(refusals.sent) >= 2
    assert np.diff(refusals.sent).min() >= 2
    assert server.study.n_answers == 1


@pytest.mark.parametrize("status", [401, 403, 404, 421, 500, 503])
def test_whatever_may_pass_drops_no_answer(live: Serve, visit: Any, status: int) -> None:
    server = live(Study(pile()[0]))
    refusals = Refusals(status)
    page = visit(server.url, routes={"**/api/answers": refusals})
    wait_for_question(page, 1)
    page.keyboard.press("ArrowLeft")
    expect(page.locator("#notice")).to_contain_text("1 answer waits safely")
    refusals.end()
    page.evaluate("dispatchEvent(new Event('focus'))")  # somebody has come back to look
    wait_for_question(page, 2)
    assert len(refusals.sent) >= 2
    assert server.study.n_answers == 1


@pytest.mark.parametrize("status", [409, 422])
def test_what_can_never_be_kept_is_dropped_and_said_and_the_rest_goes_on(
    live: Serve, visit: Any, status: int
) -> None:
    server = live(Study(pile()[0]))
    refusals = Refusals(status)
    page = visit(server.url, routes={"**/api/answers": refusals})
    wait_for_question(page, 1)
    i, j = shown(page)
    page.keyboard.press("ArrowLeft")
    expect(page.locator("#reports")).to_contain_text(
        f"“Different” about photo-{i:02}.png and photo-{j:02}.png was not kept: "
        "something is the matter."
    )
    assert page.evaluate(LISTED) == 0
    found = Axe().run(page).response["violations"]
    assert [rule["id"] for rule in found if rule["impact"] != "minor"] == []
    wait_for_question(page, 1)
    refusals.end()
    page.keyboard.press("ArrowLeft")
    wait_for_question(page, 2)
    assert len(refusals.sent) == 2


def test_two_windows_without_network_keep_both_answers(live: Serve, visit: Any) -> None:
    server = live(Study(pile()[0]))
    first = visit(server.url)
    wait_for_question(first, 1)
    second = first.context.new_page()
    second.goto(server.url)
    wait_for_question(second, 1)
    before = shown(second)
    second.keyboard.press("s")
    expect(second.locator("#last")).to_contain_text("Skipped")
    pairs = {frozenset(shown(first)), frozenset(shown(second))}
    assert len(pairs) == 2, before
    first.context.set_offline(True)
    for page in (first, second):
        page.keyboard.press("ArrowLeft")
        expect(page.locator("#notice")).to_contain_text("safely in this browser")
    wait_until(first, f"{LISTED} === 2")  # windows hear of each other's with a delay
    third = first.context.new_page()
    for page in (first, second):
        page.close()
    third.context.set_offline(False)
    third.goto(server.url)
    wait_for_question(third, 3)
    assert {frozenset(answer.pair) for answer in server.study.answers} == pairs
    assert len({answer.client_id for answer in server.study.answers}) == 2


def test_two_windows_that_come_back_together_send_each_answer_under_one_name(
    live: Serve, visit: Any
) -> None:
    server = live(Study(pile()[0]))
    first = visit(server.url)
    wait_for_question(first, 1)
    sent: list[str] = []
    first.context.on(
        "request",
        lambda one: sent.append(one.post_data or "") if one.url.endswith("/api/answers") else None,
    )
    first.context.set_offline(True)
    first.keyboard.press("ArrowLeft")
    expect(first.locator("#notice")).to_contain_text("1 answer waits safely")
    first.context.set_offline(False)
    second = first.context.new_page()
    second.goto(server.url)
    for page in (first, second):
        wait_for_question(page, 2)
    assert len(set(sent)) == 1  # however often
    assert server.study.n_answers == 1


def test_answers_that_do_not_name_their_items_are_not_guessed(live: Serve, visit: Any) -> None:
    server = live(Study(pile()[0]))
    page = visit(server.url)
    wait_for_question(page, 1)
    old = '[{"kind": "answer", "body": {"question": "0-1", "verdict": "same", "client_id": "a"}}]'
    page.evaluate("(old) => localStorage.setItem('likewise-queue', old)", old)
    page.reload()
    expect(page.locator("#reports")).to_contain_text("does not say which items were shown")
    wait_for_question(page, 1)
    assert server.study.n_answers == 0


def test_an_answer_that_nobody_replies_to_is_sent_again(live: Serve, visit: Any) -> None:
    server = live(Study(pile()[0]))
    held: list[Route] = []

    def hold_the_first(route: Route) -> None:
        held.append(route)
        if len(held) > 1:
            route.continue_()

    page = visit(server.url, routes={"**/api/answers": hold_the_first})
    page.clock.install()
    page.reload()
    wait_for_question(page, 1)
    with page.expect_request("**/api/answers"):
        page.keyboard.press("ArrowLeft")
    page.clock.fast_forward(61_000)
    wait_for_question(page, 2)
    assert held[0].request.post_data == held[1].request.post_data
    assert server.study.n_answers == 1
