"""Rows of a table that are made when somebody looks at them."""

from __future__ import annotations

import narwhals as nw
import numpy as np
import pandas as pd
import pytest

from likewise.items import FrameRows, frame_rows


def test_rows_in_turn_are_the_rows_by_their_numbers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(frame_rows, "_TOGETHER", 3)
    table = pd.DataFrame({"size": np.arange(8.0), "colour": list("abcdefgh")})
    rows = FrameRows(nw.from_native(table)).take(np.array([7, 0, 3, 3, 5, 1, 2]))
    assert list(rows) == [rows[k] for k in range(7)]
    assert [row["colour"] for row in rows] == list("hadd") + list("fbc")


class CountingFrame:
    """A table that counts how often rows are taken out of it."""

    def __init__(self, frame: nw.DataFrame[pd.DataFrame]) -> None:
        self.frame, self.n_taken = frame, 0

    def __len__(self) -> int:
        return len(self.frame)

    def __getitem__(self, positions: list[int]) -> nw.DataFrame[pd.DataFrame]:
        self.n_taken += 1
        return self.frame[positions]


def test_all_rows_are_not_taken_out_one_by_one() -> None:
    frame = CountingFrame(nw.from_native(pd.DataFrame({"x": range(2500)})))
    assert [row["x"] for row in FrameRows(frame)] == list(range(2500))
    assert frame.n_taken == 3
