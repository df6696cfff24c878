"""Experiments on a real dask scheduler with workers in processes of their own."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from likewise._dask import done_by_cluster
from likewise.bench.experiment import Experiment, Task
from likewise.bench.results import Results
from likewise.bench.runner import carry_out
from likewise.errors import MethodError, MissingExtra

TIMES = ["seconds", "seconds_asking", "seconds_fitting", "peak_memory"]
SMALL = Experiment.of(
    {
        "name": "small",
        "runs": [
            {
                "methods": ["urasc", "random-items", "no-such-method"],
                "data": [{"name": "blobs", "n": 40, "n_clusters": 3}],
                "seeds": 2,
                "checkpoints": [0, 5, 10],
            }
        ],
    }
)


@contextmanager
def cluster(n_workers: int = 2, *, threads: int = 1) -> Iterator[Any]:
    from distributed import LocalCluster

    with LocalCluster(  # type: ignore[no-untyped-call]
        n_workers=n_workers,
        threads_per_worker=threads,
        processes=True,
        host="127.0.0.1",
        dashboard_address=":0",
    ) as started:
        yield started


def rows(folder: Path, **how: Any) -> pd.DataFrame:
    """The rows of the small experiment, without what differs from time to time."""
    results = Results(folder / "small.parquet")
    carry_out(SMALL, results, **how)
    frame = results.frame()
    assert frame is not None
    return frame.drop(columns=TIMES)


@pytest.fixture(scope="module")
def local(tmp_path_factory: pytest.TempPathFactory) -> pd.DataFrame:
    return rows(tmp_path_factory.mktemp("local"))


def workers_of(address: str) -> list[int]:
    from distributed import Client

    with Client(address) as client:  # type: ignore[no-untyped-call]
        return list(client.run(os.getpid).values())


def connections(started: Any) -> list[str]:
    """Who has not closed the door behind them, workers aside."""
    return [
        name
        for name in started.scheduler.clients
        if name.startswith("Client-") and "worker" not in name
    ]


@pytest.mark.slow
@pytest.mark.parametrize("threads", [1, 2])
def test_the_workers_of_a_scheduler_give_the_rows_of_one_here(
    tmp_path: Path, local: pd.DataFrame, threads: int
) -> None:
    with cluster(threads=threads) as started:
        pd.testing.assert_frame_equal(rows(tmp_path, dask=started.scheduler_address), local)
        assert connections(started) == []
        # All is done: now not even a scheduler is needed.
        assert carry_out(SMALL, Results(tmp_path / "small.parquet"), dask="tcp://127.0.0.1:9") == 0


@pytest.mark.long
def test_when_a_worker_dies_its_task_is_done_by_another(
    tmp_path: Path, local: pd.DataFrame
) -> None:
    with cluster() as started:
        doomed = workers_of(started.scheduler_address)[0]
        seen: list[Task] = []

        def kill_a_worker(task: Task, _: list[dict[str, Any]]) -> None:
            seen.append(task)
            if len(seen) == 2:
                os.kill(doomed, signal.SIGKILL)

        frame = rows(tmp_path, dask=started.scheduler_address, on_done=kill_a_worker)
    pd.testing.assert_frame_equal(frame, local)
    assert len(seen) == len(set(seen)) == len(SMALL.tasks)


@pytest.mark.long
def test_an_interruption_closes_the_connection(tmp_path: Path) -> None:
    def interrupt(task: Task, _: list[dict[str, Any]]) -> None:
        raise KeyboardInterrupt

    with cluster(1) as started:
        with pytest.raises(KeyboardInterrupt):
            rows(tmp_path, dask=started.scheduler_address, on_done=interrupt)
        assert connections(started) == []
    assert len(Results(tmp_path / "small.parquet").provenance()) == 1


def deadly(n: int) -> int:
    if n == 1:
        os.kill(os.getpid(), signal.SIGKILL)
    return 10 * n


def unfit(n: int) -> int:
    raise ImportError("no module named likewise")


@pytest.mark.long
def test_a_task_that_kills_every_worker_is_given_up_and_the_others_are_done() -> None:
    with cluster() as started:
        done = done_by_cluster(
            started.scheduler_address, deadly, range(8), when_lost=lambda n, reason: -n
        )
        assert sorted(done) == [-1, 0, *range(20, 80, 10)]


@pytest.mark.long
def test_workers_that_cannot_do_the_work_are_told_from_tasks_that_fail() -> None:
    with cluster(1) as started:
        address = started.scheduler_address
        with pytest.raises(MethodError, match="cannot do the work: ImportError"):
            list(done_by_cluster(address, unfit, [1], when_lost=lambda n, reason: n))


@pytest.mark.long
def test_a_scheduler_without_workers_is_not_waited_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("likewise._dask._TIMEOUT", 1.0)
    with cluster(0) as started, pytest.raises(MethodError, match="has no workers"):
        rows(tmp_path, dask=started.scheduler_address)


@pytest.mark.long
def test_when_the_scheduler_goes_away_what_was_done_is_kept(
    tmp_path: Path, local: pd.DataFrame
) -> None:
    with cluster() as started:

        def stop(task: Task, _: list[dict[str, Any]]) -> None:
            started.close()

        with pytest.raises(MethodError, match="went away"):
            rows(tmp_path, dask=started.scheduler_address, on_done=stop)
    kept = Results(tmp_path / "small.parquet").provenance()
    assert 0 < len(kept) < len(SMALL.tasks)
    pd.testing.assert_frame_equal(rows(tmp_path), local)


@pytest.mark.long
def test_the_command_line_uses_a_scheduler_and_ends(tmp_path: Path) -> None:
    (tmp_path / "toy.toml").write_text(
        'name = "toy"\n[[runs]]\nmethods = ["random"]\n'
        'data = [{name = "blobs", n = 30}]\ncheckpoints = [0, 5]\n'
    )
    command = [sys.executable, "-m", "likewise", "bench", "run", "toy.toml", "--dask"]
    with cluster(1) as started:
        ended = subprocess.run(
            [*command, started.scheduler_address], cwd=tmp_path, capture_output=True, text=True
        )
    assert ended.returncode == 0, ended.stderr
    assert ended.stderr == ""
    assert (tmp_path / "toy.parquet").is_file()


class PendingFuture:
    def add_done_callback(self, call: Any) -> None:
        pass


class SilentScheduler:
    """A connection whose scheduler said goodbye: its futures are neither done nor cancelled."""

    address = "tcp://silent"
    status = "running"

    def __init__(self) -> None:
        self.scheduler = self

    def submit(self, work: Any, task: int, *, pure: bool) -> Any:
        return PendingFuture()

    def nthreads(self) -> None:
        raise OSError("connection refused")


def test_a_scheduler_that_goes_without_a_word_is_not_waited_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("likewise._dask._TIMEOUT", 0.01)
    with pytest.raises(MethodError, match="tcp://silent went away; what was done is kept"):
        list(done_by_cluster(SilentScheduler(), str, [1], when_lost=lambda n, reason: reason))


class BriefFuture:
    """A result that is there, and gone with its worker when it is fetched."""

    status = "finished"

    def __init__(self, fetches: list[float]) -> None:
        self._fetches = fetches

    def add_done_callback(self, call: Any) -> None:
        call(self)

    def cancelled(self) -> bool:
        return False

    def result(self, timeout: float) -> str:
        self._fetches.append(timeout)
        if len(self._fetches) < 3:
            raise TimeoutError
        return "done"


@pytest.mark.parametrize(("tasks", "expected"), [(1, "lost"), (3, "done")])
def test_what_died_with_its_worker_is_done_again_or_given_up(tasks: int, expected: str) -> None:
    fetches: list[float] = []
    client = SilentScheduler()
    client.submit = lambda *_, **__: BriefFuture(fetches)  # type: ignore[method-assign]
    done = list(
        done_by_cluster(client, str, range(tasks), when_lost=lambda n, reason: f"lost: {reason}")
    )
    assert len(done) == tasks
    assert done[-1].startswith(expected)


@pytest.mark.parametrize("address", ["tcp://127.0.0.1:9", "nowhere://x"])
def test_a_scheduler_that_is_not_there_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, address: str
) -> None:
    monkeypatch.setattr("likewise._dask._TIMEOUT", 0.5)
    with pytest.raises(MethodError, match=f"no dask scheduler at {address}"):
        rows(tmp_path, dask=address)


def test_without_dask_the_extra_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(MissingExtra, match=r"likewise\[dask\]"):
        rows(tmp_path, dask="tcp://127.0.0.1:9")
