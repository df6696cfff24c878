"""Every view of the page, in light and dark, held against the rules of axe: nothing is found."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from likewise.items import Items
from likewise.study import Study
from web.conftest import Live, grown, pile

pytestmark = [pytest.mark.slow, pytest.mark.parametrize("scheme", ["light", "dark"])]
Serve = Callable[..., Live]


def found_on(page: Page) -> list[tuple[str, str]]:
    """What axe finds, of whatever impact: the rule, and where."""
    violations = Axe().run(page).response["violations"]
    return [(rule["id"], node["html"][:120]) for rule in violations for node in rule["nodes"]]


def contradicted() -> Study:
    """A study by two people, with a contradiction."""
    study, _ = grown(14, who="me")
    i, j = study.constraints.representatives[:2]
    for who in ("me", "Ann"):
        study.tell((i, j), "same", who=who)
    return study


def test_questions_of_every_kind(live: Serve, visit: Any, scheme: str) -> None:
    page = visit(live(grown(14, who="me")[0]).url, color_scheme=scheme)
    page.wait_for_selector(".answers")
    assert found_on(page) == []
    page.keyboard.press("?")
    expect(page.get_by_role("dialog")).to_be_visible()
    assert found_on(page) == []
    page.keyboard.press("Escape")
    for kind, sign in (("Place", ".places"), ("Sheet", ".tiles-grid")):
        page.get_by_role("button", name=kind, exact=True).click()
        page.wait_for_selector(sign)
        assert found_on(page) == [], kind
    page.keyboard.press("z")
    page.wait_for_selector(".enlarged")
    assert found_on(page) == []


@pytest.mark.parametrize("shown", ["texts", "rows"])
def test_questions_about_texts_and_rows(
    live: Serve, visit: Any, scheme: str, shown: str, tmp_path: Path
) -> None:
    X = np.repeat(10 * np.eye(3), 10, axis=0) + np.random.default_rng(0).normal(size=(30, 3))
    words = [f"a {kind} thing of number {k}" for k, kind in enumerate(["red", "wet", "odd"] * 10)]
    rows = [{"size": float(k), "kind": word.split()[1]} for k, word in enumerate(words)]
    plain = Items.of(X)
    items = replace(plain, texts=words) if shown == "texts" else replace(plain, rows=rows)
    study = Study(items)
    for pair in ((0, 10), (0, 20), (10, 20)):
        study.tell(pair, "different", who="me")
    server = live(study, sorts_beside=tmp_path / "things.csv")
    page = visit(server.url, color_scheme=scheme)
    page.wait_for_selector(".answers")
    assert found_on(page) == []
    for kind, sign in (("Place", ".places"), ("Sheet", ".tiles-grid")):
        page.get_by_role("button", name=kind, exact=True).click()
        page.wait_for_selector(sign)
        assert found_on(page) == [], kind
    page.goto(f"{server.url}/#finish")
    expect(page.locator(".folder-preview li").first).to_be_visible()
    assert found_on(page) == []


def test_groups_and_the_map(live: Serve, visit: Any, scheme: str) -> None:
    server = live(grown(14, who="me")[0])
    page = visit(f"{server.url}/#groups", color_scheme=scheme)
    page.wait_for_selector(".group")
    assert found_on(page) == []
    page.get_by_role("button", name="Rename").first.click()
    expect(page.get_by_role("dialog")).to_be_visible()
    assert found_on(page) == []
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Open").first.click()
    page.wait_for_selector(".pick")
    assert found_on(page) == []
    page.get_by_role("checkbox").first.check()
    page.get_by_role("button", name="Move to").click()
    page.wait_for_selector("dialog .place")
    assert found_on(page) == []
    page.goto(f"{server.url}/#map")
    page.reload()
    page.wait_for_selector(".legend li")
    assert found_on(page) == []
    page.get_by_role("button", name="Lasso").click()
    box = page.locator(".map-canvas").bounding_box()
    left, top, right, low = box["x"], box["y"], box["x"] + box["width"], box["y"] + box["height"]
    page.mouse.move(left + 3, top + 3)
    page.mouse.down()
    for x, y in ((left + 3, low - 3), (right - 3, low - 3), (right - 3, top + 3)):
        page.mouse.move(x, y)
    page.mouse.up()
    expect(page.get_by_role("heading", name="Inside the line")).to_be_visible()
    assert found_on(page) == []


def test_check_progress_and_the_end(live: Serve, visit: Any, scheme: str) -> None:
    server = live(contradicted())
    page = visit(f"{server.url}/#check", color_scheme=scheme)
    page.wait_for_selector(".said")
    assert found_on(page) == []
    page.goto(f"{server.url}/#progress")
    expect(page.locator(".people tbody tr")).to_have_count(2)
    assert found_on(page) == []
    page.goto(f"{server.url}/#finish")
    page.wait_for_selector(".finish-group")
    assert found_on(page) == []


def test_what_counts_and_what_hangs_on_one_answer(live: Serve, visit: Any, scheme: str) -> None:
    items, truth = pile()
    views = {
        "colour": np.asarray(items.features)[:, :2],
        "shape": np.asarray(items.features)[:, 1:],
    }
    shown = replace(Items.from_views(views), pictures=items.pictures, ids=items.ids)
    study = Study(shown)
    first, second = (np.flatnonzero(truth == kind)[:5].tolist() for kind in (0, 1))
    for pair in zip(first + second, [*first[1:], *second], strict=False):
        study.tell(pair, "same", who="me")
    server = live(study)
    page = visit(f"{server.url}/#check", color_scheme=scheme)
    expect(page.get_by_role("heading", name="Look again")).to_be_visible()
    assert found_on(page) == []
    page.get_by_role("button", name="What counts").click()
    expect(page.get_by_role("dialog")).to_be_visible()
    assert found_on(page) == []


def test_what_is_said_beside_the_answers(live: Serve, visit: Any, scheme: str) -> None:
    study, _ = grown(14, who="me")
    one, other = study.constraints.representatives[:2]
    study.mark_for_review(int(one), "a fox?", who="Ann")
    study.collect(int(one), "living things / animals")
    study.add_to_group(int(other), int(one))
    server = live(study)
    page = visit(f"{server.url}/#review", color_scheme=scheme)
    page.wait_for_selector(".review")
    assert found_on(page) == []
    page.goto(f"{server.url}/#groups")
    page.wait_for_selector(".collection .group")
    assert found_on(page) == []
    page.get_by_role("button", name="Collection").first.click()
    expect(page.get_by_role("dialog")).to_be_visible()
    assert found_on(page) == []
    page.keyboard.press("Escape")
    page.goto(f"{server.url}/#groups/{study.labels_[one]}")
    page.wait_for_selector(".also-here")
    page.get_by_role("checkbox").first.check()
    page.get_by_role("button", name="Needs review").click()
    expect(page.get_by_role("dialog")).to_be_visible()
    assert found_on(page) == []
