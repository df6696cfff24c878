"""Pictures of the page, taken in a browser by the build, so that none shows what is gone.

The build takes them again when the page has changed since. `python docs/_pictures.py FOLDER` takes
them by hand; the one that README.md shows, docs/images/page-question.png, is a copy of one of them.
The photographs on it are pieces of the samples that come with scikit-image.
"""

from __future__ import annotations

import hashlib
import io
import json
import os
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import uvicorn
from PIL import Image, ImageOps
from playwright.sync_api import Browser, BrowserContext, Page, Route, sync_playwright
from sphinx.application import Sphinx
from sphinx.util import logging

from likewise.piles import begin_study, read_pile
from likewise.study import Study
from likewise.web.app import create_app
from likewise.web.security import Access
from likewise.web.start import Choice, RecentPiles, create_start_app
from likewise.web.start.session import StartSession

ROOT = Path(__file__).parents[1]
FOLDER = ROOT / "docs" / "pictures"  # not in the repository
NAMES = (
    "question", "place", "sheet", "groups", "map-dark", "progress", "phone", "not-kept", "check",
    "start", "review", "collections",
)  # fmt: skip
BROWSERS = ("chromium", "chromium-browser", "google-chrome", "chrome")
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


def noted(study: Study) -> None:
    """Put two groups into a collection, and mark an item for review."""
    first = {name: item for item, name in study.named.items()}
    living = [name for name in ("cat", "astronaut") if name in first] or list(first)[:2]
    for name, collection in zip(living, ("living things / animals", "living things"), strict=False):
        study.collect(first[name], collection)
    study.mark_for_review(first[living[0]], "Chelsea, or another one?", who="Ada")


def served(app: Any) -> str:
    """Return the address of a server that runs as long as this program."""
    listening = socket.socket()
    listening.bind(("127.0.0.1", 0))
    server = uvicorn.Server(uvicorn.Config(app, log_level="error"))
    threading.Thread(target=server.run, kwargs={"sockets": [listening]}, daemon=True).start()
    while not server.started:
        time.sleep(0.05)
    return f"http://127.0.0.1:{listening.getsockname()[1]}"


class Camera:
    """Takes pictures of pages and keeps them in a folder.

    Parameters
    ----------
    browser
        The browser.
    folder
        Where `page-NAME.png` is written.
    """

    def __init__(self, browser: Browser, folder: Path) -> None:
        self.browser, self.folder = browser, folder

    def take(
        self,
        url: str,
        name: str,
        sign: str,
        *,
        mode: str = "pair",
        before: Callable[[BrowserContext], object] = lambda _: None,
        doing: Callable[[Page], object] = lambda _: None,
    ) -> None:
        """Keep a picture once `sign` is there; `doing` comes between. Questions are of one kind."""
        phone = name == "phone"
        size = {"width": 390, "height": 780} if phone else {"width": 1240, "height": 800}
        scheme: Any = "dark" if name.endswith("-dark") else "light"
        context = self.browser.new_context(viewport=size, color_scheme=scheme)  # type: ignore[arg-type]
        context.add_init_script(f"localStorage.likewise = JSON.stringify({{mode: '{mode}'}})")
        before(context)
        page = context.new_page()
        page.goto(url)
        doing(page)
        page.wait_for_selector(sign)
        page.wait_for_timeout(800)
        shot = Image.open(io.BytesIO(page.screenshot())).convert("RGB")
        context.close()
        shot.thumbnail((360 if phone else WIDTH, 2000), Image.Resampling.LANCZOS)
        path = self.folder / f"page-{name}.png"
        shot.quantize(256, dither=Image.Dither.FLOYDSTEINBERG).save(path, optimize=True)


def refuse_answers(context: BrowserContext) -> None:
    """Let the server say what it says of an answer about an item that has left the pile."""
    sentence = "an item that was shown is no longer in the pile"
    reply = json.dumps({"detail": sentence})
    context.route(
        "**/api/answers",
        lambda route: route.fulfill(status=409, content_type="application/json", body=reply),
    )


def start_page(home: Path) -> str:
    """Return the address of a start page, of somebody who has sorted a few photographs before."""
    for folder in ("Documents", "Downloads", "Music", "Pictures/holiday"):
        (home / folder).mkdir(parents=True)
    (home / "mails.csv").write_text("id,text\n1,hello\n")
    os.environ["HOME"] = str(home)
    recent = RecentPiles(home.parent / "recent.json")
    recent.add(Choice(home / "Pictures" / "holiday"), "40 pictures")
    session = StartSession(Access(token="owner"), recent)
    return f"{served(create_start_app(session))}/?token=owner"


def homely(context: BrowserContext, scratch: Path) -> None:
    """Show folders of this program's own as if they were below /home."""

    def shown(route: Route) -> None:
        reply = route.fetch()
        route.fulfill(response=reply, body=reply.text().replace(str(scratch), "/home"))

    context.route("**/api/start**", shown)


def take_all(folder: Path) -> None:
    """Take every view once; one of them dark, one on a phone."""
    with tempfile.TemporaryDirectory() as made, sync_playwright() as playwright:
        scratch = Path(made).resolve()
        os.environ["LIKEWISE_CACHE"] = str(scratch / "cache")
        photos = scratch / "photos"
        photos.mkdir()
        photographs(photos)
        study = answered(photos)
        url = served(create_app(study, name="photos"))
        browser = playwright.chromium.launch(executable_path=browser_path(), args=["--no-sandbox"])
        take = Camera(browser, folder).take
        take(url, "question", ".answers")
        take(url, "place", ".places", mode="place")
        take(url, "sheet", ".tiles-grid", mode="sheet")
        take(f"{url}/#groups", "groups", ".group")
        take(f"{url}/#map", "map-dark", ".legend li")
        take(f"{url}/#progress", "progress", ".tiles")
        take(url, "phone", ".answers")
        answer = lambda page: (page.wait_for_selector(".answers"), page.keyboard.press("ArrowLeft"))  # noqa: E731
        take(url, "not-kept", "text=was not kept", before=refuse_answers, doing=answer)
        one, other = study.constraints.representatives[:2]
        study.tell((one, other), "same", who="Ada")
        take(f"{url}/#check", "check", ".said")
        noted(study)
        take(f"{url}/#groups", "collections", ".collection .group")
        take(f"{url}/#review", "review", ".review")
        homes = scratch / "people"
        start = start_page(homes / "ada")
        take(start, "start", "text=mails.csv", before=partial(homely, scratch=homes))
        browser.close()


def browser_path() -> str | None:
    """Return where the browser is, None where there is none."""
    return next((path for name in BROWSERS if (path := shutil.which(name))), None)


# --- the build -----------------------------------------------------------------------------------


def digest() -> str:
    """Return what changes with the page and with this program."""
    web = ROOT / "src" / "likewise" / "web"
    files = [path for path in sorted(web.rglob("*")) if path.is_file() and path.suffix != ".pyc"]
    contents = b"".join(path.read_bytes() for path in [*files, Path(__file__)])
    return hashlib.sha256(contents).hexdigest()


def pictures(app: Sphinx) -> None:
    """Take the pictures unless those of this very page are there."""
    known = FOLDER / "digest"
    if known.exists() and known.read_text() == digest():
        return
    if browser_path() is None:
        names = ", ".join(BROWSERS)
        logging.getLogger(__name__).warning(
            "no browser for pictures of the page: none of %s", names
        )
        return
    FOLDER.mkdir(exist_ok=True)
    # A process of its own: servers and browsers end with it.
    subprocess.run([sys.executable, __file__, str(FOLDER)], check=True)
    known.write_text(digest())


def setup(app: Sphinx) -> dict[str, Any]:
    """Take the pictures before any page is read."""
    app.connect("builder-inited", pictures)
    return {"parallel_read_safe": True}


if __name__ == "__main__":
    take_all(Path(sys.argv[1]))
