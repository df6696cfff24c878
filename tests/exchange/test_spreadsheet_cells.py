"""Whatever is exported as CSV holds no cell that a spreadsheet would run."""

from __future__ import annotations

import csv
import io
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from likewise.exchange import export_answers, import_answers
from likewise.exchange.spreadsheet_cells import csv_text, neutral, plain
from likewise.items import Items
from likewise.study import Study

IDS = ["=cmd|' /C calc'!A0", "+1+2", "-2+3", "@SUM(A1)", "\tx", "\rx", "'=y", "-1.5", "cat"]
ITEMS = replace(Items.of([[float(k)] for k in range(len(IDS))]), ids=IDS)


@given(st.text(max_size=5) | st.sampled_from(IDS))
def test_no_cell_begins_like_a_formula_and_every_one_comes_back(cell: str) -> None:
    kept = neutral(cell)
    assert kept == cell or kept == "'" + cell
    if kept[:1] in ("=", "@", "\t", "\r"):
        pytest.fail(f"{kept!r} would be run")
    if kept[:1] in ("+", "-"):
        float(kept)  # a number stays one
    assert plain(kept) == cell


@pytest.mark.parametrize("number", ["-1.5", "+3", "-.5", "1e-3", "-2E+10", -1.5, 7, None, 0.25])
def test_numbers_stay_numbers(number: object) -> None:
    assert neutral(number) is number


@pytest.mark.parametrize("raw_cells", [False, True])
@pytest.mark.parametrize("layout", ["answers", "links"])
def test_exported_answers_come_back(tmp_path: Path, layout: str, raw_cells: bool) -> None:
    study = Study(ITEMS)
    for k in range(1, len(IDS)):
        study.tell((0, k), "same", who="=ann")
    path = tmp_path / "answers.csv"
    export_answers(study, path, layout=layout, raw_cells=raw_cells)
    cells = [cell for row in csv.reader(io.StringIO(path.read_text(), newline="")) for cell in row]
    assert any(cell.startswith("=cmd") for cell in cells) is raw_cells
    again = Study(ITEMS)
    assert import_answers(again, path).strangers == ()
    assert [a.pair for a in again.answers] == [a.pair for a in study.answers]
    if layout == "answers":
        assert {a.who for a in again.answers} == {"=ann"}


def test_tables_are_written_with_plain_line_ends() -> None:
    assert csv_text(("id",), [["=1"], ["a,b"]]) == 'id\n\'=1\n"a,b"\n'
    assert csv_text(("id",), [["=1"]], raw_cells=True) == "id\n=1\n"
