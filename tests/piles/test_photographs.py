"""Photographs as they come from phones and cameras, and what lies between them."""

from __future__ import annotations

import io
import shutil
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

import raw_files
from likewise.errors import DataError
from likewise.features import decoding
from likewise.features.decoding import Unreadable
from likewise.features.images import open_picture
from likewise.features.pictures.raw_previews import raw_preview
from likewise.piles import read_pile
from likewise.piles.other_files import about_other_files
from likewise.views.thumbnails import Thumbnails

HEIC = Path(__file__).with_name("turned.heic")  # 64 × 32, red upper left, to be turned clockwise


def is_red(colour: object) -> bool:
    red, green, blue = np.asarray(colour)[:3]
    return bool(red > 180 and green < 100 and blue < 100)


def test_a_photograph_of_a_phone_is_read_and_shown_upright(tmp_path: Path) -> None:
    shutil.copy(HEIC, tmp_path / "IMG_1.HEIC")
    upright = open_picture(HEIC, 64)
    assert upright.size == (32, 64)
    assert is_red(upright.getpixel((28, 4)))
    Image.new("RGB", (60, 60), "blue").save(tmp_path / "b.jpg")
    pile = read_pile(tmp_path, model="edges-texture-colour")
    assert pile.items.ids == ["IMG_1.HEIC", "b.jpg"]
    content, kind = Thumbnails(pile.items).picture(0, 64)
    (tmp_path / "shown").write_bytes(content)
    with Image.open(tmp_path / "shown") as shown:
        assert (shown.size, kind) == ((32, 64), "image/jpeg")
        assert is_red(shown.getpixel((28, 4)))
        assert not shown.getexif()  # where and when it was taken is nobody's business


def test_a_torn_one_and_one_too_large_are_refused(tmp_path: Path) -> None:
    torn = tmp_path / "torn.heic"
    torn.write_bytes(HEIC.read_bytes()[:400])
    with pytest.raises(Unreadable):
        open_picture(torn, 64)
    with pytest.raises(Unreadable, match=r"too large, 64 × 32|too large, 32 × 64"):
        open_picture(HEIC, 64, most=100)


def test_without_its_reader_the_file_is_named_with_the_command(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "pi_heif", None)
    decoding._formats.cache_clear()
    try:
        with pytest.raises(Unreadable, match=r"likewise\[images\]"):
            open_picture(HEIC, 64)
    finally:
        decoding._formats.cache_clear()


def test_what_is_no_picture_is_named_and_counted(tmp_path: Path) -> None:
    for k, name in enumerate(("IMG_1.jpg", "DSC_2.jpg")):
        Image.new("RGB", (60, 60), ("blue", "red")[k]).save(tmp_path / name)
    for name in ("img_1.MOV", "beach.mp4", "DSC_2.CR3", "DSC_3.cr3", "notes.txt", ".DS_Store"):
        (tmp_path / name).write_bytes(b"...")
    said = read_pile(tmp_path, model="edges-texture-colour").notes
    assert said == [
        "1 movie is part of a live photograph and left out: img_1.MOV",
        "1 movie is left out, since movies are not read: beach.mp4",
        "1 raw file is left out for the picture of the same name: DSC_2.CR3",
        "1 raw file of a camera is not read (export JPEG from them): DSC_3.cr3",
        "1 file is no picture: notes.txt",
    ]
    for name in ("IMG_1.jpg", "DSC_2.jpg"):
        (tmp_path / name).unlink()
    with pytest.raises(DataError, match=r"no pictures in .*DSC_2.CR3.*likewise reads jpg.*heic"):
        read_pile(tmp_path)


def test_many_are_counted_and_some_of_them_named() -> None:
    (said,) = about_other_files([f"{k}.mov" for k in range(9)], [])
    assert said.startswith("9 movies are left out")
    assert said.endswith("0.mov, 1.mov, 2.mov, 3.mov, 4.mov and 4 more")


def two_halves() -> Image.Image:
    """A picture whose left half is red and whose right half is blue."""
    image = Image.new("RGB", (64, 32), "blue")
    image.paste("red", (0, 0, 32, 32))
    return image


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a.NEF", raw_files.tiff_like(raw_files.jpeg_of(two_halves()))),
        ("a.dng", raw_files.tiff_like(raw_files.jpeg_of(two_halves()), order=">")),
        ("a.orf", raw_files.tiff_like(raw_files.jpeg_of(two_halves()), magic=0x4F52)),
        ("a.raf", raw_files.fuji(raw_files.jpeg_of(two_halves()))),
        ("a.rw2", raw_files.panasonic(raw_files.jpeg_of(two_halves()))),
    ],
)
def test_a_raw_file_is_shown_by_its_preview(tmp_path: Path, name: str, content: bytes) -> None:
    (tmp_path / name).write_bytes(content)
    shown = open_picture(tmp_path / name, 64)
    turned = name in ("a.NEF", "a.dng", "a.orf")  # as the directory says, clockwise
    assert shown.size == ((32, 64) if turned else (64, 32))
    assert is_red(shown.getpixel((4, 4)))
    assert not is_red(shown.getpixel((28, 60) if turned else (60, 28)))
    Image.new("RGB", (60, 60), "green").save(tmp_path / "b.jpg")
    pile = read_pile(tmp_path, model="edges-texture-colour")
    assert (pile.items.ids, pile.notes) == ([name, "b.jpg"], [])


@given(st.data())
def test_no_damaged_raw_file_does_worse_than_being_named(data: st.DataObject) -> None:
    whole = bytearray(raw_files.tiff_like(raw_files.jpeg_of(two_halves())))
    for _ in range(data.draw(st.integers(1, 8))):
        whole[data.draw(st.integers(0, 140))] = data.draw(st.integers(0, 255))
    cut = data.draw(st.integers(0, len(whole)))
    found = raw_preview(io.BytesIO(bytes(whole[:cut])))
    assert found is None or found.jpeg.startswith(b"\xff\xd8")


def test_a_raw_file_without_a_preview_is_named_with_the_reason(tmp_path: Path) -> None:
    for k, colour in enumerate(("blue", "red")):
        Image.new("RGB", (60, 60), colour).save(tmp_path / f"{k}.jpg")
    (tmp_path / "DSC_9.nef").write_bytes(b"II*\0" + bytes(40))
    (said,) = read_pile(tmp_path, model="edges-texture-colour").notes
    assert said.startswith("1 picture is left out: DSC_9.nef (a raw file without a preview")
