"""Experiments: described by TOML, resumable, the same for any number of workers."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from likewise.bench import papers, speed
from likewise.bench.experiment import Experiment, Task
from likewise.bench.memory import peak_memory
from likewise.bench.results import Results
from likewise.bench.runner import attempt, carry_out
from likewise.bench.task_data import load
from likewise.bench.tasks import TASKS, linked_clusterers, links
from likewise.bench.tasks.labels import LEARNERS
from likewise.clusterers import COPRF
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
OLD_KEY = "612f958e762bc777"
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
    monkeypatch.setattr(linked_clusterers, "N_TREES", 60)
    (task,) = small(kind="links", methods=[method], noise=0.0, seeds=1, checkpoints=[1, 60]).tasks
    few, many = (row["ari"] for row in TASKS["links"].run(task, *load(task)[:2]))
    assert few == many if method == "rf" else few != many


def test_a_forest_is_told_how_many_links_are_wrong_or_guesses(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(linked_clusterers, "N_TREES", 20)
    rates = []

    class Spy(COPRF):
        def fit(self, X: Any, y: Any = None, **links: Any) -> Any:
            rates.append(self.error_rate)
            return super().fit(X, y, **links)

    monkeypatch.setattr(linked_clusterers, "COPRF", Spy)
    for method in ("coprf", "coprf-guessing"):
        (task,) = small(kind="links", methods=[method], noise=0.1, seeds=1, checkpoints=[60]).tasks
        list(TASKS["links"].run(task, *load(task)[:2]))
    assert rates == [0.1, None]


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
        (
            {
                "name": "a",
                "runs": [{"methods": ["urasc"], "data": ["wine"]}],
                "checkpoints": {"iris": [5]},
            },
            "by data set: 'wine'",
        ),
        ({"name": "a", "runs": [{**SMALL["runs"][0], "data": [{"n": 3}]}]}, "data and checkpoints"),
        ({"name": "a", "runs": [{**SMALL["runs"][0], "sedes": 3}]}, "'sedes'"),
        ({"name": "a", "runs": [{**SMALL["runs"][0], "checkpoints": [0]}]}, "at least one"),
        ({"name": "a", "runs": [{**SMALL["runs"][0], "shares": [0.1]}]}, "checkpoints, or shares"),
    ],
)
def test_a_wrong_description_is_explained(described: dict[str, Any], error: str) -> None:
    with pytest.raises(DataError, match=error):
        Experiment.of(described)


def test_checkpoints_by_data_set_give_the_tasks_that_blocks_of_their_own_would() -> None:
    block = {"methods": ["urasc", "random"], "seeds": 2}
    at = {"wine": [5, 10], "iris": [20]}
    apart = [{**block, "data": [name], "checkpoints": at[name]} for name in at]
    once = Experiment.of({"name": "a", "runs": [{**block, "data": [*at]}], "checkpoints": at})
    assert once.tasks == Experiment.of({"name": "a", "runs": apart}).tasks
    assert [task.seed for task in once.tasks] == [0] * 4 + [1] * 4  # of all blocks


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
    from likewise.similarity import SIMILARITY_METHODS

    for name in papers.names():
        paper = papers.load(name)
        tasks, told = paper.experiment.tasks, paper.published
        ran = {(t.data_name, t.method) for t in tasks}
        measuring = {name + end for name in SIMILARITY_METHODS for end in ("", "-interleaved")}
        known = {*METHODS, *linked_clusterers.LINKED, *LEARNERS, *measuring}
        assert {method for _, method in ran} <= known
        # A printed figure may be of data or a method that is not to be had, but none may be
        # forgotten.
        figures = set(zip(told["data"], told["method"], strict=True))
        had = {data for data, _ in ran}, {method for _, method in ran}
        assert ran >= {
            (data, method) for data, method in figures if data in had[0] and method in had[1]
        }
        assert len(papers.load(name, quick=True).experiment.tasks) < len(tasks)
        if "questions" in told:
            points = {(t.data_name, t.method, at) for t in tasks for at in t.checkpoints}
            # What one step brings is a figure without a number of questions.
            counted = told.dropna(subset="questions")[["data", "method", "questions"]]
            assert set(counted.itertuples(index=False)) <= points
        if "share" in told:
            shares = {share for t in tasks for share in t.shares}
            assert set(told["share"].dropna()) <= shares
        if "noise" in told:
            assert set(told["noise"].dropna()) <= {t.noise for t in tasks}


def test_an_area_is_the_trapezoid_with_steps_of_one() -> None:
    paper = papers.load("coprf")
    curve = pd.DataFrame(
        {
            "data": "iris", "method": "e2cp", "noise": 0.0, "seed": [0] * 5 + [1] * 5,
            "share": [0.001, 0.002, 0.003, 0.004, 0.005] * 2,
            "ari": [1.0] * 5 + [0.0, 0.2, 0.4, 0.6, 0.8],
        }
    )  # fmt: skip
    sweep = pd.DataFrame(
        {
            "data": "iris", "method": "e2cp", "noise": [0.05, 0.1, 0.15, 0.2, 0.25, 0.3],
            "seed": 0, "share": 0.003, "ari": [1.0, 1.0, 1.0, 1.0, 1.0, float("nan")],
        }
    )  # fmt: skip
    curve["status"], sweep["status"] = "ok", ["ok"] * 5 + ["failed"]
    curve["key"] = ["curve 0"] * 5 + ["curve 1"] * 5
    sweep["key"] = [f"sweep {noise}" for noise in sweep["noise"]]
    both = paper.compare(pd.concat([curve, sweep])).query("data == 'iris' and method == 'e2cp'")
    second, third, fourth = both.set_index("reference").ours[["Table II", "Table III", "Table IV"]]
    assert second == pytest.approx((4.0 + 1.6) / 2)
    assert pd.isna(third)  # one share is no curve
    assert fourth == pytest.approx(
        4.5
    )  # a failed point counts nothing; that without noise is not asked
    assert both.published.tolist() == [3.516, 3.416, 4.352]
    assert paper.compare(curve).query("method == 'coprf'").ours.isna().all()


def test_two_tables_with_a_point_in_common_keep_to_their_own_runs() -> None:
    columns = {"data": "iris", "method": "e2cp", "seed": 0, "status": "ok"}
    shares = [0.001, 0.002, 0.003, 0.004, 0.005]
    curve = pd.DataFrame({**columns, "noise": 0.15, "share": shares, "key": "curve", "ari": 1.0})
    noise = [0.05, 0.1, 0.15, 0.2, 0.25, 0.3]
    sweep = pd.DataFrame({**columns, "noise": noise, "share": 0.003, "ari": 0.5})
    sweep["key"] = [f"sweep {share}" for share in noise]
    both = papers.load("coprf").compare(pd.concat([curve, sweep]))
    ours = both.query("data == 'iris' and method == 'e2cp'").set_index("reference").ours
    assert (ours["Table III"], ours["Table IV"]) == (4.0, 2.5)


def test_just_the_share_of_links_that_is_asked_for_is_wrong() -> None:
    rng = np.random.default_rng(0)
    wrong = links.wrong_links((7, 20, 33), 0.15, rng)
    assert [int(wrong[:at].sum()) for at in (7, 20, 33)] == [1, 3, 5]
    assert not links.wrong_links((5, 10), 0.0, rng).any()


def test_the_figures_of_the_forest_paper_add_up_to_its_averages() -> None:
    told = papers.load("coprf").published
    assert len(told) == 3 * 6 * 6
    means = told.groupby(["reference", "method"]).published.mean()
    assert means["Table II"].to_dict() == pytest.approx(
        {
            "spectral": 1.692, "copkmeans": 0.526, "spectral-learning-pairs": 1.865,
            "e2cp": 1.854, "rf+e2cp": 2.529, "coprf": 2.661,
        },
        abs=6e-4,
    )  # fmt: skip
    assert means["Table III"]["e2cp"] == pytest.approx(1.396, abs=6e-4)
    assert means["Table IV"]["coprf"] == pytest.approx(2.896, abs=6e-4)


def test_checkpoints_can_be_shares_of_all_pairs(tmp_path: Path) -> None:
    described = {**SMALL["runs"][0], "kind": "links", "methods": ["e2cp"], "shares": [0.01, 0.05]}
    del described["checkpoints"]
    experiment = Experiment.of({"name": "shares", "runs": [{**described, "scaling": "range"}]})
    results = Results(tmp_path / "shares.parquet")
    carry_out(experiment, results)
    frame = frame_of(results)
    assert set(frame.status) == {"ok"}
    assert set(zip(frame.share, frame.questions, strict=True)) == {(0.01, 8), (0.05, 39)}
    X = load(experiment.tasks[0])[0]
    assert (X.min(axis=0) == -1).all()
    assert (X.max(axis=0) == 1).all()
    few = Experiment.of({"name": "few", "runs": [{**described, "shares": [0.0001]}]})
    (row,) = attempt(few.tasks[0])[1]
    assert "too few pairs" in row["reason"]


@pytest.mark.parametrize("method", sorted(linked_clusterers.LINKED))
def test_every_linked_method_runs_with_wrong_answers(method: str) -> None:
    (task,) = small(kind="links", methods=[method], noise=0.3, seeds=1, checkpoints=[5, 60]).tasks
    assert [row["status"] for row in attempt(task)[1]] == ["ok", "ok"]


def test_what_was_not_said_does_not_change_the_name_of_a_task() -> None:
    # The names in results that were written before shares and scalings could be said.
    assert Task("urasc", "wine", 0, (5, 10)).key == OLD_KEY
    assert Task("urasc", "wine", 0, (5, 10), scaling="range").key != OLD_KEY


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
    first, second = (load(task)[0] for task in tasks)
    assert (first != second).any()


def test_data_that_were_missing_are_tried_again_and_count_as_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LIKEWISE_DATA", str(tmp_path))
    results = Results(tmp_path / "small.parquet")
    experiment = small(methods=["random"], data=["missing"], noise=0.0, seeds=1)
    assert carry_out(experiment, results) == 1
    told = pd.DataFrame({"data": ["missing"], "method": "random", "questions": 0, "metric": "ari"})
    paper = papers.Paper(experiment, told.assign(published=0.5))
    assert paper.compare(frame_of(results)).ours.isna().all()
    pd.DataFrame({"a": [0.0, 0.1, 5.0, 5.1], "label": [0, 0, 1, 1]}).to_csv(
        tmp_path / "missing.csv", index=False
    )
    assert carry_out(experiment, results) == 1
    assert set(frame_of(results).status) == {"ok"}
    assert paper.compare(frame_of(results)).ours.notna().all()
    assert carry_out(experiment, results) == 0
