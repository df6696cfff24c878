"""From an empty start page to sorted folders in Chromium: presses, clicks and seconds.

    python -m benchmarks.server.whole_way [ITEMS]

A scripted person who never errs and does not hesitate: coloured shapes and handwritten digits as
PNG, texts, a table; by keys alone, by mouse alone, and by mouse at the width of a phone. Seconds
are those of the machine, without any looking or thinking; the page asks what it thinks best.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
from PIL import Image, ImageDraw
from playwright.sync_api import sync_playwright

from benchmarks.server.browser_parts.scripted_person import ScriptedPerson, WholeWay
from benchmarks.server.fault_parts.browsers import QUIET, chromium_path
from benchmarks.tables import markdown, write_table
from likewise.datasets import load
from likewise.metrics import ari

ITEMS = 40
Truth = Callable[[str], int]
_WAYS = {"keys": ("keys", 1280), "mouse": ("mouse", 1280), "phone": ("mouse", 390)}
_COLOURS = ((200, 60, 60), (60, 160, 80), (60, 80, 200))
_TOPICS = (
    ("The train to {} was late again", "station", "timetable", "platform"),
    ("A soup of {} needs an hour", "kitchen", "recipe", "onions"),
    ("The team from {} scored twice", "match", "goal", "season"),
)
_FILLERS = ("Berlin", "Lyon", "Porto", "leeks", "beans", "lentils", "Oslo", "Turin", "Cork", "Graz")


def shapes(folder: Path, n: int, seed: int = 0) -> Truth:
    """Draw shapes of three colours anywhere on a small canvas."""
    rng, kinds = np.random.default_rng(seed), {}
    folder.mkdir(parents=True)
    for k in range(n):
        kind = int(rng.integers(3))
        image = Image.new("RGB", (96, 96), (245, 245, 240))
        draw = ImageDraw.Draw(image)
        left, top = (int(one) for one in rng.integers(5, 40, 2))
        box = (left, top, left + 48, top + 48)
        if kind == 0:
            draw.ellipse(box, fill=_COLOURS[0])
        elif kind == 1:
            draw.rectangle(box, fill=_COLOURS[1])
        else:
            draw.polygon([(left, top + 48), (left + 48, top + 48), (left + 24, top)], _COLOURS[2])
        kinds[f"shape-{k:03}.png"] = kind
        image.save(folder / f"shape-{k:03}.png")
    return kinds.__getitem__


def digits(folder: Path, n: int, seed: int = 0) -> Truth:
    """Save handwritten digits of scikit-learn's set as pictures."""
    X, y = load("digits")
    chosen = np.random.default_rng(seed).permutation(len(y))[:n]
    folder.mkdir(parents=True)
    for k in chosen.tolist():
        shades = (255 - X[k].reshape(8, 8) * (255 / 16)).astype(np.uint8)
        Image.fromarray(shades).resize((64, 64)).save(folder / f"digit-{k:04}.png")
    return lambda name: int(y[int(name[6:10])])


def texts(path: Path, n: int, seed: int = 0) -> Truth:
    """Write a text per line, about trains, soups or matches."""
    rng = np.random.default_rng(seed)
    kinds = rng.integers(3, size=n)
    lines = []
    for k, kind in enumerate(kinds.tolist()):
        first, *words = _TOPICS[kind]
        place = _FILLERS[int(rng.integers(len(_FILLERS)))]
        ending = ", ".join(rng.permutation(words).tolist())
        lines.append(f"{first.format(place)}: {ending}, number {k + 1}.")
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return lambda name: int(kinds[int(name) - 1])  # called by its line, from 1 on


def table(path: Path, n: int, seed: int = 0) -> Truth:
    """Write a table of three kinds of things, with a name in each row."""
    rng = np.random.default_rng(seed)
    kinds = rng.integers(3, size=n)
    rows = ["id,weight,height,material"]
    for k, kind in enumerate(kinds.tolist()):
        weight, height = rng.normal((10, 40, 80)[kind], 3), rng.normal((5, 30, 12)[kind], 2)
        rows.append(f"thing-{k},{weight:.1f},{height:.1f},{('wood', 'steel', 'glass')[kind]}")
    path.write_text("\n".join(rows) + "\n", encoding="utf-8")
    return lambda name: int(kinds[int(name.rpartition("-")[2])])


PILES: dict[str, tuple[str, Callable[[Path, int], Truth]]] = {
    "shapes": ("shapes", shapes),
    "digits": ("digits", digits),
    "texts": ("notes.txt", texts),
    "table": ("things.csv", table),
}


@contextmanager
def started(home: Path) -> Iterator[str]:
    """Run `likewise` alone, for a user with this home; yield the link it prints."""
    own = {"HOME": str(home), "LIKEWISE_HOME": str(home / ".own")}
    words = [sys.executable, "-m", "likewise", "--no-browser", "--port", "0"]
    child = subprocess.Popen(words, env={**os.environ, **own}, stdout=subprocess.PIPE, text=True)
    assert child.stdout is not None
    try:
        found = re.search(r"http://\S+", child.stdout.readline())
        assert found is not None
        yield found[0]
    finally:
        child.kill()
        child.wait()
        child.stdout.close()


def agreement(way: WholeWay, truth: Truth) -> float:
    """Return how far the sorted folders, or files, are the truth."""
    found: list[str] = []
    wanted: list[int] = []
    for path in way.target.iterdir():
        if path.is_dir():
            names = [file.name for file in path.iterdir()]
        elif path.suffix == ".csv":
            names = [line.split(",")[0] for line in path.read_text().splitlines()[1:]]
        else:
            names = [str(re.findall(r"\d+", line)[-1]) for line in path.read_text().splitlines()]
        found += [path.name] * len(names)
        wanted += [truth(name) for name in names]
    return ari(np.array(wanted), np.unique(found, return_inverse=True)[1])


def main(items: int = ITEMS) -> None:
    """Go every way with every pile, and write down what it cost."""
    header = ["pile", "items", "by", "presses", "clicks", "replies", "s to the first question",
              "s in all", "ARI of the folders"]  # fmt: skip
    rows = []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium_path(), args=list(QUIET))
        for name, (file, make) in PILES.items():
            for how, (by, width) in _WAYS.items():
                with tempfile.TemporaryDirectory() as folder:
                    home = Path(folder).resolve()
                    truth = make(home / file, items)
                    with started(home) as link:
                        context = browser.new_context(viewport={"width": width, "height": 844})
                        context.set_default_timeout(120_000)
                        page = context.new_page()
                        page.goto(link)
                        way = ScriptedPerson(page, truth, by).sort(home / file, home)
                        context.close()
                    cost = (way.presses, way.clicks, way.replies)
                    figures = (f"{way.reading:.1f}", f"{way.seconds:.1f}",
                               f"{agreement(way, truth):.2f}")  # fmt: skip
                    rows.append([name, str(items), how, *map(str, cost), *figures])
                    sys.stderr.write(f"{rows[-1]}\n")
        browser.close()
    write_table("whole_way", markdown(header, rows))


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
