"""`likewise answer --verify`: asked again where a mistake would cost most."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

import likewise as lw
from likewise.cli.app import app
from likewise.cli.terminal.keys import Action
from likewise.cli.terminal.loop import OpenQuestion, answer_loop
from likewise.journal.pairs import PROGRAM
from likewise.quality.unsettled import unknown_programs
from likewise.study.loop import Outcome


def bridged() -> tuple[lw.Study, list[int]]:
    """Two groups that a wrong answer holds together."""
    X = np.concatenate([np.linspace(0, 1, 30), np.linspace(4, 5, 30)])[:, None]
    study = lw.Study(X)
    for pair in (0, 10), (10, 20), (30, 40), (40, 50), (10, 40):
        study.tell(pair, "same", weight=0.9)
    return study, [0] * 30 + [1] * 30


@pytest.mark.parametrize("verify", [True, False])
def test_a_mistake_comes_to_light_in_the_terminal(verify: bool) -> None:
    study, truth = bridged()

    def respond(question: OpenQuestion) -> Action:
        i, j = question.question.pair
        return Action.SAME if truth[i] == truth[j] else Action.DIFFERENT

    outcome = answer_loop(study, respond, budget=3, verify=verify)
    assert outcome is Outcome.BUDGET_SPENT
    assert bool(study.constraints.overruled) is verify
    assert (lw.metrics.ari(truth, study.labels_) == 1) is verify


def test_some_of_what_a_program_said_is_asked_of_the_person() -> None:
    X = np.concatenate([np.linspace(0, 1, 30), np.linspace(4, 5, 30)])[:, None]
    study, truth = lw.Study(X), [0] * 30 + [1] * 30
    pairs = [(k, k + 3) for k in range(0, 24, 2)] + [(k, k + 3) for k in range(31, 55, 3)]
    for k, (i, j) in enumerate(pairs):
        study.tell((i, j), "same", who="m", client_id=f"{PROGRAM}{k}")
    theirs, asked = {answer.pair.unordered for answer in study.answers}, []

    def respond(question: OpenQuestion) -> Action:
        i, j = question.question.pair
        asked.append(question.question.pair.unordered in theirs)
        return Action.SAME if truth[i] == truth[j] else Action.DIFFERENT

    assert unknown_programs(study) == {"m": len(pairs)}
    answer_loop(study, respond, budget=12)
    assert asked[0]
    assert 3 <= sum(asked) < len(asked) - sum(asked)
    assert not unknown_programs(study)  # from then on nothing is asked twice


def test_only_pairs_are_verified(tmp_path: Path) -> None:
    rows = tmp_path / "rows.csv"
    rows.write_text("a,b\n1,2\n3,4\n5,6\n")
    found = CliRunner().invoke(app, ["answer", str(rows), "--verify", "--ask", "place"])
    assert found.exit_code == 2
    assert "leave out --by and --ask" in found.output
    assert [path.name for path in tmp_path.iterdir()] == ["rows.csv"]
