"""When, where and with what photographs were taken."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from likewise import load_items
from likewise.features.pictures.taken import Taken, read_taken, taken_views


def photograph(path: Path, seed: int = 0, **tags: Any) -> Path:
    """Save a small picture with what a camera writes."""
    pixels = np.random.default_rng(seed).integers(0, 255, (24, 24, 3), dtype=np.uint8)
    exif = Image.Exif()
    if "time" in tags:
        exif.get_ifd(0x8769)[0x9003] = tags["time"]
    if "place" in tags:
        north, east = tags["place"]
        exif.get_ifd(0x8825).update(
            {
                1: "N" if north >= 0 else "S",
                2: (abs(north), 0.0, 0.0),
                3: "E" if east >= 0 else "W",
                4: (abs(east), 0.0, 0.0),
            }
        )
    if "camera" in tags:
        exif[0x010F], exif[0x0110] = tags["camera"].split(" ")
    Image.fromarray(pixels).save(path, exif=exif)
    return path


def test_what_a_camera_wrote_is_read(tmp_path: Path) -> None:
    file = photograph(
        tmp_path / "a.jpg", time="2024:05:01 12:00:30", place=(-33.5, 151.25), camera="Acme One"
    )
    found = read_taken(file)
    assert found.seconds == 1714564830.0
    assert found.place == pytest.approx((-33.5, 151.25))
    assert found.camera == "Acme One"


@pytest.mark.parametrize(
    "tags",
    [
        {"time": "0000:00:00 00:00:00"},
        {"time": "yesterday"},
        {"place": (0.0, 0.0)},
        {"place": (91.0, 5.0)},
        {},
    ],
)
def test_what_is_absurd_counts_as_not_there(tags: dict[str, Any], tmp_path: Path) -> None:
    assert read_taken(photograph(tmp_path / "a.jpg", **tags)) == Taken()


def test_files_that_are_no_pictures_say_nothing(tmp_path: Path) -> None:
    (tmp_path / "a.jpg").write_bytes(b"\xff\xd8\xff\xe1\x00\x20Exif\x00\x00broken")
    assert read_taken(tmp_path / "a.jpg") == read_taken(tmp_path / "not-there.jpg") == Taken()


def test_pauses_count_by_their_logarithm(tmp_path: Path) -> None:
    times = ["01 10:00:00", "01 10:00:20", "03 10:00:00", "30 10:00:00"]
    files = [
        photograph(tmp_path / f"{k}.jpg", time=f"2024:01:{time}") for k, time in enumerate(times)
    ]
    (only,) = taken_views(files).values()
    gaps = np.diff(only[:, 0])
    assert gaps[0] < 0.1 * gaps[1]  # a burst
    assert gaps[1] < gaps[2] < 2 * gaps[1]  # two days and four weeks are both a pause


def test_a_view_needs_a_quarter_that_say_it_and_two_that_differ(tmp_path: Path) -> None:
    files = [
        photograph(tmp_path / "0.jpg", camera="Acme One", time="2024:01:01 00:00:00"),
        photograph(tmp_path / "1.jpg", camera="Acme One", time="2024:01:02 00:00:00"),
        *(photograph(tmp_path / f"{k}.jpg") for k in range(2, 8)),
    ]
    assert list(taken_views(files)) == ["time"]  # one camera tells nothing apart
    more = [*files, photograph(tmp_path / "8.jpg")]
    assert taken_views(more) == {}


def test_photographs_that_do_not_say_it_lie_aside_together(tmp_path: Path) -> None:
    days = (1, 2, 9, 10)
    files = [
        *(photograph(tmp_path / f"{d}.jpg", time=f"2024:01:{d:02d} 00:00:00") for d in days),
        *(photograph(tmp_path / f"x{k}.jpg") for k in range(2)),
    ]
    view = taken_views(files)["time"]
    apart = np.linalg.norm(view[:, None] - view[None], axis=2)
    assert apart[4, 5] == 0.0
    assert apart[:4, 4].min() > apart[:4, :4].max() / 2


def test_a_folder_of_photographs_has_their_views(tmp_path: Path) -> None:
    folder = tmp_path / "photos"
    folder.mkdir()
    for k in range(6):
        photograph(folder / f"{k}.jpg", k, time=f"2024:01:{k + 1:02d} 00:00:00", place=(k, 2 * k))
    pile = load_items(folder, model="edges-texture-colour")
    assert pile.views is not None
    assert list(pile.views.blocks) == ["edges", "texture", "colour", "time", "place"]
    by_time = pile.switched(["edges", "texture", "colour", "place"])
    assert by_time.features is pile.views.blocks["time"]
    named = load_items(folder, model="mobilenet")
    assert named.views is not None
    assert list(named.views.blocks) == ["looks", "time", "place"]
