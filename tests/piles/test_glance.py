"""A first look at a pile, before it is read."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pytest

from likewise.errors import DataError
from likewise.piles.glance import glance


def test_a_folder_is_counted_with_what_is_left_aside(tmp_path: Path) -> None:
    for name in ("a.png", "b.JPG", "clip.mov", "clip2.mov", "notes", ".hidden.png"):
        (tmp_path / name).write_text("x")
    (tmp_path / "deeper").mkdir()
    (tmp_path / "deeper" / "c.webp").write_text("x")
    (tmp_path / "elsewhere").symlink_to("/")
    found = glance(tmp_path)
    assert (found.kind, found.count, found.whole) == ("pictures", 3, True)
    assert found.aside == "2 .mov, 1 without an ending"


@pytest.mark.parametrize("ending", ["csv", "tsv", "parquet", "jsonl"])
def test_the_columns_of_a_table_are_told_apart(tmp_path: Path, ending: str) -> None:
    table = pd.DataFrame(
        {
            "id": ["a", "b", "c"],
            "size": [1, 2, 3],
            "colour": ["red", "blue", "red"],
            "text": ["one red car in the street", "two blue cars", "no car at all"],
        }
    )
    path = tmp_path / f"t.{ending}"
    if ending == "parquet":
        table.to_parquet(path)
    elif ending == "jsonl":
        table.to_json(path, orient="records", lines=True)
    else:
        table.to_csv(path, index=False, sep="\t" if ending == "tsv" else ",")
    found = glance(path)
    kinds = {column.name: column.kind for column in found.columns}
    assert kinds == {"id": "names", "size": "numbers", "colour": "words", "text": "texts"}
    assert (found.kind, found.count, found.guess) == ("table", 3, "text")


def test_a_long_table_is_only_begun(tmp_path: Path) -> None:
    path = tmp_path / "long.csv"
    path.write_text("size,colour\n" + "1,red\n" * 100_000)
    found = glance(path)
    assert (found.count, found.whole) == (None, False)
    assert [column.name for column in found.columns] == ["size", "colour"]


def test_all_rows_of_a_file_that_is_small_are_counted(tmp_path: Path) -> None:
    path = tmp_path / "leaves.csv"
    path.write_text("size,colour\n" + "1,red\n" * 340)
    assert (glance(path).count, glance(path).whole) == (340, True)


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("nowhere.csv", None, "there is no file"),
        ("program.exe", b"MZ", "of no kind that likewise reads"),
        ("empty.csv", b"", "cannot be read as CSV"),
        ("zeros.csv", bytes(1000), "holds no text"),
        ("bad.parquet", b"PAR1", "cannot be read as Parquet"),
        ("folder", "folder", "there are no pictures"),
    ],
)
def test_what_is_no_pile_is_said_in_a_sentence(
    tmp_path: Path, name: str, content: bytes | str | None, said: str
) -> None:
    path = tmp_path / name
    if content == "folder":
        path.mkdir()
    elif isinstance(content, bytes):
        path.write_bytes(content)
    with pytest.raises(DataError, match=said):
        glance(path)
