"""Links with a token, pages of other sites and invited people, in a real browser."""

from __future__ import annotations

import http.server
import re
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import httpx
import pytest
from playwright.sync_api import Browser, expect

from likewise.study import Study
from likewise.web.security import Access
from web.conftest import Live, pile

pytestmark = pytest.mark.slow
Serve = Callable[..., Live]
_PATIENCE = 30_000  # milliseconds; machines are shared


@contextmanager
def another_site(html: str) -> Iterator[str]:
    """A page of another site: `localhost` is not `127.0.0.1` to a browser."""

    class Page(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("content-type", "text/html")
            self.end_headers()
            self.wfile.write(html.encode())

        def log_message(self, *_: Any) -> None:
            """Say nothing."""

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Page)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://localhost:{server.server_address[1]}/"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def test_a_link_on_another_site_lets_in_and_leaves_no_token_behind(
    live: Serve, browser: Browser
) -> None:
    server = live(Study(pile()[0]), access=Access(token="1 € & more"))
    link = f"{server.url}/?token=1%20%E2%82%AC%20%26%20more"
    with another_site(f'<a href="{link}">answer</a>') as site:
        page = browser.new_page()
        page.goto(site)
        page.get_by_text("answer").click()
        page.wait_for_selector(".question .answers", timeout=_PATIENCE)
        assert page.url == f"{server.url}/"
        page.go_back()
        assert page.url == site
        page.goto(f"{server.url}/#progress")  # by the cookie alone
        page.wait_for_selector(".tiles", timeout=_PATIENCE)
        page.close()


def test_pictures_and_scripts_of_another_site_reserve_no_question(
    live: Serve, browser: Browser
) -> None:
    server = live(Study(pile(6, groups=2)[0]))  # without a token, so that only the page counts
    attack = "".join(
        f'<img src="{server.url}/api/question?annotator=made-up-{k}">' for k in range(30)
    )
    script = f'<script>fetch("{server.url}/api/question?annotator=fetched", {{mode: "no-cors"}})'
    with another_site(f"{attack}{script}</script>") as site:
        page = browser.new_page()
        tried: set[str] = set()
        page.on("request", lambda request: tried.add(request.url))
        page.goto(site, wait_until="networkidle")
        page.close()
    assert len([url for url in tried if "/api/question" in url]) == 31
    assert httpx.get(f"{server.url}/api/people").json()["people"] == []
    page = browser.new_page()
    page.goto(server.url)
    page.wait_for_selector(".question .answers", timeout=_PATIENCE)
    page.close()


def test_who_was_invited_sees_what_is_for_them(live: Serve, browser: Browser) -> None:
    access = Access(token="owner")
    server = live(Study(pile()[0]), access=access, shared=True)
    page = browser.new_page()
    page.set_default_timeout(_PATIENCE)
    page.goto(f"{server.url}/?token={access.invite('Ada')}")
    page.wait_for_selector(".question .answers")
    expect(page.locator("#tools")).to_contain_text("Ada")
    assert "Check" not in page.locator("#tabs").inner_text()
    page.keyboard.press("ArrowRight")
    expect(page.locator("#live")).to_have_text(re.compile("Question 2"))
    page.keyboard.press("u")
    expect(page.locator("#live")).to_have_text(re.compile("Question 1"))
    page.keyboard.press("ArrowLeft")
    expect(page.locator("#live")).to_have_text(re.compile("Question 2"))
    page.goto(f"{server.url}/#groups")
    page.wait_for_selector(".group")
    for name in ("Rename", "Save as CSV", "Merge"):
        assert page.get_by_text(name).count() == 0, name
    page.goto(f"{server.url}/#progress")
    page.wait_for_selector(".people")
    assert page.get_by_text("Invite somebody").count() == 0
    page.close()
    assert [(answer.who, answer.verdict.value) for answer in server.study.answers] == [
        ("Ada", "different")
    ]


def test_the_owner_invites_somebody_on_the_page_who_then_waits_for_the_rest(
    live: Serve, browser: Browser
) -> None:
    server = live(Study(pile(2, groups=2)[0]), access=Access(token="owner"), shared=True)
    owner = browser.new_context().new_page()
    owner.set_default_timeout(_PATIENCE)
    owner.goto(f"{server.url}/?token=owner")
    owner.get_by_label("Your name").fill("Cleo")
    owner.keyboard.press("Enter")
    owner.wait_for_selector(".question .answers")  # the only question there is
    owner.evaluate("location.hash = 'progress'")
    owner.get_by_role("button", name="Invite somebody").click()
    owner.get_by_label("Name").fill("Ada")
    owner.keyboard.press("Enter")
    link = owner.get_by_label("Send it to nobody else").input_value()
    owner.keyboard.press("Enter")
    ada = browser.new_context().new_page()
    ada.goto(link)
    heading = ada.get_by_role("heading", level=1)
    expect(heading).to_have_text("Nothing for you right now.")
    owner.get_by_role("button", name="Withdraw").click()
    owner.get_by_role("button", name="Withdraw it").click()
    expect(owner.get_by_role("button", name="Withdraw")).to_have_count(0)
    assert ada.request.get(f"{server.url}/api/study").status == 401
    for page in (owner, ada):
        page.context.close()
