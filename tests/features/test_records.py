"""How cells of records agree, and which rows are compared."""

from __future__ import annotations

import narwhals as nw
import numpy as np
import pandas as pd
import pytest

from likewise.datasets.records import bibliography, people
from likewise.errors import DataError
from likewise.features.records import ColumnKind, ComparedColumn, Records
from likewise.features.records.normalising import days_of, normalised


def _levels(cells: list[str], *, is_number: bool = False) -> list[int]:
    """Return how the first cell agrees with each of the others."""
    others = np.arange(1, len(cells))
    levels = ComparedColumn("a", cells, is_number).compare(0 * others, others)
    return [int(level) for level in levels]


@pytest.mark.parametrize(
    ("cells", "is_number", "kind"),
    [
        (["Ann Lee", "Bob Ray", ""], False, ColumnKind.TEXT),
        (["030-901820", "(040) 7712", "0171 55512"], False, ColumnKind.CODE),
        (["1990-01-31", "31.01.1990", "1/2/2003"], False, ColumnKind.DATE),
        (["1.5", "2", "7.25"], True, ColumnKind.NUMBER),
        (["4006381333931", "4006381333948", "9780201379624"], True, ColumnKind.CODE),
        (["", ""], False, ColumnKind.TEXT),
    ],
)
def test_what_a_column_holds_is_seen_by_its_cells(
    cells: list[str], is_number: bool, kind: ColumnKind
) -> None:
    assert ComparedColumn("a", cells, is_number).kind is kind


def test_case_accents_punctuation_and_spaces_make_no_difference() -> None:
    assert normalised("  Café-Bar  «Zoë’s» ") == "cafe bar zoes"
    assert _levels(["Café Zoë", "CAFE  ZOE.", "Cafe Anna"])[0] == 8


def test_levels_rise_with_likeness_and_a_gap_has_none() -> None:
    names = ["ann marie lee", "ann marie lee", "lee ann marie", "ann marie leigh", "bob", ""]
    equal, swapped, similar, other, gap = _levels(names)
    assert equal == 8
    assert equal > swapped > similar > other == 1
    assert gap == 0


def test_texts_that_hold_other_numbers_are_hardly_alike() -> None:
    streets = ["3570 las vegas boulevard", "3000 las vegas boulevard", "3570 las vegas blvd"]
    assert _levels(streets)[0] <= 2 < _levels(streets)[1]


def test_numbers_are_near_if_few_random_pairs_are_nearer() -> None:
    rng = np.random.default_rng(0)
    cells = ["100.0", "100.0", "100.2", "160.0", *map(str, rng.uniform(0, 1000, 300).round(2))]
    equal, near, far = _levels(cells, is_number=True)[:3]
    assert equal > near > far


def test_dates_are_read_in_several_ways_and_a_slip_is_nearly_equal() -> None:
    assert days_of(["1970-01-03", "03/01/1970", "3.1.1970", "1.13.1970", "never"]).tolist()[:4] == [
        2.0, 2.0, 2.0, 12.0,
    ]  # fmt: skip
    slip, swapped, other = _levels(["1980-05-12", "1980-05-13", "1980-12-05", "1994-03-30"])
    assert slip == swapped == 4 > other


def test_columns_without_any_difference_are_left_out() -> None:
    table = pd.DataFrame({"name": ["a b", "c d"], "country": ["x", "x"], "none": [None, None]})
    records = Records.of_frame(nw.from_native(table, eager_only=True))
    assert [column.name for column in records.columns] == ["name"]


@pytest.mark.parametrize("draw", [people, bibliography])
def test_nearly_all_duplicates_are_among_the_candidates(draw: object) -> None:
    table, labels = draw(n_entities=150, random_state=1)  # type: ignore[operator]
    records = Records.of_frame(nw.from_native(table, eager_only=True))
    i, j = records.pairs.T
    sizes = np.bincount(labels)
    found = int((labels[i] == labels[j]).sum())
    assert found >= 0.97 * int((sizes * (sizes - 1) // 2).sum())
    assert len(records.pairs) <= 8 * len(table)
    assert (i < j).all()


def test_every_kind_of_cell_can_be_compared_and_every_kind_of_gap() -> None:
    table = pd.DataFrame(
        {
            "whole": pd.array([1, None, 3], dtype="Int64"),
            "text": pd.array(["a b", None, "c d"], dtype="string"),
            "day": pd.to_datetime(["2020-01-01", "NaT", "2021-03-04"]),
            "flag": [True, False, None],
            "kind": pd.Categorical(["x", "y", None]),
            "number": [1.5, float("nan"), 2.0],
        }
    )
    records = Records.of_frame(nw.from_native(table, eager_only=True))
    kinds = {column.name: column.kind for column in records.columns}
    assert kinds["day"] is ColumnKind.DATE
    assert kinds["number"] is kinds["whole"] is ColumnKind.NUMBER
    gaps = [column.missing.tolist().index(True) for column in records.columns]
    assert gaps == [1, 1, 1, 2, 2, 1]


def test_some_of_the_rows_are_compared_as_they_were() -> None:
    table, _ = people(n_entities=30, random_state=2)
    records = Records.of_frame(nw.from_native(table, eager_only=True))
    kept = np.array([3, 1, 7])
    part = records.take(kept)
    assert len(part) == 3
    assert part.columns[0].distinct == sorted(set(part.columns[0].distinct))
    again = Records({"a": ["x y", "x z"]}).take(np.array([1]))
    assert len(again) == 1


def test_tables_of_measurements_tell_nothing_apart() -> None:
    rng = np.random.default_rng(0)
    table = pd.DataFrame(rng.normal(size=(50, 4)), columns=list("abcd"))
    assert not Records.of_frame(nw.from_native(table, eager_only=True)).tell_apart
    table["kind"] = rng.choice(["red", "green"], 50)
    assert not Records.of_frame(nw.from_native(table, eager_only=True)).tell_apart
    table["code"] = 10**6 + np.arange(50)
    assert Records.of_frame(nw.from_native(table, eager_only=True)).tell_apart


def test_generated_tables_follow_from_their_seed() -> None:
    one, labels = people(n_entities=20, random_state=4)
    other, same = people(n_entities=20, random_state=4)
    pd.testing.assert_frame_equal(one, other)
    assert labels.tolist() == same.tolist()
    assert len(set(labels.tolist())) == 20
    nothing, alone = people(n_entities=20, duplicated=0.0)
    assert len(nothing) == len(alone) == 20


def test_a_share_that_is_none_is_refused() -> None:
    from likewise.datasets.records import Slips

    with pytest.raises(DataError, match="typo must be a share between 0 and 1 but got 2"):
        Slips(typo=2)
    with pytest.raises(DataError, match="at least one thing"):
        people(n_entities=0)


def test_partners_stay_together_in_the_neighbourhoods_of_a_large_table(seed: int) -> None:
    table, y = people(random_state=seed, n_entities=3000)
    records = Records.of_frame(nw.from_native(table))
    rows = records.neighbourhoods(1500)
    assert len(rows) <= 1500
    assert (np.diff(rows) > 0).all()
    taken = y[rows]
    kept = np.mean(np.bincount(taken, minlength=y.max() + 1)[taken] == np.bincount(y)[taken])
    assert kept > 0.7  # a draw of as many rows would keep about a half: those who have no partner


def test_a_table_without_texts_has_no_neighbourhoods() -> None:
    numbers = nw.from_native(pd.DataFrame({"x": np.arange(600) / 7}))
    assert len(Records.of_frame(numbers).neighbourhoods(500)) == 0
