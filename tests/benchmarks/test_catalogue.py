"""The experiments behind the documentation: all are listed and start, and keep their rows."""

from __future__ import annotations

import re
import runpy
import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from likewise.errors import DataError

benchmarks = pytest.importorskip("benchmarks", reason="the experiments are not in a wheel")
ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "benchmarks"
# Neither is an experiment: one is run inside another environment, one compares two commits.
OTHERS = {"kmeans_peer", "golden_studies"}


def experiments() -> dict[str, Any]:
    found: dict[str, Any] = import_module("benchmarks.catalogue").EXPERIMENTS
    return found


def test_every_module_of_an_experiment_is_listed() -> None:
    modules = {path.stem for path in FOLDER.glob("*/*.py") if path.stem != "__init__"}
    assert modules - OTHERS == set(experiments())
    assert len({entry.shows for entry in experiments().values()}) == len(experiments())


@pytest.mark.parametrize("name", experiments())
def test_every_experiment_can_be_started(name: str) -> None:
    if name == "neighbours":
        pytest.importorskip("faiss")
    assert callable(import_module(experiments()[name].module).main)


@pytest.mark.skipif(not (FOLDER / "results").is_dir(), reason="results are not in an sdist")
def test_every_table_that_docs_include_is_there_and_no_other() -> None:
    pages = [*(ROOT / "docs").rglob("*.md"), ROOT / "README.md"]
    texts = "\n".join(page.read_text(encoding="utf-8") for page in pages)
    shown = set(re.findall(r"benchmarks/results/(\w+\.md)", texts))
    there = {path.name for path in (FOLDER / "results").glob("*.md")}
    assert shown == there
    figures = {path.name for path in (ROOT / "docs" / "images").iterdir()}
    assert {name for name in figures if name not in texts} == set()


@pytest.fixture
def benchmark(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    def run(*words: str) -> None:
        monkeypatch.setattr(sys, "argv", ["benchmarks", *words])
        runpy.run_module("benchmarks", run_name="__main__")

    return run


def test_names_are_checked_and_listed(
    benchmark: Callable[..., None], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        benchmark("nothing")
    assert ended.value.code == 2
    assert "there is no experiment 'nothing'" in capsys.readouterr().err
    benchmark("--list")
    assert capsys.readouterr().out.count("\n") == len(experiments()) + 2


def test_what_is_missing_is_told_in_a_sentence(
    benchmark: Callable[..., None],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    def main() -> None:
        raise DataError("the tables are not there")

    monkeypatch.setattr(import_module(experiments()["unseen"].module), "main", main)
    with pytest.raises(SystemExit) as ended:
        benchmark("unseen")
    assert ended.value.code == 2
    assert capsys.readouterr().err.endswith("unseen: the tables are not there\n")


def test_rows_that_are_kept_are_computed_once_and_again_when_out_of_date(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from benchmarks import rows
    from likewise.bench.experiment import Task

    monkeypatch.setattr(rows, "RESULTS", tmp_path)
    computed: list[int] = []

    def compute(seed: int) -> dict[str, float]:
        computed.append(seed)
        return {"ari": seed / 10}

    def task_of(seed: int) -> Task:
        return Task("random", "iris", seed, (5,))

    keys = [{"seed": seed} for seed in (2, 0, 1)]
    for _ in range(2):
        found = rows.kept_rows("few", keys, compute, task_of)
        assert found["seed"].tolist() == [2, 0, 1]
        assert found["ari"].tolist() == [0.2, 0.0, 0.1]
    assert computed == [2, 0, 1]
    path = tmp_path / "few.parquet"
    old = pd.read_parquet(path)
    old.assign(code_hash=old["code_hash"].where(old["seed"] != 1, "")).to_parquet(path)
    monkeypatch.setattr(rows, "keep_old", True)
    rows.kept_rows("few", keys, compute, task_of)
    assert computed == [2, 0, 1]
    monkeypatch.setattr(rows, "keep_old", False)
    monkeypatch.setattr(rows, "methods", frozenset({"auto"}))
    assert len(rows.kept_rows("few", [*keys, {"seed": 3}], compute, task_of)) == 3
    assert computed == [2, 0, 1]
    monkeypatch.setattr(rows, "methods", frozenset({"random"}))
    rows.kept_rows("few", keys, compute, task_of)
    assert computed == [2, 0, 1, 1]


def halved(seed: int) -> dict[str, float]:
    return {"half": seed / 2}


def test_rows_are_computed_by_several_processes_until_the_time_is_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from benchmarks import rows
    from likewise.bench.experiment import Task

    def task_of(seed: int) -> Task:
        return Task("random", "iris", seed, (5,))

    monkeypatch.setattr(rows, "RESULTS", tmp_path)
    keys = [{"seed": seed} for seed in (4, 2, 6)]
    first = rows.kept_rows("few", keys[:1], halved, task_of, n_jobs=2)
    assert first["half"].tolist() == [2.0]
    monkeypatch.setattr(rows, "until", 0.0)  # nothing more is begun, what is there stays
    assert rows.kept_rows("few", keys, halved, task_of, n_jobs=2)["seed"].tolist() == [4]
    monkeypatch.setattr(rows, "until", None)
    found = rows.kept_rows("few", keys, halved, task_of, n_jobs=2)
    assert found["half"].tolist() == [2.0, 1.0, 3.0]


def test_a_draw_counts_once_every_kind_of_question_has_been_computed() -> None:
    from benchmarks.quality.minutes import KINDS, MARKS, compared

    marks = {str(mark): 0.5 for mark in MARKS}
    rows = [
        {"pile": "wine", "factor": 1.0, "seed": seed, "kind": kind, **marks}
        for seed, kinds in ((0, KINDS), (1, KINDS[:2]))
        for kind in kinds
    ]
    found = pd.DataFrame([*rows, {**rows[0], "pile": "iris"}])
    assert compared(found).splitlines()[2:] == ["| wine | +0.000 | +0.000 | +0.000 | 1.00 | 1 |"]
