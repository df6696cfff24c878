"""Whatever people bring: the same items as the same table in a file, or one sentence."""

from __future__ import annotations

import subprocess
import sys
import types
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import likewise as lw
from likewise.errors import AnswerError, DataError, MethodError
from likewise.items import Items

ROWS = {
    "ID": ["a7", "b2", "c1", "d4"],
    "height": [1.5, None, 1.7, 9.0],
    "kind": ["x", "y", "x", "y"],
}
TEXTS = ["red apples and pears", "a blue car", "green apples", "an old bus"]


def assert_equal_items(one: Items, other: Items) -> None:
    np.testing.assert_allclose(one.data, other.data)
    assert one.ids == other.ids
    assert one.texts == other.texts
    assert one.fingerprint() == other.fingerprint()


class HuggingFaceDataset:
    """What is used of `datasets.Dataset`."""

    column_names: tuple[str, ...] = tuple(ROWS)

    def to_pandas(self) -> pd.DataFrame:
        return pd.DataFrame(ROWS)


FORMS: dict[str, Callable[[], Any]] = {
    "pandas": lambda: pd.DataFrame(ROWS),
    "polars": lambda: pl.DataFrame(ROWS),
    "a lazy frame": lambda: pl.LazyFrame(ROWS),
    "an Arrow table": lambda: pa.table(ROWS),
    "an Arrow batch": lambda: pa.RecordBatch.from_pydict(ROWS),
    "an Arrow reader": lambda: pa.table(ROWS).to_reader(),
    "columns": lambda: ROWS,
    "dicts": lambda: pd.DataFrame(ROWS).to_dict("records"),
    "a dataset": HuggingFaceDataset,
}


@pytest.mark.parametrize("form", FORMS)
def test_a_table_of_any_library_is_the_same_as_in_a_file(form: str, tmp_path: Path) -> None:
    pd.DataFrame(ROWS).to_csv(tmp_path / "t.csv", index=False)
    read = lw.load_items(tmp_path / "t.csv")
    given = Items.of(FORMS[form]())
    assert_equal_items(given, read)
    assert given.ids == ROWS["ID"]
    assert "gaps in column height" in " ".join(given.notes)
    assert given.rows is not None
    assert list(given.rows[0]) == ["height", "kind"]


def test_a_relation_of_duckdb_is_a_table() -> None:
    duckdb = pytest.importorskip("duckdb")
    table = pd.DataFrame(ROWS)
    assert_equal_items(Items.of(duckdb.from_df(table)), Items.of(table))


def test_a_column_of_texts_is_compared_by_what_they_are_about(tmp_path: Path) -> None:
    table = pd.DataFrame({"id": [4, 3, 2, 1], "text": TEXTS, "length": [1, 2, 3, 4]})
    table.to_csv(tmp_path / "t.csv", index=False)
    assert_equal_items(Items.of(table), lw.load_items(tmp_path / "t.csv"))
    assert Items.of(table).ids == ["4", "3", "2", "1"]


@pytest.mark.parametrize("form", [list, pd.Series, pl.Series, np.array])
def test_texts_may_come_as_a_list_or_a_series(form: Any, tmp_path: Path) -> None:
    (tmp_path / "t.txt").write_text("\n".join(TEXTS))
    items = Items.of(form(TEXTS))
    np.testing.assert_allclose(items.data, lw.load_items(tmp_path / "t.txt").data)
    assert items.texts == TEXTS
    assert items.fingerprint() == lw.load_items(tmp_path / "t.txt").fingerprint()


def test_the_index_of_pandas_names_rows_unless_it_only_counts_or_repeats() -> None:
    table = pd.DataFrame({"a": [1.0, 2.0, 4.0]})
    assert Items.of(table).ids == ["0", "1", "2"]
    assert Items.of(table.set_axis(["x", "y", "z"])).ids == ["x", "y", "z"]
    assert Items.of(table.set_axis([5, 7, 9])).ids == ["5", "7", "9"]
    assert Items.of(table.set_axis([5, 5, 9])).ids == ["0", "1", "2"]
    assert Items.of(table["a"].set_axis(["x", "y", "z"])).ids == ["x", "y", "z"]
    named = table.assign(id=["p", "q", "r"]).set_axis(["x", "y", "z"])
    assert Items.of(named).ids == ["p", "q", "r"]


def test_lists_in_cells_are_written_out_in_every_library() -> None:
    nested = {"a": [[1, 2], [3], [1, 2]], "b": [1.0, 2.0, 3.0]}
    of_pandas, of_polars = Items.of(pd.DataFrame(nested)), Items.of(pl.DataFrame(nested))
    np.testing.assert_allclose(of_pandas.data, of_polars.data)


def test_a_study_begun_by_all_columns_of_a_table_goes_on(tmp_path: Path) -> None:
    table = pd.DataFrame({"id": [3, 1, 2, 9], "a": [1.0, 2.0, 7.0, 8.0]})
    earlier = Items._made_of(table, "auto", guess=False)
    assert earlier.fingerprint() != Items.of(table).fingerprint()
    lw.Study(earlier, store=tmp_path / "s.likewise.jsonl").tell((0, 1), "same")
    assert lw.Study.open(tmp_path / "s.likewise.jsonl", table).n_answers == 1


@pytest.mark.parametrize(
    ("X", "complaint"),
    [
        ("flowers.csv", r"'flowers.csv' is no pile; read a file or folder with load_items"),
        (Path("flowers"), "load_items"),
        (None, "a row per item"),
        (7, "a row per item"),
        (object(), "rows of numbers"),
        ({"a": [1, 2], "b": [1]}, "columns of equal length"),
        ({"train": HuggingFaceDataset()}, "several tables, 'train'; give one of them"),
        (["one text", 5], "item 1 is no text: 5"),
        ([{"a": 1}, "b"], "item 1 is no mapping: 'b'"),
        ([], "items must be a matrix with a row per item"),
        (types.SimpleNamespace(columns=["a"]), "a table must be a pandas, polars"),
    ],
)
def test_what_is_no_pile_is_refused_in_one_sentence(X: Any, complaint: str) -> None:
    with pytest.raises(DataError, match=complaint) as refused:
        lw.Study(X)
    assert "\n" not in str(refused.value)


def test_names_texts_and_pictures_can_be_given_beside_the_numbers(tmp_path: Path) -> None:
    file = tmp_path / "one.png"
    file.write_bytes(b"")
    pixels = np.zeros((4, 4, 3), dtype=np.uint8)
    items = Items.of(np.eye(2), ids=[10, 20], texts=["one", "two"], pictures=[str(file), pixels])
    assert (items.ids, items.texts) == (["10", "20"], ["one", "two"])
    assert items.pictures is not None
    assert items.pictures[0] == file
    assert Items.of(items, ids=["a", "b"]).texts == ["one", "two"]


@pytest.mark.parametrize(
    ("given", "complaint"),
    [
        ({"ids": ["a", "a", "b"]}, "ids must differ but 'a' names 2 items"),
        ({"ids": [1, "1", "2"]}, "ids must differ but '1' names 2 items"),
        ({"ids": ["a", "b"]}, "there are 3 items but 2 ids; give one for each"),
        ({"ids": "abc"}, "ids must be a sequence with one for each item but got 'abc'"),
        ({"texts": ["a", "b", None]}, "texts must be text but item 2 has None"),
        ({"texts": ["a"]}, "3 items but 1 texts"),
        ({"pictures": ["no.png"] * 3}, "picture of item 0, 'no.png', is no file"),
        ({"pictures": [np.zeros((2, 2))] * 3}, "has shape .2, 2. of float64"),
    ],
)
def test_what_is_given_beside_the_numbers_is_checked(given: Any, complaint: str) -> None:
    with pytest.raises(DataError, match=complaint):
        Items.of(np.eye(3), **given)


def test_pairs_are_told_by_the_ids_of_their_owner() -> None:
    study = lw.Study(Items.of(np.eye(3), ids=["doc-1", "doc-2", "doc-3"]))
    assert study.tell(("doc-1", "doc-3"), "same").pair == (0, 2)
    assert study.tell((0, "doc-2"), "different").pair == (0, 1)
    study.name("doc-3", "odd")
    assert study.named == {2: "odd"}
    assert "same" in study.explain(("doc-3", "doc-1"))


@pytest.mark.parametrize(
    ("pair", "complaint"),
    [
        (("doc-1", "doc-9"), "no item 'doc-9'; ids are like 'doc-1' and 'doc-3'"),
        (("doc-1", "copy"), "'doc-1' and 'copy' are equal copies"),
        (("doc-1", "doc-1"), "two different items"),
        ((0, 1.0), "by its position or its id but got 1.0"),
        ((0, 1, 2), "a pair must be two items"),
        ("ab", "a pair must be two items"),
        (None, "a pair must be two items"),
    ],
)
def test_what_is_no_pair_is_refused_and_nothing_kept(pair: Any, complaint: str) -> None:
    items = Items(features=np.eye(3), ids=["doc-1", "doc-2", "doc-3"], copies={0: ["copy"]})
    study = lw.Study(items)
    with pytest.raises(AnswerError, match=complaint):
        study.tell(pair, "same")
    assert study.n_answers == 0


def test_a_seed_may_be_none_or_a_generator_and_is_kept(tmp_path: Path) -> None:
    X = np.random.default_rng(0).normal(size=(12, 2))
    one = lw.Study(X, random_state=np.random.RandomState(3))
    assert one.random_state == lw.Study(X, random_state=np.random.RandomState(3)).random_state
    assert lw.Study(X, random_state=np.random.default_rng(3)).random_state >= 0
    place = tmp_path / "s.likewise.jsonl"
    begun = lw.Study(X, random_state=None, store=place)
    assert lw.Study(X, random_state=None, store=place).random_state == begun.random_state
    assert lw.run(X, lw.oracles.FromLabels([0, 1] * 6), budget=1, random_state=None).n_questions
    assert lw.SimilarityStudy(4, random_state=None).random_state >= 0


@pytest.mark.parametrize(
    "settings",
    [{"random_state": "x"}, {"random_state": 1.5}, {"random_state": -1}, {"n_clusters": "3"}],
)
def test_a_setting_of_the_wrong_type_is_refused_in_one_sentence(settings: Any) -> None:
    with pytest.raises(MethodError, match=next(iter(settings))):
        lw.Study(np.eye(4), **settings)


def test_nothing_of_another_library_is_imported_for_an_array() -> None:
    code = "import sys, likewise; likewise.Items.of([[0.0], [1.0]]); print('pandas' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"
