"""What is said beside the answers, in a real browser: marks for review, collections."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import expect

from web.conftest import Live, grown

pytestmark = pytest.mark.slow
Serve = Callable[..., Live]


def test_what_is_marked_while_answering_is_listed_and_cleared(live: Serve, visit: Any) -> None:
    study, _ = grown(who="me")
    page = visit(live(study).url)
    page.wait_for_selector(".answers")
    expect(page.get_by_role("link", name="Review")).to_have_count(0)
    page.keyboard.press("m")
    dialog = page.get_by_role("dialog")
    dialog.get_by_role("textbox").fill("<i>a fox?</i>")
    page.keyboard.press("Enter")
    expect(page.locator("#notice")).to_contain_text("1 item marked for review.")
    page.get_by_role("link", name="Review 1").click()
    expect(page.locator(".review-note")).to_have_text("<i>a fox?</i>")
    ((item, mark),) = study.reviews.items()
    assert mark.who == "me"
    page.get_by_role("button", name=f"Looked at {study.items.ids[item]}").click()
    expect(page.get_by_role("heading", name="Nothing needs review.")).to_be_visible()
    page.keyboard.press("u")
    expect(page.locator(".review")).to_have_count(1)
    page.get_by_role("link", name="In ").click()
    expect(page.locator(".pick .note-sign")).to_have_count(1)


def test_a_mark_is_no_longer_offered_to_be_undone_once_something_else_was_said(
    live: Serve, visit: Any
) -> None:
    study, _ = grown(who="me")
    page = visit(live(study).url)
    page.get_by_role("button", name="Pair", exact=True).click()
    page.locator(".question.of-pair").wait_for()
    page.keyboard.press("m")
    page.keyboard.press("Enter")
    notice = page.locator("#notice")
    expect(notice.get_by_role("button", name="Undo")).to_be_visible()
    before = study.n_answers
    page.keyboard.press("Space")
    expect(page.locator("#last")).to_contain_text("Kept")
    expect(notice).to_be_hidden()
    page.keyboard.press("u")
    expect(page.locator("#last")).to_contain_text("Took back")
    assert (study.n_answers, len(study.reviews)) == (
        before,
        1,
    )  # the one that is ticked
    page.keyboard.press("u")
    expect(page.get_by_role("link", name="Review")).to_have_count(0)
    assert study.reviews == {}


def test_groups_are_put_into_collections_and_items_into_several_groups(
    live: Serve, visit: Any
) -> None:
    study, truth = grown(who="me")
    first = {int(truth[k]): k for k in study.constraints.representatives}
    for kind, name in enumerate(("cats", "dogs", "cars")):
        study.name(first[kind], name, who="me")
    page = visit(f"{live(study).url}/#groups")
    page.get_by_role("button", name="Collection of cats").click()
    page.get_by_role("dialog").get_by_role("textbox").fill("living / animals")
    page.keyboard.press("Enter")
    animals = page.locator(".collection-head", has_text="animals")
    expect(page.locator(".collection")).to_have_count(2)
    page.locator(".group-head", has_text="dogs").drag_to(animals)
    expect(animals).to_contain_text("2 groups, 20 items")
    labels = study.labels_
    assert study.collections_ == {int(labels[first[k]]): ("living", "animals") for k in (0, 1)}
    page.get_by_role("button", name="Rename or move animals").click()
    page.get_by_role("dialog").get_by_role("textbox").fill("beasts")
    page.keyboard.press("Enter")
    expect(page.locator(".collection")).to_have_count(1)
    page.keyboard.press("u")
    expect(page.locator(".collection")).to_have_count(2)

    page.get_by_role("button", name="Open dogs").click()
    page.get_by_role("checkbox").first.check()
    page.get_by_role("button", name="Also in").click()
    page.get_by_role("dialog").get_by_role("textbox").fill("cars")
    page.keyboard.press("Enter")
    expect(page.locator(".pick .note-sign")).to_have_text("+1 also in cars")
    assert list(study.also_.values()) == [[int(labels[first[2]])]]
    page.get_by_role("link", name="All groups").click()
    page.get_by_role("button", name="Open cars").click()
    page.get_by_role("button", name="Not here").click()
    expect(page.get_by_role("heading", name="Also belong here")).to_have_count(0)
    assert study.labels_.tolist() == labels.tolist()
