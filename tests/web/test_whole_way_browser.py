"""From an empty start page to sorted folders in a real browser, by keys or by mouse alone."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import uvicorn
from axe_playwright_python.sync_playwright import Axe
from benchmarks.server.browser_parts.scripted_person import ScriptedPerson
from benchmarks.server.whole_way import agreement, shapes, table, texts
from playwright.sync_api import Page, expect

from likewise.cli.commands._pile_opener import SourceOpener
from likewise.web.security import Access
from likewise.web.start import RecentPiles, create_start_app
from likewise.web.start.session import StartSession

pytestmark = pytest.mark.slow


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = (tmp_path / "home").resolve()
    folder.mkdir()
    monkeypatch.setenv("HOME", str(folder))
    monkeypatch.setenv("LIKEWISE_HOME", str(tmp_path / "own"))
    return folder


@pytest.fixture
def start_link(home: Path) -> Iterator[str]:
    """The owner's link to a start page in a thread."""
    recent = RecentPiles(home.parent / "own" / "recent.json")
    session = StartSession(Access(token="owner"), recent, SourceOpener())
    with socket.socket() as listening:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind(("127.0.0.1", 0))
        config = uvicorn.Config(create_start_app(session), log_level="critical", lifespan="on")
        server = uvicorn.Server(config)
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]}, daemon=True)
        thread.start()
        while not server.started:
            time.sleep(0.01)
        yield f"http://127.0.0.1:{listening.getsockname()[1]}/?token=owner"
        server.should_exit = True
        thread.join(timeout=20)


def accessible(page: Page) -> None:
    """Fail on whatever keeps somebody from using what is shown."""
    assert [rule["id"] for rule in Axe().run(page).response["violations"]] == []


def test_photographs_by_keys_alone(home: Path, start_link: str, visit: Any) -> None:
    truth = shapes(home / "photos", 18)
    (home / "photos" / "broken.jpg").write_text("no picture")
    page = visit(start_link)
    person = ScriptedPerson(page, truth, "keys")
    page.locator(".entry").first.wait_for()
    accessible(page)
    way = person.sort(home / "photos", home)
    assert way.clicks == 0
    assert way.target == home / "photos sorted"
    assert agreement(way, truth) == 1.0
    assert sum(path.is_file() for path in way.target.rglob("*")) == 18


@pytest.mark.parametrize(("file", "make"), [("notes.txt", texts), ("things.csv", table)])
def test_texts_and_a_table_by_mouse_alone_on_a_phone(
    home: Path, start_link: str, visit: Any, file: str, make: Callable[..., Any]
) -> None:
    truth = make(home / file, 16)
    page = visit(start_link, viewport={"width": 390, "height": 844})
    wide = "document.documentElement.scrollWidth > innerWidth"
    (home / ("a long name " * 15)).mkdir()
    person = ScriptedPerson(page, truth, "mouse")
    page.locator(".entry").first.wait_for()
    assert not page.evaluate(wide)
    person.choose(home / file, home)
    expect(page.get_by_role("heading", level=1)).to_have_text(file)
    accessible(page)
    assert not page.evaluate(wide)
    page.get_by_role("button", name="Another pile").click()
    way = person.sort(home / file, home)
    assert way.presses == 0
    assert agreement(way, truth) == 1.0


def test_what_cannot_be_read_is_said_where_one_chooses(
    home: Path, start_link: str, visit: Any
) -> None:
    (home / "bad.csv").write_text("size\n1\n")
    (home / "<img src=x onerror=alert(1)>").mkdir()
    page = visit(start_link)
    page.get_by_role("button", name="<img src=x").click()
    expect(page.get_by_text("Nothing here that likewise reads")).to_be_visible()
    page.get_by_role("button", name="Choose this folder").click()
    expect(page.get_by_role("alert")).to_contain_text("there are no pictures")
    page.get_by_label("Its path").fill(str(home / "bad.csv"))
    page.get_by_role("button", name="Open").click()
    page.get_by_label("Number of groups").fill("many")
    page.get_by_role("button", name="Read it and begin").click()
    expect(page.get_by_role("alert")).to_contain_text("as one number")
    page.get_by_label("No idea").check()
    page.get_by_role("button", name="Read it and begin").click()
    expect(page.get_by_role("alert")).to_contain_text("at least 2 items")
    expect(page.get_by_role("heading", level=1)).to_have_text("What would you like to sort?")


def test_who_chooses_a_folder_before_its_list_is_there_means_that_folder(
    home: Path, start_link: str, visit: Any
) -> None:
    (home / "empty").mkdir()
    page = visit(start_link)
    page.locator(".entry").first.wait_for()
    waiting: list[Any] = []
    page.route("**/api/start/folder?*", lambda route: waiting.append(route))
    page.get_by_role("button", name="empty").click()
    page.get_by_role("button", name="Choose this folder").click()
    expect(page.get_by_role("alert")).to_contain_text("in empty")
    said = page.get_by_role("alert").text_content()
    for route in waiting:
        route.continue_()
    expect(page.locator(".place-path")).to_have_text(str(home / "empty"))
    expect(page.get_by_role("alert")).to_have_text(said)
