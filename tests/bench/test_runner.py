"""Experiments: described by TOML, resumable, the same for any number of workers."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from likewise.bench import kinds, papers, speed
from likewise.bench.experiment import Experiment, Task
from likewise.bench.memory import peak_memory
from likewise.bench.results import Results
from likewise.bench.runner import attempt, carry_out
from likewise.errors import DataError, MethodError

SMALL: dict[str, Any] = {
    "name": "small",
    "runs": [
        {
            "methods": ["urasc", "random-items"],
            "data": [{"name": "blobs", "n": 40, "n_clusters": 3}],
            "seeds": 2,
            "checkpoints": [0, 5, 10],
            "noise": [0.0, 0.1],
        }
    ],
}
TIMES = ["seconds", "seconds_asking", "seconds_fitting", "peak_memory"]


def small(**changes: Any) -> Experiment:
    return Experiment.of({**SMALL, "runs": [{**SMALL["runs"][0], **changes}]})


def frame_of(results: Results) -> pd.DataFrame:
    frame = results.frame()
    assert frame is not None
    return frame


def test_an_experiment_is_the_product_of_what_it_lists() -> None:
    experiment = small()
    assert len(experiment.tasks) == 2 * 1 * 2 * 2
    assert len({task.key for task in experiment.tasks}) == len(experiment.tasks)


def test_every_checkpoint_of_every_task_has_a_row(tmp_path: Path) -> None:
    results = Results(tmp_path / "small.parquet")
    assert carry_out(small(), results) == 8
    frame = frame_of(results)
    assert len(frame) == 8 * 3
    assert set(frame.status) == {"ok"}
    assert set(frame.data) == {"blobs(n=40, n_clusters=3)"}
    assert frame[["n", "d", "k"]].drop_duplicates().to_numpy().tolist() == [[40, 2, 3]]
    assert frame.ari.between(-1, 1).all()
    assert frame.peak_memory.gt(0).all()


def test_one_worker_and_two_give_the_same_rows(tmp_path: Path) -> None:
    frames = []
    for n_jobs in (1, 2):
        results = Results(tmp_path / f"{n_jobs}.parquet")
        carry_out(small(), results, n_jobs=n_jobs)
        frames.append(frame_of(results).drop(columns=TIMES))
    pd.testing.assert_frame_equal(frames[0], frames[1])


def test_an_interrupted_experiment_goes_on_and_does_nothing_twice(tmp_path: Path) -> None:
    results = Results(tmp_path / "small.parquet")
    seen: list[str] = []

    def stop_after_three(task: Task, rows: list[dict[str, Any]]) -> None:
        seen.append(task.key)
        if len(seen) == 3:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        carry_out(small(), results, on_done=stop_after_three)
    before = frame_of(Results(tmp_path / "small.parquet"))
    assert set(before.key) == set(seen)
    assert carry_out(small(), results, on_done=lambda task, rows: seen.append(task.key)) == 5
    assert len(seen) == len(set(seen)) == 8
    after = frame_of(results)
    kept = after[after.key.isin(before.key)].reset_index(drop=True)
    pd.testing.assert_frame_equal(kept, before)
    assert carry_out(small(), results) == 0


def test_a_failing_run_is_recorded_with_its_reason_and_the_rest_goes_on(tmp_path: Path) -> None:
    results = Results(tmp_path / "small.parquet")
    carry_out(small(methods=["urasq", "random"], noise=0.0), results)
    frame = frame_of(results)
    failed = frame[frame.status == "failed"]
    assert set(failed.method) == {"urasq"}
    assert failed.reason.str.contains("did you mean 'urasc'").all()
    assert set(frame[frame.status == "ok"].method) == {"random"}


def test_a_run_past_its_time_limit_is_recorded_where_it_stopped() -> None:
    (task,) = small(methods=["urasc"], noise=0.0, seeds=1, time_limit=0.0).tasks
    rows = attempt(task)[1]
    assert [row["questions"] for row in rows] == [0, 5, 10]
    assert {row["status"] for row in rows} == {"stopped"}
    assert "time limit" in rows[0]["reason"]


def test_random_links_are_an_experiment_too(tmp_path: Path) -> None:
    results = Results(tmp_path / "links.parquet")
    carry_out(
        small(kind="links", methods=["spectral-learning"], noise=0.0, checkpoints=[1, 60]), results
    )
    frame = frame_of(results)
    assert set(frame.status) == {"ok"}
    assert frame.groupby("questions").ari.mean()[60] >= frame.groupby("questions").ari.mean()[1]


@pytest.mark.parametrize("method", ["coprf", "rf"])
def test_forests_are_given_random_links_too(method: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kinds.ForestClustering, "n_trees", 60)
    (task,) = small(kind="links", methods=[method], noise=0.0, seeds=1, checkpoints=[1, 60]).tasks
    few, many = (row["ari"] for row in kinds.links(task))
    assert few == many if method == "rf" else few != many


def test_one_who_knows_the_truth_is_an_experiment_too(tmp_path: Path) -> None:
    (task,) = small(kind="omniscient", methods=["omniscient"], noise=0.0, seeds=1).tasks
    rows = attempt(task)[1]
    assert [row["questions"] for row in rows] == [0, 5, 10]
    assert rows[-1]["ari"] >= rows[0]["ari"]
    assert {row["status"] for row in rows} == {"ok"}


def test_a_kind_that_does_not_exist_is_a_failure_with_a_reason() -> None:
    (task,) = small(kind="quests", methods=["urasc"], noise=0.0, seeds=1).tasks
    (row,) = attempt(task)[1]
    assert row["status"] == "failed"
    assert "questions" in row["reason"]


TOY = """
import likewise as lw
from likewise.strategies import Placing

class LastFirst:
    def rank(self, view, candidates, n, rng):
        return [int(i) for i in candidates[::-1][:n]]

last_first = lw.Recipe("the last item first", lambda: Placing(LastFirst()))
"""


def test_a_strategy_of_another_package_appears_without_touching_likewise(tmp_path: Path) -> None:
    package = tmp_path / "toy"
    (package / "toy-1.0.dist-info").mkdir(parents=True)
    (package / "toy.py").write_text(TOY)
    (package / "toy-1.0.dist-info" / "METADATA").write_text("Name: toy\nVersion: 1.0\n")
    (package / "toy-1.0.dist-info" / "entry_points.txt").write_text(
        "[likewise.methods]\nlast-first = toy:last_first\nbroken = toy:missing\n"
    )
    (tmp_path / "toy.toml").write_text(
        'name = "toy"\n[[runs]]\nmethods = ["last-first"]\n'
        'data = [{name = "blobs", n = 30}]\ncheckpoints = [0, 5]\n'
    )
    command = [sys.executable, "-m", "likewise", "bench", "run", "toy.toml", "--jobs", "1"]
    environment = {**os.environ, "PYTHONPATH": str(package)}
    subprocess.run(command, cwd=tmp_path, env=environment, check=True, capture_output=True)
    frame = frame_of(Results(tmp_path / "toy.parquet"))
    assert set(frame.method) == {"last-first"}
    assert set(frame.status) == {"ok"}


@pytest.mark.parametrize(
    ("described", "error"),
    [
        ({}, "needs a name"),
        ({"name": "a", "runs": [{"methods": ["urasc"]}]}, "methods, data and checkpoints"),
        ({"name": "a", "runs": [{**SMALL["runs"][0], "sedes": 3}]}, "'sedes'"),
        ({"name": "a", "runs": [{**SMALL["runs"][0], "checkpoints": [0]}]}, "at least one"),
    ],
)
def test_a_wrong_description_is_explained(described: dict[str, Any], error: str) -> None:
    with pytest.raises(DataError, match=error):
        Experiment.of(described)


def test_files_that_are_no_experiment_are_named(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="no experiment file"):
        Experiment.read(tmp_path / "missing.toml")
    (tmp_path / "broken.toml").write_text("name = ")
    with pytest.raises(DataError, match="cannot be read as TOML"):
        Experiment.read(tmp_path / "broken.toml")
    with pytest.raises(DataError, match=r"ends in \.parquet"):
        Results(tmp_path / "results.csv")
    (tmp_path / "broken.parquet").write_text("no")
    with pytest.raises(DataError, match="no Parquet file"):
        Results(tmp_path / "broken.parquet").frame()


def test_every_paper_names_methods_that_exist_and_figures_of_what_it_runs() -> None:
    from likewise import METHODS

    for name in papers.names():
        paper = papers.load(name)
        ran = {(t.data, t.method, at) for t in paper.experiment.tasks for at in t.checkpoints}
        told = {(r.data, r.method, r.questions) for r in paper.published.itertuples()}
        assert told <= ran
        assert {task.method for task in paper.experiment.tasks} <= set(METHODS)
        assert len(papers.load(name, quick=True).experiment.tasks) < len(paper.experiment.tasks)


def test_a_paper_is_compared_figure_by_figure() -> None:
    paper = papers.load("urasc")
    ours = pd.DataFrame(
        {
            "data": "wine", "questions": 5, "method": "urasc", "seed": [0, 1],
            "jaccard": [0.8, 0.9], "v_measure": [0.9, 0.9],
        }
    )  # fmt: skip
    both = paper.compare(ours)
    (row,) = both.query("questions == 5 and method == 'urasc' and metric == 'jaccard'").itertuples()
    assert row.ours == pytest.approx(0.85)
    assert row.difference == pytest.approx(0.85 - 0.837)
    assert both.ours.notna().sum() == 2


def test_an_unknown_paper_is_refused() -> None:
    with pytest.raises(DataError, match="urasc"):
        papers.load("urasq")


def test_speed_is_a_ratio_to_the_yardstick_of_the_same_rounds() -> None:
    rows = speed.measure(["random-items"], sizes=(60, 120), questions=5, rounds=1)
    assert set(rows.method) == {speed.YARDSTICK, "random-items"}
    table = speed.summary(rows).set_index("method")
    assert table.loc[speed.YARDSTICK, "ratio to cold eigsh"] == 1.0
    assert table["growth exponent"].notna().all()
    with pytest.raises(MethodError, match="no method"):
        speed.measure(["nothing"], sizes=(60,))


def test_the_peak_of_memory_is_that_of_the_block() -> None:
    import numpy as np

    with peak_memory() as small_peak:
        pass
    with peak_memory() as large_peak:
        np.ones(20_000_000)
    assert large_peak[0] > small_peak[0] + 100


def test_generated_data_differ_by_seed_and_files_do_not() -> None:
    tasks = small(noise=0.0, methods=["urasc"]).tasks
    first, second = (kinds.load(task)[0] for task in tasks)
    assert (first != second).any()
