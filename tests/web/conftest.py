"""What the tests of the page share: piles, and a client that speaks to the server in memory."""

from __future__ import annotations

import re
import shutil
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from itertools import combinations
from pathlib import Path
from typing import Any

import httpx
import numpy as np
import numpy.typing as npt
import pytest
import uvicorn
from fastapi.testclient import TestClient
from playwright.sync_api import Browser, BrowserContext, Page, Route, expect, sync_playwright

from likewise.items import Items
from likewise.journal.pairs import Pair
from likewise.study import Study
from likewise.study.item_keys import question_id
from likewise.web.app import create_app
from web.openapi_document import JudgedClient

Truth = npt.NDArray[np.int64]
Open = Callable[..., TestClient]


def pile(n: int = 30, groups: int = 3, seed: int = 0) -> tuple[Items, Truth]:
    """Well separated items with pictures, and the group of each."""
    rng = np.random.default_rng(seed)
    truth = rng.permutation(np.arange(n) % groups)
    X = 10 * np.eye(groups)[truth] + rng.normal(size=(n, groups))
    shades = [np.full((8, 8), 60 * label + 40, dtype=np.uint8) for label in truth]
    ids = [f"photo-{k:02}.png" for k in range(n)]
    return replace(Items.of(X), pictures=shades, ids=ids), truth


def grown(answers: int = 12, n: int = 30, who: str = "") -> tuple[Study, Truth]:
    """A study in which three groups are known, by so many answers: whatever is asked first."""
    items, truth = pile(n)
    study = Study(items)
    first = [int(np.flatnonzero(truth == kind)[0]) for kind in range(3)]
    others = [k for k in range(len(items)) if k not in first]
    for i, j in [*combinations(first, 2), *((k, first[truth[k]]) for k in others)][:answers]:
        study.tell((i, j), bool(truth[i] == truth[j]), who=who)
    return study, truth


def ask(client: TestClient, who: str = "Ada", **more: Any) -> dict[str, Any] | None:
    """The next question, None when nothing is left."""
    reply = client.get("/api/question", params={"annotator": who, **more})
    assert reply.status_code in (200, 204), reply.text
    return None if reply.status_code == 204 else dict(reply.json())


def about(study: Study, i: int, j: int) -> str:
    """The id of the question about two items."""
    return question_id(study, Pair(i, j))


def tell(
    client: TestClient,
    question: str | tuple[int, int],
    verdict: str,
    who: str = "Ada",
    **more: Any,
) -> Any:
    """The reply to an answer, to a question or about two items."""
    if isinstance(question, tuple):
        app: Any = client.app
        question = about(app.state.service.study, *question)
    body = {"question": question, "verdict": verdict, "annotator": who, **more}
    return client.post("/api/answers", json=body)


@pytest.fixture
def opened() -> Iterator[Open]:
    """Opens a study in a server of its own and gives a client for it."""
    with ExitStack() as stack:

        def open_client(study: Study, **settings: Any) -> TestClient:
            app = create_app(study, **settings)
            return stack.enter_context(JudgedClient(app, base_url="http://127.0.0.1:8000"))

        yield open_client


@pytest.fixture
def study() -> Study:
    """A small study in memory."""
    return Study(pile()[0])


@pytest.fixture
def client(opened: Open, study: Study) -> TestClient:
    """A client of that study."""
    return opened(study)


# -- the command line ---------------------------------------------------------------------------

TABLE = "name,size,colour\n" + "".join(f"n{k},{k % 4},c{k % 3}\n" for k in range(12))


@contextmanager
def running(*words: str, folder: Path) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """A command, and the address it says."""
    child = subprocess.Popen(
        [sys.executable, "-m", "likewise", *words],
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert child.stdout is not None
    assert child.stderr is not None
    try:
        for line in child.stdout:
            found = re.search(r"http://\S+", line)
            if found:
                yield child, found[0]
                return
        raise AssertionError(child.stderr.read())
    finally:
        child.kill()
        child.wait()
        child.stdout.close()
        child.stderr.close()


@contextmanager
def visiting(link: str) -> Iterator[httpx.Client]:
    """A client that has followed a link, as a browser would."""
    address = httpx.URL(link)
    with httpx.Client(base_url=address.copy_with(query=None), timeout=60) as client:
        assert client.get("/", params=address.params).status_code == 200
        yield client


# -- a real browser ----------------------------------------------------------------------------

_PATIENCE = 30_000  # milliseconds; machines are shared
expect.set_options(timeout=_PATIENCE)
_NAMES = ("chromium", "chromium-browser", "google-chrome", "chrome")
CHROMIUM_QUIET = (
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
)  # fmt: skip


def chromium_path() -> str:
    """Where Chromium is; the test is skipped where there is none."""
    found = next(filter(None, map(shutil.which, _NAMES)), None)
    if found is None:
        pytest.skip(f"no browser here: none of {', '.join(_NAMES)} is installed")
    return found


class Live:
    """A server in a thread, as a browser sees it."""

    def __init__(self, study: Study, *, port: int = 0, **settings: Any) -> None:
        self.study = study
        self._socket = socket.socket()
        self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        self._socket.bind(("127.0.0.1", port))
        self.port = int(self._socket.getsockname()[1])
        self.url = f"http://127.0.0.1:{self.port}"
        app = create_app(study, hosts=["127.0.0.1"], **settings)
        self._server = uvicorn.Server(
            uvicorn.Config(app, log_level="critical", lifespan="on", proxy_headers=False)
        )
        self._thread = threading.Thread(
            target=self._server.run, kwargs={"sockets": [self._socket]}, daemon=True
        )
        self._thread.start()
        while not self._server.started:
            time.sleep(0.01)

    def close(self) -> None:
        """Stop the server and wait until it has."""
        self._server.should_exit = True
        self._thread.join(timeout=20)
        self._socket.close()


@pytest.fixture
def live() -> Iterator[Callable[..., Live]]:
    """Serves studies for a browser."""
    running: list[Live] = []

    def start(study: Study, **settings: Any) -> Live:
        running.append(Live(study, **settings))
        return running[-1]

    yield start
    for server in running:
        server.close()


@pytest.fixture(scope="module")  # no longer: while it runs, so does its event loop in this thread
def browser() -> Iterator[Browser]:
    """Debian's Chromium; tests that need it are skipped where there is none."""
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(
            executable_path=chromium_path(), args=list(CHROMIUM_QUIET)
        )
        yield chromium
        chromium.close()


@pytest.fixture
def visit(browser: Browser) -> Iterator[Callable[..., Page]]:
    """Opens pages and complains about anything the browser complained about."""
    contexts: list[BrowserContext] = []
    complaints: list[str] = []

    def open_page(
        url: str,
        *,
        routes: dict[str, Callable[[Route], None]] | None = None,
        mode: str = "pair",
        **settings: Any,
    ) -> Page:
        # The kind of question is pinned, unless somebody has chosen one in this browser.
        pinned = f"localStorage.likewise ??= JSON.stringify({{mode: '{mode}'}})"
        context = browser.new_context(**{"viewport": {"width": 1280, "height": 860}, **settings})
        for path, handler in (routes or {}).items():
            # Before the page is there: one that has loaded may send a request past a new route.
            context.route(path, handler)
        context.add_init_script(f"try {{ {pinned} }} catch {{}}")
        context.set_default_timeout(_PATIENCE)
        contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("dialog", lambda dialog: complaints.append(dialog.message))
        page.goto(url)
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert complaints == []


def shown(page: Page) -> tuple[int, int]:
    """The pair on the page."""
    page.wait_for_selector(".question .answers")
    one, other = page.locator(".card figcaption").all_inner_texts()
    return int(one[6:8]), int(other[6:8])


def wait_for_question(page: Page, number: int) -> bool:
    """Wait until the page asks its question of that number; False when nothing is left."""
    live = page.locator("#live")
    expect(live).to_have_text(re.compile(rf"Question {number}:|Nothing is left"))
    # A question whose answer could not be kept stands there until the next one is drawn.
    expect(page.locator(".answer.pressed")).to_have_count(0)
    return "Nothing" not in live.inner_text()


def wait_until(page: Page, condition: str) -> None:
    """Wait until an expression of the page's own language is true.

    Playwright's `wait_for_function` evaluates its text again inside the page, which the page's
    security policy forbids: it passes only where the condition is true at first sight.
    """
    page.evaluate(
        f"""(patience) => new Promise((met, missed) => {{
          const begun = performance.now();
          const look = () => {{
            if ({condition}) met(null);
            else if (performance.now() - begun > patience) missed(new Error("still not true"));
            else setTimeout(look, 20);
          }};
          look();
        }})""",
        _PATIENCE,
    )
