"""The page in a real browser, as people use it: by keyboard, by touch, with a bad network."""

from __future__ import annotations

import csv
from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from playwright.sync_api import Page, Route, expect

from likewise.journal import Verdict
from likewise.study import Study
from likewise.study.branch import Branch
from web.conftest import Live, Truth, grown, pile, shown, wait_for_question, wait_until

pytestmark = pytest.mark.slow
Serve = Callable[..., Live]


def press_truth(page: Page, truth: Truth) -> None:
    i, j = shown(page)
    page.keyboard.press("ArrowRight" if truth[i] == truth[j] else "ArrowLeft")


def begun(n: int, answers: int) -> tuple[Study, Truth]:
    """A study with some true answers by the person whom the page calls "me"."""
    return grown(answers, n, who="me")


def test_sixty_photos_are_grouped_by_keyboard_alone(live: Serve, visit: Any) -> None:
    items, truth = pile(60, groups=4)
    server = live(Study(items))
    page = visit(server.url)
    number = 1
    while wait_for_question(page, number):
        press_truth(page, truth)
        number += 1
    assert server.study.n_answers == number - 1
    labels = server.study.labels_
    assert len(set(zip(labels.tolist(), truth.tolist(), strict=True))) == 4
    page.keyboard.press("Tab")
    page.get_by_role("button", name="See the groups").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1)).to_have_text("4 groups")


def test_the_time_that_reading_takes_is_shown_in_full_beside_a_long_name(
    live: Serve, visit: Any
) -> None:
    told: dict[str, Any] = {}

    def still_reading(route: Route) -> None:
        if not told:  # the page goes on asking while it is closed
            reading = {"done": 5000, "of": 2_000_000, "seconds_left": 5400.0}
            told.update(route.fetch().json(), reading=reading)
        route.fulfill(json=told)

    server = live(Study(pile()[0]), name="a name that nobody would read to the end.parquet")
    page = visit(server.url, routes={"**/api/study": still_reading})
    shown_time = page.locator("#pile .pile-reading")
    expect(shown_time).to_contain_text("of 2,000,000, about 90 minutes left")
    assert shown_time.evaluate("e => e.scrollWidth <= e.clientWidth + 1")
    for width in (1280, 1190, 800):
        page.set_viewport_size({"width": width, "height": 800})
        assert page.evaluate(
            "document.querySelector('.pile-reading').getBoundingClientRect().right"
            " <= document.querySelector('.tabs').getBoundingClientRect().left"
        )
        assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")


def test_answers_are_taken_back_one_by_one_and_said_again(live: Serve, visit: Any) -> None:
    items, truth = pile()
    server = live(Study(items))
    page = visit(server.url)
    pairs = []
    for number in range(1, 5):
        assert wait_for_question(page, number)
        pairs.append(shown(page))
        press_truth(page, truth)
    wait_for_question(page, 5)
    for number, key in ((4, "u"), (3, "Backspace"), (2, "Control+z")):
        page.keyboard.press(key)
        wait_for_question(page, number)
        assert shown(page) == pairs[number - 1]
        assert server.study.n_answers == number - 1
    page.keyboard.press("r")
    wait_for_question(page, 3)
    assert shown(page) == pairs[2]


def test_a_reload_in_the_middle_changes_nothing(live: Serve, visit: Any) -> None:
    items, truth = pile()
    server = live(Study(items))
    page = visit(server.url)
    for number in (1, 2):
        wait_for_question(page, number)
        press_truth(page, truth)
    wait_for_question(page, 3)
    before = shown(page)
    page.reload()
    wait_for_question(page, 3)
    assert shown(page) == before
    assert server.study.n_answers == 2


def test_two_windows_of_one_person_do_not_answer_twice(live: Serve, visit: Any) -> None:
    server = live(Study(pile()[0]))
    first = visit(server.url)
    wait_for_question(first, 1)
    second = first.context.new_page()
    second.goto(server.url)
    wait_for_question(second, 1)
    assert shown(first) == shown(second)
    first.keyboard.press("ArrowLeft")
    wait_for_question(first, 2)
    second.keyboard.press("ArrowRight")
    wait_for_question(second, 2)
    expect(second.locator("#reports")).to_contain_text("another window")
    assert server.study.n_answers == 1
    assert shown(first) == shown(second)


def test_an_answer_given_without_network_arrives_once_it_is_back(live: Serve, visit: Any) -> None:
    server = live(Study(pile()[0]))
    page = visit(server.url)
    wait_for_question(page, 1)
    page.context.set_offline(True)
    page.keyboard.press("ArrowLeft")
    expect(page.locator("#notice")).to_contain_text("1 answer waits safely")
    assert server.study.n_answers == 0
    page.context.set_offline(False)
    wait_for_question(page, 2)
    assert server.study.n_answers == 1
    expect(page.locator("#notice")).to_contain_text("Connected again")


def test_an_answer_whose_reply_was_lost_is_kept_once(live: Serve, visit: Any) -> None:
    tries: list[str] = []

    def lose_the_reply(route: Route) -> None:
        tries.append(route.request.post_data or "")
        if len(tries) == 1:
            route.fetch()
            route.abort()
        else:
            route.continue_()

    server = live(Study(pile()[0]))
    page = visit(server.url, routes={"**/api/answers": lose_the_reply})
    wait_for_question(page, 1)
    page.keyboard.press("ArrowLeft")
    wait_for_question(page, 2)
    assert len(tries) == 2
    assert tries[0] == tries[1]
    assert server.study.n_answers == 1


def test_an_answer_left_behind_by_a_closed_page_is_sent_when_it_is_opened_again(
    live: Serve, visit: Any
) -> None:
    server = live(Study(pile()[0]))
    page = visit(server.url, routes={"**/api/answers": lambda route: route.abort()})
    wait_for_question(page, 1)
    page.keyboard.press("ArrowLeft")
    expect(page.locator("#notice")).to_contain_text("waits safely")
    again = page.context.new_page()
    page.close()
    again.context.unroute_all()
    again.goto(server.url)
    wait_for_question(again, 2)
    assert server.study.n_answers == 1


def test_a_picture_that_cannot_be_read_any_more_says_so(live: Serve, visit: Any) -> None:
    study, _ = begun(30, 12)
    server = live(study)
    page = visit(server.url, routes={"**/media/*": lambda route: route.fulfill(body="nothing")})
    expect(page.locator(".stage .missing").first).to_contain_text("cannot be shown")
    page.goto(f"{server.url}/#groups")
    expect(page.locator(".strip .thumb.missing").first).to_have_text("?")


@pytest.mark.parametrize("width", [320, 390])
def test_on_a_phone_everything_fits_and_a_swipe_answers(
    live: Serve, visit: Any, width: int
) -> None:
    study, _ = begun(30, 12)
    server = live(study)
    page = visit(
        server.url, viewport={"width": width, "height": 640}, has_touch=True, is_mobile=True
    )
    wait_for_question(page, 13)
    for view in ("answer", "groups", "map", "check", "progress"):
        page.goto(f"{server.url}/#{view}")
        page.wait_for_selector("h1")
        wide = page.evaluate("document.documentElement.scrollWidth")
        assert wide <= width, view
    page.goto(f"{server.url}/#answer")
    wait_for_question(page, 13)
    for name in ("Different", "Not sure", "Same"):
        button = page.get_by_role("button", name=name, exact=True)
        box = button.bounding_box()
        assert box is not None
        assert box["height"] >= 44
        assert box["y"] + box["height"] <= 640
    page.evaluate(
        """() => {
          const pair = document.querySelector(".pair");
          const touch = (x) => new Touch({ identifier: 1, target: pair, clientX: x, clientY: 300 });
          pair.dispatchEvent(new TouchEvent("touchstart", { touches: [touch(60)] }));
          pair.dispatchEvent(new TouchEvent("touchend", { changedTouches: [touch(240)] }));
        }"""
    )
    wait_for_question(page, 14)
    assert study.answers[-1].verdict.value == "same"


def test_an_item_is_placed_by_one_key(live: Serve, visit: Any) -> None:
    study, truth = begun(40, 14)
    server = live(study)
    page = visit(server.url, mode="place")
    wait_for_question(page, 15)
    item = int(page.locator(".card figcaption").inner_text()[6:8])
    groups = page.locator(".place:not(.fresh)")
    for number in range(groups.count()):
        name = groups.nth(number).locator("img").first.get_attribute("alt")
        assert name is not None
        if truth[int(name[6:8])] == truth[item]:
            page.keyboard.press(groups.nth(number).locator("kbd").inner_text())
            break
    expect(page.locator("#last")).to_contain_text("Placed in")
    assert study.constraints.representative_of(item) is not None
    before = study.n_answers
    page.keyboard.press("n")
    expect(page.locator("#last")).to_contain_text("answers at once.")
    clicked = study.n_answers - before
    assert clicked > 1
    page.keyboard.press("u")
    expect(page.locator("#last")).to_contain_text(f"Took back {clicked} answers of one reply")
    assert study.n_answers == before


def test_groups_are_named_merged_and_split_on_the_page(live: Serve, visit: Any) -> None:
    study, _ = begun(30, 20)
    server = live(study)
    page = visit(f"{server.url}/#groups")
    rows = page.locator(".group")
    expect(rows).to_have_count(3)
    rows.nth(0).get_by_role("button", name="Rename").click()
    page.get_by_role("textbox", name="Name").fill("cats <b>& dogs</b>")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="cats <b>& dogs</b>")).to_be_visible()

    rows.nth(0).get_by_label("Merge").check()
    rows.nth(1).get_by_label("Merge").check()
    page.get_by_role("button", name="Merge them").click()
    page.get_by_role("button", name="Do it, and take").click()
    expect(rows).to_have_count(2)

    rows.nth(0).get_by_role("button", name="Open").click()
    members = page.locator(".pick")
    expect(members).to_have_count(20)
    members.nth(0).locator("input").check()
    members.nth(1).locator("input").check()
    page.get_by_role("button", name="Make a group of these").click()
    sure = page.get_by_role("button", name="Do it, and take")
    done = page.get_by_text("They are a group of their own now.")
    expect(sure.or_(done)).to_be_visible()
    if sure.is_visible():
        sure.click()
    expect(done).to_be_visible()
    page.get_by_role("link", name="All groups").click()
    expect(rows).to_have_count(3)
    rows.nth(0).get_by_role("button", name="Open").click()
    name = members.first.locator("input").get_attribute("aria-label")
    assert name is not None
    members.first.locator("input").check()
    before = study.labels_[int(name[6:8])]
    page.get_by_role("button", name="Does not belong").click()
    expect(sure.or_(page.get_by_text("They do not belong"))).to_be_visible()
    if sure.is_visible():
        sure.click()
    expect(page.locator("#notice")).to_contain_text("do not belong")
    others = [k for k in range(30) if study.labels_[k] == before]
    assert study.labels_[int(name[6:8])] not in study.labels_[others] or others == []


def test_a_contradiction_is_shown_and_settled(live: Serve, visit: Any) -> None:
    study = Study(pile()[0])
    for pair, verdict in (((0, 1), "same"), ((1, 2), "same"), ((0, 2), "different")):
        study.tell(pair, Verdict(verdict), who="me")
    page = visit(live(study).url + "/#check")
    expect(page.locator(".dispute .said")).to_have_count(3)
    first = page.locator(".said").first
    expect(first).to_contain_text("The likeliest mistake")
    expect(page.locator(".badge")).to_contain_text("1")
    first.get_by_role("button", name="Ask me again").click()
    wait_for_question(page, 3)
    assert set(shown(page)) == {0, 2}
    assert study.disputes() == []
    page.keyboard.press("ArrowRight")
    wait_for_question(page, 4)
    page.goto(page.url.partition("#")[0] + "#check")
    expect(page.get_by_role("heading", level=1)).to_have_text("Nothing to check.")


def test_the_groups_are_saved_as_a_file(live: Serve, visit: Any, tmp_path: Path) -> None:
    study, _ = begun(30, 20)
    page = visit(live(study).url + "/#groups")
    with page.expect_download() as waiting:
        page.get_by_role("link", name="Save as CSV").click()
    waiting.value.save_as(tmp_path / "groups.csv")
    with (tmp_path / "groups.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert [row["item"] for row in rows] == study.items.ids
    assert [int(row["group"]) for row in rows] == study.labels_.tolist()


def test_progress_tells_in_words_and_the_map_opens_a_group(live: Serve, visit: Any) -> None:
    study, _ = begun(30, 20)
    server = live(study)
    page = visit(server.url + "/#progress")
    expect(page.locator(".lead")).not_to_be_empty()
    expect(page.get_by_role("table")).to_contain_text("me")
    page.goto(server.url + "/#map")
    page.wait_for_selector(".legend li")
    wait_until(
        page,
        """((canvas) => canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height)
          .data.some((value) => value))(document.querySelector("canvas"))""",
    )
    page.get_by_role("button", name="Enlarge").click()
    page.locator(".legend button").first.click()
    expect(page.locator(".legend button").first).to_have_attribute("aria-pressed", "true")


NASTY = "<img src=x onerror=alert(1)><script>alert(2)</script>'\"&\u202e javascript:alert(3)"


@pytest.mark.parametrize("kind", ["texts", "rows", "ids"])
def test_markup_in_texts_names_and_file_names_stays_text(
    live: Serve, visit: Any, kind: str
) -> None:
    items = pile(12)[0]
    if kind == "texts":
        items = replace(items, pictures=None, texts=[f"{NASTY} {k}" for k in range(12)])
    elif kind == "rows":
        items = replace(items, pictures=None, rows=[{NASTY: NASTY, "k": k} for k in range(12)])
    else:
        items = replace(items, ids=[f"{NASTY}{k}" for k in range(12)])
    study = Study(items, method="random-items")
    study.tell((0, 1), "same", who=NASTY)
    study.name(0, NASTY.replace("\u202e", ""), who=NASTY)
    server = live(study, name=NASTY)
    page = visit(server.url)
    page.wait_for_selector(".question")
    assert NASTY[:20] in page.locator("main").inner_text()
    for view in ("groups", "map", "check", "progress"):
        page.goto(f"{server.url}/#{view}")
        page.wait_for_selector("h1")
        page.wait_for_load_state("networkidle")
    assert page.locator("main script, img[src=x]").count() == 0


def test_why_a_question_was_asked_is_told_on_demand_and_only_afterwards(
    live: Serve, visit: Any
) -> None:
    server = live(Study(pile()[0]))
    page = visit(server.url)
    wait_for_question(page, 1)
    why = page.get_by_role("button", name="Why this question?")
    expect(why).to_have_count(0)
    page.keyboard.press("w")
    for number in range(1, 4):
        expect(page.locator("main")).not_to_contain_text("chance of")
        page.keyboard.press("ArrowLeft")
        wait_for_question(page, number + 1)
    before = Branch.of(server.study)
    before.follow(server.study.answers[:2])
    expected = before.explain(server.study.answers[2].pair)
    why.click()
    expect(page.locator("#last")).to_have_text(expected)
    page.keyboard.press("ArrowLeft")
    wait_for_question(page, 5)
    expect(page.locator("#last")).not_to_contain_text("chance of")
    page.keyboard.press("w")
    expect(page.locator("#last")).to_contain_text("chance of")


def test_keys_can_be_changed_and_switched_off(live: Serve, visit: Any) -> None:
    server = live(Study(pile()[0]))
    page = visit(server.url)
    wait_for_question(page, 1)
    page.keyboard.press("?")
    page.get_by_role("button", name="change the key for different").click()
    expect(page.get_by_role("button", name="Press a key…")).to_be_visible()
    page.keyboard.press("x")
    expect(page.get_by_role("button", name="change the key for different")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_be_hidden()
    shown(page)  # with the new key, the question is drawn anew
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("x")
    wait_for_question(page, 2)
    assert [answer.verdict.value for answer in server.study.answers] == ["different"]
    page.keyboard.press("?")
    page.get_by_label("Answer by single keys").uncheck()
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_be_hidden()
    page.keyboard.press("x")
    page.keyboard.press("ArrowRight")
    page.get_by_role("button", name="Same", exact=True).click()
    wait_for_question(page, 3)
    assert [answer.verdict.value for answer in server.study.answers] == ["different", "same"]


def test_pictures_are_enlarged_together_and_rows_stand_side_by_side(
    live: Serve, visit: Any
) -> None:
    page = visit(live(Study(pile()[0])).url)
    wait_for_question(page, 1)
    page.keyboard.press("z")
    transforms = page.eval_on_selector_all(
        ".stage img", "images => images.map((image) => image.style.transform)"
    )
    assert len(transforms) == 2
    assert "scale(3)" in transforms[0]
    assert transforms[0] == transforms[1]
    rows = [{"colour": "red", "size": k} for k in range(30)]
    page = visit(live(Study(replace(pile()[0], pictures=None, rows=rows))).url)
    expect(page.locator("tr.equal")).to_have_count(1)
    expect(page.locator("tr.unequal")).to_have_count(1)
    texts = ["the quick fox" if k % 2 else "the slow fox" for k in range(30)]
    page = visit(live(Study(replace(pile()[0], pictures=None, texts=texts))).url)
    page.wait_for_selector(".question")
    assert set(page.locator("mark").all_inner_texts()) <= {"quick", "slow"}


def test_what_hangs_on_one_answer_is_asked_under_check(live: Serve, visit: Any) -> None:
    items, truth = pile()
    study = Study(items)
    chain = [k for kind in (0, 1) for k in np.flatnonzero(truth == kind)[:4].tolist()]
    for pair in pairwise(chain):  # one of them is a slip
        study.tell(pair, "same", who="me")
    page = visit(f"{live(study).url}/#check")
    expect(page.get_by_role("heading", name="Look again")).to_be_visible()
    i, j = shown(page)
    n_answers = study.n_answers
    page.keyboard.press("ArrowRight" if truth[i] == truth[j] else "ArrowLeft")
    expect(page.locator("#notice")).to_contain_text("Kept")
    assert study.n_answers == n_answers + 1
    page.keyboard.press("Control+z")
    expect(page.locator("#notice")).to_contain_text("Undone")
    assert study.n_answers == n_answers
