"""A questionnaire in a real browser: opened from the disk, answered, saved, taken in."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
from playwright.sync_api import Page, expect

import likewise as lw
from likewise.exchange import import_answers
from likewise.report import questionnaire


def test_a_colleague_answers_without_a_server_and_the_file_is_taken_in(
    visit: Callable[..., Page], tmp_path: Path
) -> None:
    X = np.random.default_rng(0).random((12, 2))
    texts = [f"note {k} <img src=x>" for k in range(12)]
    study = lw.Study(lw.Items.of(X, texts=texts), method="random")
    page_file = tmp_path / "questions.html"
    page_file.write_text(questionnaire(study, n=3), encoding="utf-8")
    page = visit(page_file.as_uri())
    expect(page.locator("#progress")).to_have_text("Question 1 of 3")
    page.get_by_role("button", name="Same").click()
    page.keyboard.press("ArrowLeft")
    page.get_by_role("button", name="Back").click()
    expect(page.locator("#progress")).to_have_text("Question 2 of 3")
    page.get_by_role("button", name="Not sure").click()
    page.get_by_role("button", name="Different").click()
    expect(page.locator("#progress")).to_contain_text("All 3 questions")
    page.get_by_role("button", name="Save").click()
    expect(page.locator("#note")).to_have_text("Please write your name first.")
    page.get_by_label("Your name").fill("Bob")
    with page.expect_download() as download:
        page.get_by_role("button", name="Save").click()
    reply = tmp_path / "answers-Bob.json"
    download.value.save_as(reply)
    import_answers(study, reply)
    given = [(one.who, one.verdict.value) for one in study.answers]
    assert given == [("Bob", "same"), ("Bob", "unsure"), ("Bob", "different")]
