"""Folders and files become items, whatever state they are in."""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from likewise import Items, load_items
from likewise.errors import DataError, LikewiseError, MissingExtra
from likewise.piles import Pile, read_pile
from pile_files import paint, paint_photos


def notes(pile: Pile) -> str:
    return "\n".join(pile.notes)


def written(path: Path, content: str | bytes) -> Path:
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


# -- pictures ----------------------------------------------------------------------------------


def test_pictures_are_found_below_a_folder_and_named_by_their_paths(tmp_path: Path) -> None:
    folder = paint_photos(tmp_path / "photos")
    written(folder / "notes.txt", "not a picture")
    written(folder / ".hidden.png", "")
    pile = read_pile(folder)
    assert pile.items.ids == ["a/0.png", "a/2.png", "a/4.png", "b/1.png", "b/3.png", "b/5.png"]
    assert pile.items.pictures is not None
    assert all(isinstance(path, Path) and path.is_file() for path in pile.items.pictures)
    assert pile.notes == ["1 file is no picture: notes.txt"]
    assert np.isfinite(pile.items.data).all()


@pytest.mark.parametrize("suffix", ["jpg", "jpeg", "png", "webp", "gif", "bmp", "tif", "tiff"])
def test_every_format_is_read(tmp_path: Path, suffix: str) -> None:
    for k in range(3):
        paint(tmp_path / f"{k}.{suffix.upper()}", k)
    assert len(load_items(tmp_path)) == 3


def test_pictures_of_one_shade_are_nearer_than_others(tmp_path: Path) -> None:
    for k in range(8):
        Image.new("RGB", (30, 30), (200, 30 + k, 30) if k % 2 else (30, 30 + k, 200)).save(
            tmp_path / f"{k}.png"
        )
    X = load_items(tmp_path).data
    apart = np.linalg.norm(X[:, None] - X[None], axis=2)
    alike = np.arange(8)[:, None] % 2 == np.arange(8) % 2
    assert apart[alike].max() < apart[~alike].min()


def test_odd_modes_are_pictures_too(tmp_path: Path) -> None:
    Image.new("RGBA", (20, 20), (255, 0, 0, 90)).save(tmp_path / "alpha.png")
    Image.new("P", (20, 20), 7).save(tmp_path / "palette.gif")
    Image.new("CMYK", (20, 20), (9, 80, 7, 0)).save(tmp_path / "cmyk.jpg")
    Image.new("1", (20, 20)).save(tmp_path / "bits.bmp")
    Image.new("RGB", (1, 1), "red").save(tmp_path / "dot.webp")
    Image.new("RGB", (900, 1), "blue").save(tmp_path / "line.png")
    sixteen = np.arange(400, dtype=np.uint16).reshape(20, 20) * 160
    Image.fromarray(sixteen).save(tmp_path / "sixteen.png")
    items = load_items(tmp_path)
    assert len(items) == 7
    assert np.isfinite(items.data).all()


def test_broken_and_huge_files_are_listed_and_skipped(tmp_path: Path) -> None:
    paint_photos(tmp_path)
    whole = paint(tmp_path / "whole.jpg", 9, (300, 300)).read_bytes()
    written(tmp_path / "cut.jpg", whole[: len(whole) // 3])
    written(tmp_path / "empty.png", b"")
    written(tmp_path / "page.png", "<html></html>")
    Image.new("1", (20_000, 20_000)).save(tmp_path / "huge.png")
    pile = read_pile(tmp_path)
    assert len(pile.items) == 7
    assert "4 pictures are left out" in notes(pile)
    for name in ("cut.jpg (damaged", "empty.png (not a picture", "page.png (not a picture"):
        assert name in notes(pile)
    assert "huge.png (too large" in notes(pile)


@pytest.mark.skipif(sys.platform == "win32", reason="links need rights there")
def test_links_do_not_lead_out_of_the_folder_nor_in_circles(tmp_path: Path) -> None:
    folder = paint_photos(tmp_path / "photos")
    outside = paint(tmp_path / "private.png", 9)
    (folder / "secret.png").symlink_to(outside)
    (folder / "loop").symlink_to(folder)
    (folder / "itself.png").symlink_to(folder / "itself.png")
    paint(folder / "c" / "inner.png", 7)
    (folder / "link.png").symlink_to(folder / "c" / "inner.png")
    pile = read_pile(folder)
    assert len(pile.items) == 7
    assert "links that lead out of the folder are left out: " in notes(pile)
    assert "secret.png" in notes(pile)
    assert sum(map(len, pile.items.copies.values())) == 1  # the inner link is a copy


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may read all")
def test_what_may_not_be_read_is_said(tmp_path: Path) -> None:
    paint_photos(tmp_path)
    (tmp_path / "a" / "0.png").chmod(0)
    (tmp_path / "b").chmod(0)
    try:
        pile = read_pile(tmp_path)
    finally:
        (tmp_path / "b").chmod(0o700)
    assert "no permission to look into" in notes(pile)
    assert "a/0.png (no permission" in notes(pile)


def test_pictures_that_look_the_same_count_as_one_on_request(tmp_path: Path) -> None:
    spots = np.random.default_rng(5).integers(0, 255, (8, 8, 3), dtype=np.uint8)
    smooth = Image.fromarray(spots).resize((96, 96), Image.Resampling.BICUBIC)
    smooth.save(tmp_path / "a.png")
    smooth.save(tmp_path / "b.jpg", quality=70)
    for k in range(3):
        paint(tmp_path / f"c{k}.png", k)
    assert len(load_items(tmp_path)) == 5
    near = load_items(tmp_path, near_duplicates=True)
    assert near.ids[0] == "a.png"
    assert near.copies == {0: ["b.jpg"]}


# -- copies ------------------------------------------------------------------------------------


def test_exact_copies_become_one_item_that_lists_them(tmp_path: Path) -> None:
    folder = paint_photos(tmp_path / "photos")
    (folder / "z.png").write_bytes((folder / "a" / "2.png").read_bytes())
    pile = read_pile(folder)
    assert pile.items.copies == {1: ["z.png"]}
    assert "1 picture is exactly equal to another" in notes(pile)
    apart = load_items(folder, collapse=False)
    assert (len(pile.items), len(apart), apart.copies) == (6, 7, {})


@given(st.lists(st.sampled_from(["red one", "green two", "blue", ""]), min_size=2, max_size=12))
@settings(max_examples=20)
def test_every_original_id_is_in_exactly_one_place(
    tmp_path_factory: pytest.TempPathFactory, texts: list[str]
) -> None:
    path = tmp_path_factory.mktemp("pile") / "t.csv"
    pd.DataFrame({"text": texts, "n": 1}).to_csv(path, index=False)
    if len(set(texts)) < 2:
        with pytest.raises(DataError, match="are equal; grouping needs at least 2"):
            load_items(path, text="text", model="tf-idf")
        return
    items = load_items(path, text="text", model="tf-idf")
    listed = [*items.ids, *(name for names in items.copies.values() for name in names)]
    assert sorted(listed, key=int) == [str(k) for k in range(len(texts))]
    assert items.texts is not None
    assert len(set(items.texts)) == len(items.texts)
    for k, names in items.copies.items():
        assert all(texts[int(name)] == items.texts[k] for name in names)


# -- tables ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("\ufeffname,size\nä,1\nö,2\n".encode(), ""),
        ("name,size\nä,1\nö,2\n".encode("utf-16"), "read as UTF-16"),
        ("name,size\näbc,1\nödef,2\n".encode("utf-16-le"), "read as UTF-16"),
        ("name,size\nä,1\nö,2\n".encode("latin-1"), "read as LATIN-1"),
        ("name;size\nä;1\nö;2\n".encode(), ""),
        ("name\tsize\nä\t1\nö\t2\n".encode(), ""),
        ("name,size\nä\0,1\nö,2\n".encode(), "1 NUL byte in t.csv left out"),
        ("name,size\nä,1\nx,1,2\nö,2\n".encode(), "1 line has more fields .* left out: 3"),
    ],
)
def test_tables_are_read_however_they_were_saved(tmp_path: Path, content: bytes, said: str) -> None:
    pile = read_pile(written(tmp_path / "t.csv", content))
    assert pile.items.rows is not None
    assert [row["name"][0] for row in pile.items.rows] == ["ä", "ö"]
    assert pile.compared_by == "name, size"
    if said:
        assert re.search(said, notes(pile))
    else:
        assert pile.notes == []


def test_gaps_become_the_median_and_are_told(tmp_path: Path) -> None:
    path = written(tmp_path / "t.csv", "a,b\n1,2\n,3\n5,9\ninf,7\n3,3\n")
    pile = read_pile(path)
    assert "gaps in column a are filled with the median" in notes(pile)
    # By the formula: the median in place of gaps, a column that says where, unit variance in all.
    a = np.array([1, 3, 5, 3, 3.0])
    gaps = np.array([0, 1, 0, 1, 0]) * np.std([1, 5, 3])
    block = np.column_stack([a, gaps])
    block = (block - block.mean(0)) / np.sqrt(block.var(0).sum())
    np.testing.assert_allclose(pile.items.data[:, :2], block)
    np.testing.assert_array_equal(Items.of(pd.read_csv(path)).data, pile.items.data)


def test_parquet_and_json_lines_are_tables_like_any_other(tmp_path: Path) -> None:
    table = pd.DataFrame({"id": ["x", "y", "z"], "n": [1, 2, 4], "kind": ["a", "b", "a"]})
    table.to_parquet(tmp_path / "t.parquet")
    table.to_json(tmp_path / "t.jsonl", orient="records", lines=True)
    table.to_json(tmp_path / "t.json", orient="records")
    table.to_csv(tmp_path / "t.csv", index=False)
    piles = [load_items(tmp_path / f"t.{end}") for end in ("csv", "parquet", "jsonl", "json")]
    assert len({pile.fingerprint() for pile in piles}) == 1
    assert all(pile.ids == ["x", "y", "z"] for pile in piles)


def test_cells_may_hold_lists_objects_and_mixed_types(tmp_path: Path) -> None:
    lines = '{"a": [1, 2], "b": 1}\n{"a": {"c": 3}, "b": "x"}\n{"a": null, "b": 2.5}\n'
    items = load_items(written(tmp_path / "t.jsonl", lines))
    assert len(items) == 3
    assert np.isfinite(items.data).all()
    mixed = load_items(written(tmp_path / "m.csv", "a,b\n1,x\ny,2\n2020-01-01,\n3.5,True\n"))
    assert np.isfinite(mixed.data).all()


def test_many_columns_are_no_trouble(tmp_path: Path) -> None:
    n = 5000
    rows = [",".join(f"c{k}" for k in range(n))]
    rows += [",".join(str((k * r) % 7) for k in range(n)) for r in range(1, 5)]
    items = load_items(written(tmp_path / "t.csv", "\n".join(rows)))
    assert items.data.shape == (4, n)


def test_rows_are_made_when_somebody_looks(tmp_path: Path) -> None:
    lines = ["a,b", *(f"{k},x{k}" for k in range(9))]
    items = load_items(written(tmp_path / "t.csv", "\n".join(lines)))
    assert items.rows is not None
    assert not isinstance(items.rows, list)
    assert dict(items.rows[3]) == {"a": 3, "b": "x3"}
    assert [row["a"] for row in items.rows[7:]] == [7, 8]
    with pytest.raises(IndexError):
        items.rows[9]


# -- texts -------------------------------------------------------------------------------------


def test_lines_are_texts_named_by_their_numbers(tmp_path: Path) -> None:
    content = "<b>bold</b> words\n\n\x1b[31mred\n   \nplain words\r\n"
    pile = read_pile(written(tmp_path / "t.txt", content))
    assert pile.items.ids == ["1", "3", "5"]
    assert pile.items.texts == ["<b>bold</b> words", "\x1b[31mred", "plain words"]
    assert pile.names() == ["line 1", "line 3", "line 5"]


@pytest.mark.parametrize("model", [None, "wordllama", "tf-idf"])
def test_texts_of_one_kind_are_nearer_than_texts_of_another(
    tmp_path: Path, model: str | None
) -> None:
    fruit = ["a ripe apple pie", "apple and pear", "a pear pie", "ripe pear and apple"]
    cars = ["the car engine", "engine of a truck", "truck and car", "a car with an engine"]
    X = load_items(written(tmp_path / "t.txt", "\n".join(fruit + cars)), model=model).data
    apart = np.linalg.norm(X[:, None] - X[None], axis=2)
    alike = np.arange(8)[:, None] // 4 == np.arange(8) // 4
    off = ~np.eye(8, dtype=bool)
    assert apart[alike & off].mean() < apart[~alike].mean()


def test_texts_without_words_have_features_all_the_same(tmp_path: Path) -> None:
    path = written(tmp_path / "t.csv", 'text,n\n"",1\n"...",2\n"日本語",3\n"two words",4\n')
    for model in (None, "tf-idf"):
        assert np.isfinite(load_items(path, text="text", model=model).data).all()


def test_a_column_of_texts_or_pictures_is_guessed_aloud(tmp_path: Path) -> None:
    path = written(tmp_path / "t.csv", "text,label\na red car,x\na blue car,y\nno car at all,x\n")
    pile = read_pile(path)
    assert (pile.noun, pile.compared_by) == ("text", "the texts in text")
    assert (
        "rows are compared by column 'text'; the other columns count as far as answers show"
        in notes(pile)
    )
    assert read_pile(path, drop=["text"], collapse=False).noun == "row"
    paint_photos(tmp_path)
    table = written(tmp_path / "p.csv", "file,n\na/0.png,1\nb/1.png,2\nmissing.png,3\na/2.png,4\n")
    pictures = read_pile(table)
    assert (pictures.noun, len(pictures.items)) == ("picture", 3)
    assert "2 (there is no such file)" in notes(pictures)


# -- vectors and features of one's own ---------------------------------------------------------


def test_vectors_are_read_with_their_ids(tmp_path: Path) -> None:
    X = np.random.default_rng(0).normal(size=(5, 3))
    np.save(tmp_path / "x.npy", X)
    np.savez(tmp_path / "x.npz", other=np.arange(4), embeddings=X, ids=list("abcde"))
    np.testing.assert_array_equal(load_items(tmp_path / "x.npy").data, Items.of(X).data)
    named = load_items(tmp_path / "x.npz")
    assert named.ids == list("abcde")
    np.testing.assert_array_equal(named.data, Items.of(X).data)


def test_own_features_are_matched_by_id_or_by_order(tmp_path: Path) -> None:
    folder = paint_photos(tmp_path / "photos")
    ids = load_items(folder).ids
    X = np.random.default_rng(0).normal(size=(6, 3))
    np.save(tmp_path / "x.npy", X)
    np.savez(tmp_path / "x.npz", X=X[::-1], ids=ids[::-1])
    in_order = load_items(folder, features=tmp_path / "x.npy")
    by_id = load_items(folder, features=tmp_path / "x.npz")
    np.testing.assert_allclose(in_order.data, Items.of(X).data)
    np.testing.assert_allclose(by_id.data, in_order.data)
    assert by_id.fingerprint() == load_items(folder).fingerprint()  # still the same pictures


def test_the_content_decides_whether_it_is_the_same_pile(tmp_path: Path) -> None:
    folder = paint_photos(tmp_path / "photos")
    before = load_items(folder).fingerprint()
    assert load_items(folder).fingerprint() == before
    paint(folder / "a" / "0.png", 99)
    assert load_items(folder).fingerprint() != before


# -- what cannot be read -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "content", "options", "said"),
    [
        ("t.txt", "\n\n", {}, "t.txt is empty; it needs a line per item"),
        ("t.txt", "only one\n", {}, "at least 2 items but got 1"),
        ("t.txt", "a\nb\n", {"drop": ["x"]}, "has no columns to choose from"),
        ("t.csv", "a,b\n1,2\n1,2\n1,2\n", {}, "all 3 rows of .*t.csv are equal"),
        ("t.csv", "a,b\n1,2\n3,4\n", {"text": "c"}, "no column 'c'; its columns are a, b"),
        ("t.csv", "a,b\n1,2\n3,4\n", {"text": "a", "image": "b"}, "give one of them"),
        ("t.csv", "a,b\n1,2\n3,4\n", {"model": "m"}, "a model needs texts or pictures"),
        ("t.csv", "a,b\n1,2\n3,4\n", {"near_duplicates": True}, "only pictures"),
        ("t.jsonl", '{"a": 1}\n{"a":\n', {}, "t.jsonl, line 2, is not JSON"),
        ("t.jsonl", "1\n2\n", {}, "needs one object per line"),
        ("t.parquet", "PAR1", {}, "cannot be read as Parquet"),
        ("t.npy", "junk", {}, "cannot be read as an array"),
        ("t.xyz", "a,b\n1,2\n", {}, "of no kind that likewise reads"),
    ],
)
def test_a_pile_that_cannot_be_used_is_refused_with_a_sentence(
    tmp_path: Path, name: str, content: str, options: dict[str, object], said: str
) -> None:
    with pytest.raises(DataError, match=said):
        load_items(written(tmp_path / name, content), **options)  # type: ignore[arg-type]


def test_a_folder_without_pictures_says_what_it_looks_for(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"there are no pictures in .*; likewise reads jpg"):
        load_items(tmp_path)
    paint(tmp_path / "a.png", 0)
    with pytest.raises(DataError, match="at least 2 items but got 1"):
        load_items(tmp_path)


def test_a_model_that_is_not_there_is_explained(tmp_path: Path) -> None:
    for pile in ("t.txt", "photos"):
        path = tmp_path / pile
        if pile == "photos":
            paint_photos(path)
        else:
            written(path, "one\ntwo\n")
        with pytest.raises(LikewiseError, match=r"needs|cannot be loaded") as refused:
            load_items(path, model="no-such-model")
        assert isinstance(refused.value, MissingExtra | DataError)


def _picture_table(folder: Path, *cells: str) -> Path:
    folder.mkdir(exist_ok=True)
    table = folder / "t.csv"
    table.write_text("\n".join(["file", *cells]) + "\n")
    return table


@pytest.mark.parametrize("kind", ["dots", "absolute", "link"])
def test_a_column_of_pictures_stays_in_the_folder_unless_allowed(tmp_path: Path, kind: str) -> None:
    folder = tmp_path / "pile"
    folder.mkdir()
    for k, place in enumerate((folder, folder, tmp_path)):
        Image.new("RGB", (20, 20), (90 * k, 9, 9)).save(place / f"{k}.png")
    outside = {"dots": "../2.png", "absolute": str(tmp_path / "2.png"), "link": "linked.png"}[kind]
    (folder / "linked.png").symlink_to(tmp_path / "2.png")
    table = _picture_table(folder, "0.png", "1.png", outside)
    with pytest.raises(DataError, match=r"names 1 file outside.*--images-anywhere"):
        load_items(table)
    with pytest.raises(DataError, match="--images-anywhere"):
        load_items(table, image="file")
    assert len(load_items(table, image="file", images_anywhere=True)) == 3


def test_a_pipe_among_pictures_is_left_out_and_not_waited_for(tmp_path: Path) -> None:
    for k in range(2):
        Image.new("RGB", (20, 20), (90 * k, 9, 9)).save(tmp_path / f"{k}.png")
    os.mkfifo(tmp_path / "2.png")
    pile = read_pile(_picture_table(tmp_path, "0.png", "1.png", "2.png"), image="file")
    assert len(pile.items) == 2
    assert "(it is a pipe or a device, not a file)" in " ".join(pile.notes)


def test_an_address_is_read_through_representatives_and_not_repeated() -> None:
    with pytest.raises(DataError, match="representatives=") as caught:
        load_items("s3://ada:secret@bucket/rows.parquet")
    assert "secret" not in str(caught.value)
