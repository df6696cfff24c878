"""The page in a notebook."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from likewise.study import Study
from likewise.web.widget import AppBridge, bundle_module, scope_css
from web.conftest import about, grown, pile


def test_the_widget_carries_requests_to_the_application(study: Study) -> None:
    found = study.widget()
    replies: list[dict[str, Any]] = []
    done = asyncio.Event()

    async def exchange() -> None:
        loop = asyncio.get_running_loop()

        def send(content: dict[str, Any]) -> None:
            replies.append(content)
            loop.call_soon_threadsafe(done.set)

        told = {"question": about(study, 0, 1), "verdict": "same", "annotator": "me"}
        requests: list[dict[str, Any]] = [
            {"method": "GET", "path": "/api/question?annotator=me"},
            {"method": "POST", "path": "/api/answers", "body": told},
            {"method": "GET", "path": "/media/3?size=32"},
            {"method": "GET", "path": "/api/groups/99"},
        ]
        for k, request in enumerate(requests):
            done.clear()
            found.bridge.submit({"id": k, **request}, send)
            await asyncio.wait_for(done.wait(), 30)

    asyncio.run(exchange())
    found.bridge.close()
    assert [(reply["id"], reply["status"]) for reply in replies] == [
        (0, 200), (1, 201), (2, 200), (3, 404)
    ]  # fmt: skip
    assert len(json.loads(replies[0]["content"])["pair"]) == 2
    assert replies[2]["content"].startswith("data:image/png;base64,")
    assert study.n_answers == 1


def test_all_modules_travel_in_one_text() -> None:
    text = bundle_module("notebook")
    assert 'from "./' not in text
    assert "data:text/javascript;base64," in text
    css = scope_css(":root {\n}\nhtml { x }\nbody { margin: 0; }\n  :root { }")
    assert css == ".likewise {\n}\n\n.likewise { margin: 0; }\n  .likewise { }"


@contextmanager
def below_a_cell(browser: Browser, study: Study) -> Iterator[Page]:
    """The widget of a study, with a messenger in place of the notebook's kernel."""
    bridge = AppBridge(study)

    def carry(request: dict[str, Any]) -> dict[str, Any]:
        work = bridge.request(request)
        reply = asyncio.run_coroutine_threadsafe(work, bridge._loop).result(30)
        return {"id": request["id"], **reply}

    page = browser.new_page()
    page.set_default_timeout(30_000)
    page.expose_function("carry", carry)
    page.evaluate(
        """async (text) => {
          const address = URL.createObjectURL(new Blob([text], { type: "text/javascript" }));
          const { default: widget } = await import(address);
          let tell;
          const model = {
            on: (_, heard) => (tell = heard),
            send: async (request) => tell(await window.carry(request)),
          };
          widget.render({ model, el: document.body });
        }""",
        bundle_module("notebook"),
    )
    yield page
    page.close()
    bridge.close()


@pytest.mark.slow
def test_questions_are_answered_below_a_cell(browser: Browser) -> None:
    study = Study(pile()[0])
    with below_a_cell(browser, study) as page:
        page.get_by_role("button", name="Pair", exact=True).click()
        page.get_by_role("button", name="Different").click()
        expect(page.locator("[aria-live]")).to_contain_text("Question 2")
        page.locator(".likewise").focus()
        page.keyboard.press("ArrowRight")
        expect(page.locator("[aria-live]")).to_contain_text("Question 3")
        assert [answer.verdict.value for answer in study.answers] == ["different", "same"]
        page.keyboard.press("u")  # what had the focus is gone with the last question
        expect(page.locator("#last")).to_contain_text("Took back")
        image = page.locator(".stage img").first
        expect(image).to_have_attribute("src", re.compile("^data:image/png"))
        page.get_by_role("button", name="Groups", exact=True).click()
        page.wait_for_selector(".group")


@pytest.mark.slow
def test_every_kind_of_question_is_asked_below_a_cell(browser: Browser) -> None:
    study, truth = grown()
    with below_a_cell(browser, study) as page:
        page.get_by_role("button", name="Place", exact=True).click()
        page.wait_for_selector(".places")
        item = int(page.locator(".card figcaption").inner_text()[6:8])
        kinds = [
            truth[int(str(picture.get_attribute("alt"))[6:8])]
            for picture in page.locator(".place:not(.fresh) .thumb:first-child").all()
        ]
        page.locator(".place").nth(kinds.index(truth[item])).click()
        expect(page.locator("#last")).to_contain_text("Placed in")
        assert study.n_answers == 13
        page.get_by_role("button", name="Sheet", exact=True).click()
        page.wait_for_selector(".tiles-grid")
        page.locator(".tiles-grid input").first.focus()
        page.keyboard.press("Enter")
        expect(page.locator("#last")).to_contain_text("at once.")
        assert study.n_answers > 14
        page.keyboard.press("u")
        expect(page.locator("#last")).to_contain_text("Took back")
        assert study.n_answers == 13
        page.get_by_role("button", name="Best", exact=True).click()
        expect(page.get_by_role("heading", level=1)).to_be_visible()
        expect(page.get_by_role("button", name="Best", exact=True)).to_have_attribute(
            "aria-pressed", "true"
        )
