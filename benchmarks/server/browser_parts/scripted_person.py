"""A person made of a script: from an empty start page to sorted folders, by keys or by mouse.

It sees what the page shows and presses what a person would press; every press and click counts.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from playwright.sync_api import Locator, Page, Response, expect

_MOST_TABS = 150  # until something is found by the keyboard alone
_ASKED = re.compile(r"^Question \d+:|Nothing is left")
_PATIENCE = 120_000  # milliseconds; a first question may have to be compiled


@dataclass
class WholeWay:
    """What the way cost: presses, clicks, replies, seconds until the first question and in all."""

    presses: int = 0
    clicks: int = 0
    replies: int = 0
    reading: float = 0.0
    seconds: float = 0.0
    target: Path = field(default_factory=Path)


class ScriptedPerson:
    """Uses one page.

    Parameters
    ----------
    page
        The page, opened at the owner's link.
    truth
        The group of an item by its id.
    by
        "keys" or "mouse": the other is not touched.
    """

    def __init__(self, page: Page, truth: Callable[[str], object], by: str) -> None:
        self.page, self.truth, self.by = page, truth, by
        self.way = WholeWay()
        self._question: dict[str, Any] | None = None
        page.on("response", self._notice)

    def sort(self, pile: Path, home: Path, *, most: int = 1000) -> WholeWay:
        """Go the whole way; return what it cost, and where the folders are."""
        began = time.monotonic()
        self.choose(pile, home)
        self.press_button("Read it and begin")
        waiting = self.page.locator(".question, #ready-title")
        waiting.first.wait_for(timeout=_PATIENCE)
        if self.page.locator("#ready-title").count():
            self.press_button("Begin")
        self.page.locator(".question").wait_for(timeout=_PATIENCE)
        self.way.reading = time.monotonic() - began
        self.answer(most)
        self.finish()
        self.way.seconds = time.monotonic() - began
        return self.way

    def choose(self, pile: Path, home: Path) -> None:
        """Open a pile: by its path, or by clicking through the folders."""
        self.page.locator(".entry").first.wait_for()
        if self.by == "keys":
            self._tab_to(self.page.locator("#path"))
            self._type(str(pile))
            self._press("Enter")
            return
        parts = pile.relative_to(home).parts
        for name in parts:
            self._click(
                self.page.locator(".place-list").get_by_role("button", name=name, exact=True)
            )
        if pile.is_dir():
            expect(self.page.locator(".place-path")).to_have_text(str(pile))
            self._click(self.page.get_by_role("button", name=re.compile("Choose this folder")))

    def answer(self, most: int, looking: int = 0, *, stops: bool = True) -> None:
        """Reply until nothing is left or, who `stops`, until the page says that one may.

        Each question is looked at for so many milliseconds.
        """
        live, notice = self.page.locator("#live"), self.page.locator("#notice")
        replies = {"pair": self._judge, "place": self._place, "sheet": self._sort_sheet}
        before = ""
        while self.way.replies < most:
            if before:
                expect(live).not_to_have_text(before, timeout=_PATIENCE)
            expect(live).to_have_text(_ASKED, timeout=_PATIENCE)
            before = live.inner_text()
            if "Nothing" in before:
                return
            if stops and "You may stop" in (notice.text_content() or ""):
                return
            assert self._question is not None
            if looking:
                self.page.wait_for_timeout(looking)
            replies[self._question["kind"]](self._question)
            self.way.replies += 1

    def _judge(self, question: dict[str, Any]) -> None:
        """Say whether two items are the same."""
        one, other = (self.truth(card["id"]) for card in question["items"])
        if self.by == "keys":
            self._press("ArrowRight" if one == other else "ArrowLeft")
        else:
            self._click(self.page.locator(f".answers .{'same' if one == other else 'different'}"))

    def _place(self, question: dict[str, Any]) -> None:
        """Say where an item belongs."""
        self._choose_place(self.truth(question["item"]["id"]), question["places"])

    def _sort_sheet(self, question: dict[str, Any]) -> None:
        """Set the ticks as they should be; say where the items go, if that is asked."""
        kind = self.truth(question["first"]["id"])
        boxes = self.page.locator(".tiles-grid input")
        at = 0
        for k, (card, ticked) in enumerate(zip(question["items"], question["ticked"], strict=True)):
            if (self.truth(card["id"]) == kind) == ticked:
                continue
            if self.by == "keys":
                for _ in range(k - at):
                    self._press("ArrowRight")
                at = k
                self._press("Space")
            else:
                self._click(boxes.nth(k))
        if self.by == "keys":
            self._press("Enter")
        else:
            self._click(self.page.locator(".answers .done"))
        if question["group"] is None and question["places"]:
            self.page.locator(".places").wait_for(timeout=_PATIENCE)
            self._choose_place(kind, question["places"])

    def _choose_place(self, kind: object, places: list[dict[str, Any]]) -> None:
        """Choose the group of a kind, or a new one."""
        kinds = [self.truth(place["exemplars"][0]["id"]) for place in places]
        at = kinds.index(kind) if kind in kinds else len(kinds)
        chosen = self.page.locator(".places .place").nth(at)
        digit = chosen.locator("kbd")
        if self.by == "mouse":
            self._click(chosen)
        elif digit.count():
            self._press(digit.inner_text().lower())
        else:
            for _ in range(at + 1):
                self._press("ArrowDown")
            self._press("Enter")

    def finish(self) -> None:
        """Go to the result, and have it sorted into folders."""
        ways = self.page.get_by_role("button", name="See the result")
        named = self.page.get_by_role("link", name="Names and files")
        ways.or_(named).first.wait_for(timeout=_PATIENCE)
        self._use(ways if ways.is_visible() else named)
        button = self.page.get_by_role(
            "button", name=re.compile("Copy into folders|Write the files")
        )
        expect(button).to_be_enabled(timeout=_PATIENCE)
        self.way.target = Path(self.page.locator("#folders-to").input_value())
        self._use(button)
        done = self.page.locator(".folder-preview .done")
        expect(done).to_contain_text("Done", timeout=_PATIENCE)

    def press_button(self, name: str) -> None:
        """Use a button that has this name."""
        self._use(self.page.get_by_role("button", name=name))

    # -- hands -----------------------------------------------------------------------------------

    def _use(self, where: Locator) -> None:
        where.wait_for(timeout=_PATIENCE)
        if self.by == "keys":
            self._tab_to(where)
            self._press("Enter")
        else:
            self._click(where)

    def _tab_to(self, where: Locator) -> None:
        """Press Tab until something has the focus."""
        for _ in range(_MOST_TABS):
            if where.evaluate("element => element === document.activeElement"):
                return
            self._press("Tab")
        raise AssertionError(f"{where} cannot be reached by the keyboard")

    def _press(self, key: str) -> None:
        self.page.keyboard.press(key)
        self.way.presses += 1

    def _type(self, text: str) -> None:
        self.page.keyboard.type(text)
        self.way.presses += len(text)

    def _click(self, where: Locator) -> None:
        where.click()
        self.way.clicks += 1

    def _notice(self, response: Response) -> None:
        """Remember the question that is about to be shown."""
        if "/api/question" in response.url and response.status == 200:
            self._question = response.json()
