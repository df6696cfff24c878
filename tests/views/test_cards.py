"""What is shown of an item."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from likewise.items import Items
from likewise.views.cards import card


def test_a_cell_that_is_the_text_is_shown_once() -> None:
    numbers = Items.of(np.eye(2))
    rows = [{"mail": "hello", "from": "Ada"}, {"mail": "goodbye", "from": "Bob"}]
    texts = ["hello", "goodbye"]
    shown = card(replace(numbers, texts=texts, rows=rows), 0)
    assert shown == {"item": 0, "id": "0", "text": "hello", "row": [["from", "Ada"]]}
    alone = replace(numbers, texts=texts, rows=[{"mail": "hello"}, {"mail": "x"}])
    assert "row" not in card(alone, 0)
    assert card(alone, 1)["row"] == [["mail", "x"]]
    assert card(replace(numbers, rows=rows), 0)["row"] == [["mail", "hello"], ["from", "Ada"]]
