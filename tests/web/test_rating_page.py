"""The page of ratings: over HTTP, several raters, and in a real browser."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Iterator
from typing import Any

import pytest
import uvicorn
from axe_playwright_python.sync_playwright import Axe
from fastapi.testclient import TestClient
from playwright.sync_api import Page, expect

from likewise.errors import DataError
from likewise.study import SimilarityStudy
from likewise.web.rating import create_rating_app
from likewise.web.rating.service import RatingService
from likewise.web.security import Access
from web.conftest import Truth, pile


@pytest.fixture
def rated() -> Iterator[tuple[SimilarityStudy, TestClient, Truth]]:
    """A study of twelve pictures, a client that owns it, and the kinds."""
    items, truth = pile(12, groups=2)
    study = SimilarityStudy(12, max_repeats=2)
    app = create_rating_app(study, items, name="stones", price=0.5)
    with TestClient(app, base_url="http://127.0.0.1:8000") as client:
        yield study, client, truth


def question(client: TestClient, who: str = "Ada") -> Any:
    """The next two, None when nothing is left."""
    reply = client.get("/api/ratings/question", params={"annotator": who})
    return None if reply.status_code == 204 else reply.json()


def rate(client: TestClient, asked: Any, rating: int | None, who: str = "Ada", **more: Any) -> Any:
    """The reply to a rating."""
    body = {"items": [card["key"] for card in asked["items"]], "rating": rating, "annotator": who}
    return client.post("/api/ratings", json={**body, **more})


def test_ratings_are_kept_and_the_groups_follow(rated: Any) -> None:
    study, client, truth = rated
    for _ in range(60):
        asked = question(client)
        i, j = (card["item"] for card in asked["items"])
        assert rate(client, asked, 9 if truth[i] == truth[j] else 2).status_code == 201
    groups = client.get("/api/ratings/groups").json()
    assert sorted(group["size"] for group in groups) == [6, 6]
    for group in groups:
        assert len({truth[card["item"]] for card in group["members"]}) == 1
    found = client.get("/api/ratings").json()
    assert found["ratings"] == study.n_measurements == 60
    assert found["cost"] == 30.0
    assert found["whole_cost"] == 33.0
    assert found["share"] == found["rated"] / 66
    assert 0 <= found["expected_error"] <= 0.5
    lines = client.get("/api/ratings/groups.csv").text.splitlines()
    assert lines[0] == "item,group,confidence"
    assert len(lines) == 13


def test_what_is_sent_twice_is_kept_once_and_taken_back_by_whoever_said_it(rated: Any) -> None:
    study, client, _ = rated
    asked = question(client)
    first = rate(client, asked, 7, client_id="a").json()
    assert rate(client, asked, 7, client_id="a").json() == first
    assert study.n_measurements == 1
    assert study.measurements[0].value == pytest.approx(6 / 9)
    assert client.post("/api/ratings/undo", json={"annotator": "Bea"}).status_code == 422
    assert client.post("/api/ratings/undo", json={"annotator": "Ada"}).json()["rating"] == 7
    assert study.n_measurements == 0


def test_what_cannot_be_judged_is_never_shown_again(rated: Any) -> None:
    study, client, _ = rated
    asked = question(client)
    assert rate(client, asked, None).json()["rating"] is None
    pair = {card["key"] for card in asked["items"]}
    for _ in range(20):
        other = question(client)
        assert {card["key"] for card in other["items"]} != pair
        rate(client, other, 5)
    assert client.get("/api/ratings").json()["not_judged"] == 1
    assert study.cost == 10.0


def test_several_raters_look_at_different_pairs_and_are_compared_where_they_meet(
    rated: Any,
) -> None:
    _, client, _ = rated
    hers, his = question(client, "Ada"), question(client, "Bob")
    assert [card["key"] for card in hers["items"]] != [card["key"] for card in his["items"]]
    rate(client, hers, 8, "Ada", seconds=2.0)
    rate(client, hers, 5, "Bob", seconds=4.0)
    found = {one["name"]: one for one in client.get("/api/ratings").json()["raters"]}
    assert found["Ada"]["apart"] == found["Bob"]["apart"] == pytest.approx(3.0)
    assert found["Bob"]["seconds"] == 4.0
    assert client.get("/api/ratings").json()["repeated"] == 1


def test_a_lease_ends_when_somebody_has_left() -> None:
    items, _ = pile(6, groups=2)
    now = [0.0]
    service = RatingService(SimilarityStudy(6), items, clock=lambda: now[0])
    first = service.question("Ada")
    assert first is not None
    other = service.question("Bob")
    assert other is not None
    assert other.unordered != first.unordered
    now[0] = 1000.0
    assert service.question("Cleo") == first
    service.close()


@pytest.mark.parametrize(
    "bad",
    [
        {"rating": 0},
        {"rating": 11},
        {"rating": 2.5},
        {"items": ["0-abc", "0-abc"], "rating": 3},
        {"annotator": "a\nb", "rating": 3},
    ],
)
def test_what_does_not_fit_is_refused_and_nothing_kept(rated: Any, bad: dict[str, Any]) -> None:
    study, client, _ = rated
    body = {"items": [card["key"] for card in question(client)["items"]], **bad}
    assert client.post("/api/ratings", json=body).status_code in (409, 422)
    assert study.n_measurements == 0


def test_other_items_than_those_of_the_study_are_refused() -> None:
    with pytest.raises(DataError, match="about 5 items but got 12"):
        create_rating_app(SimilarityStudy(5), pile(12)[0])


def test_an_invited_person_rates_under_their_name_alone() -> None:
    items, _ = pile(6, groups=2)
    access = Access(token="owner")
    study = SimilarityStudy(6)
    app = create_rating_app(study, items, access=access)
    with TestClient(app, base_url="http://127.0.0.1:8000") as client:
        assert client.get("/api/ratings").status_code == 401
        assert client.get("/", params={"token": access.invite("Ada")}).status_code == 200
        rate(client, question(client, ""), 4, "")
        assert study.measurements[0].who == "Ada"
        assert rate(client, question(client, ""), 4, "Bob").status_code == 403


# -- in a real browser --------------------------------------------------------------------------


@pytest.fixture
def served() -> Iterator[tuple[SimilarityStudy, str, Truth]]:
    """The same study behind a server, and its link."""
    items, truth = pile(12, groups=2)
    study = SimilarityStudy(12)
    app = create_rating_app(study, items, name="stones", hosts=["127.0.0.1"])
    listening = socket.socket()
    listening.bind(("127.0.0.1", 0))
    server = uvicorn.Server(uvicorn.Config(app, log_level="critical", lifespan="on"))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]}, daemon=True)
    thread.start()
    while not server.started:
        time.sleep(0.01)
    yield study, f"http://127.0.0.1:{listening.getsockname()[1]}/", truth
    server.should_exit = True
    thread.join(20)
    listening.close()


def serious(page: Page) -> list[str]:
    """What axe finds."""
    found = Axe().run(page).response["violations"]
    return [one["id"] for one in found]


@pytest.mark.slow
def test_pairs_are_rated_by_keys_and_by_mouse_on_a_phone(served: Any, visit: Any) -> None:
    study, url, truth = served
    page = visit(url, viewport={"width": 390, "height": 780})
    for number in range(1, 16):
        expect(page.get_by_role("heading", level=1)).to_contain_text("How alike")
        names = page.locator(".card figcaption").all_inner_texts()
        one, other = (truth[int(name[6:8])] for name in names)
        if number % 2:
            page.keyboard.press("0" if one == other else "1")
        else:
            page.get_by_role("button", name="10" if one == other else "2", exact=True).click()
        expect(page.locator("#last")).to_contain_text("Kept")
        expect(page.locator(".tally")).to_contain_text(f"{number} rating")
    assert study.n_measurements == 15
    page.keyboard.press("u")
    expect(page.locator("#last")).to_contain_text("Took back")
    page.keyboard.press("Space")
    expect(page.locator("#last")).to_contain_text("cannot be judged")
    assert [one.value for one in study.measurements][-1] is None
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    assert serious(page) == []
    page.get_by_role("link", name="Groups").click()
    expect(page.locator(".group")).to_have_count(2)
    assert serious(page) == []
    page.get_by_role("link", name="Progress").click()
    expect(page.locator(".tiles")).to_contain_text("error expected")
    expect(page.locator(".people tbody tr")).to_have_count(1)
    assert serious(page) == []
