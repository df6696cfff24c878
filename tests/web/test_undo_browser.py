"""Edits of groups in a real browser: what speaks against them is shown, and undo is whole."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from web.conftest import Live, grown

pytestmark = pytest.mark.slow


def test_a_forced_merge_is_undone_by_button_and_by_key(
    live: Callable[..., Live], visit: Any
) -> None:
    study, _ = grown()
    before = study.answers
    page = visit(f"{live(study).url}/#groups")
    rows = page.locator(".group")
    for way in ("button", "key"):
        expect(rows).to_have_count(3)
        rows.nth(0).get_by_label("Merge").check()
        rows.nth(1).get_by_label("Merge").check()
        page.get_by_role("button", name="Merge them").click()
        dialog = page.get_by_role("dialog")
        expect(dialog).to_contain_text("say")
        expect(dialog.locator(".said img").first).to_be_visible()
        expect(dialog).not_to_contain_text("force it")
        found = Axe().run(page).response["violations"]
        assert [rule["id"] for rule in found] == []
        dialog.get_by_role("button", name="Do it, and take").click()
        expect(rows).to_have_count(2)
        assert study.answers != before
        if way == "button":
            page.locator("#notice").get_by_role("button", name="Undo").click()
        else:
            page.keyboard.press("Control+z")
        expect(rows).to_have_count(3)
        assert study.answers == before
