"""What groups without a name are called."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from likewise.items import Items
from likewise.views.group_titles import GroupTitles

FOUR = Items.of(np.eye(4))
ALL = np.arange(4)


def test_texts_are_called_by_the_words_they_share_and_others_do_not() -> None:
    texts = ["the card is blocked", "blocked card again", "the parcel came late", "late parcel"]
    titles = GroupTitles(replace(FOUR, texts=texts))
    assert titles(ALL[:2]) == "blocked · card"
    assert titles(ALL[2:]) == "late · parcel"
    assert titles(ALL[:1]) == "the card is blocked"  # one alone speaks for itself
    assert titles(ALL[:0]) == ""


def test_what_has_nothing_of_its_own_is_called_by_its_first_item() -> None:
    assert GroupTitles(replace(FOUR, texts=["1", "2", "?", ""]))(ALL[:2]) == "like text 0"
    assert GroupTitles(FOUR)(ALL[1:]) == "like row 1"
    assert GroupTitles(replace(FOUR, ids=["a", "b", "c", "d"]))(ALL[1:]) == "like b"


def test_rows_are_called_by_columns_that_are_others_elsewhere() -> None:
    rows = [{"size": k // 2 * 10, "colour": "red" if k < 2 else "blue"} for k in range(4)]
    titles = GroupTitles(replace(FOUR, rows=rows))
    assert titles(ALL[:2]) == "low size · colour red"
    assert titles(ALL) == "like row 0"


def test_pictures_are_called_by_one_of_them() -> None:
    pictures = [np.zeros((2, 2), np.uint8)] * 4
    ids = [f"trip/IMG_{k}.jpg" for k in range(4)]
    assert GroupTitles(replace(FOUR, pictures=pictures, ids=ids))(ALL[2:]) == "like IMG_2"
