"""Files as they should not be: each is read as well as it can be, or refused in one sentence."""

from __future__ import annotations

import os
import sqlite3
import struct
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from PIL import Image

from likewise.cli.pile_source import PileSource
from likewise.errors import DataError
from likewise.exchange.group_folders import folder_name
from likewise.features import cache
from likewise.piles import begin_study, read_pile


def npy_claim(shape: str) -> bytes:
    header = f"{{'descr': '<f8', 'fortran_order': False, 'shape': {shape}, }}".encode().ljust(117)
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", 118) + header + b"\n" + b"0" * 100


def test_an_npy_that_claims_terabytes_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.npy"
    path.write_bytes(npy_claim("(1000000000, 1000)"))
    with pytest.raises(DataError, match=r"cannot be read as an array|more numbers than fit"):
        read_pile(path)


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


def test_a_table_too_wide_or_too_long_is_refused_before_it_is_parsed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def parsed(*_: object, **__: object) -> None:
        pytest.fail("it was parsed")

    monkeypatch.setattr(pd, "read_csv", parsed)
    wide, long = tmp_path / "wide.csv", tmp_path / "long.csv"
    wide.write_text(",".join(f"c{k}" for k in range(100_000)) + "\n" + "1," * 99_999 + "1\n")
    long.write_text("a\n" + "1\n" * 1_000_000)
    with pytest.raises(DataError, match=r"100,000 columns.*\.npy"):
        read_pile(wide)
    with pytest.raises(DataError, match=r"1,000,000 rows.*--representatives"):
        read_pile(long)


def test_a_matrix_may_have_any_number_of_columns(tmp_path: Path) -> None:
    np.save(tmp_path / "wide.npy", np.random.default_rng(0).normal(size=(20, 100_000)))
    assert read_pile(tmp_path / "wide.npy").items.features.shape == (20, 100_000)  # type: ignore[union-attr]
