"""The usual ranges of columns."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd

from likewise.items import Items
from likewise.items.number_ranges import number_ranges


def test_a_single_row_far_from_all_others_does_not_widen_a_range() -> None:
    rows = [{"size": k % 11} for k in range(99)] + [{"size": 10_000}]
    assert number_ranges(rows) == {"size": (0.0, 10.0)}


def test_where_nearly_all_are_equal_the_others_make_the_range() -> None:
    rows = [{"size": 0} for _ in range(99)] + [{"size": 4}]
    assert number_ranges(rows) == {"size": (0.0, 4.0)}


def test_columns_without_numbers_or_without_a_difference_have_none() -> None:
    rows = [{"name": f"n{k}", "same": 1, "new": k > 3, "gone": None} for k in range(9)]
    assert number_ranges(rows) == {}


def test_numbers_written_as_texts_count_and_gaps_do_not_hurt() -> None:
    rows = [{"size": "" if k == 50 else str(k)} for k in range(101)]
    low, high = number_ranges(rows)["size"]
    assert 4 < low < 6
    assert 94 < high < 96


def test_a_table_and_its_part_have_ranges_of_their_own() -> None:
    items = Items.of(pd.DataFrame({"size": np.arange(101.0), "other": np.zeros(101)}))
    assert items.number_ranges == {"size": (5.0, 95.0)}
    assert items.take(np.arange(3)).number_ranges["size"][1] < 3
    assert replace(items, rows=None).number_ranges == {}
