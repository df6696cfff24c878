"""What is shown of an item."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from likewise.items import Items
from likewise.views.cards import card


def test_a_cell_that_is_the_text_is_shown_once() -> None:
    numbers = Items.of(np.eye(2))
    rows = [{"mail": "hello", "from": "Ada"}, {"mail": "goodbye", "from": "Bob"}]
    texts = ["hello", "goodbye"]
    shown = card(replace(numbers, texts=texts, rows=rows), 0)
    row = {"row": [["from", "Ada"]], "scale": [None]}
    assert shown == {"item": 0, "id": "0", "text": "hello", **row}
    alone = replace(numbers, texts=texts, rows=[{"mail": "hello"}, {"mail": "x"}])
    assert "row" not in card(alone, 0)
    assert card(alone, 1)["row"] == [["mail", "x"]]
    assert card(replace(numbers, rows=rows), 0)["row"] == [["mail", "hello"], ["from", "Ada"]]


def test_numbers_say_where_they_lie_in_the_usual_range_of_their_column() -> None:
    rows = [{"size": size, "name": "x"} for size in [*range(101), 500, float("nan")]]
    items = replace(Items.of(np.arange(len(rows))[:, None]), rows=rows)
    assert card(items, 50)["scale"] == [pytest.approx(0.5, abs=0.02), None]
    assert card(items, 101)["scale"][0] > 4
    assert card(items, 102)["scale"] == [None, None]
