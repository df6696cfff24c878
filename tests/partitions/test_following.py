"""Piles in parts that grow: known rows go on standing for others, new ones join, answers stay."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import likewise as lw
from likewise.errors import StoreError
from likewise.items.digests import number_digests, row_digests
from likewise.items.items import _fingerprint
from likewise.journal import Grown, Opened
from likewise.partitions import RepresentativeItems, load_partitioned
from likewise.partitions import kept as keeping
from likewise.partitions.growth._joining import joining
from likewise.partitions.growth.following import follow_rows
from likewise.piles import begin_study, read_partitioned
from likewise.piles.growth import align
from likewise.stores import SqlStore, StoredJournal

Floats = npt.NDArray[np.float64]
KINDS = np.array([[0.0, 0.0], [9.0, 0.0], [0.0, 9.0], [9.0, 9.0]])


def write(folder: Path, name: str, kinds: list[int], n: int = 60, seed: int = 0) -> None:
    """Write a file of rows of some kinds, each named by file, number and kind."""
    rng = np.random.default_rng([seed, sum(map(ord, name))])
    kind = np.resize(kinds, n)
    X = KINDS[kind] + rng.normal(size=(n, 2))
    ids = [f"{name}{k}:{one}" for k, one in enumerate(kind.tolist())]
    frame = pd.DataFrame({"a": X[:, 0], "b": X[:, 1], "id": ids})
    frame.to_parquet(folder / f"{name}.parquet", row_group_size=40, index=False)


def load(folder: Path, n: int = 12, **how: Any) -> RepresentativeItems:
    return load_partitioned(folder, n, **{"n_jobs": 1, **how})


def answer(study: lw.Study, budget: int) -> None:
    for _ in range(budget):
        if (question := study.ask()) is None:
            return
        one, other = (study.items.ids[k].rpartition(":")[2] for k in question.pair)
        study.tell(question, one == other)


def told(study: lw.Study) -> list[tuple[str, str, str]]:
    ids = study.items.ids
    return [(ids[one.pair.i], ids[one.pair.j], one.verdict.name) for one in study.answers]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    where = tmp_path / "rows"
    where.mkdir()
    write(where, "m", [0, 1])
    write(where, "p", [0, 1])
    return where


def test_a_new_file_joins_and_all_answers_are_kept(folder: Path, tmp_path: Path) -> None:
    store = tmp_path / "rows.db"
    study = lw.Study(load(folder), store=store)
    answer(study, 6)
    before, said = list(study.items.ids), told(study)
    write(folder, "a", [0, 2, 3], 90)  # comes before the others
    again = lw.Study.open(store, load(folder))
    assert again.items.ids[: len(before)] == before
    assert told(again) == said
    new = {name.rpartition(":")[2] for name in again.items.ids[len(before) :]}
    assert {"2", "3"} <= new
    answer(again, 40)
    items = again.items
    assert isinstance(items, RepresentativeItems)
    assert items.n_rows == 210
    parts = items.write_labels(tmp_path / "groups", again.labels_, again.confidence_)
    rows = pd.concat([pd.read_parquet(path) for path in parts])
    truth = rows["id"].str.rpartition(":")[2]
    assert lw.metrics.ari(truth.to_numpy(), rows["group"].to_numpy()) > 0.95


def test_who_opens_it_again_finds_the_same_and_writes_nothing(folder: Path, tmp_path: Path) -> None:
    store = tmp_path / "rows.db"
    answer(lw.Study(load(folder), store=store), 4)
    write(folder, "a", [0, 2])
    first = lw.Study.open(store, load(folder))
    events = len(SqlStore(store).read())
    second = lw.Study.open(store, load(folder))
    assert len(SqlStore(store).read()) == events
    assert second.items.ids == first.items.ids
    assert second.ask() == first.ask()
    np.testing.assert_array_equal(second.labels_, first.labels_)
    assert isinstance(second.items, RepresentativeItems)
    # Another study of the same items finds its representatives as ever.
    assert lw.Study(load(folder)).items.ids != first.items.ids


def test_rows_without_names_are_known_by_what_they_hold(tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    old, new = rng.normal(size=(80, 3)), rng.normal(5.0, 1.0, size=(80, 3))
    store = tmp_path / "rows.db"
    study = lw.Study(load_partitioned([old], 10, n_jobs=1), store=store)
    study.tell((0, 1), "same")
    shown = [int(name) for name in study.items.ids]
    again = lw.Study.open(store, load_partitioned([new, old], 10, n_jobs=1))
    assert [int(name) - 80 for name in again.items.ids[:10]] == shown  # numbered anew
    assert again.answers[0].pair == (0, 1)
    assert [again.items.fingerprint_of(k) for k in range(10)] == [
        study.items.fingerprint_of(k) for k in range(10)
    ]


def test_rows_that_are_gone_are_remembered(folder: Path, tmp_path: Path) -> None:
    store = tmp_path / "rows.db"
    study = begin_study(read_partitioned(folder, 12), store)
    answer(study, 5)
    kept = (folder / "m.parquet").read_bytes()
    n_gone = sum(name.startswith("m") for name in study.items.ids)
    assert 0 < n_gone < 12
    (folder / "m.parquet").unlink()
    pile = align(read_partitioned(folder, 12), store)
    assert f"{n_gone} representatives are gone; the answers about them are kept" in pile.notes
    less = lw.Study.open(store, pile.items)
    assert not any(name.startswith("m") for name in less.items.ids)
    assert all(name.startswith("p") for one in told(less) for name in one[:2])
    assert len(less.labels_) == len(less.items)
    answer(less, 1)
    (folder / "m.parquet").write_bytes(kept)
    back = lw.Study.open(store, load(folder))
    assert back.items.ids[:12] == study.items.ids
    assert told(back)[:5] == told(study)
    assert back.n_answers == 6


def test_rows_that_hold_something_else_are_named_and_others_refused(
    folder: Path, tmp_path: Path
) -> None:
    store = tmp_path / "rows.db"
    study = lw.Study(load(folder), store=store)
    answer(study, 3)
    frame = pd.read_parquet(folder / "m.parquet")
    frame.assign(a=frame["a"] + 0.001).to_parquet(folder / "m.parquet", index=False)
    pile = align(read_partitioned(folder, 12), StoredJournal.read(store).detached())
    assert pile.altered == [name for name in study.items.ids if name.startswith("m")]
    for name in ("m", "p"):
        (folder / f"{name}.parquet").unlink()
    write(folder, "z", [0, 1])
    events = len(SqlStore(store).read())
    with pytest.raises(StoreError, match="belongs to 12 other items than the 12 given"):
        lw.Study.open(store, load(folder))
    assert len(SqlStore(store).read()) == events


def test_a_journal_of_lines_cannot_follow(folder: Path, tmp_path: Path) -> None:
    store = tmp_path / "rows.jsonl"
    lw.Study(load(folder), store=store)
    assert lw.Study.open(store, load(folder)).n_answers == 0
    write(folder, "a", [0, 2])
    with pytest.raises(StoreError, match=r"cannot follow a pile that changes \(a .db file can\)"):
        lw.Study.open(store, load(folder))


def test_who_begins_a_study_of_rows_that_have_grown_is_told_how_to_go_on(
    folder: Path, tmp_path: Path
) -> None:
    store = tmp_path / "rows.db"
    lw.Study(load(folder), store=store)
    write(folder, "a", [0, 2])
    with pytest.raises(StoreError, match=r"others have come goes on by Study\.open"):
        lw.Study(load(folder), store=store)
    assert lw.Study.open(store, load(folder)).n_answers == 0


def test_journals_of_before_are_known_by_their_numbers(folder: Path, tmp_path: Path) -> None:
    items, store = load(folder), SqlStore(tmp_path / "rows.db")
    assert items.features is not None
    store.append([Opened(12, _fingerprint(items.features), "auto", None, 0)])
    study = lw.Study.open(store, items)
    answer(study, 4)
    assert told(lw.Study(items, store=store)) == told(study)
    write(folder, "a", [2, 3])
    again = lw.Study.open(store, load(folder))
    assert told(again) == told(study)
    assert len(again.items) > 12


def test_names_that_repeat_mislead_nobody(tmp_path: Path) -> None:
    X = np.random.default_rng(0).normal(size=(300, 3))
    frame = pd.DataFrame(X, columns=list("abc")).assign(id=[f"r{k % 100}" for k in range(300)])
    folder, store = tmp_path / "rows", tmp_path / "rows.db"
    folder.mkdir()
    frame.to_parquet(folder / "m.parquet", index=False)
    study = lw.Study(load(folder, 60), store=store)
    study.tell((0, 59), "same")
    assert len(set(study.items.ids)) < 60
    frame[:90].assign(a=frame["a"] + 7.0).to_parquet(folder / "a.parquet", index=False)
    again = lw.Study.open(store, load(folder, 60))
    assert again.items.places is None
    assert list(again.items.digests[:60]) == list(study.items.digests)
    assert again.answers[0].pair == (0, 59)


def test_equal_rows_that_are_known_twice_are_found_twice() -> None:
    X = np.random.default_rng(0).normal(size=(40, 2))
    items = load_partitioned([X[:20], X[:10], X], 8, n_jobs=1)
    digests = [*number_digests(X[[3, 3, 3, 3, 25, 3]])]
    followed = follow_rows(items, list("abcdef"), [one.tobytes() for one in digests], "")
    assert followed.is_there.tolist() == [True, True, True, False, True, False]  # there are three
    assert [int(name) for name in followed.items.ids[:4]] == [3, 23, 33, 55]


def test_no_row_joins_that_holds_what_a_known_one_holds(folder: Path, tmp_path: Path) -> None:
    X = np.random.default_rng(3).integers(0, 3, (300, 3)).astype(float)
    store = tmp_path / "rows.db"
    n = len(lw.Study(load_partitioned([X], 60, n_jobs=1), store=store).items)
    assert n == 27  # all that there are
    again = lw.Study.open(store, load_partitioned([X, X[::-1]], 60, n_jobs=1))
    assert len(set(again.items.digests)) == len(again.items) == 27


def test_new_files_may_be_empty_or_have_their_columns_in_another_order(tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(rng.normal(size=(100, 3)), columns=list("abc"))
    store, folder = tmp_path / "rows.db", tmp_path / "rows"
    folder.mkdir()
    frame.to_csv(folder / "m.csv", index=False)
    study = lw.Study(load(folder), store=store)
    study.tell((0, 1), "same")
    frame[:0].to_csv(folder / "empty.csv", index=False)
    (folder / "nothing.csv").touch()
    frame[["c", "b", "a"]][:30].assign(a=5.0).to_csv(folder / "a.csv", index=False)
    again = lw.Study.open(store, load(folder))
    assert again.items.places is None
    assert list(again.items.digests[:12]) == list(study.items.digests)
    assert isinstance(again.items, RepresentativeItems)
    assert again.items.n_rows == 130
    assert again.items.compared_columns == ("a", "b", "c")
    assert again.items.rows is not None
    assert {row["a"] for row in again.items.rows[12:]} == {5.0}


def test_what_another_program_writes_meanwhile_is_taken_in(folder: Path, tmp_path: Path) -> None:
    place = tmp_path / "rows.db"
    study = lw.Study(load(folder), store=place)
    stored = StoredJournal.read(place)
    answer(study, 3)
    write(folder, "a", [2, 3])
    again = lw.Study.open(stored, load(folder))
    assert told(again) == told(study)
    assert sum(isinstance(one, Grown) for one in SqlStore(place).read()) == 1


def test_who_is_stopped_in_the_middle_has_changed_nothing(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = tmp_path / "rows.db"
    study = lw.Study(load(folder), store=store)
    answer(study, 3)
    write(folder, "a", [2, 3])
    before = SqlStore(store).read(), SqlStore(store).read_items()

    def stop(*_: Any) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(SqlStore, "write_items", stop)
        with pytest.raises(KeyboardInterrupt):
            lw.Study.open(store, load(folder))
    assert (SqlStore(store).read(), SqlStore(store).read_items()) == before
    assert told(lw.Study.open(store, load(folder))) == told(study)


def test_more_or_fewer_may_be_asked_for_later(folder: Path, tmp_path: Path) -> None:
    store = tmp_path / "rows.db"
    ids = lw.Study(load(folder), store=store).items.ids
    for wanted in (8, 20):
        assert lw.Study.open(store, load(folder, wanted)).items.ids == ids


def test_what_was_followed_is_kept(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(keeping, "_WORTH_IT", 0)
    store = tmp_path / "rows.db"
    answer(lw.Study(load(folder), store=store), 3)
    write(folder, "a", [2, 3])
    first = lw.Study.open(store, load(folder))
    lw.Study.open(store, load(folder))  # this time the journal knows it so

    def no_more(*_: Any) -> Any:
        raise AssertionError("looked for again")

    monkeypatch.setattr("likewise.partitions.growth.following.find_rows", no_more)
    again = lw.Study.open(store, load(folder))
    assert again.items.ids == first.items.ids
    np.testing.assert_array_equal(again.items.features, first.items.features)
    assert again.ask() == first.ask()


def test_several_processes_follow_as_one_does(folder: Path) -> None:
    begun = load(folder)
    write(folder, "a", [2, 3])
    found = [
        follow_rows(load(folder, n_jobs=n), begun.ids, begun.digests, begun.content).items
        for n in (1, 2)
    ]
    np.testing.assert_array_equal(found[0].features, found[1].features)
    np.testing.assert_array_equal(found[0].sizes, found[1].sizes)
    assert found[0].content == found[1].content


def test_representatives_lie_where_their_rows_are(folder: Path) -> None:
    begun = load(folder)
    write(folder, "a", [2, 3])
    items = follow_rows(load(folder), begun.ids, begun.digests, begun.content).items
    frame = pd.concat([pd.read_parquet(path) for path in sorted(folder.iterdir())])
    assert items.prepare is not None
    X = items.prepare(frame[["a", "b"]].to_numpy())
    rows = X[[frame["id"].tolist().index(name) for name in items.ids]]
    home = np.linalg.norm(X[:, None] - rows[None], axis=2).argmin(axis=1)
    means = np.array([X[home == k].mean(axis=0) for k in range(len(rows))])
    np.testing.assert_allclose(np.asarray(items.features), means, atol=1e-4)
    assert items.rows is not None
    assert [row["id"] for row in items.rows] == items.ids


@settings(max_examples=12, deadline=None)
@given(
    st.permutations("abcd"),
    st.lists(st.sampled_from([0, 1, 2, 3]), min_size=1, max_size=3),
    st.booleans(),
    st.integers(0, 3),
)
def test_whichever_file_is_new_nothing_is_lost(
    names: list[str], kinds: list[int], named: bool, seed: int
) -> None:
    how: dict[str, Any] = {} if named else {"drop": ["id"]}

    def said(study: lw.Study) -> list[tuple[bytes, bytes, str]]:
        held = study.items.digests
        return [(held[a.pair.i], held[a.pair.j], a.verdict.name) for a in study.answers]

    with TemporaryDirectory() as name:
        folder, store = Path(name) / "rows", Path(name) / "rows.db"
        folder.mkdir()
        write(folder, names[0], [0, 1], 40, seed)
        study = lw.Study(load(folder, 8, **how), store=store)
        for k, file in enumerate(names[1:]):
            study.tell((0, k + 1), "same" if k % 2 else "different")
            write(folder, file, kinds, 30, seed)
            grown = lw.Study.open(store, load(folder, 8, **how))
            n = len(study.items)
            assert list(grown.items.digests[:n]) == list(study.items.digests)
            assert said(grown) == said(study)
            assert isinstance(grown.items, RepresentativeItems)
            assert grown.items.n_rows == 40 + 30 * (k + 1)
            study = grown
        again = lw.Study.open(store, load(folder, 8, **how))
        assert again.items.ids == study.items.ids
        assert again.items.fingerprint() == study.items.fingerprint()
        assert again.ask() == study.ask()
        np.testing.assert_array_equal(again.labels_, study.labels_)
        for old, new in zip(names, ("w", "x", "y", "z"), strict=True):  # the same rows in others
            (folder / f"{old}.parquet").rename(folder / f"{new}.parquet")
        renamed = lw.Study.open(store, load(folder, 8, **how))
        assert renamed.items.fingerprint() == study.items.fingerprint()
        here, there = (np.asarray(one.items.features) for one in (renamed, study))
        # In other parts a row may count for the next but nearest: means differ by a hair.
        assert np.median(np.abs(here - there)) < 1e-5
        np.testing.assert_allclose(here, there, atol=1.0)


def test_of_rows_like_those_there_are_few_join_and_of_others_enough() -> None:
    rng = np.random.default_rng(1)
    centres = rng.normal(0.0, 2.0, (20, 8))
    kind = rng.integers(20, size=12_000)
    X = centres[kind] + rng.normal(size=(12_000, 8))
    old = kind < 15
    first = load_partitioned([X[:4000]], 200, n_jobs=1)
    alike = load_partitioned([X[:4000], X[4000:8000]], 200, n_jobs=1)
    n_joined = len(follow_rows(alike, first.ids, first.digests, first.content).items) - len(first)
    assert n_joined < 10
    known = load_partitioned([X[old]], 150, n_jobs=1)
    other = load_partitioned([X[old], X[~old]], 200, n_jobs=1)
    items = follow_rows(other, known.ids, known.digests, known.content).items
    assert 40 < len(items) - len(known) < 80
    truth = np.concatenate([kind[old], kind[~old]])
    by_truth, fresh = (
        lw.metrics.ari(
            truth, np.concatenate(list(one.all_labels(truth[[int(name) for name in one.ids]])))
        )
        for one in (items, other)
    )
    assert by_truth > fresh - 0.05


def test_where_there_were_few_as_many_as_were_asked_for_stand_in_the_end() -> None:
    rng = np.random.default_rng(0)
    candidates, known = (rng.normal(size=(n, 2)).astype(np.float32) for n in (50, 5))
    assert len(joining(candidates, np.full(50, 20), known)) == 45
    assert len(joining(candidates, np.full(50, 20), candidates)) == 0


def test_a_row_has_one_digest_wherever_it_is() -> None:
    frame = pd.DataFrame({"a": [1, 2, 3], "b": [0.5, -0.0, 2.0]})
    small = row_digests(frame)
    np.testing.assert_array_equal(small, number_digests(frame.to_numpy(dtype=np.float64)))
    assert len({row.tobytes() for row in small}) == 3
    mixed = row_digests(frame.assign(c=["x", "y", "x"]))
    assert mixed.shape == (3, 16)
    assert (mixed[:, :8] != mixed[:, 8:]).any()
