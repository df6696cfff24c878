"""That a pile shows faces is said, where a package is there that can tell."""

from __future__ import annotations

from pathlib import Path

import pytest
from PIL import Image
from skimage import data

from likewise.features.faces import hint
from likewise.piles import read_pile

pytest.importorskip("dlib")


def folder(path: Path, *, portraits: int, coins: int) -> Path:
    path.mkdir()
    drawn = (data.astronaut(), data.coins())  # type: ignore[no-untyped-call]
    portrait, coin = map(Image.fromarray, drawn)
    for k in range(portraits):
        portrait.resize((400 + k, 400 + k)).save(path / f"portrait-{k}.png")
    for k in range(coins):
        coin.resize((400 + k, 400 + k)).save(path / f"coin-{k}.png")
    return path


def test_a_pile_of_portraits_is_told_of_faces(tmp_path: Path) -> None:
    notes = read_pile(
        folder(tmp_path / "a", portraits=3, coins=1), model="edges-texture-colour"
    ).notes
    assert "3 of 4 pictures that were looked at show a face; --faces groups people" in notes


def test_a_few_faces_are_not_worth_a_word(tmp_path: Path) -> None:
    path = folder(tmp_path / "a", portraits=1, coins=3)
    assert hint.about_faces(sorted(path.iterdir())) == []


def test_without_dlib_nothing_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hint, "find_spec", lambda name: None)
    path = folder(tmp_path / "a", portraits=2, coins=0)
    assert hint.about_faces(sorted(path.iterdir())) == []


def test_what_cannot_be_read_is_passed_over(tmp_path: Path) -> None:
    path = folder(tmp_path / "a", portraits=2, coins=0)
    (path / "broken.png").write_bytes(b"none")
    (found,) = hint.about_faces(sorted(path.iterdir()))
    assert found.startswith("2 of 2 pictures")
