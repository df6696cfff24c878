"""Pictures are decoded within limits of number, memory and time, and only from files."""

from __future__ import annotations

import os
import socket
import struct
import threading
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from likewise.features import cache, decoding, models
from likewise.features.decoding import TooLarge, Unreadable, decode
from likewise.features.images import open_picture


def claim(path: Path, width: int, height: int) -> Path:
    """A PNG of a few bytes that claims to be of this size."""

    def chunk(kind: bytes, content: bytes) -> bytes:
        return (
            struct.pack(">I", len(content))
            + kind
            + content
            + struct.pack(">I", zlib.crc32(kind + content))
        )

    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    data = zlib.compress(b"\0" * 100)
    path.write_bytes(
        b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", data) + chunk(b"IEND", b"")
    )
    return path


def save(path: Path, size: tuple[int, int], mode: str = "RGB", **options: object) -> Path:
    Image.new(mode, size).save(path, **options)  # type: ignore[arg-type]
    return path


def test_a_header_that_claims_more_than_the_memory_is_refused_undecoded(tmp_path: Path) -> None:
    bomb = claim(tmp_path / "bomb.png", 12_000, 12_000)
    with pytest.raises(TooLarge, match="too large, 12000 × 12000 pixels"):
        decode(bomb, 64)


def test_the_memory_is_the_users_to_set(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    large = save(tmp_path / "a.png", (1000, 1000))
    assert decode(large, 64).size == (64, 64)
    monkeypatch.setenv("LIKEWISE_PICTURE_MEMORY", "1")
    with pytest.raises(TooLarge):
        decode(large, 64)
    monkeypatch.setenv("LIKEWISE_PICTURE_MEMORY", "much")
    assert decode(large, 64).size == (64, 64)


def test_a_jpeg_counts_as_it_is_decoded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LIKEWISE_PICTURE_MEMORY", "1")
    assert decode(save(tmp_path / "a.jpg", (1600, 1600)), 64).size == (64, 64)
    progressive = save(tmp_path / "p.jpg", (1600, 1600), progressive=True)
    with pytest.raises(TooLarge):  # which keeps all its coefficients, whatever the scale
        decode(progressive, 64)


@pytest.mark.parametrize(("mode", "suffix"), [("RGBA", "png"), ("RGB", "webp"), ("I;16", "png")])
def test_what_takes_more_memory_than_its_pixels_counts_more(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, mode: str, suffix: str
) -> None:
    needed = decoding._bytes_needed
    counted: list[int] = []

    def count(image: Image.Image, whole: tuple[int, int]) -> int:
        counted.append(needed(image, whole))
        return counted[-1]

    monkeypatch.setattr(decoding, "_bytes_needed", count)
    open_picture(save(tmp_path / f"a.{suffix}", (300, 200), mode), 64)
    assert counted[0] > 300 * 200 * 4


def test_forty_at_once_wait_for_one_another(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LIKEWISE_PICTURE_MEMORY", "3")
    path = save(tmp_path / "a.png", (500, 500))  # a megabyte each
    reduced = decoding._reduced
    most: list[tuple[int, int]] = []

    def seen(image: Image.Image, side: int) -> Image.Image:
        most.append((decoding._running, decoding._spent))
        return reduced(image, side)

    monkeypatch.setattr(decoding, "_reduced", seen)
    threads = [threading.Thread(target=decode, args=(path, 64)) for _ in range(40)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(most) == 40
    assert max(running for running, _ in most) <= decoding.AT_ONCE
    assert max(spent for _, spent in most) <= 3 * 2**20
    assert (decoding._running, decoding._spent) == (0, 0)


def test_decoding_that_takes_too_long_is_given_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = save(tmp_path / "a.jpg", (100, 100))
    monkeypatch.setattr(decoding, "_SECONDS", -1.0)
    with pytest.raises(Unreadable, match="takes too long"):
        decode(path, 64)
    assert decoding._running == 0


def fifo(path: Path) -> None:
    os.mkfifo(path)


def bound_socket(path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(path))


def device(path: Path) -> None:
    path.symlink_to("/dev/zero")


@pytest.mark.parametrize("make", [fifo, bound_socket, device])
def test_what_is_no_file_is_refused_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, make: Callable[[Path], None]
) -> None:
    monkeypatch.chdir(tmp_path)  # the path of a socket must be short
    path = Path("a.png")
    make(path)
    with pytest.raises(Unreadable):
        decode(path, 64)
    assert cache.file_digests([path]) == {}


def test_large_pictures_among_many_are_decoded_one_by_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LIKEWISE_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(os, "cpu_count", lambda: 2)
    paths = [save(tmp_path / f"{k}.png", (40 + k, 50)) for k in range(3)]
    paths.append(save(tmp_path / "large.png", (4000, 3500), "RGB"))
    paths.append(claim(tmp_path / "bomb.png", 50_000, 50_000))
    without_limit: list[tuple[Path, bool]] = []

    def watched(path: Path, side: int, *, most: int | None = None) -> Any:
        if most is None:
            without_limit.append((path, threading.current_thread() is threading.main_thread()))
        return open_picture(path, side, most=most)

    monkeypatch.setattr(models, "open_picture", watched)
    read, features = models.embed_pictures(
        "edges-texture-colour", paths, [bytes([k]) for k in range(5)]
    )
    assert read == [0, 1, 2, 3]
    assert len(features.whole) == 4
    assert without_limit == [(paths[3], True), (paths[4], True)]
