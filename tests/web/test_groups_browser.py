"""Bulk work on groups in a real browser: each edit is one step."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from playwright.sync_api import expect

from likewise.study import Study
from web.conftest import Live, grown

pytestmark = pytest.mark.slow
Serve = Callable[..., Live]


def test_members_are_moved_to_a_group_that_is_found_by_name(live: Serve, visit: Any) -> None:
    study, truth = grown()
    for representative in study.constraints.representatives:
        study.name(representative, f"kind {truth[representative]}", who="me")
    before = study.answers
    page = visit(f"{live(study).url}/#groups")
    page.get_by_role("button", name="Open kind 0").click()
    members = page.locator(".pick")
    expect(members).to_have_count(10)
    first = page.get_by_role("checkbox").first
    name = first.get_attribute("aria-label")
    page.keyboard.press("ArrowRight")  # to the first one, the least sure
    expect(first).to_be_focused()
    page.keyboard.press("Space")
    expect(page.get_by_role("status").filter(has_text="1 picked")).to_be_visible()
    page.get_by_role("button", name="Move to").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_role("textbox").fill("kind 1")
    page.keyboard.press("Enter")
    expect(page.locator("#notice")).to_contain_text("Moved 1 item to kind 1.")
    expect(members).to_have_count(9)
    labels, moved = study.labels_, int(name[6:8])
    assert truth[[k for k in range(30) if labels[k] == labels[moved] and k != moved]].min() == 1
    page.keyboard.press("Control+z")
    expect(members).to_have_count(10)
    assert study.answers == before


def test_what_is_shown_is_confirmed_at_once(live: Serve, visit: Any) -> None:
    study, _ = grown()
    page = visit(f"{live(study).url}/#groups/0")
    expect(page.locator(".pick")).to_have_count(10)
    page.get_by_role("button", name="All shown belong here").click()
    expect(page.locator("#notice")).to_contain_text("10 items confirmed")
    labels = study.labels_
    assert study.constraints.placed()[labels == 0].all()
    assert len({answer.when for answer in study.answers[12:]}) == 1


def test_one_like_it_picks_the_others(live: Serve, visit: Any) -> None:
    study, _ = grown()
    page = visit(f"{live(study).url}/#groups/0")
    page.get_by_role("checkbox").first.check()
    page.get_by_role("button", name="Pick all like this").click()
    expect(page.locator(".pick :checked").first).to_be_visible()
    first = page.get_by_role("checkbox").first
    expect(first).to_be_checked()


def test_several_groups_are_merged_and_groups_are_found_and_sorted(live: Serve, visit: Any) -> None:
    study, truth = grown()
    for representative in study.constraints.representatives:
        study.name(representative, f"kind {truth[representative]}")
    page = visit(f"{live(study).url}/#groups")
    rows = page.locator(".group")
    expect(rows).to_have_count(3)
    page.get_by_label("Order of the groups").select_option("By name")
    expect(rows.nth(0)).to_contain_text("kind 0")
    page.get_by_label("Find a group").fill("kind 2")
    expect(rows).to_have_count(1)
    page.get_by_label("Find a group").fill("")
    for row in rows.all():
        row.get_by_label("Merge").check()
    page.get_by_role("button", name="Merge them").click()
    page.get_by_role("button", name="Do it, and take").click()
    expect(rows).to_have_count(1)
    page.locator("#notice").get_by_role("button", name="Undo").click()
    expect(rows).to_have_count(3)


def test_an_item_is_dragged_from_one_group_to_another(live: Serve, visit: Any) -> None:
    study, _ = grown()
    page = visit(f"{live(study).url}/#groups")
    rows = page.locator(".group")
    expect(rows).to_have_count(3)
    dragged = rows.nth(0).locator("img").last
    name = dragged.get_attribute("alt")
    # As a mouse does it, but not depending on where pictures have moved meanwhile.
    carried = {"dataTransfer": page.evaluate_handle("new DataTransfer()")}
    dragged.dispatch_event("dragstart", carried)
    for event in ("dragover", "drop"):
        rows.nth(2).locator("h2").dispatch_event(event, carried)
    sure = page.get_by_role("button", name="Do it, and take")
    moved = page.locator("#notice").get_by_text("Moved to")
    expect(sure.or_(moved)).to_be_visible()
    if sure.is_visible():
        sure.click()
    expect(moved).to_be_visible()
    assert name is not None
    labels = study.labels_
    assert sorted((labels == label).sum() for label in set(labels)) == [9, 10, 11]


def test_a_line_round_dots_of_the_map_opens_a_sheet(live: Serve, visit: Any) -> None:
    study, truth = grown()
    before = study.answers
    page = visit(f"{live(study).url}/#map")
    page.get_by_label("How the map is arranged").select_option("By the groups so far")
    lasso = page.get_by_role("button", name="Lasso")
    lasso.click()
    expect(lasso).to_have_attribute("aria-pressed", "true")
    box = page.locator(".map-canvas").bounding_box()
    left, top, right, low = box["x"], box["y"], box["x"] + box["width"], box["y"] + box["height"]
    page.mouse.move(left + 3, top + 3)
    page.mouse.down()
    for x, y in ((left + 3, low - 3), (right - 3, low - 3), (right - 3, top + 3)):
        page.mouse.move(x, y)
    page.mouse.up()
    inside = page.get_by_role("list", name="Items inside the line").get_by_role("checkbox")
    expect(inside).to_have_count(len(truth))
    page.get_by_role("button", name="Pick none").click()
    inside.nth(0).check()
    page.get_by_role("button", name="Make a group of these").click()
    page.get_by_role("button", name="Do it, and take them back").click()  # it has been answered
    expect(page.locator("#notice")).to_contain_text("a group of their own")
    expect(inside).to_have_count(0)
    assert study.answers != before
    page.keyboard.press("Control+z")
    expect(page.locator("#notice")).to_contain_text("Undone")
    assert study.answers == before


def test_of_rows_the_columns_are_shown_that_tell_groups_apart(live: Serve, visit: Any) -> None:
    study, truth = grown()
    rows = [
        {"one": 1, "two": k % 2, "three": 3, "four": 4, "five": 5, "colour": f"colour {truth[k]}"}
        for k in range(30)
    ]
    shown = Study(replace(study.items, pictures=None, rows=rows))
    for answer in study.answers:
        shown.tell(answer.pair, answer.verdict)
    page = visit(live(shown).url + "#groups")
    expect(page.locator(".group .slip").first).to_contain_text("colour colour")
    page.get_by_role("button", name="Open").first.click()
    expect(page.locator(".tile-cell").first).to_contain_text("colour colour")
    page.get_by_role("link", name="All groups").click()
    page.get_by_role("link", name="Names and files").click()
    expect(page.get_by_role("heading", name="Save the result")).to_be_visible()
