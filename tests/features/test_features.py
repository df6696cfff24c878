"""Features are computed once, by content, and the cache never decides what they are."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd
import pytest
from skrub import StringEncoder, TableVectorizer

from likewise import Items, load_items
from likewise.features import cache, images, models
from likewise.features.cache import cached, file_digests
from likewise.features.pictures import looks
from likewise.features.scaling import weighted_blocks
from pile_files import paint, paint_photos

Vector = npt.NDArray[np.float32]


@pytest.fixture
def empty_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "own cache"
    monkeypatch.setenv("LIKEWISE_CACHE", str(folder))
    return folder


def counting(asked: list[list[int]], *, unreadable: int = -1):  # type: ignore[no-untyped-def]
    """Vectors that tell which positions they were computed for."""

    def compute(missing: list[int]) -> Iterator[tuple[int, Vector | None]]:
        asked.append(missing)
        for k in missing:
            yield k, None if k == unreadable else np.full(3, k / 3, dtype=np.float32)

    return compute


def test_only_what_is_new_is_computed(empty_cache: Path) -> None:
    asked: list[list[int]] = []
    told: list[tuple[int, int]] = []
    first = cached("kind", [b"a", b"b"], counting(asked), lambda k, n: told.append((k, n)))
    again = cached("kind", [b"a", b"new", b"b"], counting(asked))
    assert asked == [[0, 1], [1]]
    assert told == [(0, 2), (2, 2)]
    np.testing.assert_array_equal(again[2], first[1])  # by content, wherever it is
    cached("another kind", [b"a"], counting(asked))
    assert asked[-1] == [0]


def test_features_are_the_same_with_and_without_a_cache(empty_cache: Path) -> None:
    fresh = cached("kind", [b"a", b"b"], counting([]))
    kept = cached("kind", [b"a", b"b"], counting([]))
    for k in fresh:
        np.testing.assert_array_equal(fresh[k], kept[k])
        assert fresh[k].dtype == kept[k].dtype


def test_what_could_not_be_read_is_tried_again(empty_cache: Path) -> None:
    asked: list[list[int]] = []
    assert set(cached("kind", [b"a", b"b"], counting(asked, unreadable=1))) == {0}
    assert set(cached("kind", [b"a", b"b"], counting(asked))) == {0, 1}
    assert asked == [[0, 1], [1]]


def test_a_cache_that_cannot_be_used_costs_only_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("in the way")
    monkeypatch.setenv("LIKEWISE_CACHE", str(tmp_path / "file"))
    assert len(cached("kind", [b"a"], counting([]))) == 1
    monkeypatch.setenv("LIKEWISE_CACHE", str(tmp_path))
    (tmp_path / "features.db").write_bytes(b"no database at all" * 100)
    assert len(cached("kind", [b"a"], counting([]))) == 1
    assert len(file_digests([tmp_path / "file"])) == 1


def test_a_second_start_opens_no_picture(
    empty_cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = paint_photos(tmp_path / "photos")
    before = load_items(folder)
    opened: list[Path] = []
    original = images.open_picture

    def watched(path: Path, side: int, *, most: int | None = None) -> Any:
        opened.append(path)
        return original(path, side, most=most)

    monkeypatch.setattr(models, "open_picture", watched)
    np.testing.assert_array_equal(load_items(folder).data, before.data)
    assert opened == []
    new = paint(folder / "new.png", 77)
    assert len(load_items(folder)) == 7
    assert opened == [new]


def test_files_are_read_again_when_they_have_changed(empty_cache: Path, tmp_path: Path) -> None:
    path = tmp_path / "a.bin"
    path.write_bytes(b"one")
    first = file_digests([path, tmp_path / "missing"])
    assert set(first) == {0}
    assert file_digests([path]) == first
    path.write_bytes(b"another")
    assert file_digests([path]) != first
    with sqlite3.connect(empty_cache / "features.db") as database:
        assert database.execute("SELECT count(*) FROM files").fetchone() == (1,)


def test_the_cache_is_where_the_user_wants_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LIKEWISE_CACHE", "/some/where")
    assert cache.folder() == Path("/some/where")
    monkeypatch.delenv("LIKEWISE_CACHE")
    assert cache.folder().name == "likewise"


def test_a_picture_is_described_by_its_parts(tmp_path: Path) -> None:
    picture = images.open_picture(paint(tmp_path / "a.png", 3), 64)
    vector = looks.describe(picture)
    assert vector.shape == (1568 + 40 + 72,)
    texture, colours = vector[1568:1608], vector[1608:]
    for quarter in np.split(texture, 4):
        assert (quarter**2).sum() == pytest.approx(1.0, abs=1e-4)
    assert (colours**2).sum() == pytest.approx(1.0, abs=1e-4)


def test_blocks_have_their_weights_and_distances_are_kept(seed: int) -> None:
    rng = np.random.default_rng(seed)
    vectors = np.hstack([rng.normal(size=(9, 4)) * 50, rng.normal(size=(9, 2))]).astype(np.float32)
    turned = weighted_blocks(vectors, (4, 2), (1.0, 0.25), most_columns=99)
    scaled = []
    for block, weight in ((vectors[:, :4], 1.0), (vectors[:, 4:], 0.5)):
        centred = block - block.mean(0)
        scaled.append(weight * centred / np.sqrt(centred.var(0).sum()))
    reference = np.hstack(scaled)
    apart = np.linalg.norm(reference[:, None] - reference[None], axis=2)
    np.testing.assert_allclose(
        np.linalg.norm(turned[:, None] - turned[None], axis=2), apart, atol=1e-5
    )


def test_vectors_that_are_all_alike_stay_so() -> None:
    alike = weighted_blocks(np.ones((4, 6), dtype=np.float32), (4, 2), most_columns=3)
    np.testing.assert_array_equal(alike, np.zeros((4, 3)))


def test_what_was_computed_before_an_interruption_is_kept(empty_cache: Path) -> None:
    asked: list[list[int]] = []

    def interrupted(missing: list[int]) -> Iterator[tuple[int, Vector | None]]:
        yield from counting(asked)(missing[:2])
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        cached("kind", [b"a", b"b", b"c"], interrupted)
    assert set(cached("kind", [b"a", b"b", b"c"], counting(asked))) == {0, 1, 2}
    assert asked == [[0, 1], [2]]


def test_slow_features_are_written_and_reported_as_they_come(
    empty_cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cache, "_SECONDS", -1.0)  # every vector is slower than that
    monkeypatch.setattr(cache, "_TOLD_SECONDS", -1.0)
    told: list[tuple[int, int]] = []
    cached("kind", [b"a", b"b", b"c"], counting([]), lambda k, n: told.append((k, n)))
    assert told == [(0, 3), (1, 3), (2, 3), (3, 3)]


def test_numbers_beside_other_columns_are_what_one_vectoriser_would_make_of_all() -> None:
    rng = np.random.default_rng(0)
    table = pd.DataFrame(
        {
            "n": rng.normal(size=30),
            "kind": rng.choice(list("abc"), 30),
            "count": rng.integers(0, 9, 30),
            "day": pd.date_range("2020-01-01", periods=30),
        }
    )
    vectoriser = TableVectorizer(high_cardinality=StringEncoder(n_components=20, random_state=0))
    numbers = vectoriser.fit_transform(table)
    features = numbers.to_numpy().astype(float)
    features -= features.mean(axis=0)
    position = {name: k for k, name in enumerate(numbers.columns)}
    for outputs in vectoriser.input_to_outputs_.values():
        block = [position[name] for name in outputs]
        features[:, block] /= np.sqrt(features[:, block].var(axis=0).sum())
    np.testing.assert_allclose(Items.of(table).data, features, atol=1e-4)
