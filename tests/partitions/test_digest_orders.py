"""Rows are found again in whatever order their columns are, by digests of earlier journals too."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import likewise as lw
from likewise.errors import DataError
from likewise.items.digests import number_digests, row_digests
from likewise.partitions import RepresentativeItems, _json_lines, load_partitioned
from likewise.partitions.growth.digest_orders import DigestOrder, _digested
from likewise.piles import begin_study, read_pile, table_files


def frame(n: int, seed: int = 0) -> pd.DataFrame:
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 3)) + 6.0 * rng.integers(3, size=(n, 1))
    return pd.DataFrame(X, columns=["c", "a", "b"])


def load(source: Path, n: int = 20) -> RepresentativeItems:
    return load_partitioned(source, n, n_jobs=1)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    where = tmp_path / "rows"
    where.mkdir()
    return where


def assert_followed(again: lw.Study, study: lw.Study, n_rows: int) -> None:
    n = len(study.items)
    assert again.items.places is None
    assert list(again.items.digests[:n]) == list(study.items.digests)
    assert [one.pair for one in again.answers] == [one.pair for one in study.answers]
    assert isinstance(again.items, RepresentativeItems)
    assert again.items.n_rows == n_rows


@pytest.mark.parametrize("kind", ["csv", "parquet"])
def test_a_larger_file_may_have_its_columns_in_another_order(
    folder: Path, tmp_path: Path, kind: str
) -> None:
    def write(name: str, table: pd.DataFrame) -> None:
        getattr(table, f"to_{kind}")(folder / f"{name}.{kind}", index=False)

    store = tmp_path / "rows.db"
    write("m", frame(200))
    study = lw.Study(load(folder), store=store)
    study.tell((0, 1), "same")
    write("p", frame(300, 1)[["b", "a", "c"]])
    again = lw.Study.open(store, load(folder))
    assert_followed(again, study, 500)
    (folder / f"m.{kind}").unlink()
    write("z", frame(200)[["a", "c", "b"]])  # the same rows, elsewhere
    assert_followed(lw.Study.open(store, load(folder)), study, 500)


@pytest.mark.parametrize("suffix", ["db", "jsonl"])
@pytest.mark.parametrize("flags_are_numbers", [False, True])
def test_a_journal_whose_digests_are_of_columns_as_they_stood_goes_on(
    folder: Path, tmp_path: Path, suffix: str, flags_are_numbers: bool
) -> None:
    store = tmp_path / f"rows.{suffix}"
    table = frame(200).assign(d=np.arange(200) % 3 == 0)
    table.to_parquet(folder / "m.parquet", index=False)
    order = DigestOrder(("c", "a", "b", "d"), flags_are_numbers=flags_are_numbers)
    earlier = _digested(load(folder), order)
    numbers = table.to_numpy(dtype=np.float64)
    held = number_digests(numbers) if flags_are_numbers else row_digests(table)
    assert set(earlier.digests) <= {one.tobytes() for one in held}
    study = lw.Study(earlier, store=store)
    study.tell((0, 1), "same")
    assert_followed(lw.Study.open(store, load(folder)), study, 200)
    assert_followed(lw.Study(load(folder), store=store), study, 200)
    if suffix == "db":
        frame(300, 1).assign(d=True)[["d", "b", "a", "c"]].to_parquet(folder / "p.parquet")
        assert_followed(lw.Study.open(store, load(folder)), study, 500)


def test_numbers_that_pandas_gave_to_rows_are_not_compared(folder: Path, tmp_path: Path) -> None:
    store = tmp_path / "rows.db"
    table = frame(200)
    table[table["a"] > -9].sample(frac=1.0, random_state=0).to_parquet(folder / "m.parquet")
    items = load(folder)
    assert items.compared_columns == ("c", "a", "b")
    # Those of journals that did compare them are known all the same.
    earlier = _digested(items, DigestOrder(("c", "a", "b", "__index_level_0__"), True))
    study = lw.Study(earlier, store=store)
    study.tell((0, 1), "same")
    frame(300, 1).sample(frac=1.0, random_state=0).to_parquet(folder / "p.parquet")
    assert_followed(lw.Study.open(store, load(folder)), study, 500)


def test_rows_of_small_whole_numbers_are_looked_for_in_the_right_order(
    folder: Path, tmp_path: Path
) -> None:
    rng = np.random.default_rng(0)
    table = pd.DataFrame(rng.integers(1, 6, (300, 3)), columns=["c", "a", "b"])
    table.to_parquet(folder / "m.parquet", index=False)
    store = tmp_path / "rows.db"
    study = lw.Study(_digested(load(folder), DigestOrder(("c", "a", "b"))), store=store)
    study.tell((0, 1), "same")
    # Swapped, these hold what others do as they are.
    table[:250].set_axis(["a", "c", "b"], axis=1).to_parquet(folder / "a.parquet", index=False)
    assert_followed(lw.Study.open(store, load(folder)), study, 550)


def write(table: pd.DataFrame, path: Path) -> None:
    if path.suffix == ".jsonl":
        table.to_json(path, orient="records", lines=True, double_precision=15)
    elif path.suffix == ".pq":
        table.to_parquet(path, index=False)
    else:
        table.to_csv(path, index=False, sep={".csv": ",", ".dat": ";"}.get(path.suffix, "\t"))


@pytest.mark.parametrize("suffix", ["csv", "tsv", "tab", "dat", "jsonl", "pq"])
def test_a_table_with_true_and_false_may_grow_too_long_for_memory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, suffix: str
) -> None:
    path, store = tmp_path / f"rows.{suffix}", tmp_path / "rows.db"
    # Whole numbers at first, which are none later on.
    table = frame(60).assign(is_new=np.arange(60) % 2 == 0, b=np.arange(60), id=range(60))
    write(table, path)
    study = begin_study(read_pile(path), store)
    study.tell((0, 59), "different")
    write(pd.concat([table, frame(40, 1).assign(is_new=False, id=range(60, 100))]), path)
    monkeypatch.setattr(table_files, "_MOST_ROWS", 80)
    monkeypatch.setattr(_json_lines, "_BLOCK", 500)
    again = lw.Study.open(store, read_pile(path).items)
    assert_followed(again, study, 100)


def test_what_is_wrong_with_long_json_lines_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "rows.jsonl"
    monkeypatch.setattr(_json_lines, "_BLOCK", 30)
    good = '{"a": 1, "b": 2}\n' * 9
    for content, sentence in (
        ("", "cannot be read as JSON, an object per line"),
        (good + "{no\n", "cannot be read as JSON, an object per line"),
        (good + '{"a": "x", "b": 2}\n', "cannot be read as JSON, an object per line"),
        (good + '{"a": 1}\n' + good, "no number in column 'b' of row 9"),
        ('{"a": 1, "b": "x"}\n' * 9, r"column 'b' of .* holds string, not numbers"),
    ):
        path.write_text(content)
        with pytest.raises(DataError, match=sentence):
            load(path)
