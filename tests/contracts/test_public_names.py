"""The names that other people's code relies on."""

from __future__ import annotations

import pkgutil
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

import likewise as lw
from likewise.cli.app import app

METHODS = [
    "random", "random-items", "urasc", "urasc-p", "urasc-go", "urasc-no", "urasc-po", "coprf",
    "sgt", "alg1", "svm", "aqm-mee", "aqm-npu", "ffqs", "minmax", "npu-pckmeans",
    "npu-copkmeans", "npu-mpckmeans", "cobra", "cobras", "asc", "quire", "pknn", "active-hacc",
    "cac1", "closest", "a3s", "dsl", "auto",
]  # fmt: skip
CLUSTERERS = [
    "SpectralLearning", "E2CP", "COPKMeans", "PCKMeans", "MPCKMeans", "AugmentedMetric",
    "SpectralGraphTransducer", "KASP",
]  # fmt: skip
COMMANDS = ["demo", "start", "answer", "status", "labels", "report", "methods", "bench", "serve"]


def test_every_method_has_its_name() -> None:
    assert set(METHODS) <= set(lw.METHODS)
    for name in METHODS:
        made_of = lw.METHODS[name]
        assert made_of.summary
        assert callable(made_of.strategy)
        assert callable(made_of.clusterer)
        assert callable(made_of.affinity)


@pytest.mark.parametrize("method", METHODS)
def test_every_method_runs_and_no_answer_is_contradicted(method: str) -> None:
    X, y = lw.datasets.load("iris")
    keep = np.flatnonzero(y != 2)[::5] if method == "asc" else np.arange(0, 150, 6)
    oracle = lw.oracles.FromLabels(y[keep])
    run = lw.run(X[keep], oracle, method=method, budget=8, n_clusters=len(set(y[keep])))
    assert run.n_questions == 8
    assert {"questions", "seconds", "ari", "jaccard", "v_measure"} <= set(run.curve.columns)
    for answer in run.study.answers:
        i, j = answer.pair
        assert (run.labels_[i] == run.labels_[j]) == (y[keep][i] == y[keep][j])


@pytest.mark.parametrize("name", CLUSTERERS)
def test_every_clusterer_takes_links(name: str) -> None:
    X, y = lw.datasets.load("iris")
    X, y = X[::3], y[::3]
    model = getattr(lw.clusterers, name)(n_clusters=3)
    labels = model.fit(X, must_link=[(0, 1)], cannot_link=[(0, 20), (0, 45), (20, 45)]).labels_
    assert labels.shape == (50,)
    assert labels[0] == labels[1]
    assert len({int(labels[k]) for k in (0, 20, 45)}) == 3


def test_every_command_is_listed() -> None:
    listed = CliRunner().invoke(app, ["--help"], env={"COLUMNS": "100"}).output
    for command in COMMANDS:
        assert f" {command} " in listed


@pytest.mark.parametrize("ending", ["jsonl", "db"])
def test_a_study_is_begun_told_undone_and_opened_again(tmp_path: Path, ending: str) -> None:
    X, _ = lw.datasets.load("wine")
    store = tmp_path / f"wine.likewise.{ending}"
    study = lw.Study(X, store=store)
    question = study.ask()
    assert question is not None
    study.tell(question, "same")
    study.tell((5, 100), True)
    study.undo()
    again = lw.Study.open(store, X)
    assert again.ask() == study.ask()
    assert again.confidence_.shape == (178,)
    assert ((again.confidence_ >= 0) & (again.confidence_ <= 1)).all()


def test_similarities_are_asked_told_and_missed() -> None:
    sim = lw.SimilarityStudy(
        n=100, method="iu-red", n_clusters=2, interleave=False, max_repeats=1, random_state=0
    )
    asked = sim.ask()
    assert asked is not None
    i, j = asked
    sim.tell((i, j), 0.7)
    missed = sim.ask()
    assert missed is not None
    sim.unavailable(missed)
    assert sim.ask() != missed
    assert sim.labels_.shape == (100,)


@pytest.mark.parametrize("name", lw.__all__)
def test_every_public_name_is_reachable(name: str) -> None:
    assert getattr(lw, name) is not None
    assert name in dir(lw)


PACKAGES = [
    module.name
    for module in pkgutil.walk_packages(lw.__path__, "likewise.")
    if module.ispkg and "._" not in module.name
]


@pytest.mark.parametrize("package", PACKAGES)
def test_every_public_package_has_the_names_it_lists(package: str) -> None:
    module = import_module(package)
    names = getattr(module, "__all__", ())
    assert [name for name in names if not hasattr(module, name)] == []


def test_importing_likewise_is_quick_and_a_study_needs_nothing_heavy() -> None:
    """pandas is not listed for a study, since scikit-learn imports it where it is installed."""
    code = (
        "import sys, likewise as lw\n"
        "heavy = {'numba', 'sqlalchemy', 'fastapi', 'typer', 'PIL', 'plotly', 'torch'}\n"
        "assert not (heavy | {'pandas', 'sklearn', 'scipy'}) & set(sys.modules)\n"
        "lw.Study, lw.SimilarityStudy, lw.METHODS['auto'], lw.stores, lw.errors, lw.run\n"
        "assert not heavy & set(sys.modules), heavy & set(sys.modules)\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_a_strategy_author_finds_what_a_strategy_needs() -> None:
    needed = {"View", "Strategy", "Chooser", "Placing", "PairScorer", "PairSelection"}
    needed |= {"membership", "unlike_each_other", "expected_questions"}
    assert needed <= set(lw.strategies.__all__)
