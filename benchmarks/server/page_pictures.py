"""Takes the pictures of the page that the documentation shows, in a browser.

    python -m benchmarks.server.page_pictures

The photographs are pieces of the samples that come with scikit-image.
"""

from __future__ import annotations

import io
import re
import shutil
import socket
import tempfile
import threading
import time
from pathlib import Path

import numpy as np
import uvicorn
from PIL import Image, ImageOps
from playwright.sync_api import Browser, Page, sync_playwright

from benchmarks.tables import IMAGES
from likewise.piles import begin_study, read_pile
from likewise.study import Study
from likewise.web.app import create_app

KINDS = {
    "cat": "chelsea", "coffee": "coffee", "astronaut": "astronaut", "rocket": "rocket",
    "coins": "coins", "bricks": "brick",
}  # fmt: skip
_COLOURED = 2  # the kinds up to here are in colours
EACH = 10
ANSWERS = 26
WIDTH = 900  # of the pictures kept


def photographs(folder: Path) -> None:
    """Write pieces of a few photographs, mirrored and made lighter or darker by chance."""
    from skimage import data

    rng = np.random.default_rng(0)
    for kind, name in enumerate(KINDS.values()):
        whole = Image.fromarray(getattr(data, name)()).convert("RGB")
        for number in range(EACH):
            size = (np.array(whole.size) * rng.uniform(0.6, 0.95)).astype(int)
            left, top = (rng.integers(0, np.array(whole.size) - size + 1)).tolist()
            piece = whole.crop((left, top, left + int(size[0]), top + int(size[1])))
            piece = ImageOps.mirror(piece) if rng.random() < 0.5 else piece
            shades = np.clip(np.asarray(piece) * rng.uniform(0.75, 1.2), 0, 255)
            path = folder / f"IMG_{rng.integers(1000, 9999)}_{EACH * kind + number:02}.jpg"
            Image.fromarray(shades.astype(np.uint8)).save(path, quality=88)


def answered(folder: Path) -> Study:
    """Return a study of them that somebody has begun, with names for the groups and one mistake."""
    study = begin_study(read_pile(folder), None)
    truth = [int(re.findall(r"_(\d\d)\.", name)[0]) // EACH for name in study.items.ids]
    question = study.ask()
    # A question about photographs with colours is nicer to look at.
    while study.n_answers < ANSWERS or (question and truth[question.pair.i] > _COLOURED):
        assert question is not None
        i, j = question.pair
        study.tell(question, truth[i] == truth[j], who="me", seconds=1.4)
        question = study.ask()
    for representative in study.constraints.representatives:
        study.name(representative, list(KINDS)[truth[representative]])
    return study


def served(study: Study, name: str) -> str:
    """Return the address of a server that runs as long as this program."""
    listening = socket.socket()
    listening.bind(("127.0.0.1", 0))
    server = uvicorn.Server(uvicorn.Config(create_app(study, name=name), log_level="error"))
    threading.Thread(target=server.run, kwargs={"sockets": [listening]}, daemon=True).start()
    while not server.started:
        time.sleep(0.05)
    return f"http://127.0.0.1:{listening.getsockname()[1]}"


def take(
    browser: Browser,
    url: str,
    name: str,
    sign: str,
    *,
    mode: str = "pair",
    scheme: str,
    phone: bool,
) -> None:
    """Keep a picture of a view once `sign` is there; questions are of one kind."""
    size = {"width": 390, "height": 780} if phone else {"width": 1240, "height": 800}
    context = browser.new_context(viewport=size, color_scheme=scheme)  # type: ignore[arg-type]
    context.add_init_script(f"localStorage.likewise = JSON.stringify({{mode: '{mode}'}})")
    page: Page = context.new_page()
    page.goto(url)
    page.wait_for_selector(sign)
    page.wait_for_timeout(800)
    shot = Image.open(io.BytesIO(page.screenshot())).convert("RGB")
    context.close()
    shot.thumbnail((360 if phone else WIDTH, 2000), Image.Resampling.LANCZOS)
    path = IMAGES / f"page-{name}.png"
    shot.quantize(256, dither=Image.Dither.FLOYDSTEINBERG).save(path, optimize=True)


def main() -> None:
    """Take every view once; one of them dark, one on a phone."""
    with tempfile.TemporaryDirectory() as scratch, sync_playwright() as playwright:
        folder = Path(scratch) / "photos"
        folder.mkdir()
        photographs(folder)
        study = answered(folder)
        url = served(study, "photos")
        found = shutil.which("chromium")
        browser = playwright.chromium.launch(executable_path=found, args=["--no-sandbox"])
        views = [
            ("question", "", ".answers", "pair"), ("place", "", ".places", "place"),
            ("sheet", "", ".tiles-grid", "sheet"), ("groups", "#groups", ".group", "pair"),
            ("map-dark", "#map", ".legend li", "pair"), ("progress", "#progress", ".tiles", "pair"),
        ]  # fmt: skip
        for name, where, sign, mode in views:
            scheme = "dark" if name.endswith("-dark") else "light"
            take(browser, f"{url}/{where}", name, sign, mode=mode, scheme=scheme, phone=False)
        take(browser, url, "phone", ".answers", scheme="light", phone=True)
        one, other = study.constraints.representatives[:2]
        study.tell((one, other), "same", who="Ada")
        take(browser, f"{url}/#check", "check", ".said", scheme="light", phone=False)
        browser.close()


if __name__ == "__main__":
    main()
