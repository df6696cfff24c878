"""Sheets and places in a real browser: by keyboard alone, by mouse alone, on a phone."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect

from likewise.study import Study
from web.conftest import Live, Truth, grown, pile

pytestmark = pytest.mark.slow
Serve = Callable[..., Live]


def number(name: str | None) -> int:
    """The item of a picture, by its file name."""
    assert name is not None
    return int(name[6:8])


def wrong_tiles(page: Page, truth: Truth) -> list[int]:
    """Where on the sheet a tick is not as it should be."""
    page.wait_for_selector(".tiles-grid")
    shown = page.locator(".anchor-strip img, .anchor-one .stage img").first
    kind = truth[number(shown.get_attribute("alt"))]
    boxes = page.locator(".tiles-grid input")
    return [
        k
        for k in range(boxes.count())
        if (truth[number(boxes.nth(k).get_attribute("aria-label"))] == kind)
        != boxes.nth(k).is_checked()
    ]


def test_a_sheet_is_sorted_by_keyboard_alone(live: Serve, visit: Any) -> None:
    study, truth = grown()
    server = live(study)
    page = visit(server.url, mode="sheet")
    wrong = wrong_tiles(page, truth)
    boxes = page.locator(".tiles-grid input")
    expect(boxes.first).to_be_focused()
    for k in range(boxes.count()):
        if k in wrong:
            page.keyboard.press("Space")
        page.keyboard.press("ArrowRight")
    assert wrong_tiles(page, truth) == []
    page.keyboard.press("z")
    expect(page.get_by_role("dialog")).to_contain_text(" of ")
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("Escape")
    page.keyboard.press("Enter")
    expect(page.locator("#last")).to_contain_text("at once.")
    assert study.disputes() == []
    kept = study.n_answers
    assert kept > 12
    page.keyboard.press("u")
    expect(page.locator("#last")).to_contain_text(re.compile("Took back"))
    assert study.n_answers == 12
    page.keyboard.press("r")  # as it was sent, in one piece
    expect(page.locator("#last")).to_contain_text("at once.")
    assert study.n_answers == kept


def test_a_range_is_set_by_mouse_alone(live: Serve, visit: Any) -> None:
    study, _ = grown()
    page = visit(live(study).url, mode="sheet")
    tiles = page.locator(".pick")
    page.get_by_role("button", name="All", exact=True).click()
    expect(page.locator(".tiles-grid :checked")).to_have_count(tiles.count())
    tiles.nth(0).click(position={"x": 60, "y": 100})
    tiles.nth(2).click(position={"x": 60, "y": 100}, modifiers=["Shift"])
    expect(page.locator(".tiles-grid :checked")).to_have_count(tiles.count() - 3)
    expect(page.locator(".done")).to_contain_text("3 do not")
    tiles.nth(1).hover()
    tiles.nth(1).get_by_role("button").click()
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text(f"2 of {tiles.count()}")
    dialog.get_by_role("checkbox").check()
    dialog.get_by_role("button", name="Close").click()
    expect(page.locator(".tiles-grid :checked")).to_have_count(tiles.count() - 2)


def test_where_a_sheet_goes_is_asked_once_and_a_new_group_gets_its_name(
    live: Serve, visit: Any
) -> None:
    items, truth = pile()
    study = Study(items)
    first = study.ask(kind="sheet")
    assert first is not None
    study.tell(first, [item for item in first.items if truth[item] == truth[first.items[0]]])
    page = visit(live(study).url, mode="sheet")
    wrong_tiles(page, truth)
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1)).to_have_text(re.compile("Where do"))
    page.keyboard.press("Escape")
    expect(page.locator(".tiles-grid")).to_be_visible()
    page.keyboard.press("Enter")
    page.keyboard.press("/")
    page.keyboard.type("mosses")
    expect(page.locator(".place.fresh")).to_contain_text("New group “mosses”")
    page.keyboard.press("Enter")
    expect(page.locator("#last")).to_contain_text("into “mosses”")
    assert "mosses" in study.named.values()
    assert len(study.constraints.representatives) == 2


def test_groups_keep_their_digits_and_are_found_by_name(live: Serve, visit: Any) -> None:
    study, truth = grown()
    for representative in study.constraints.representatives:
        study.name(representative, f"kind {truth[representative]}")
    page = visit(live(study).url, mode="place")
    page.wait_for_selector(".places")

    def digits() -> dict[str, str]:
        places = page.locator(".place:not(.fresh)").all()
        return {
            place.locator("strong").inner_text(): place.locator("kbd").inner_text()
            for place in places
        }

    before = digits()
    assert sorted(before.values()) == ["1", "2", "3"]
    page.keyboard.press("ArrowDown")
    expect(page.locator(".place").first).to_be_focused()
    page.keyboard.press("ArrowDown")
    expect(page.locator(".place").nth(1)).to_be_focused()
    page.keyboard.press("/")
    item = number(page.locator(".card figcaption").inner_text())
    page.keyboard.type(f"nd {truth[item]}")
    expect(page.locator(".place:not(.fresh):visible")).to_have_count(1)
    page.keyboard.press("Enter")
    expect(page.locator("#last")).to_contain_text(f"Placed in “kind {truth[item]}”.")
    assert study.constraints.representative_of(item) is not None
    assert before.items() >= digits().items()


def test_a_sheet_fits_a_phone_and_nothing_runs_over(live: Serve, visit: Any) -> None:
    study, truth = grown()
    page = visit(
        live(study).url, mode="sheet", viewport={"width": 320, "height": 640}, has_touch=True
    )
    for k in wrong_tiles(page, truth):
        page.locator(".pick").nth(k).tap(position={"x": 40, "y": 60})
    for kind in ("Place", "Sheet"):
        page.get_by_role("button", name=kind, exact=True).tap()
        expect(page.get_by_role("button", name=kind, exact=True)).to_have_attribute(
            "aria-pressed", "true"
        )
        wide = page.evaluate("document.documentElement.scrollWidth")
        assert wide <= 320


def test_a_sheet_waits_while_the_server_cannot_be_reached(live: Serve, visit: Any) -> None:
    study, _ = grown()
    lost: list[Route] = []

    def lose(route: Route) -> None:
        if lost:
            route.continue_()
        else:
            lost.append(route)
            route.abort()

    page = visit(live(study).url, mode="sheet", routes={"**/api/sheets": lose})
    page.wait_for_selector(".tiles-grid")
    page.keyboard.press("Enter")
    expect(page.locator("#last")).to_contain_text("at once.")
    assert len(lost) == 1
    assert study.n_answers > 12
    assert len({answer.when for answer in study.answers[12:]}) == 1


def test_many_groups_stand_beside_each_other_and_arrows_lead_to_the_one_below(
    live: Serve, visit: Any
) -> None:
    items, truth = pile(36, 12)
    study = Study(items)
    first = [int((truth == kind).argmax()) for kind in range(12)]
    for k, item in enumerate(first):
        for other in first[:k]:
            study.tell((item, other), "different")
    page = visit(live(study).url, mode="place")
    places = page.locator(".places .place")
    expect(places).to_have_count(13)
    boxes = [places.nth(k).bounding_box() for k in range(12)]
    assert len({box["y"] for box in boxes}) <= 6
    window = page.viewport_size["height"]
    assert sum(box["y"] + box["height"] <= window for box in boxes) == 12
    page.keyboard.press("ArrowDown")
    expect(places.first).to_be_focused()
    page.keyboard.press("ArrowDown")
    below = next(k for k, box in enumerate(boxes) if box["y"] > boxes[0]["y"])
    expect(places.nth(below)).to_be_focused()
    page.keyboard.press("ArrowRight")
    expect(places.nth(below + 1)).to_be_focused()


def test_whoever_pins_a_kind_is_told_why_another_one_comes(live: Serve, visit: Any) -> None:
    items, truth = pile(4, 2)
    study = Study(items)
    i, j = (int((truth == kind).argmax()) for kind in range(2))
    study.tell((i, j), "different")
    page = visit(live(study).url, mode="sheet")
    expect(page.locator(".instead")).to_contain_text("No sheet would tell much just now")
    page.get_by_role("button", name="Best", exact=True).click()
    expect(page.locator(".question")).to_be_visible()
    expect(page.locator(".instead")).to_have_count(0)
