"""The end of a study in a real browser."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from likewise.partitions import load_partitioned
from likewise.study import Study
from web.conftest import Live, pile

pytestmark = pytest.mark.slow


def test_that_one_may_stop_is_said_once_with_names_and_files(
    live: Callable[..., Live], visit: Any, tmp_path: Any
) -> None:
    items, truth = pile()
    study = Study(items)
    while (question := study.ask()) is not None:
        i, j = question.pair
        study.tell(question, bool(truth[i] == truth[j]), who="me")
    page = visit(live(study).url)
    expect(page.locator("#notice")).to_contain_text("You may stop here.")
    page.get_by_role("button", name="See the result").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("You may stop here.")
    found = Axe().run(page).response["violations"]
    assert [rule["id"] for rule in found] == []
    page.screenshot(path=tmp_path / "finish.png", full_page=True)
    field = page.locator(".finish-group input").first
    field.fill("cats")
    field.press("Enter")
    expect(page.locator("#notice")).to_contain_text("Named “cats”.")
    assert "cats" in study.names_.values()
    with page.expect_download() as saved:
        page.get_by_role("link", name="CSV").click()
    assert "cats" in saved.value.path().read_text(encoding="utf-8")
    page.get_by_role("link", name="Go on answering").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Nothing is left to ask.")
    page.reload()
    expect(page.get_by_role("link", name="Names and files")).to_be_visible()
    expect(page.locator(".tally")).to_contain_text("3 groups")  # what it may say it has said
    expect(page.locator("#notice")).to_be_hidden()


def test_of_rows_in_parts_the_result_is_that_of_every_row(
    live: Callable[..., Live], visit: Any
) -> None:
    X = np.random.default_rng(0).normal(size=(90, 2)) + 9.0 * (np.arange(90) % 2)[:, None]
    page = visit(live(Study(load_partitioned([X[:40], X[40:]], 8, n_jobs=1))).url)
    page.goto(page.url.split("#")[0] + "#finish")
    expect(page.locator(".lead")).to_contain_text("8 items, which stand for 90 rows, into")
    expect(page.locator("a[download]")).to_have_text(["CSV, with the group of every row"])
    with page.expect_download() as saved:
        page.locator("a[download]").click()
    assert len(saved.value.path().read_text(encoding="utf-8").splitlines()) == 91
