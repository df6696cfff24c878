"""How long a person takes, and what is learned from measured seconds."""

from __future__ import annotations

import numpy as np
import pytest

import likewise as lw
from likewise.errors import MethodError
from likewise.items import Items
from likewise.journal.pairs import Answer


def test_the_usual_pace_is_that_of_the_keystroke_level_model() -> None:
    pace = lw.Pace()
    looks = np.array([0.3, 0.3])
    assert pace.of_pair(looks) == pytest.approx(1.35 + 2 * 0.3 + 0.2)
    assert pace.of_place(0.3, 2) == pytest.approx(1.35 + 0.3 + 2 * 0.3 + 0.2)
    assert pace.of_sheet(24 * 0.3, 3, None) == pytest.approx(1.35 + 7.2 + 3 * 1.2 + 0.2)
    assert pace.of_sheet(0.0, 0, 4) == pytest.approx(2 * 1.35 + 4 * 0.3 + 2 * 0.2)


def test_a_long_text_is_read_by_its_words_and_a_row_by_the_row() -> None:
    long = " ".join(["word"] * 40)
    texts = Items(features=np.eye(2), ids=["a", "b"], texts=["short one", long])
    rows = Items(features=np.eye(2), ids=["a", "b"], rows=[{"x": 1}, {"x": 2}])
    assert lw.Pace().looks(texts).tolist() == [1.5, 10.0]
    assert lw.Pace().looks(rows).tolist() == [1.5, 1.5]


def test_twice_as_slow_takes_twice_as_long_for_every_kind() -> None:
    pace, slow = lw.Pace(), lw.Pace().times(2)
    assert slow.of_place(0.6, 3) == pytest.approx(2 * pace.of_place(0.3, 3))
    assert slow.of_sheet(2.0, 3, 1) == pytest.approx(2 * pace.of_sheet(1.0, 3, 1))


def test_measured_seconds_correct_the_pace_of_their_kind_alone() -> None:
    looks = np.full(4, 0.3)
    expected = lw.Pace().of_pair(looks[:2])
    same = lw.Verdict.SAME

    def reply(number: int) -> list[Answer]:
        pair = lw.Pair(0, 1)
        return [Answer(number, pair, same, seconds=3 * expected, same_probability=0.5)]

    slow = lw.Pace().measured([reply(number) for number in range(20)], looks)
    assert slow.of_pair(looks[:2]) == pytest.approx(3 * expected)
    assert slow.place == slow.sheet == 1.0
    few = lw.Pace().measured([reply(0)], looks)
    assert few.of_pair(looks[:2]) == pytest.approx(expected)


@pytest.mark.parametrize("wrong", [{"think": -1.0}, {"pair": 0.0}, {"key": float("nan")}])
def test_a_pace_must_be_seconds(wrong: dict[str, float]) -> None:
    with pytest.raises(MethodError, match="must be a number of seconds"):
        lw.Pace(**wrong)
