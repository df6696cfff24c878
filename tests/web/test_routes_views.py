"""`/api/views`, and the page's panel: what counts is switched while the study is served."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
from playwright.sync_api import Browser, expect

from likewise import Items, Study
from likewise.study.study import Study as Begun
from web.conftest import Live, Open, ask, pile

COLOURS, SHAPES = np.arange(30) % 3, np.arange(30) // 3 % 2


def items() -> Items:
    rng = np.random.default_rng(0)
    colour = 9 * np.eye(3)[COLOURS] + 0.3 * rng.normal(size=(30, 3))
    shape = 9 * np.eye(2)[SHAPES] + 0.3 * rng.normal(size=(30, 2))
    seen = Items.from_views({"colour": colour, "shape": shape})
    return replace(seen, pictures=pile()[0].pictures)


def test_views_are_switched_and_all_follows(opened: Open) -> None:
    study = Study(items())
    client = opened(study)
    assert ask(client) is not None
    both = [{"name": "colour", "counts": True}, {"name": "shape", "counts": True}]
    assert client.get("/api/views").json() == both
    reply = client.post("/api/views", json={"off": ["shape"], "annotator": "Ada"})
    assert [view["counts"] for view in reply.json()] == [True, False]
    labels = [row["group"] for row in client.get("/api/labels").json()]
    assert len(set(zip(labels, COLOURS.tolist(), strict=True))) == 3
    assert ask(client) is not None
    assert client.post("/api/views", json={"on": ["shape"]}).json() == both


def test_what_cannot_be_switched_is_refused_in_a_sentence(opened: Open) -> None:
    client = opened(Study(items()))
    unknown = client.post("/api/views", json={"off": ["smell"]})
    assert (unknown.status_code, unknown.json()["detail"]) == (
        422,
        "there is no view 'smell' of these items; there are colour, shape",
    )
    assert client.post("/api/views", json={"off": ["colour", "shape"]}).status_code == 422
    assert client.post("/api/views", json={"study": "0" * 16}).status_code == 409
    assert opened(Study(pile()[0])).get("/api/views").json() == []


def test_the_page_has_a_panel_where_there_is_something_to_switch(
    live: Callable[..., Live], browser: Browser, tmp_path: Path
) -> None:
    study = Study(items(), store=tmp_path / "a.likewise.db")
    page = browser.new_page()
    page.goto(live(study).url)
    page.get_by_role("button", name="What counts").click()
    page.get_by_label("colour").uncheck()
    expect(page.get_by_label("colour")).not_to_be_checked()
    page.get_by_label("shape").click()
    page.get_by_text("One view at least must count").first.wait_for()
    assert page.get_by_label("shape").is_checked()
    page.keyboard.press("Escape")
    page.close()
    with Begun.open(tmp_path / "a.likewise.db", items()) as again:
        assert again.views == {"colour": False, "shape": True}


def test_the_page_of_plain_items_has_no_such_panel(
    live: Callable[..., Live], browser: Browser
) -> None:
    page = browser.new_page()
    with page.expect_response("**/api/views"):
        page.goto(live(Study(pile()[0])).url)
    page.get_by_role("button", name="Keys and settings").wait_for()
    assert page.get_by_role("button", name="What counts").count() == 0
    page.close()
