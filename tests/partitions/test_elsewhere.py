"""Piles in parts: on object stores, compared by texts, found again, worked on by Ray."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import likewise as lw
from likewise.errors import DataError, MethodError
from likewise.partitions import Ray, RepresentativeItems, kept, load_partitioned
from likewise.partitions import discover as finding
from likewise.partitions import load as loading
from likewise.partitions.executors import map_tasks
from likewise.piles import read_pile, table_files
from likewise.testing.partitions import DoomedPartition

LABELS = np.arange(20) % 4
WORDS = (
    "cat dog kitten puppy pet paw fur tail",
    "ship boat sailor harbour sea anchor captain deck",
    "tax income money bank debt budget loan wage",
    "song guitar piano melody concert singer drum violin",
)


def frame(n: int = 400) -> pd.DataFrame:
    rng = np.random.default_rng(0)
    group = np.arange(n) % 4
    said = [" ".join(rng.permutation(WORDS[k].split())[:4]) for k in group]
    numbers = {"a": group * 9 + rng.normal(size=n), "b": rng.normal(size=n)}
    return pd.DataFrame({"id": [f"row {k}" for k in range(n)], **numbers, "said": said})


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    where = tmp_path / "data"
    where.mkdir()
    for k, part in enumerate(np.array_split(np.arange(400), 4)):
        frame().iloc[part].to_parquet(where / f"{k}.parquet", index=False)
    return where


def load(source: Any, **how: Any) -> RepresentativeItems:
    return load_partitioned(source, 20, **{"drop": ["said"], "n_jobs": 1, **how})


def assert_same(one: RepresentativeItems, other: RepresentativeItems) -> None:
    assert one.features is not None
    assert other.features is not None
    np.testing.assert_array_equal(one.features, other.features)
    np.testing.assert_array_equal(one.sizes, other.sizes)
    assert list(one.ids) == list(other.ids)
    assert one.fingerprint() == other.fingerprint()
    for here, there in zip(one.all_labels(LABELS), other.all_labels(LABELS), strict=True):
        np.testing.assert_array_equal(here, there)


# -- object stores -----------------------------------------------------------------------------


def test_an_object_store_is_read_and_written_like_a_folder(folder: Path, tmp_path: Path) -> None:
    import fsspec

    fs = fsspec.filesystem("memory")
    fs.makedirs("/bucket/data", exist_ok=True)
    for path in folder.iterdir():
        fs.pipe_file(f"/bucket/data/{path.name}", path.read_bytes())
    here, there = load(folder), load("memory://bucket/data")
    assert_same(here, there)
    assert_same(here, load("memory://bucket/data/*.parquet"))
    near = here.write_labels(tmp_path / "labels", LABELS, np.ones(20))
    far = there.write_labels("memory://bucket/labels", LABELS, np.ones(20))
    assert all(isinstance(one, str) for one in far)
    for one, other in zip(near, far, strict=True):
        with fsspec.open(other) as file:
            pd.testing.assert_frame_equal(pd.read_parquet(str(one)), pd.read_parquet(file))
    fs.rm("/bucket", recursive=True)


def test_processes_of_this_machine_open_an_address_themselves(folder: Path) -> None:
    assert_same(load(folder), load(f"file://{folder}", n_jobs=2))


@pytest.mark.parametrize(
    ("address", "message"),
    [
        ("memory://nothing/here", "there is no file memory://nothing/here"),
        ("no-such-scheme://a/b", "no-such-scheme://a/b cannot be opened"),
    ],
)
def test_what_is_wrong_with_an_address_is_said(address: str, message: str) -> None:
    with pytest.raises(DataError, match=message):
        load(address)


def test_a_password_in_an_address_is_never_repeated() -> None:
    with pytest.raises(DataError) as caught:
        load("no-such-scheme://ada:secret@host/data")
    assert "secret" not in str(caught.value)


def test_other_files_on_an_object_store_are_refused() -> None:
    import fsspec

    fsspec.filesystem("memory").pipe_file("/csv/a.csv", b"a,b\n1,2\n3,4\n")
    with pytest.raises(DataError, match=r"must be all \.parquet files"):
        load("memory://csv")


# -- texts -------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["parquet", "csv"])
def test_texts_are_compared_part_by_part(folder: Path, tmp_path: Path, kind: str) -> None:
    source = folder
    if kind == "csv":
        source = tmp_path / "rows.csv"
        with_gap = frame()
        with_gap.loc[3, "said"] = None
        with_gap.loc[7, "said"] = "income\nand tax"
        with_gap.to_csv(source, index=False)
    items = load(source, drop=[], text="said")
    assert items.n_rows == 400
    assert items.texts is not None
    assert len(items.texts) == len(items)
    study = lw.Study(items, n_clusters=4)
    labels = np.concatenate(list(items.all_labels(study.labels_)))
    assert lw.metrics.ari(np.arange(400) % 4, labels) > 0.9


def test_a_long_table_of_texts_is_taken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(table_files, "_MOST_ROWS", 300)
    monkeypatch.setattr("likewise.piles.load._REPRESENTATIVES", 20)
    path = tmp_path / "rows.csv"
    table = frame()[["id", "said"]]
    table["said"] = [f"{said}, number {k}, and more" for k, said in enumerate(table["said"])]
    table.to_csv(path, index=False)
    pile = read_pile(path)
    assert (pile.noun, pile.compared_by) == ("representative", "the texts in said")
    assert isinstance(pile.items, RepresentativeItems)
    assert pile.items.n_rows == 400


@pytest.mark.parametrize(
    ("how", "error", "message"),
    [
        ({"text": "nothing"}, DataError, "no column 'nothing'"),
        ({"text": "a"}, DataError, "column 'a' of .* holds double, not texts"),
        ({"model": "wordllama"}, MethodError, "say which column holds them"),
    ],
)
def test_what_cannot_be_compared_as_texts_is_refused(
    folder: Path, how: dict[str, Any], error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=message):
        load(folder, **how)


# -- found before ------------------------------------------------------------------------------


@pytest.fixture
def small_is_worth_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(kept, "_WORTH_IT", 0)
    monkeypatch.setenv("LIKEWISE_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache" / "parts"


def untouched(*_: Any, **__: Any) -> Any:
    raise AssertionError("it is read again")


@pytest.mark.parametrize("kind", ["parquet", "csv"])
def test_what_was_found_is_not_looked_for_again(
    folder: Path,
    tmp_path: Path,
    small_is_worth_it: Path,
    kind: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    source = folder
    if kind == "csv":
        source = tmp_path / "rows.csv"
        frame().to_csv(source, index=False)
    first = load(source)
    with monkeypatch.context() as patched:
        patched.setattr(loading, "find_partitions", untouched)
        again = load(source)
        with pytest.raises(AssertionError):
            load(source, random_state=1)
    assert_same(first, again)
    for here, there in zip(first.partitions, again.partitions, strict=True):
        np.testing.assert_array_equal(here.shown, there.shown)
    assert again.prepare is not None
    assert first.prepare is not None
    np.testing.assert_array_equal(again.prepare(np.ones((2, 2))), first.prepare(np.ones((2, 2))))
    written = again.write_labels(tmp_path / "labels", LABELS, np.ones(20))
    assert sum(len(pd.read_parquet(path)) for path in written) == 400


def test_a_table_that_has_changed_is_read_anew(folder: Path, small_is_worth_it: Path) -> None:
    first = load(folder)
    frame(40).assign(id=[f"new {k}" for k in range(40)]).to_parquet(folder / "9.parquet")
    assert load(folder).n_rows == first.n_rows + 40


def test_what_is_damaged_is_found_anew(folder: Path, small_is_worth_it: Path) -> None:
    first = load(folder)
    for file in ("items.json", "arrays.npz"):
        (path,) = small_is_worth_it.glob(f"*/{file}")
        path.write_bytes(path.read_bytes()[:50])
        assert_same(load(folder), first)


def test_the_oldest_goes(folder: Path, small_is_worth_it: Path, monkeypatch: Any) -> None:
    monkeypatch.setattr(kept, "_MOST", 2)
    for seed in range(4):
        load(folder, random_state=seed)
    assert len(list(small_is_worth_it.iterdir())) <= 2


# -- Ray ---------------------------------------------------------------------------------------


@pytest.mark.long
def test_a_ray_worker_that_dies_is_replaced(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ray = pytest.importorskip("ray")
    grave = tmp_path / "grave"

    def find(*args: Any, **how: Any) -> tuple[list[Any], Any]:
        parts, alive = finding.find_partitions(*args, **how)
        parts[2] = DoomedPartition(parts[2], str(grave))
        return parts, alive

    here = load(folder)
    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False, logging_level="ERROR")
    try:
        assert map_tasks(abs, [-1, -2, -3], client=Ray(at_once=2)) == [1, 2, 3]
        with monkeypatch.context() as patched:
            patched.setattr(loading, "find_partitions", find)
            there = load(folder, client=Ray())
        assert grave.exists()
        assert_same(here, there)
        far = there.write_labels(tmp_path / "far", LABELS, np.ones(20))
    finally:
        ray.shutdown()
    near = here.write_labels(tmp_path / "near", LABELS, np.ones(20))
    for one, other in zip(near, far, strict=True):
        pd.testing.assert_frame_equal(pd.read_parquet(str(one)), pd.read_parquet(str(other)))


def test_somebody_who_cannot_work_is_refused() -> None:
    with pytest.raises(MethodError, match=r"must be an Executor .*, not int"):
        map_tasks(abs, [-1, -2], client=3)
