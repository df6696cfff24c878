"""Plans: what is simulated, and what then comes."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from sklearn.datasets import make_blobs
from typer.testing import CliRunner

import likewise as lw
from likewise import PlannedAnswerer
from likewise.cli.app import app
from likewise.errors import MethodError


def blobs(seed: int, n: int = 60) -> tuple[np.ndarray, np.ndarray]:
    X, y = make_blobs(n, centers=3, cluster_std=2.2, random_state=seed)
    return X, y


def study_of(seed: int, n_answers: int = 25) -> lw.Study:
    X, y = blobs(seed)
    oracle = lw.oracles.FromLabels(y)
    run = lw.run(X, oracle, budget=n_answers, n_clusters=3, method="random-items", checkpoints=[])
    return run.study


def test_more_right_takes_more_and_whoever_errs_takes_longer(seed: int) -> None:
    study = study_of(seed)
    before = study.n_answers
    mixes = {
        "sure": [PlannedAnswerer("sure", error=0.0, price=2.0)],
        "poor": [PlannedAnswerer("poor", error=0.3, seconds=6.0)],
    }
    table = lw.plan(study, mixes, targets=[0.9, 0.8], draws=2, budget=80, random_state=seed)
    assert study.n_answers == before
    assert table.target.tolist() == [0.8, 0.9, 0.8, 0.9]
    sure, poor = table[table.mix == "sure"], table[table.mix == "poor"]
    assert (np.diff(sure.questions) >= 0).all()
    assert (sure.low <= sure.questions).all()
    assert (sure.questions <= sure.high).all()
    assert (sure.money == 2.0 * sure.questions).all()
    assert sure.reached.min() == 1.0
    assert poor.reached.iloc[-1] < 1 or poor.high.iloc[-1] >= sure.high.iloc[-1]


def test_a_plan_is_the_same_for_the_same_seed() -> None:
    study = study_of(0)
    first, again = (lw.plan(study, draws=1, budget=20) for _ in range(2))
    assert first.equals(again)


def test_several_answerers_are_planned_together() -> None:
    people = [PlannedAnswerer("a", 0.1, 0.01), PlannedAnswerer("b", 0.1, 0.01)]
    table = lw.plan(study_of(0), {"both": people}, targets=[0.7], draws=1, budget=30)
    assert table.mix.tolist() == ["both"]


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        ({"targets": [1.5]}, "targets must be"),
        ({"targets": []}, "targets must be"),
        ({"draws": 0}, "at least 1"),
        ({"mixes": {}}, "at least one mix"),
        ({"mixes": {"x": [PlannedAnswerer("a"), PlannedAnswerer("a")]}}, "names that differ"),
    ],
)
def test_what_cannot_be_planned_is_refused(settings: dict[str, object], sentence: str) -> None:
    with pytest.raises(MethodError, match=sentence):
        lw.plan(lw.Study([[0.0], [1.0]]), **settings)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "settings", [{"name": ""}, {"error": 0.5}, {"error": -0.1}, {"price": -1.0}, {"seconds": -1.0}]
)
def test_an_answerer_that_cannot_be_is_refused(settings: dict[str, object]) -> None:
    with pytest.raises(MethodError):
        PlannedAnswerer(**{"name": "a", **settings})  # type: ignore[arg-type]


def test_the_command_plans_a_pile(tmp_path: Path) -> None:
    X, _ = blobs(0, 24)
    pile = tmp_path / "points.csv"
    np.savetxt(pile, X, delimiter=",", header="x,y", comments="")
    common = ["plan", str(pile), "--method", "random-items", "--draws", "1", "--budget", "30"]
    typed = [*common, "--answerer", "Ada:0:0:3", "--answerer", "model:0.1:0.01:0"]
    done = CliRunner().invoke(app, [*typed, "--json"])
    assert done.exit_code == 0, done.output
    rows = json.loads(done.output[done.output.index("[\n") :])
    assert [row["mix"] for row in rows] == ["Ada"] * 3 + ["model"] * 3 + ["Ada + model"] * 3
    said = CliRunner().invoke(app, common)
    assert "you, 80% right" in said.output
    wrong = CliRunner().invoke(app, [*common, "--answerer", "Ada:often"])
    assert wrong.exit_code == 2
    assert "NAME:ERROR:PRICE" in wrong.output
