"""A sample is read first: questions start on it, and the others join as they are read."""

from __future__ import annotations

import time
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from likewise.features import models
from likewise.features.cache import file_digests
from likewise.piles import begin_study, picture_files, read_pile, resume_study, text_files
from likewise.piles.ahead import ReadingAhead, ReadingCount, read_ahead
from likewise.piles.first_reading import FirstReading
from likewise.piles.load import compute_ahead


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A computer that knows nothing yet, and on which few items take long."""
    monkeypatch.setenv("LIKEWISE_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(picture_files, "_ENOUGH", 3)
    monkeypatch.setattr(text_files, "_ENOUGH", 3)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Eight pictures that nobody has seen."""
    rng = np.random.default_rng(0)
    photos = tmp_path / "photos"
    photos.mkdir()
    for k in range(8):
        pixels = rng.integers(0, 90, (40, 40, 3), dtype=np.uint8) + np.uint8(160 * (k % 2))
        Image.fromarray(pixels).save(photos / f"{k}.png")
    return photos


@pytest.fixture
def lines(tmp_path: Path) -> Path:
    path = tmp_path / "lines.txt"
    path.write_text("".join(f"{'cats' if k % 2 else 'ships'} number {k}\n" for k in range(12)))
    return path


@pytest.mark.parametrize("pile", ["folder", "lines"])
def test_questions_start_on_a_sample_and_its_items_keep_their_numbers(
    pile: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    path: Path = request.getfixturevalue(pile)
    first = read_pile(path, quick=True)
    n = len(read_pile(path).items.ids) if pile == "folder" else 12
    assert (len(first.items), first.n_later) == (3, n - 3)
    assert first.notes[-1] == f"{n - 3} more join as they are read"
    with begin_study(first, tmp_path / "study.db") as study:
        question = study.ask()
        assert question is not None
        asked = [study.items.ids[k] for k in question.pair]
        study.tell(question, "same")
    whole = read_pile(path)
    assert whole.n_later == 0
    again, aligned = resume_study(whole, tmp_path / "study.db")
    with again:
        assert len(again.items) == n
        assert again.items.continues(first.items)
        assert [again.items.ids[k] for k in again.answers[0].pair] == asked
        assert not aligned.altered
    # What was computed is not waited for.
    assert read_pile(path, quick=True).n_later == 0


def test_what_a_study_knows_is_read_whatever_the_cache_has_lost(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = read_pile(folder, quick=True)
    known = dict(zip(first.items.ids, (one.hex() for one in first.digests), strict=True))
    name = first.items.ids[0]
    (folder / name).rename(folder / "renamed.png")
    monkeypatch.setenv("LIKEWISE_CACHE", str(tmp_path / "another"))
    again = read_pile(folder, quick=True, known=known)
    assert {*first.digests} <= {*again.digests}
    assert "renamed.png" in again.items.ids


def test_a_copy_that_joins_may_rename_an_item_but_not_renumber_it(folder: Path) -> None:
    first = read_pile(folder, quick=True)
    name = first.items.ids[0]
    (folder / "+.png").write_bytes((folder / name).read_bytes())
    found = read_pile(folder)
    order = [found.digests.index(one) for one in first.digests]
    assert found.items.ids[order[0]] == "+.png"
    assert found.items.take(np.array(order)).continues(first.items)
    assert not found.items.take(np.array(order[::-1])).continues(first.items)
    assert not found.items.take(np.array(order[:2])).continues(first.items)


def test_a_model_that_sends_items_away_and_few_items_are_read_at_once(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert read_pile(folder, quick=True, model="edges-texture-colour").n_later == 5
    own = models.picture_model("edges-texture-colour")
    assert read_pile(folder, quick=True, model=own).n_later == 0
    monkeypatch.setattr(picture_files, "_ENOUGH", 4)
    assert read_pile(folder, quick=True).n_later == 0


@given(
    n=st.integers(0, 60),
    enough=st.integers(1, 20),
    computed=st.sets(st.integers(0, 59)),
    known=st.sets(st.integers(0, 59)),
)
def test_the_sample_holds_what_costs_nothing_and_what_is_known(
    n: int, enough: int, computed: set[int], known: set[int]
) -> None:
    names = [str(k) for k in range(n)]
    first = FirstReading({str(k): "" for k in known})
    now = first.positions(names, [k in computed for k in range(n)], ["-"] * n, enough)
    there = {k for k in computed | known if k < n}
    assert now == sorted(set(now))
    assert there <= set(now)
    if n - len(there) <= 2 * enough:
        assert len(now) == n
    else:
        assert len(now) == max(enough, len(there))


def test_reading_ahead_leaves_features_in_the_cache_block_by_block(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("likewise.piles.load._BLOCK", 3)
    told: list[tuple[int, int]] = []
    compute_ahead(folder, progress=lambda done, of: told.append((done, of)))
    assert told == [(0, 8), (3, 8), (6, 8)]
    known = list(file_digests(sorted(folder.iterdir())).values())
    assert all(models.computed_before(models.PICTURES, known, of="pictures"))
    assert not any(models.computed_before("mobilenet", known, of="pictures"))
    assert read_pile(folder, quick=True).n_later == 0


def test_what_was_computed_before_a_kill_is_not_computed_again(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("likewise.piles.load._BLOCK", 3)

    class Killed(BaseException):
        pass

    def progress(done: int, of: int) -> None:
        if done == 6:
            raise Killed

    with pytest.raises(Killed):
        read_ahead(folder, progress=progress)
    assert read_pile(folder, quick=True).n_later == 0  # two are left, which is no sample
    seen: list[int] = []
    embed = models.OURS[models.PICTURES]().embed_pictures  # type: ignore[union-attr]

    class Counting:
        cache_key = models.picture_model(models.PICTURES).cache_key
        side = 64

        def embed_pictures(self, pictures: list[object]) -> object:
            seen.append(len(pictures))
            return embed(pictures)

    monkeypatch.setitem(models.OURS, models.PICTURES, Counting)
    (folder / "new.png").write_bytes((folder / "0.png").read_bytes() + b"0")
    assert len(read_pile(folder).items) == 9
    assert sum(seen) == 1


def test_the_process_tells_how_far_it_is_and_ends_when_it_is_done(folder: Path) -> None:
    reading = ReadingAhead(folder, nice=0, model="edges-texture-colour")
    try:
        deadline = time.monotonic() + 100
        while not reading.is_done():
            assert time.monotonic() < deadline
            time.sleep(0.05)
        while reading.progress() != ReadingCount(0, 8, None):  # what it said may yet have to come
            assert time.monotonic() < deadline
            time.sleep(0.01)
    finally:
        reading.stop()
    assert read_pile(folder, quick=True, model="edges-texture-colour").n_later == 0


def test_the_time_left_follows_the_pace(folder: Path) -> None:
    now = iter([10.0])
    reading = ReadingAhead(folder / "absent", clock=lambda: next(now))
    reading.stop()
    reading._counts = [(0.0, 0, 100), (8.0, 20, 100)]
    assert reading.progress() == ReadingCount(20, 100, 80 * 8 / 20 - 2)


def test_what_is_in_the_cache_says_nothing_about_the_time_left(folder: Path) -> None:
    now = iter([12.0, 12.0, 5.0])
    reading = ReadingAhead(folder / "absent", clock=lambda: next(now))
    reading.stop()
    reading._counts = [(0.0, 0, 100), (0.1, 20, 100), (0.2, 40, 100), (10.0, 60, 100)]
    left = reading.progress().seconds_left
    assert left == pytest.approx(40 * 9.8 / 20 - 2)  # by the block that was computed
    reading._counts = reading._counts[:3]
    left = reading.progress().seconds_left
    assert left == pytest.approx(60 * 11.8 / 20 - 11.8)  # by the one that is under way
    reading._counts = [(5.0, 0, 100), (5.0, 20, 100)]
    assert reading.progress().seconds_left == 0


def test_it_can_be_stopped_at_any_time(folder: Path) -> None:
    reading = ReadingAhead(folder)
    reading.stop()
    assert reading.is_done()
    reading.stop()
