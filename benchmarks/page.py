"""What the page costs a person: clicks until every item is placed, and time spent waiting.

python -m benchmarks.page
"""

from __future__ import annotations

import shutil
from dataclasses import replace

import numpy as np
from playwright.sync_api import sync_playwright

from benchmarks.experiments import markdown, write_table
from benchmarks.page_pictures import served
from likewise.branch import Branch
from likewise.datasets import load
from likewise.items import Items
from likewise.study import Study
from likewise.web.models import PlacementIn
from likewise.web.placing import place

PILES = {"iris": 150, "wine": 178, "digits": 200}
SHOWN = 5  # groups
PHOTOS = 1000
ANSWERS = 40
LOOKING = 700  # milliseconds that a question is looked at


def sample(name: str, n: int) -> tuple[np.ndarray, np.ndarray]:
    """Some items of a data set, in random order."""
    X, y = load(name)
    chosen = np.random.default_rng(0).permutation(len(y))[:n]
    return X[chosen], y[chosen]


def clicks_by_pairs(X: np.ndarray, y: np.ndarray) -> int:
    """Answers to same-or-different questions until nothing is left to ask."""
    study = Study(X)
    while (question := study.ask()) is not None:
        i, j = question.pair
        study.tell(question, bool(y[i] == y[j]))
    return study.n_answers


def clicks_by_places(X: np.ndarray, y: np.ndarray) -> tuple[int, int]:
    """Clicks on one of the likely groups, or on none of them; and the answers they stood for."""
    study, clicks = Study(X), 0
    branch = Branch.of(study)
    while (question := study.ask()) is not None:
        branch.follow(study.answers)
        item = question.pair.i
        shown = [member for _, member in branch.likely_groups(item, SHOWN)]
        right = next((member for member in shown if y[member] == y[item]), None)
        told = PlacementIn(item=item, group="new", among=shown)
        place(study, told, f"click-{clicks}", right)
        clicks += 1
    return clicks, study.n_answers


def waits(n: int) -> list[str]:
    """In a browser: until the first question, and from a key to the next one, in milliseconds."""
    X, y = sample("digits", n)
    shades = (255 - X * (255 / 16)).astype(np.uint8).reshape(-1, 8, 8)
    ids = [f"{k:04}" for k in range(n)]
    study = Study(replace(Items.of(X), pictures=list(shades), ids=ids))
    url = served(study, "digits")
    with sync_playwright() as playwright:
        found = shutil.which("chromium")
        browser = playwright.chromium.launch(executable_path=found, args=["--no-sandbox"])
        page = browser.new_page()
        page.goto(url)
        page.wait_for_selector(".answers")
        first = float(page.evaluate("performance.now()"))
        # The page notes by itself when a key was pressed and when the next question stood there.
        page.evaluate(
            """() => {
              window.waits = [];
              let pressed = null;
              addEventListener("keydown", () => (pressed = performance.now()), true);
              new MutationObserver(() => {
                if (pressed !== null) window.waits.push(performance.now() - pressed);
                pressed = null;
              }).observe(document.getElementById("live"), { childList: true });
            }"""
        )
        for number in range(1, ANSWERS + 1):
            one, other = map(int, page.locator(".card figcaption").all_inner_texts())
            page.wait_for_timeout(LOOKING)
            page.keyboard.press("ArrowRight" if y[one] == y[other] else "ArrowLeft")
            page.wait_for_function("n => window.waits.length >= n", arg=number)
        times = page.evaluate("window.waits")
        browser.close()
    p50, p95 = np.percentile(times, [50, 95])
    return [f"{n}", f"{first:.0f} ms", f"{p50:.0f} ms", f"{p95:.0f} ms"]


def main() -> None:
    """Both tables."""
    rows = []
    for name, n in PILES.items():
        X, y = sample(name, n)
        pairs = clicks_by_pairs(X, y)
        clicks, answers = clicks_by_places(X, y)
        rows.append([name, str(n), str(pairs), str(clicks), f"{clicks / pairs:.2f}", str(answers)])
    header = ["pile", "items", "clicks, pairs", "clicks, places", "ratio", "answers by places"]
    write_table("page_clicks", markdown(header, rows))
    header = ["pictures", "first question", "key to next question, p50", "p95"]
    write_table("page_speed", markdown(header, [waits(PHOTOS)]))


if __name__ == "__main__":
    main()
