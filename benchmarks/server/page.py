"""What the page costs a person: clicks until every item is placed, and time spent waiting.

    python -m benchmarks.server.page [clicks] [speed] [keys] [map]

The photographs are those in the folder `images` of LIKEWISE_DATA, a thousand of them by chance.
"""

from __future__ import annotations

import json
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from itertools import combinations
from pathlib import Path

import numpy as np
import uvicorn
from playwright.sync_api import Browser, sync_playwright

from benchmarks.server.browser_parts.scripted_person import ScriptedPerson
from benchmarks.server.fault_parts.browsers import QUIET, chromium_path
from benchmarks.tables import keep_row, markdown, write_table
from likewise.bench.provenance import commit
from likewise.datasets import load
from likewise.items import Items
from likewise.study import Study
from likewise.web import serve
from likewise.web.app import create_app

PILES = {"iris": 150, "wine": 178, "digits": 200}
PHOTOS = 1000
REPLIES = 36  # of each kind and size
PILES_AT_MOST = 6  # that are answered about for so many replies
KINDS, SPREAD = 10, 4.0  # generated groups, and how far they lie from the middle
SIZES = (400, 10_000, 100_000)  # of which keys are timed
LOOKING = 1500  # milliseconds that a question is looked at


def served(study: Study) -> str:
    """Return the address of a server that runs as long as this program."""
    listening = socket.socket()
    listening.bind(("127.0.0.1", 0))
    server = uvicorn.Server(uvicorn.Config(create_app(study), log_level="error"))
    threading.Thread(target=server.run, kwargs={"sockets": [listening]}, daemon=True).start()
    while not server.started:
        time.sleep(0.05)
    return f"http://127.0.0.1:{listening.getsockname()[1]}"


def sample(name: str, n: int) -> tuple[np.ndarray, np.ndarray]:
    """Return some items of a data set, in random order."""
    X, y = load(name)
    chosen = np.random.default_rng(0).permutation(len(y))[:n]
    return X[chosen], y[chosen]


def clicks_by_pairs(X: np.ndarray, y: np.ndarray) -> int:
    """Return answers to same-or-different questions until nothing is left to ask."""
    study = Study(X)
    while (question := study.ask()) is not None:
        i, j = question.pair
        study.tell(question, bool(y[i] == y[j]))
    return study.n_answers


def clicks_by_places(X: np.ndarray, y: np.ndarray) -> tuple[int, int]:
    """Return clicks on a likely group or on none, and the answers they gave."""
    study, clicks = Study(X), 0
    while (question := study.ask(kind="place")) is not None:
        groups = zip(question.groups, question.members, strict=True)
        right = [group for group, member in groups if y[member] == y[question.item]]
        study.tell(question, right[0] if right else "new")
        clicks += 1
    return clicks, study.n_answers


def photographs(folder: Path, n: int) -> None:
    """Write photographs of faces, fruit and rubbish, one folder for each kind."""
    images = Path(os.environ["LIKEWISE_DATA"]) / "images"
    found = sorted(path for path in images.rglob("*.*g") if path.is_file())
    for number in np.random.default_rng(0).permutation(len(found))[:n]:
        kind = folder / found[number].parent.name
        kind.mkdir(exist_ok=True)
        shutil.copy(found[number], kind / f"{number:04}{found[number].suffix}")


@contextmanager
def started(folder: Path) -> Iterator[str]:
    """Yield `likewise start` as a person types it; the address that it says."""
    words = [sys.executable, "-m", "likewise", "start", str(folder), "--no-browser"]
    child = subprocess.Popen(words, stdout=subprocess.PIPE, text=True)
    assert child.stdout is not None
    try:
        yield next(line.split()[0] for line in child.stdout if line.startswith("http"))
    finally:
        child.kill()
        child.wait()
        child.stdout.close()


def waits(n: int) -> list[str]:
    """Return the seconds in a browser until the first question."""
    with tempfile.TemporaryDirectory() as scratch, sync_playwright() as playwright:
        folder = Path(scratch) / "photos"
        folder.mkdir()
        photographs(folder, n)
        browser = playwright.chromium.launch(executable_path=chromium_path(), args=list(QUIET))
        with started(folder):  # the features are kept from now on
            pass
        page = browser.new_page()
        began = time.perf_counter()
        with started(folder) as url:
            page.goto(url)
            page.wait_for_selector(".question")
            typed = time.perf_counter() - began
            opened = float(page.evaluate("performance.now()")) / 1000
        browser.close()
    return [f"{n}", f"{typed:.1f} s", f"{opened:.2f} s"]


def key_to_screen(kind: str, n: int) -> list[str]:
    """Return milliseconds from the last key of a reply to the next question, all of it drawn.

    Generated groups, ten of them, each item with a small picture; before a reply the page is looked
    at for less than the question is expected to take. Where nothing of the kind is left, the
    next pile is begun. The server is a process of its own, as it is for everybody.
    """
    times: list[float] = []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium_path(), args=list(QUIET))
        for seed in range(PILES_AT_MOST):
            if len(times) < REPLIES:
                times += _waits_of(browser, kind, n, seed, REPLIES - len(times))
        browser.close()
    p50, p95 = np.percentile(times, [50, 95])
    return [kind, f"{n}", f"{len(times)}", f"{p50:.0f} ms", f"{p95:.0f} ms", f"{max(times):.0f} ms"]


def _waits_of(browser: Browser, kind: str, n: int, seed: int, most: int) -> list[float]:
    """Return the waits for questions of a kind, of one pile."""
    with generated_server(n, seed) as (url, truth):
        context = browser.new_context(viewport={"width": 1280, "height": 860})
        context.set_default_timeout(120_000)
        context.add_init_script(f"localStorage.likewise = JSON.stringify({{mode: '{kind}'}})")
        page = context.new_page()
        person = ScriptedPerson(page, lambda name: truth[name], "keys")
        page.goto(url)
        page.wait_for_selector(".question")
        page.evaluate(_WATCH)
        shown = kind
        while person.way.replies < most and shown == kind:
            person.answer(person.way.replies + 1, LOOKING, stops=False)
            page.evaluate(_UNTIL_ALL_ARE_NOTED, person.way.replies)
            shown = page.evaluate("document.querySelector('.question')?.classList[1]?.slice(3)")
            shown = kind if kind == "best" and shown else shown
        found = page.evaluate("window.waits")
        context.close()
    return [float(one) for one in (found if shown == kind else found[:-1])]


# Playwright's `wait_for_function` evaluates text inside the page, which its policy forbids.
_UNTIL_ALL_ARE_NOTED = """(replies) => new Promise((done) => {
  const look = () => (window.waits.length >= replies ? done(null) : setTimeout(look, 10));
  look();
})"""

# The page notes by itself when a key was pressed and when the next question stood there.
_WATCH = """() => {
  window.waits = [];
  let pressed = null;
  addEventListener("keydown", () => (pressed = performance.now()), true);
  const live = document.getElementById("live");
  new MutationObserver(async () => {
    if (pressed === null || !/^(Question|Nothing)/.test(live.textContent)) return;
    const began = pressed;
    pressed = null;
    const pictures = [...document.querySelectorAll("main img")];
    await Promise.all(pictures.map((one) => one.decode().catch(() => {})));
    window.waits.push(performance.now() - began);
  }).observe(live, { childList: true });
}"""


@contextmanager
def generated_server(n: int, seed: int) -> Iterator[tuple[str, dict[str, int]]]:
    """Yield a server of items in ten generated groups, and the group of each by its id."""
    ids = [f"item-{k:05}" for k in range(n)]
    truth = dict(zip(ids, _kinds(n, seed).tolist(), strict=True))
    serving = f"from benchmarks.server.page import serve_generated; serve_generated({n}, {seed})"
    child = subprocess.Popen(
        [sys.executable, "-c", serving],
        stdout=subprocess.PIPE, text=True, cwd=Path.cwd(),
    )  # fmt: skip
    assert child.stdout is not None
    try:
        yield next(line.strip() for line in child.stdout if line.startswith("http")), truth
    finally:
        child.kill()
        child.wait()
        child.stdout.close()


def _kinds(n: int, seed: int) -> np.ndarray:
    return np.random.default_rng(seed).integers(KINDS, size=n)


def serve_generated(n: int, seed: int) -> None:
    """Serve generated groups until killed, half of them known by a few answers."""
    kinds, rng = _kinds(n, seed), np.random.default_rng([1, seed])
    X = rng.normal(size=(n, 16)) + SPREAD * np.eye(KINDS, 16)[kinds]
    shades = [np.full((96, 96), 20 * kind + 20, dtype=np.uint8) for kind in range(KINDS)]
    pictures = [shades[kind] for kind in kinds]
    items = replace(Items.of(X), pictures=pictures, ids=[f"item-{k:05}" for k in range(n)])
    study = Study(items)
    first = [int(np.flatnonzero(kinds == kind)[0]) for kind in range(KINDS)]
    for i, j in combinations(first, 2):
        study.tell((i, j), "different")
    serve(study, open_browser=False, on_start=_say)


def _say(link: str) -> None:
    sys.stdout.write(f"{link}\n")
    sys.stdout.flush()


def map_frames(n: int) -> list[str]:
    """Return in a browser: how long a frame of the map takes to draw while it is enlarged."""
    rng = np.random.default_rng(0)
    dots = {
        "x": rng.integers(0, 10_000, n).tolist(),
        "y": rng.integers(0, 10_000, n).tolist(),
        "groups": rng.integers(0, 20, n).tolist(),
        "names": {},
    }
    url = served(Study(rng.normal(size=(20, 2))))
    with sync_playwright() as playwright:
        found = shutil.which("chromium")
        browser = playwright.chromium.launch(executable_path=found, args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": 1280, "height": 860})
        page.route("**/api/map", lambda route: route.fulfill(body=json.dumps(dots)))
        page.goto(f"{url}/#map")
        page.wait_for_selector(".legend li")
        times = page.evaluate(
            """async () => {
              const canvas = document.querySelector("canvas");
              const put = CanvasRenderingContext2D.prototype.createImageData;
              const times = [];
              let began = 0;
              // A frame begins with fresh pixels and ends when the names are written.
              CanvasRenderingContext2D.prototype.createImageData = function (...size) {
                began = performance.now();
                return put.apply(this, size);
              };
              for (let k = 0; k < 60; k++) {
                const turn = k % 20 < 10 ? -40 : 40;
                canvas.dispatchEvent(new WheelEvent("wheel", { deltaY: turn, cancelable: true }));
                await new Promise((done) => requestAnimationFrame(done));
                times.push(performance.now() - began);
              }
              return times;
            }"""
        )
        browser.close()
    p50, p95 = np.percentile(times, [50, 95])
    return [str(n), f"{p50:.0f} ms", f"{p95:.0f} ms"]


def clicks() -> None:
    """Write both ways to answer, until everything is placed."""
    rows = []
    for name, n in PILES.items():
        X, y = sample(name, n)
        pairs = clicks_by_pairs(X, y)
        clicked, answers = clicks_by_places(X, y)
        ratio = f"{clicked / pairs:.2f}"
        rows.append([name, str(n), str(pairs), str(clicked), ratio, str(answers)])
    header = ["pile", "items", "clicks, pairs", "clicks, places", "ratio", "answers by places"]
    write_table("page_clicks", markdown(header, rows))


def speed() -> None:
    """Write how long one waits for the first question."""
    header = ["photographs", "command to first question", "page to first question"]
    write_table("page_speed", markdown(header, [waits(PHOTOS)]))


def keys(*sizes: int) -> None:
    """Write how long it takes from a key to the next question, of every kind."""
    header = ["kind", "items", "replies", "key to next question, p50", "p95", "longest", "commit"]
    for n in sizes or SIZES:
        for kind in ("pair", "place", "sheet", "best"):
            keep_row("page_keys", header, [*key_to_screen(kind, n), commit()], 2)


def drawing() -> None:
    """Write how long one waits for the map."""
    header = ["dots", "a frame of the map, p50", "p95"]
    write_table("page_map", markdown(header, [map_frames(n) for n in (1_000, 100_000)]))


PARTS = {"clicks": clicks, "speed": speed, "keys": keys, "map": drawing}


def main(*parts: str) -> None:
    """Write all tables, or those named."""
    for part in parts or PARTS:
        PARTS[part]()


if __name__ == "__main__":
    main(*sys.argv[1:])
