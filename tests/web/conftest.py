"""What the tests of the page share: piles, and a client that speaks to the server in memory."""

from __future__ import annotations

import shutil
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
import uvicorn
from fastapi.testclient import TestClient
from playwright.sync_api import Browser, sync_playwright

from likewise.items import Items
from likewise.study import Study
from likewise.web.app import create_app

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


def grown(answers: int = 12) -> tuple[Study, Truth]:
    """A study in which three groups are known."""
    items, truth = pile()
    study = Study(items)
    while len(study.constraints.representatives) < 3 or study.n_answers < answers:
        question = study.ask()
        assert question is not None
        i, j = question.pair
        study.tell(question, bool(truth[i] == truth[j]))
    return study, truth


def ask(client: TestClient, who: str = "Ada", **more: Any) -> dict[str, Any] | None:
    """The next question, None when nothing is left."""
    reply = client.get("/api/question", params={"annotator": who, **more})
    assert reply.status_code in (200, 204), reply.text
    return None if reply.status_code == 204 else dict(reply.json())


def tell(client: TestClient, question: str, verdict: str, who: str = "Ada", **more: Any) -> Any:
    """The reply to an answer."""
    body = {"question": question, "verdict": verdict, "annotator": who, **more}
    return client.post("/api/answers", json=body)


@pytest.fixture
def opened() -> Iterator[Open]:
    """Opens a study in a server of its own and gives a client for it."""
    with ExitStack() as stack:

        def open_client(study: Study, **settings: Any) -> TestClient:
            app = create_app(study, **settings)
            return stack.enter_context(TestClient(app, base_url="http://127.0.0.1:8000"))

        yield open_client


@pytest.fixture
def study() -> Study:
    """A small study in memory."""
    return Study(pile()[0])


@pytest.fixture
def client(opened: Open, study: Study) -> TestClient:
    """A client of that study."""
    return opened(study)


# -- a real browser ----------------------------------------------------------------------------

_NAMES = ("chromium", "chromium-browser", "google-chrome", "chrome")
_QUIET = (
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
)  # fmt: skip


class Live:
    """A server in a thread, as a browser sees it."""

    def __init__(self, study: Study, **settings: Any) -> None:
        self.study = study
        self._socket = socket.socket()
        self._socket.bind(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self._socket.getsockname()[1]}"
        app = create_app(study, hosts=["127.0.0.1"], **settings)
        self._server = uvicorn.Server(uvicorn.Config(app, log_level="critical", lifespan="on"))
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
    found = next(filter(None, map(shutil.which, _NAMES)), None)
    if found is None:
        pytest.skip(f"no browser here: none of {', '.join(_NAMES)} is installed")
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=found, args=list(_QUIET))
        yield chromium
        chromium.close()
