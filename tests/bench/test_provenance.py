"""Where rows come from: what is out of date is run again, and nothing else."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from likewise import datasets
from likewise.bench import provenance, task_data
from likewise.bench.experiment import Experiment
from likewise.bench.provenance import Provenance, with_states
from likewise.bench.results import Results, write_rows
from likewise.bench.runner import attempt, carry_out, plan

PILE = "a,b,label\n0,0,x\n0,1,x\n5,5,y\n5,6,y\n9,0,z\n9,1,z\n"
TOML = 'name = "own"\ntitle = "Our own pile"\n[[runs]]\nmethods = ["random-items", "random"]\n'
TOML += 'data = ["pile.csv"]\ncheckpoints = [0, 3]\nseeds = 2\n'


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "pile.csv").write_text(PILE)
    (tmp_path / "own.toml").write_text(TOML)
    return tmp_path


def frame_of(results: Results) -> pd.DataFrame:
    frame = results.frame()
    assert frame is not None
    return frame


def ran(folder: Path, **how: Any) -> int:
    """How many tasks a further call of the bench does."""
    experiment = Experiment.read(folder / "own.toml")
    results = Results(folder / "own.parquet")
    return carry_out(experiment, results, tasks=plan(experiment, results, **how).tasks)


def test_a_row_tells_commit_code_data_and_settings(folder: Path) -> None:
    ran(folder)
    frame = frame_of(Results(folder / "own.parquet"))
    assert set(frame.commit) == {provenance.commit()}
    assert frame.groupby("method").code_hash.nunique().eq(1).all()
    assert frame.code_hash.nunique() == 2
    assert frame.data_hash.nunique() == 1
    tasks = Experiment.read(folder / "own.toml").tasks
    assert set(frame.settings) == {task.settings for task in tasks}
    assert not frame.settings.str.contains(str(folder)).any()


def test_a_data_file_that_was_cut_is_run_again(folder: Path) -> None:
    assert ran(folder) == 4
    assert ran(folder) == 0
    (folder / "pile.csv").write_text(PILE.rpartition("9,1")[0])
    assert ran(folder) == 4
    assert set(frame_of(Results(folder / "own.parquet")).n) == {5}
    assert ran(folder) == 0


def test_a_method_whose_code_changed_is_run_again(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ran(folder)
    true_hash = provenance._hash_of_method
    monkeypatch.setattr(
        provenance,
        "_hash_of_method",
        lambda kind, method: true_hash(kind, method) + ("changed" if method == "random" else ""),
    )
    assert ran(folder, keep_old=True) == 0
    assert ran(folder) == 2
    assert ran(folder) == 0


def test_force_runs_everything_again(folder: Path) -> None:
    ran(folder)
    assert ran(folder, force=True) == 4


def test_rows_from_before_are_read_and_run_again_unless_kept(folder: Path) -> None:
    ran(folder)
    results = Results(folder / "own.parquet")
    new = [*provenance.COLUMNS, "peak_memory"]
    frame_of(results).drop(columns=list(provenance.COLUMNS)).to_parquet(results.path)
    old = frame_of(results)
    assert set(old.commit) == {""}
    assert set(with_states(old).state) == {"unknown"}
    before = results.path.read_bytes()
    assert ran(folder, keep_old=True) == 0
    assert new[0] in frame_of(results)
    assert ran(folder) == 4
    assert results.path.read_bytes() != before
    assert set(with_states(frame_of(results), folder).state) == {"current"}


def test_results_are_kept_where_their_data_are_not_to_be_had(folder: Path) -> None:
    ran(folder)
    (folder / "pile.csv").rename(folder / "elsewhere.csv")
    assert ran(folder) == ran(folder, force=True) == 0
    frame = frame_of(Results(folder / "own.parquet"))
    assert set(frame.status) == {"ok"}
    assert set(with_states(frame, folder).state) == {"data not here"}


def test_states_tell_other_code_from_other_data(folder: Path) -> None:
    ran(folder)
    frame = frame_of(Results(folder / "own.parquet"))
    frame.loc[frame.method == "random", "code_hash"] = "other"
    states = with_states(frame, folder).groupby("method").state.unique()
    assert states.map(list).to_dict() == {"random": ["other code"], "random-items": ["current"]}
    (folder / "pile.csv").write_text(PILE.replace("9,1,z", "9,1,x"))
    states = with_states(frame, folder).groupby("method").state.unique()
    assert states.map(list).to_dict() == {"random": ["other code"], "random-items": ["other data"]}


def test_a_method_that_was_missing_is_tried_again_once_it_is_there(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from likewise.methods import METHODS, find_recipe

    (folder / "own.toml").write_text(TOML.replace('"random"', '"mine"'))
    assert ran(folder) == 4
    assert ran(folder) == 0
    provenance._hash_of_method.cache_clear()
    monkeypatch.setitem(METHODS, "mine", find_recipe("random"))
    assert ran(folder) == 2
    assert set(frame_of(Results(folder / "own.parquet")).status) == {"ok"}
    provenance._hash_of_method.cache_clear()


def test_data_are_read_once_per_set_and_process(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    loads: list[Path] = []
    read = datasets.read

    def counted(path: Path) -> datasets.Dataset:
        loads.append(path)
        return read(path)

    monkeypatch.setattr(datasets, "read", counted)
    task_data._data_set.cache_clear()
    assert ran(folder) == 4
    assert len(loads) == 1
    (task, *_) = Experiment.read(folder / "own.toml").tasks
    attempt(task)
    assert len(loads) == 1


def test_a_path_is_relative_to_the_description(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(folder.parent)
    (task, *_) = Experiment.read(Path(folder.name) / "own.toml").tasks
    monkeypatch.chdir("/")
    assert task.data_name == "pile.csv"
    X, truth, _ = task_data.load(task)
    assert X.shape == (6, 2)
    assert np.bincount(truth).tolist() == [2, 2, 2]


def test_what_is_wrong_with_a_data_file_is_a_reason(folder: Path) -> None:
    (folder / "own.toml").write_text(TOML.replace("pile.csv", "missing.csv"))
    assert ran(folder) == ran(folder) == 4
    frame = frame_of(Results(folder / "own.parquet"))
    assert frame.reason.str.contains("missing.csv cannot be read").all()
    (folder / "own.toml").write_text(TOML.replace('["pile.csv"]', '[{name = "pile.csv", n = 3}]'))
    ran(folder)
    assert frame_of(Results(folder / "own.parquet")).reason.str.contains("no parameter 'n'").any()


def test_the_title_is_kept_with_the_rows(folder: Path) -> None:
    ran(folder)
    results = Results(folder / "own.parquet")
    assert frame_of(results).attrs["title"] == "Our own pile"
    (folder / "own.toml").write_text(TOML.replace("Our own", "Another"))
    ran(folder)
    assert frame_of(results).attrs["title"] == "Another pile"


def test_a_file_is_written_only_when_something_changed(tmp_path: Path) -> None:
    path = tmp_path / "rows.parquet"
    rows = pd.DataFrame({"a": [1.0, np.nan], "b": ["x", ""]})
    assert write_rows(rows, path)
    before = path.stat().st_mtime_ns
    assert not write_rows(pd.read_parquet(path), path)
    assert path.stat().st_mtime_ns == before
    assert write_rows(rows.assign(a=2.0), path)


def test_a_finished_experiment_leaves_its_file_alone(folder: Path) -> None:
    ran(folder)
    before = (folder / "own.parquet").stat().st_mtime_ns
    assert ran(folder) == 0
    assert (folder / "own.parquet").stat().st_mtime_ns == before


def test_the_commit_is_that_of_a_checkout_and_else_the_version(tmp_path: Path) -> None:
    from likewise._version import __version__

    package = Path(provenance.__file__).parents[1]
    copy = tmp_path / "likewise"
    for name in ("__init__.py", "_extras.py", "_version.py", "errors.py", "bench/__init__.py"):
        (copy / name).parent.mkdir(parents=True, exist_ok=True)
        (copy / name).write_bytes((package / name).read_bytes())
    (copy / "bench/provenance.py").write_bytes((package / "bench/provenance.py").read_bytes())

    def commit() -> str:
        command = "from likewise.bench.provenance import commit; print(commit())"
        environment = {**os.environ, "PYTHONPATH": str(tmp_path), "PYTHONDONTWRITEBYTECODE": "1"}
        return subprocess.run(
            [sys.executable, "-c", command],
            capture_output=True, text=True, check=True, env=environment,
        ).stdout.strip()  # fmt: skip

    def git(*words: str) -> str:
        who = ["-c", "user.name=a", "-c", "user.email=a@b.c"]
        done = subprocess.run(
            ["git", *who, *words], cwd=tmp_path, check=True, capture_output=True, text=True
        )
        return done.stdout.strip()

    assert commit() == f"version {__version__}"
    git("init")
    assert commit() == f"version {__version__}"  # inside somebody's repository, not part of it
    git("add", ".")
    git("commit", "-m", "all")
    assert commit() == git("rev-parse", "--short=12", "HEAD")
    (copy / "errors.py").write_text((package / "errors.py").read_text() + "\n# changed\n")
    assert commit() == git("rev-parse", "--short=12", "HEAD") + "+"


def test_provenance_by_key_leaves_out_what_had_no_data(folder: Path) -> None:
    (folder / "own.toml").write_text(TOML.replace('["pile.csv"]', '["pile.csv", "missing.csv"]'))
    ran(folder)
    kept = Results(folder / "own.parquet").provenance()
    assert len(kept) == 4
    assert all(isinstance(one, Provenance) and one.data_hash for one in kept.values())
