"""Piles in parts: representatives, their members, labels for every row, whoever does the work."""

from __future__ import annotations

import gc
import time
import warnings
from concurrent.futures import BrokenExecutor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.datasets import make_blobs

import likewise as lw
from likewise.errors import DataError, MethodError
from likewise.items import Units
from likewise.partitions import RepresentativeItems, load_partitioned
from likewise.partitions import discover as finding
from likewise.partitions import load as loading
from likewise.partitions._local_kmeans import nearest_centres
from likewise.partitions._moments import Moments, merge_moments
from likewise.partitions.executors import Executor, Pools, map_tasks, results_in_order
from likewise.partitions.partition import ArrayPartition
from likewise.testing.partitions import DoomedPartition

Floats = npt.NDArray[np.float64]
Labels = npt.NDArray[np.int64]
LABELS, SURE = np.arange(60) % 4, np.linspace(0.3, 1.0, 60)
CENTRES = [[0.0, 0.0, 0.0], [9.0, 0.0, 0.0], [0.0, 9.0, 3.0]]


def pile(n: int = 3000) -> tuple[Floats, Labels]:
    X, truth = make_blobs(n, centers=CENTRES, random_state=0)
    return X * [1.0, 100.0, 1.0], truth  # columns in units of their own are standardised


def frame_of(X: Floats) -> pd.DataFrame:
    frame = pd.DataFrame(X, columns=["a", "b", "c"])
    frame.insert(0, "id", [f"row {k}" for k in range(len(X))])
    frame["note"] = [f"seen {k}" for k in range(len(X))]
    return frame


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Five Parquet files, each of several row groups."""
    where = tmp_path_factory.mktemp("pile")
    for k, piece in enumerate(np.array_split(np.arange(3000), 5)):
        frame_of(pile()[0]).iloc[piece].to_parquet(
            where / f"{k}.parquet", row_group_size=250, index=False
        )
    return where


def features(items: lw.Items) -> Floats:
    return np.asarray(items.features)


def load(folder: Path, **how: Any) -> RepresentativeItems:
    return load_partitioned(str(folder / "*.parquet"), 60, drop=["note"], **{"n_jobs": 1, **how})


def elected_in(items: RepresentativeItems) -> tuple[Labels, Floats]:
    parts = list(items.all_elected(LABELS, SURE))
    return np.concatenate([one for one, _ in parts]), np.concatenate([sure for _, sure in parts])


def test_blocks_and_files_without_rows_are_left_out(tmp_path: Path) -> None:
    X, _ = pile(200)
    blocks = [X[:0], X[:90], X[:0], X[90:]]
    assert load_partitioned(blocks, 10, n_jobs=1).n_rows == 200
    assert load_partitioned(iter(blocks), 10, n_jobs=1).n_rows == 200
    for k, block in enumerate(blocks):
        np.save(tmp_path / f"{k}.npy", block)
    items = load_partitioned(tmp_path, 10, n_jobs=1)
    whole = load_partitioned([X[:90], X[90:]], 10, n_jobs=1)
    np.testing.assert_array_equal(features(items), features(whole))
    with pytest.raises(DataError, match="needs at least 2 items but the parts hold fewer"):
        load_partitioned([X[:0], X[:1]], 10, n_jobs=1)


@pytest.mark.parametrize("ending", ["parquet", "csv"])
def test_columns_may_come_in_any_order_but_not_more_or_fewer(tmp_path: Path, ending: str) -> None:
    def write(frame: pd.DataFrame, name: str) -> None:
        path = tmp_path / f"{name}.{ending}"
        frame.to_csv(path, index=False) if ending == "csv" else frame.to_parquet(path, index=False)

    frame = pd.DataFrame(pile(300)[0], columns=["a", "b", "c"])
    write(frame[["c", "a", "b"]][:50], "0")
    write(frame[50:], "1")
    items = load_partitioned(tmp_path, 10, n_jobs=1)
    alike = load_partitioned([frame[:50].to_numpy(), frame[50:].to_numpy()], 10, n_jobs=1)
    assert items.compared_columns == ("a", "b", "c")  # as most rows have them
    np.testing.assert_allclose(features(items), features(alike))
    write(frame.assign(d=1.0), "2")
    with pytest.raises(DataError, match=r"2\.\w+ has other columns than .*: 'd' is in one of them"):
        load_partitioned(tmp_path, 10, n_jobs=1)


def test_columns_of_true_and_false_are_numbers_in_csv_too(tmp_path: Path) -> None:
    frame = pd.DataFrame(pile(200)[0], columns=["a", "b", "c"]).assign(is_it=lambda one: one.a > 4)
    frame.to_csv(tmp_path / "rows.csv", index=False)
    items = load_partitioned(tmp_path / "rows.csv", 10, n_jobs=1)
    alike = load_partitioned([frame.astype(float).to_numpy()], 10, n_jobs=1)
    np.testing.assert_allclose(features(items), features(alike))


def test_columns_of_one_name_and_rows_that_are_all_equal_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "rows.csv"
    path.write_text("a,a,b\n1,2,3\n4,5,6\n")
    with pytest.raises(DataError, match="has 2 columns called 'a'; rename them"):
        load_partitioned(path, 2, n_jobs=1)
    with pytest.raises(DataError, match="all rows of the parts are equal"):
        load_partitioned([np.ones((50, 2)), np.ones((9, 2))], 5, n_jobs=1)


def test_a_study_of_representatives_labels_every_row(folder: Path, tmp_path: Path) -> None:
    _, truth = pile()
    items = load(folder)
    assert len(items) == 60
    assert items.n_rows == 3000
    meant = {name: int(truth[int(name.split()[1])]) for name in items.ids}
    study = lw.Study(items, n_clusters=3)
    for _ in range(10):
        question = study.ask()
        assert question is not None
        one, other = (meant[items.ids[item]] for item in question.pair)
        study.tell(question, one == other)
    paths = items.write_labels(tmp_path / "labels", study.labels_, study.confidence_)
    assert len(paths) == 5
    written = pd.concat([pd.read_parquet(path) for path in paths])
    assert written["id"].tolist() == [f"row {k}" for k in range(3000)]
    assert lw.metrics.ari(truth, written["group"].to_numpy()) == 1.0
    assert written["confidence"].between(0, 1).all()
    streamed = np.concatenate(list(items.all_labels(study.labels_, study.confidence_)))
    np.testing.assert_array_equal(streamed, written["group"])


def test_what_is_shown_is_the_member_nearest_to_the_representative(folder: Path) -> None:
    X, _ = pile()
    items = load(folder)
    scaled = Units.of(X)(X)
    assert items.rows is not None
    numbers = [int(name.split()[1]) for name in items.ids]
    for k, number in enumerate(numbers):
        assert items.rows[k]["note"] == f"seen {number}"
        assert items.rows[k]["a"] == X[number, 0]
    own = np.linalg.norm(scaled[numbers] - features(items), axis=1)
    member_of = np.concatenate([part.assign_rows()[0] for part in items.partitions])
    away = np.linalg.norm(scaled - features(items)[member_of], axis=1)
    nearest = [away[member_of == k].min() for k in range(len(items))]
    np.testing.assert_allclose(own, nearest, atol=1e-5)


def test_representatives_are_where_their_members_are(folder: Path) -> None:
    X, _ = pile()
    items = load(folder)
    scaled = Units.of(X)(X)
    member_of = np.concatenate([part.assign_rows()[0] for part in items.partitions])
    np.testing.assert_array_equal(np.bincount(member_of, minlength=60), items.sizes)
    means = np.array([scaled[member_of == k].mean(axis=0) for k in range(60)])
    np.testing.assert_allclose(means, features(items), atol=0.3)
    loss = ((scaled - features(items)[member_of]) ** 2).sum()
    at_best = ((scaled[:, None] - features(items)[None]) ** 2).sum(axis=2).min(axis=1).sum()
    assert loss < 1.05 * at_best


def test_the_five_nearest_representatives_vote_about_a_row(folder: Path) -> None:
    X, _ = pile()
    items = load(folder)
    scaled = Units.of(X)(X)
    away = np.linalg.norm(scaled[:, None] - features(items)[None], axis=2)
    shown = {int(name.split()[1]): k for k, name in enumerate(items.ids)}
    votes = np.zeros((3000, 4))
    for row in range(3000):
        for k in np.argsort(away[row])[:5]:
            votes[row, LABELS[k]] += SURE[k] / away[row, k]
    elected, share = elected_in(items)
    others = np.setdiff1d(np.arange(3000), list(shown))
    agree = LABELS[elected][others] == votes.argmax(axis=1)[others]
    assert agree.mean() > 0.99  # the five nearest are nearly always found
    total = np.sort(1 / away, axis=1)[:, -5:].sum(axis=1)
    off = np.abs(share - votes.max(axis=1) / total)[others]
    assert np.quantile(off, 0.98) < 1e-3
    everyone = np.concatenate(list(items.all_labels(LABELS)))
    assert 0.5 < np.mean(everyone == LABELS[elected]) < 1.0  # who is surer counts more


def test_the_row_shown_for_a_representative_has_its_group(folder: Path, tmp_path: Path) -> None:
    items = load(folder)
    labels = np.arange(60)  # every other vote is for another group
    items.write_labels(tmp_path, labels, SURE)
    written = pd.read_parquet(tmp_path).set_index("id").loc[list(items.ids)]
    np.testing.assert_array_equal(written["group"], labels)
    np.testing.assert_array_equal(written["confidence"], SURE)


def test_a_row_between_groups_goes_with_most_of_its_neighbours() -> None:
    rng = np.random.default_rng(0)
    truth = rng.integers(20, size=6000)
    X = rng.normal(0.0, 2.0, (20, 8))[truth] + rng.normal(size=(6000, 8))
    items = load_partitioned(np.array_split(X, 3), 200, n_jobs=1)
    labels = truth[[int(name) for name in items.ids]]
    alone = labels[np.concatenate([part.assign_rows()[0] for part in items.partitions])]
    voted = np.concatenate(list(items.all_labels(labels)))
    assert lw.metrics.ari(truth, voted) > lw.metrics.ari(truth, alone) + 0.02


def test_files_folders_blocks_and_iterators_are_one_pile(folder: Path, tmp_path: Path) -> None:
    X, _ = pile()
    blocks = np.array_split(X, 5)
    for k, block in enumerate(blocks):
        np.save(tmp_path / f"{k}.npy", block)
    expected = load(folder)
    for source in (blocks, iter(blocks), tmp_path, str(tmp_path / "*.npy")):
        items = load_partitioned(source, 60, n_jobs=1)
        np.testing.assert_array_equal(features(items), features(expected))
        assert [f"row {name}" for name in items.ids] == expected.ids
    through_the_front_door = lw.load_items(str(folder), representatives=60, drop=["note"])
    np.testing.assert_array_equal(features(through_the_front_door), features(expected))
    assert through_the_front_door.fingerprint() == expected.fingerprint()


def test_several_processes_give_what_one_gives(folder: Path, tmp_path: Path) -> None:
    one, several = load(folder), load(folder, n_jobs=2)
    assert_same(one, several)
    for k, items in enumerate((one, several)):
        items.write_labels(tmp_path / str(k), LABELS, SURE)
    here, there = (pd.read_parquet(tmp_path / str(k)) for k in range(2))
    pd.testing.assert_frame_equal(here, there)
    for items in (one, several):
        elected, share = elected_in(items)
        np.testing.assert_array_equal(LABELS[elected], here["group"])
        np.testing.assert_array_equal(share, here["confidence"])


def assert_same(one: RepresentativeItems, other: RepresentativeItems) -> None:
    np.testing.assert_array_equal(features(one), features(other))
    np.testing.assert_array_equal(one.sizes, other.sizes)
    assert one.ids == other.ids
    for here, there in zip(one.partitions, other.partitions, strict=True):
        np.testing.assert_array_equal(here.assign_rows()[0], there.assign_rows()[0])
        np.testing.assert_array_equal(here.shown, there.shown)


@pytest.fixture
def doomed(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """From now on whoever reads the third part first is killed; the file that tells he was."""
    grave = tmp_path / "grave"

    def find(*args: Any, **how: Any) -> tuple[list[Any], Any]:
        parts, kept = finding.find_partitions(*args, **how)
        parts[2] = DoomedPartition(parts[2], str(grave))
        return parts, kept

    monkeypatch.setattr(loading, "find_partitions", find)
    return grave


def test_a_process_that_dies_is_replaced(folder: Path, doomed: Path) -> None:
    several = load(folder, n_jobs=2)
    assert doomed.exists()
    assert_same(load(folder), several)


class BreakingPool(ThreadPoolExecutor):
    """Breaks at its third task if it is the first of them all."""

    made = 0

    def __init__(self) -> None:
        super().__init__(2)
        self.number, self.n_tasks = BreakingPool.made, 0
        BreakingPool.made += 1

    def submit(self, *job: Any, **settings: Any) -> Future[Any]:
        self.n_tasks += 1
        if self.number == 0 and self.n_tasks == 3:
            broken: Future[Any] = Future()
            broken.set_exception(BrokenExecutor("a worker has died"))
            return broken
        return super().submit(*job, **settings)


def test_a_broken_pool_is_replaced_and_nothing_is_lost(folder: Path) -> None:
    BreakingPool.made = 0
    pools = Pools(BreakingPool)
    assert isinstance(pools, Executor)
    assert map_tasks(abs, [-1, -2, -3, -4, -5], client=pools) == [1, 2, 3, 4, 5]
    assert BreakingPool.made == 2
    assert_same(load(folder), load(folder, client=pools))


@pytest.mark.long
def test_a_pool_whose_process_dies_is_replaced(folder: Path, doomed: Path, tmp_path: Path) -> None:
    made: list[ProcessPoolExecutor] = []

    def make() -> ProcessPoolExecutor:
        made.append(ProcessPoolExecutor(2, mp_context=get_context("spawn")))
        return made[-1]

    pools = Pools(make)
    assert isinstance(pools, Executor)
    by_pools, here = load(folder, client=pools), load(folder)
    assert doomed.exists()
    assert_same(here, by_pools)
    assert len(made) > 4  # one for each step, and one more
    labels = np.arange(len(here)) % 4
    written = by_pools.write_labels(tmp_path / "far", labels, np.ones(len(here)))
    assert sum(len(pd.read_parquet(path)) for path in written) == here.n_rows


@pytest.mark.long
def test_a_dask_worker_that_dies_is_replaced(folder: Path, doomed: Path, tmp_path: Path) -> None:
    from distributed import Client, LocalCluster

    with (
        LocalCluster(  # type: ignore[no-untyped-call]
            n_workers=3, threads_per_worker=1, host="127.0.0.1", dashboard_address=":0"
        ) as cluster,
        Client(cluster) as client,  # type: ignore[no-untyped-call]
    ):
        given_client = load(folder, client=client)
        assert doomed.exists()
        given_client.write_labels(tmp_path / "far", LABELS, SURE)
        by_address = load(folder, client=cluster.scheduler_address)
    here = load(folder)
    assert_same(here, given_client)
    assert_same(here, by_address)
    here.write_labels(tmp_path / "near", LABELS, SURE)
    pd.testing.assert_frame_equal(
        pd.read_parquet(tmp_path / "far"), pd.read_parquet(tmp_path / "near")
    )


@pytest.mark.long
def test_processes_that_always_die_are_given_up() -> None:
    with pytest.raises(MethodError, match="worker processes died 4 times"):
        map_tasks(_die, [1, 2], n_jobs=2)


def _slowly(task: int) -> int:
    time.sleep(0.2)
    return task


def test_who_has_seen_enough_may_stop_without_a_warning() -> None:
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        found = results_in_order(_slowly, range(12), n_jobs=2)
        assert next(found) == 0
        del found
        gc.collect()
    assert said == []


def _die(_: int) -> None:
    import os

    os._exit(1)


@settings(max_examples=40)
@given(st.lists(st.integers(1, 9), min_size=1, max_size=5), st.integers(0, 5))
def test_moments_of_parts_are_those_of_all_rows(sizes: list[int], seed: int) -> None:
    X = np.random.default_rng(seed).normal(3.0, 2.0, size=(sum(sizes), 3)) * [1.0, 100.0, 0.0]
    blocks = np.split(X, np.cumsum(sizes)[:-1])
    found = merge_moments(Moments.of(ArrayPartition(block, "")) for block in blocks)
    assert found.n == len(X)
    np.testing.assert_allclose(found.mean, X.mean(axis=0))
    np.testing.assert_allclose(found.squares / found.n, X.var(axis=0), atol=1e-8)
    np.testing.assert_allclose(found.units()(X), Units.of(X)(X), atol=1e-6)


@settings(max_examples=20)
@given(st.integers(1, 30), st.integers(1, 12))
def test_the_nearest_centre_is_found(n: int, m: int) -> None:
    rng = np.random.default_rng(n * 100 + m)
    X, centres = (rng.normal(size=(k, 3)).astype(np.float32) for k in (n, m))
    expected = ((X[:, None] - centres[None]) ** 2).sum(axis=2).argmin(axis=1)
    np.testing.assert_array_equal(nearest_centres(X, centres), expected)


def test_units_are_those_of_the_whole_pile_in_memory() -> None:
    X, _ = pile(200)
    far = X * [1.0, 1000.0, 1.0] + [0.0, 1e6, 0.0]
    items = load_partitioned([far[:90], far[90:]], 200, n_jobs=1)
    together = features(lw.Items.of(far))
    assert len(items) == 200  # every row stands for itself
    np.testing.assert_allclose(features(items), together, atol=1e-4)
    assert items.prepare is not None
    np.testing.assert_allclose(items.prepare(far[:3]), together[:3], atol=1e-9)


def test_more_rows_can_be_placed_after_the_study() -> None:
    X, truth = pile(900)
    items = load_partitioned([X[:400], X[400:800]], 40, n_jobs=1)
    study = lw.Study(items, n_clusters=3)
    assert lw.metrics.ari(truth[800:], study.predict(X[800:])) == 1.0


def test_later_rows_are_tables_too_and_texts(folder: Path, tmp_path: Path) -> None:
    X, truth = pile()
    items = load(folder)
    study = lw.Study(items, n_clusters=3)
    shuffled = frame_of(X[:200])[["c", "note", "a", "id", "b"]]
    here = study.predict(X[:200])
    np.testing.assert_array_equal(study.predict(shuffled), here)
    np.testing.assert_array_equal(study.predict(shuffled.to_dict("records")), here)
    assert lw.metrics.ari(truth[:200], here) == 1.0
    with pytest.raises(DataError, match="new rows have no column 'c'"):
        study.assign([{"a": 1.0, "b": 2.0}])
    with pytest.raises(DataError, match="column 'c' of the new rows holds something else"):
        study.assign([{"a": 1.0, "b": 2.0, "c": "three"}])
    with pytest.raises(DataError, match="rows of numbers, not texts"):
        study.assign(["three"])
    said = ["a red fast car", "blue cars on a road", "a small sleeping cat", "dogs and cats"] * 5
    pd.DataFrame({"text": said}).to_parquet(tmp_path / "said.parquet")
    by_words = lw.Study(load_partitioned(tmp_path, 4, text="text", n_jobs=1), n_clusters=2)
    one, other = by_words.predict(["cars are fast", "a cat"]), by_words.predict([{"text": "a cat"}])
    assert one[0] != one[1] == other[0]


@pytest.mark.parametrize(
    ("source", "how", "message"),
    [
        ("nothing/*.parquet", {}, "there is no file"),
        ([np.ones((3, 2)), np.full((2, 2), np.nan)], {}, "block 1: row 0 of a part holds nan"),
        ([np.ones((3, 2)), np.ones((3, 4))], {}, "parts must be alike"),
        ([np.ones(3)], {}, "block 0 must be a matrix of numbers"),
        ([np.array([["a"]])], {}, "block 0 must be a matrix of numbers"),
        ([np.ones((1, 2))], {}, "at least 2 items"),
        ([np.ones((3, 2))], {"drop": ["a"]}, "blocks have no columns"),
        (7, {}, "must be a path or blocks"),
    ],
)
def test_piles_that_cannot_be_read_are_refused(
    source: Any, how: dict[str, Any], message: str
) -> None:
    with pytest.raises(DataError, match=message):
        load_partitioned(source, 3, n_jobs=1, **how)


def test_files_that_do_not_fit_are_refused(folder: Path, tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"column 'note' of .* holds .*string, not numbers"):
        load_partitioned(folder, 10, n_jobs=1)
    with pytest.raises(DataError, match="has no column 'colour'"):
        load_partitioned(folder, 10, n_jobs=1, drop=["colour"])
    with pytest.raises(MethodError, match="representatives must be at least 2"):
        load_partitioned(folder, 1, n_jobs=1)
    (tmp_path / "a.parquet").write_text("no Parquet")
    with pytest.raises(DataError, match="cannot be read as Parquet"):
        load_partitioned(tmp_path, 10, n_jobs=1)
    (tmp_path / "b.csv").write_text("a\n1\n")
    with pytest.raises(
        DataError, match=r"all .parquet, all .csv or all .npy files but .* has .csv, .parquet"
    ):
        load_partitioned(tmp_path, 10, n_jobs=1)
    items = load(folder)
    with pytest.raises(DataError, match="60 representatives but 3"):
        items.write_labels(tmp_path, np.zeros(3, dtype=np.int64), np.ones(60))
    with pytest.raises(DataError, match="60 representatives but 3"):
        next(items.all_labels(LABELS, np.ones(3)))


def test_csv_files_with_other_columns_are_named_as_they_were_given(tmp_path: Path) -> None:
    (tmp_path / "x.csv").write_text("a,b\n1,2\n3,4\n")
    (tmp_path / "y.csv").write_text("c,d\n1,2\n3,4\n")
    with pytest.raises(DataError, match=r"y\.csv has other columns than .*x\.csv"):
        lw.load_items(tmp_path, representatives=2)
