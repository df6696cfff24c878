"""Files as they should not be: each is read as well as it can be, or refused in one sentence."""

from __future__ import annotations

import os
import sqlite3
import struct
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from PIL import Image

import likewise as lw
from likewise.cli.pile_source import PileSource
from likewise.errors import DataError
from likewise.exchange.group_folders import folder_name
from likewise.features import cache
from likewise.partitions import RepresentativeItems
from likewise.piles import begin_study, load, read_pile, resume_study, table_files

READ_CSV = pd.read_csv


def npy_claim(shape: str) -> bytes:
    header = f"{{'descr': '<f8', 'fortran_order': False, 'shape': {shape}, }}".encode().ljust(117)
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", 118) + header + b"\n" + b"0" * 100


def test_an_npy_that_claims_terabytes_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.npy"
    path.write_bytes(npy_claim("(1000000000, 1000)"))
    with pytest.raises(DataError, match=r"cannot be read as an array|more numbers than fit"):
        read_pile(path)


def test_an_npy_that_is_not_all_there_is_refused_with_what_to_do(tmp_path: Path) -> None:
    path = tmp_path / "parts" / "a.npy"
    path.parent.mkdir()
    np.save(path, np.arange(600.0).reshape(100, 6))
    np.save(path.with_name("b.npy"), np.arange(600.0).reshape(100, 6))
    path.write_bytes(path.read_bytes()[:-800])
    for pile in (path, path.parent):
        with pytest.raises(DataError, match=r"a\.npy cannot be read .* is cut off; copy it again"):
            read_pile(pile)


def test_an_npz_of_objects_or_with_a_bad_checksum_is_refused(tmp_path: Path) -> None:
    objects = np.empty((2, 2), dtype=object)
    np.savez(tmp_path / "objects.npz", X=objects)
    np.savez(tmp_path / "damaged.npz", X=np.arange(600.0).reshape(100, 6))
    damaged = bytearray((tmp_path / "damaged.npz").read_bytes())
    damaged[len(damaged) // 2] ^= 0xFF
    (tmp_path / "damaged.npz").write_bytes(damaged)
    for name in ("objects.npz", "damaged.npz"):
        with pytest.raises(DataError, match="cannot be read as an array"):
            read_pile(tmp_path / name)


@pytest.mark.parametrize(
    ("name", "content", "sentence"),
    [
        ("deep.jsonl", '{"a":' * 100_000, "nested too deeply"),
        ("deep.json", "[" * 100_000, "nested too deeply"),
        ("digits.jsonl", '{"a": ' + "9" * 5000 + "}\n", "too many digits"),
    ],
)
def test_json_beyond_all_measure_is_refused(
    tmp_path: Path, name: str, content: str, sentence: str
) -> None:
    (tmp_path / name).write_text(content)
    with pytest.raises(DataError, match=sentence):
        read_pile(tmp_path / name)


def test_halves_of_surrogate_pairs_and_bytes_become_text(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text('{"text": "a \\ud800 b"}\n{"text": "c d e"}\n{"text": "x y \\udfff"}\n')
    assert read_pile(path, model="tf-idf").items.texts == ["a � b", "c d e", "x y �"]
    frame = pd.DataFrame({"b": [b"ab\xff", b"cd", b"ef"], "n": [1, 2, 3]})
    frame.to_parquet(tmp_path / "b.parquet")
    rows = read_pile(tmp_path / "b.parquet").items.rows
    assert rows is not None
    assert rows[0]["b"] == "ab\\xff"


def test_a_column_is_not_both_wanted_and_dropped(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("c,d\na b,1\nc d,2\n")
    for wanted in ("text", "image", "id_column"):
        with pytest.raises(DataError, match="'c' is wanted and dropped"):
            read_pile(path, drop=["c"], **{wanted: "c"})  # type: ignore[arg-type]


def test_a_pipe_is_no_pile(tmp_path: Path) -> None:
    for name in ("p.csv", "p.npy", "p.txt", "p.parquet"):
        os.mkfifo(tmp_path / name)
        with pytest.raises(DataError, match="pipe or a device"):
            read_pile(tmp_path / name)


def test_a_file_name_that_is_not_utf8_is_an_item_like_others(tmp_path: Path) -> None:
    folder = tmp_path / "pics"
    folder.mkdir()
    for k in range(3):
        Image.new("RGB", (30, 30), (60 * k, 9, 9)).save(folder / f"{k}.png")
    try:
        os.rename(os.fsencode(folder / "2.png"), os.fsencode(folder) + b"/caf\xe9.png")
    except OSError:
        pytest.skip("this file system takes UTF-8 alone")
    pile = read_pile(folder)
    assert pile.items.ids == ["0.png", "1.png", "caf\\xe9.png"]
    study = begin_study(pile, tmp_path / "pics.likewise.db")
    study.tell((0, 2), "same")


def test_a_pile_whose_name_is_not_utf8_is_refused_in_a_sentence() -> None:
    with pytest.raises(DataError, match=r"is not UTF-8.*rename it"):
        PileSource(Path("t\udce9.csv")).beside(".likewise.db")


@pytest.mark.parametrize("damage", [b"odd", b"\0" * 2, b"\xff" * 128, "text", 5, b""])
def test_cached_vectors_of_a_wrong_size_or_type_are_computed_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, damage: object
) -> None:
    monkeypatch.setenv("LIKEWISE_CACHE", str(tmp_path))
    keys = [bytes([k]) * 16 for k in range(3)]

    def vectors() -> dict[int, object]:
        found = cache.cached(
            "k", keys, lambda missing: iter([(k, np.full(64, k, np.float32)) for k in missing])
        )
        return {k: vector.tolist() for k, vector in found.items()}

    first = vectors()
    database = sqlite3.connect(tmp_path / "features.db")
    with database:
        database.execute("UPDATE vectors SET vector = ? WHERE digest = ?", (damage, keys[1]))
    database.close()
    assert vectors() == first


@pytest.mark.parametrize("name", ["😀" * 80, "a" * 300, "é" * 150, "CON", "..", "a\ud800"])
def test_the_folder_of_a_group_can_be_made_whatever_its_name(tmp_path: Path, name: str) -> None:
    folder = tmp_path / folder_name(7, name)
    folder.mkdir()
    assert folder.name.startswith("7")
    assert len(folder.name.encode()) <= 255


def _no_parsing(*given: Any, nrows: int | None = None, **how: Any) -> Any:
    if nrows is not None and nrows <= 200:  # a glance at its beginning
        return READ_CSV(*given, nrows=nrows, **how)
    raise AssertionError("a table of that size is not parsed cell by cell")


def test_a_table_too_wide_is_read_as_vectors(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pd, "read_csv", _no_parsing)
    X = np.random.default_rng(0).normal(size=(20, 20_000)).round(3)
    header = ",".join(f"c{k}" for k in range(20_000))
    wide = tmp_path / "wide.csv"
    np.savetxt(wide, X, delimiter=",", header=header, comments="", fmt="%.3f")
    pile = read_pile(wide)
    assert pile.items.features is not None
    assert pile.items.features.shape == (20, 20_000)
    assert pile.compared_by == "20,000 numbers each"
    lines = wide.read_text().splitlines()
    named = [f"id,kind,{lines[0]}", *(f"n{k:02d},x,{line}" for k, line in enumerate(lines[1:]))]
    wide.write_text("\n".join(named) + "\n")
    with pytest.raises(DataError, match=r"has 20,002 columns.*not all cells are numbers.*--drop"):
        read_pile(wide)
    pile = read_pile(wide, drop=["kind"])
    assert pile.items.ids[:2] == ["n00", "n01"]
    assert pile.items.features is not None
    assert pile.items.features.shape == (20, 20_000)
    with pytest.raises(DataError, match="has no column 'colour' among its 20,002"):
        read_pile(wide, drop=["colour"])
    wide.write_bytes(wide.read_bytes().replace(b"kind", "größe".encode("latin-1"), 1))
    with pytest.raises(DataError, match="save it as UTF-8"):
        read_pile(wide)


def test_for_a_table_too_long_representatives_stand_in(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pd, "read_csv", _no_parsing)
    monkeypatch.setattr(table_files, "_MOST_ROWS", 300)
    monkeypatch.setattr(load, "_REPRESENTATIVES", 30)
    rng = np.random.default_rng(0)
    kinds = rng.integers(0, 3, 400)
    X = rng.normal(size=(400, 2)) + 20 * kinds[:, None]
    long = tmp_path / "long.csv"
    rows = [f"00{k};{x:.3f};{y:.3f}" for k, (x, y) in enumerate(X.tolist())]
    rows[0] = "000;1;2"  # whole numbers at first
    long.write_text("\n".join(["id;a;b", *rows]) + "\n")
    pile = read_pile(long)
    assert isinstance(pile.items, RepresentativeItems)
    assert pile.items.n_rows == 400
    assert len(pile.items) <= 30
    assert all(name.startswith("00") for name in pile.items.ids)  # names are no numbers
    assert "too many rows" in pile.notes[0]
    assert "stand for 400" in pile.notes[1]
    labels = np.concatenate(list(pile.items.all_labels(lw.Study(pile.items).labels_)))
    assert lw.metrics.ari(kinds, labels) > 0.95
    again = read_pile(long)
    assert again.items.fingerprint() == pile.items.fingerprint()
    with pytest.raises(DataError, match="more than 300 are not compared one by one"):
        read_pile(long, near_duplicates=True)
    _require_growth(long, rows)
    long.write_text("\n".join(["id;a;b", *rows[:350], "x;;1", *rows[350:]]) + "\n")
    with pytest.raises(DataError, match=r"no number in column 'a' of row 350.*--drop"):
        read_pile(long)
    long.write_text("\n".join(["id;a;b", *rows, "x;1;2;3"]) + "\n")
    with pytest.raises(DataError, match="cannot be read as CSV"):
        read_pile(long)
    long.write_bytes("\n".join(["id;größe;b", *rows]).encode("latin-1"))
    with pytest.raises(DataError, match="save it as UTF-8"):
        read_pile(long)


@pytest.mark.parametrize("is_named", [True, False])
def test_a_table_may_grow_beyond_what_is_compared_row_by_row(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, is_named: bool
) -> None:
    monkeypatch.setattr(table_files, "_MOST_ROWS", 300)
    monkeypatch.setattr(load, "_REPRESENTATIVES", 30)
    X = np.random.default_rng(0).normal(0.0, 1000.0, (400, 3))
    frame = pd.DataFrame(X, columns=list("abc"))
    if is_named:
        frame.insert(0, "id", [f"r{k}" for k in range(400)])
    path, store = tmp_path / "rows.csv", tmp_path / "rows.db"
    frame[:280].to_csv(path, index=False)
    study = begin_study(read_pile(path), store)
    study.tell((0, 7), "same")
    frame.to_csv(path, index=False)
    again, pile = resume_study(read_pile(path), store)
    assert isinstance(pile.items, RepresentativeItems)
    assert pile.items.ids[:280] == study.items.ids
    assert not pile.altered
    assert again.answers == study.answers


def _require_growth(long: Path, rows: list[str]) -> None:
    """Append rows of another kind to a long table, and go on with its study."""
    known = {row.split(";")[0] for row in rows}
    store = long.with_suffix(".likewise.db")
    study = begin_study(read_pile(long), store)
    study.tell((0, 1), "different")
    more = [f"9{k};{80 + k % 7}.5;-70.{k}" for k in range(60)]
    long.write_text("\n".join(["id;a;b", *rows, *more]) + "\n")
    again, pile = resume_study(read_pile(long), store)
    assert pile.items.ids[: len(study.items)] == study.items.ids
    assert set(pile.items.ids) - known
    assert pile.notes[-1].endswith("new")
    assert again.answers == study.answers
    long.write_text("\n".join(["id;a;b", *rows]) + "\n")


def test_a_matrix_may_have_any_number_of_columns(tmp_path: Path) -> None:
    np.save(tmp_path / "wide.npy", np.random.default_rng(0).normal(size=(20, 100_000)))
    assert read_pile(tmp_path / "wide.npy").items.features.shape == (20, 100_000)  # type: ignore[union-attr]
