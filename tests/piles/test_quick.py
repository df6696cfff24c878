"""Quick features first: questions start on them, and answers carry over to the good ones."""

from __future__ import annotations

import time
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from likewise.features import models
from likewise.features.cache import file_digests
from likewise.piles import begin_study, picture_files, read_pile, resume_study
from likewise.piles.ahead import ReadingAhead, read_ahead


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Eight pictures that nobody has seen, and a computer on which that is many."""
    monkeypatch.setenv("LIKEWISE_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(picture_files, "_WORTH_IT", 4)
    rng = np.random.default_rng(0)
    photos = tmp_path / "photos"
    photos.mkdir()
    for k in range(8):
        pixels = rng.integers(0, 90, (40, 40, 3), dtype=np.uint8) + np.uint8(160 * (k % 2))
        Image.fromarray(pixels).save(photos / f"{k}.png")
    return photos


def test_questions_start_on_quick_features_and_answers_carry_over(
    folder: Path, tmp_path: Path
) -> None:
    quick = read_pile(folder, quick=True)
    assert quick.is_quick
    (said,) = quick.notes
    assert said == "edges, texture and colour count for now; what is on 8 of them comes later"
    with begin_study(quick, tmp_path / "study.db") as study:
        question = study.ask()
        assert question is not None
        pair = question.pair
        study.tell(pair, "same")
    good = read_pile(folder)
    assert not good.is_quick
    assert good.items.features is not None
    assert quick.items.features is not None
    assert not np.array_equal(good.items.features, quick.items.features)
    again, _ = resume_study(good, tmp_path / "study.db")
    with again:
        assert [answer.pair for answer in again.answers] == [pair]
        assert again.items.fingerprint() == quick.items.fingerprint()
    # What is in the cache is not waited for.
    assert not read_pile(folder, quick=True).is_quick


def test_a_model_that_was_asked_for_and_few_pictures_are_never_replaced(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert not read_pile(folder, quick=True, model="edges-texture-colour").is_quick
    monkeypatch.setattr(picture_files, "_WORTH_IT", 9)
    assert not read_pile(folder, quick=True).is_quick


def test_reading_ahead_leaves_features_in_the_cache(folder: Path) -> None:
    read_ahead(folder, model=models.QUICK_PICTURES)
    known = list(file_digests(sorted(folder.iterdir())).values())
    assert models.n_missing(models.QUICK_PICTURES, known) == 0
    assert models.n_missing(models.PICTURES, known) == len(known)


def test_the_process_ends_when_it_is_done(folder: Path) -> None:
    reading = ReadingAhead(folder / "absent", nice=0)  # what cannot be read is soon done
    try:
        deadline = time.monotonic() + 100
        while not reading.is_done():
            assert time.monotonic() < deadline
            time.sleep(0.05)
    finally:
        reading.stop()


def test_it_can_be_stopped_at_any_time(folder: Path) -> None:
    reading = ReadingAhead(folder)
    reading.stop()
    assert reading.is_done()
    reading.stop()
