"""Pictures of items."""

from __future__ import annotations

import time

from likewise.study import Study
from web.conftest import Open, pile


def test_pictures_of_the_next_questions_are_made_while_the_person_looks(opened: Open) -> None:
    client = opened(Study(pile()[0]))
    client.get("/api/question", params={"annotator": "Ada"})
    thumbnails, until = client.app.state.service.thumbnails, time.monotonic() + 60  # type: ignore[attr-defined]
    while not thumbnails._kept:
        assert time.monotonic() < until
        time.sleep(0.02)
    assert {size for _, size, _ in thumbnails._kept} == {1024}
