"""Stacks of bursts on the server: shown as one, looked through, taken apart while it is served."""

from __future__ import annotations

import io
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from fastapi.testclient import TestClient
from PIL import Image
from playwright.sync_api import expect

from burst_files import burst_folder
from likewise.piles import Pile, begin_study, read_pile, resume_study, stacks_apart
from likewise.piles.signature import pile_signature
from likewise.study import Study
from likewise.web.growth import WatchedPile
from web.conftest import Live, Open


@pytest.fixture
def photos(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("LIKEWISE_CACHE", str(tmp_path / "cache"))
    return burst_folder(tmp_path / "photos")


def read(photos: Path) -> Pile:
    apart = stacks_apart(photos.with_suffix(".db"))
    return read_pile(photos, stacks=True, apart=apart, model="edges-texture-colour")


def begun(photos: Path) -> tuple[Study, WatchedPile]:
    store = photos.with_suffix(".db")
    return begin_study(read(photos), store), WatchedPile(
        lambda: pile_signature(photos), lambda: resume_study(read(photos), store)[0], seconds=0.02
    )


def wait_for_items(client: TestClient, n: int) -> None:
    deadline = time.monotonic() + 60
    while client.get("/api/study").json()["items"] != n:
        assert time.monotonic() < deadline


def test_a_stack_is_looked_through_and_taken_apart(opened: Open, photos: Path) -> None:
    study, pile = begun(photos)
    client = opened(study, pile=pile)
    at = study.items.ids.index("a0.jpg")
    (card,) = client.get("/api/items", params={"item": at}).json()
    assert card["stack"] == 4
    found = client.get(f"/api/stacks/{card['key']}").json()
    assert [one["id"] for one in found] == ["a0.jpg", "a1.jpg", "a2.jpg", "a3.jpg"]
    pictures = [
        client.get(f"/media/{at}", params={"size": 64, "member": one["member"]}).content
        for one in found
    ]
    assert len(set(pictures)) == 4
    assert Image.open(io.BytesIO(pictures[3])).width == 64
    assert client.get(f"/media/{at}", params={"member": 4}).status_code == 404
    (single,) = client.get("/api/items", params={"item": study.items.ids.index("later.jpg")}).json()
    assert "stack" not in single or single["stack"] is None
    assert client.get(f"/api/stacks/{single['key']}").status_code == 404
    refused = client.post("/api/stacks/apart", json={"item": single["key"]})
    assert (refused.status_code, "no stack" in refused.json()["detail"]) == (422, True)
    done = client.post("/api/stacks/apart", json={"item": card["key"], "annotator": "Ada"})
    assert (done.status_code, done.json()["name"]) == (201, "a0.jpg")
    wait_for_items(client, 9)
    (card,) = client.get("/api/items", params={"item": at}).json()
    assert (card["id"], card["stack"]) == ("a0.jpg", None)


@pytest.mark.slow
def test_on_the_page_a_stack_has_its_count_and_is_taken_apart(
    live: Callable[..., Live], visit: Any, photos: Path
) -> None:
    study, pile = begun(photos)
    page = visit(f"{live(study, pile=pile).url}/#groups/0")
    page.locator(".pick", has_text="▤ 4").dblclick()
    page.get_by_role("button", name="1 of 4").click()
    expect(page.locator(".stack-sheet img")).to_have_count(4)
    assert Axe().run(page).response["violations"] == []
    page.get_by_role("button", name="Take the stack apart").click()
    expect(page.locator("#notice")).to_contain_text("taken apart")
    assert study.n_to_unstack == 1 or len(study.items) == 9
