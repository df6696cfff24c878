"""Folders of parts as programs write and change them, and as labels are written into them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd
import pytest

from likewise.errors import DataError
from likewise.partitions import RepresentativeItems, kept, load_partitioned
from likewise.partitions.discover import holds_parts
from likewise.piles import read_pile

LABELS = np.arange(12) % 3
SURE = np.ones(12)


def frame(n: int = 200) -> pd.DataFrame:
    X = np.random.default_rng(0).normal(size=(n, 2)) + 9.0 * (np.arange(n) % 3)[:, None]
    return pd.DataFrame(X, columns=["a", "b"])


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    where = tmp_path / "data"
    where.mkdir()
    frame()[:120].to_parquet(where / "part-00000.parquet", index=False)
    frame()[120:].to_parquet(where / "part-00001.parquet", index=False)
    return where


def load(source: Any, **how: Any) -> RepresentativeItems:
    return load_partitioned(source, 12, n_jobs=1, **how)


def files(folder: Path) -> dict[str, bytes]:
    return {one.name: one.read_bytes() for one in folder.iterdir()}


# -- what engines write ------------------------------------------------------------------------


def test_what_engines_write_beside_rows_is_no_part(folder: Path) -> None:
    expected = load(folder)
    (folder / "_SUCCESS").touch()
    (folder / ".part-00000.parquet.crc").write_bytes(b"crc")
    for name in ("_metadata", "_common_metadata"):
        frame()[:3].to_parquet(folder / name, index=False)
    frame()[:3].to_parquet(folder / "_unfinished.parquet", index=False)
    assert holds_parts(folder)
    for source in (folder, str(folder / "*"), f"file://{folder}"):
        assert load(source).fingerprint() == expected.fingerprint()
    assert read_pile(folder).items.content
    frame().to_parquet(folder / "_meant.parquet", index=False)
    for source in (folder / "_meant.parquet", f"file://{folder}/_meant.parquet"):
        assert load(source).n_rows == 200


@pytest.mark.parametrize("address", ["", "file://"])
def test_folders_beside_parts_are_not_left_out_without_a_word(folder: Path, address: str) -> None:
    (folder / "year=2025").mkdir()
    (folder / "part-00001.parquet").rename(folder / "year=2025" / "0.parquet")
    with pytest.raises(DataError, match="holds a folder, year=2025, and rows in folders are not"):
        load(f"{address}{folder}")
    (folder / "year=2024").mkdir()
    (folder / "part-00000.parquet").rename(folder / "year=2024" / "0.parquet")
    assert load(f"{address}{folder}/*/*.parquet").n_rows == 200
    with pytest.raises(DataError, match=r"holds a folder, year=2024, .*/\*/\*\.parquet"):
        load(f"{address}{folder}")


# -- labels ------------------------------------------------------------------------------------


def to_csv(folder: Path) -> None:
    for one in list(folder.iterdir()):
        pd.read_parquet(one).to_csv(one.with_suffix(".csv"), index=False)
        one.unlink()


@pytest.mark.parametrize("kind", ["parquet", "csv"])
@pytest.mark.parametrize("address", ["", "file://"])
def test_labels_are_never_written_into_the_folder_of_the_pile(
    folder: Path, kind: str, address: str
) -> None:
    if kind == "csv":
        to_csv(folder)
    items, before = load(folder), files(folder)
    for place in (f"{address}{folder}", f"{address}{folder}/"):
        with pytest.raises(DataError, match=r"is where the pile is, .* name another folder"):
            items.write_labels(place, LABELS, SURE)
    assert files(folder) == before


@pytest.mark.parametrize("address", ["", "file://"])
def test_labels_never_replace_what_is_none(folder: Path, tmp_path: Path, address: str) -> None:
    items, other = load(folder), tmp_path / "other"
    other.mkdir()
    frame()[:5].to_parquet(other / "part-00000.parquet", index=False)
    before = files(other)
    with pytest.raises(DataError, match=r"part-00000\.parquet does not hold labels"):
        items.write_labels(f"{address}{other}", LABELS, SURE)
    assert files(other) == before


@pytest.mark.parametrize("address", ["", "file://"])
def test_labels_of_fewer_parts_leave_none_of_before(
    folder: Path, tmp_path: Path, address: str
) -> None:
    to = f"{address}{tmp_path / 'groups'}"
    load(folder).write_labels(to, LABELS, SURE)
    (tmp_path / "groups" / "notes.txt").write_text("mine")
    (folder / "part-00001.parquet").unlink()
    items = load(folder)
    items.write_labels(to, LABELS, SURE)
    assert sorted(files(tmp_path / "groups")) == ["notes.txt", "part-00000.parquet"]
    assert len(pd.read_parquet(tmp_path / "groups" / "part-00000.parquet")) == 120


# -- what changes while it is read -------------------------------------------------------------


def test_parts_of_a_table_in_use_stay_however_many_others_are_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(kept, "_WORTH_IT", 0)
    monkeypatch.setattr(kept, "_MOST", 1)
    monkeypatch.setenv("LIKEWISE_CACHE", str(tmp_path / "cache"))
    frame().to_csv(tmp_path / "rows.csv", index=False)
    items: Any = load(tmp_path / "rows.csv")
    again: Any = load(tmp_path / "rows.csv")  # as it was kept
    for seed in range(1, 4):
        load(tmp_path / "rows.csv", random_state=seed)
    del items
    load(tmp_path / "rows.csv", random_state=4)
    assert sum(map(len, again.all_labels(LABELS))) == 200
    assert len(list((tmp_path / "cache" / "parts").iterdir())) == 2
    del again
    load(tmp_path / "rows.csv", random_state=5)
    assert len(list((tmp_path / "cache" / "parts").iterdir())) == 1


def test_a_part_that_has_gone_or_changed_is_named(folder: Path, tmp_path: Path) -> None:
    items, part = load(folder), folder / "part-00001.parquet"
    everything = part.read_bytes()

    def labelled() -> list[npt.NDArray[np.int64]]:
        return list(items.all_labels(LABELS))

    part.unlink()
    with pytest.raises(DataError, match=r"part-00001\.parquet is gone"):
        labelled()
    with pytest.raises(DataError, match=r"part-00001\.parquet is gone"):
        items.require_parts()
    frame()[:7].to_parquet(part, index=False)
    with pytest.raises(DataError, match=r"part-00001\.parquet has changed since"):
        labelled()
    part.write_bytes(everything[:200] + b"\xff" * 300 + everything[500:])
    with pytest.raises(DataError, match=r"part-00001\.parquet"):
        labelled()
    np.save(tmp_path / "a.npy", frame().to_numpy())
    matrix = load(str(tmp_path / "*.npy"))
    np.save(tmp_path / "a.npy", frame(7).to_numpy())
    with pytest.raises(DataError, match=r"a\.npy has changed since"):
        list(matrix.all_labels(LABELS))
    (tmp_path / "a.npy").unlink()
    with pytest.raises(DataError, match=r"a\.npy is gone"):
        list(matrix.all_labels(LABELS))


def test_numbers_too_large_to_be_compared_are_looked_for_in_their_file(folder: Path) -> None:
    frame()[:50].assign(b=1e200).to_parquet(folder / "part-00002.parquet", index=False)
    with pytest.raises(
        DataError,
        match=r"part-00002\.parquet: row 0 of a part holds 1e\+200 in column b .*is damaged",
    ):
        load(folder)
