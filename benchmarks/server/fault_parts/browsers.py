"""People in a real browser: the page's own queue, under the same faults."""

from __future__ import annotations

import asyncio
import json
import shutil
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from playwright.async_api import Browser, Error, Page, Response

from benchmarks.server.fault_parts.checker import Given, Told

CHROMIUM = ("chromium", "chromium-browser", "google-chrome", "chrome")
QUIET = ("--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run")

# What is on the screen is noted at the press of a key, and the name under which the page's queue
# keeps the answer once it does: a key that the page ignores, since it is busy, gives no answer.
_WATCH = """
window.given = [];
const setItem = Storage.prototype.setItem;
Storage.prototype.setItem = function (key, value) {
  setItem.call(this, key, value);
  const [kind, client_id] = key.split(':');
  if (kind === 'likewise-answer') window.given.push({ client_id, ...window.seen });
};
"""
# Looking and pressing are one: no other question can come in between.
_LOOK_AND_PRESS = """() => {
  if (!document.querySelector('.question .answers')) return;
  const ids = [...document.querySelectorAll('.question thead th')].map((th) => th.textContent);
  const [one, other] = ids.map((id) => id.split('-').at(-1));
  window.seen = { ids, verdict: one === other ? 'same' : 'different' };
  const key = one === other ? 'ArrowRight' : 'ArrowLeft';
  document.body.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }));
}"""
_WAITING = "Object.keys(localStorage).filter((k) => k.startsWith('likewise-answer:')).length"


def chromium_path() -> str | None:
    """Return where Chromium is, None where it is not installed."""
    return next(filter(None, map(shutil.which, CHROMIUM)), None)


@dataclass
class BrowserPerson:
    """Somebody at the page: what they saw, and what the page heard from the server."""

    name: str
    link: str
    looking: float = 0.5  # seconds at a question
    given: list[Given] = field(default_factory=list)
    _told: dict[str, Told] = field(default_factory=dict)

    async def answer(self, browser: Browser, base: str, stop: asyncio.Event) -> None:
        """Answer until `stop`, and then until nothing waits in the browser any more."""
        page = await (await browser.new_context()).new_page()
        page.on("response", self._heard)
        await page.add_init_script(_WATCH)
        if not await self._open(page, f"{base}/?{urlsplit(self.link).query}", stop):
            return
        while not stop.is_set():
            await asyncio.sleep(self.looking)
            await page.evaluate(_LOOK_AND_PRESS)
        while await page.evaluate(_WAITING):
            await asyncio.sleep(0.1)
        await asyncio.sleep(0.5)  # the last reply is heard here a moment later than in the page
        for one in await page.evaluate("window.given"):
            name = one["client_id"]
            told = self._told.get(name, Told.NOTHING)
            self.given.append(Given(self.name, name, frozenset(one["ids"]), one["verdict"], told))
        await page.context.close()

    async def _open(self, page: Page, url: str, stop: asyncio.Event) -> bool:
        while not stop.is_set():
            try:
                reply = await page.goto(url)
                if reply is not None and reply.ok:
                    await page.wait_for_selector(".question .answers")
                    return True
            except Error:
                pass  # no server at the moment: a person would press reload
            await asyncio.sleep(0.5)
        return False

    def _heard(self, response: Response) -> None:
        request = response.request
        if request.method != "POST" or not request.url.endswith("/api/answers"):
            return
        name = json.loads(request.post_data or "{}")["client_id"]
        if response.status == 201:
            self._told[name] = Told.KEPT
        elif response.status in (409, 422):
            self._told[name] = Told.REFUSED
