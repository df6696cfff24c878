"""What keys do to the question in a real browser."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from playwright.sync_api import Route, expect

from likewise.study import Study
from web.conftest import Live, pile, shown, wait_for_question

pytestmark = pytest.mark.slow
Serve = Callable[..., Live]


def only_pairs(route: Route) -> None:
    route.continue_(url=route.request.url.replace("kind=place", "kind=pair"))


def test_arrows_answer_the_pair_that_comes_while_there_is_no_group_to_place_into(
    live: Serve, visit: Any
) -> None:
    server = live(Study(pile()[0]))
    page = visit(server.url, mode="place", routes={"**/api/question?*": only_pairs})
    wait_for_question(page, 1)
    expect(page.get_by_role("button", name="Place", exact=True)).to_have_attribute(
        "aria-pressed", "true"
    )
    expect(page.get_by_role("heading", level=1)).to_have_text("Same kind, or different?")
    page.keyboard.press("ArrowLeft")
    expect(page.locator("#last")).to_contain_text(
        re.compile(r"Kept: different. likewise had thought that \d+ % likely.")
    )
    assert server.study.answers[0].verdict.value == "different"


def test_pictures_change_places_with_their_captions(live: Serve, visit: Any) -> None:
    page = visit(live(Study(pile()[0])).url)
    wait_for_question(page, 1)
    before = shown(page)
    page.keyboard.press("v")
    assert shown(page) == before[::-1]
    for card in page.locator(".card").all():
        caption = card.locator("figcaption").inner_text()
        expect(card.locator(".stage img")).to_have_attribute("alt", caption)
    page.keyboard.press("v")
    assert shown(page) == before


def test_rows_are_compared_on_the_scale_of_their_columns(live: Serve, visit: Any) -> None:
    items, truth = pile()
    rows = [{"large": 1000 + k, "small": int(truth[k]), "word": f"w{truth[k]}"} for k in range(30)]
    server = live(Study(replace(items, pictures=None, rows=rows)))
    page = visit(server.url)
    wait_for_question(page, 1)
    question = page.request.get(f"{server.url}/api/question?annotator=me").json()
    one, other = question["items"]
    values = {name: (value, dict(other["row"])[name]) for name, value in one["row"]}
    apart = {
        name: 1.0 if a is None else abs(a - b)
        for (name, _), a, b in zip(one["row"], one["scale"], other["scale"], strict=True)
        if values[name][0] != values[name][1]
    }
    shown = page.locator(".rows .unequal th").all_inner_texts()
    assert [apart[name] for name in shown] == sorted(apart.values(), reverse=True)
    line = page.locator(".rows tr", has=page.get_by_text("large", exact=True))
    for k, card in enumerate((one, other)):
        at = min(1.0, max(0.0, card["scale"][0]))
        width = line.locator("td .bar").nth(k).evaluate("bar => bar.style.width")
        assert float(width[:-1]) == pytest.approx(100 * at, abs=0.1)
