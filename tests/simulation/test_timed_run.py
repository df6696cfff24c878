"""Runs that are counted in a person's minutes."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import likewise as lw
from likewise.errors import MethodError

TRUTH = np.repeat(np.arange(3), 10)
X = np.repeat(np.eye(3) * 4, 10, axis=0) + np.random.default_rng(0).normal(size=(30, 3))


@pytest.mark.parametrize("kinds", ["pair", "place", "sheet", "best"])
def test_a_run_ends_when_the_minutes_are_over(kinds: str) -> None:
    run = lw.run(X, lw.oracles.Person(TRUTH), minutes=0.3, kinds=kinds)
    minutes = run.curve["minutes"]
    assert minutes.is_monotonic_increasing
    assert minutes.iloc[-1] >= 0.3
    assert (minutes.iloc[:-1] < 0.3).all()
    told = sum(answer.seconds or 0.0 for answer in run.study.answers)
    assert told == pytest.approx(60 * minutes.iloc[-1])


def test_who_is_twice_as_slow_is_asked_half_as_much() -> None:
    usual = lw.run(X, lw.oracles.Person(TRUTH), minutes=0.5, kinds="pair")
    person = lw.oracles.Person(TRUTH, pace=lw.Pace().times(2))
    slow = lw.run(X, person, minutes=0.5, kinds="pair")
    assert abs(slow.n_questions - usual.n_questions / 2) <= 1


def test_runs_of_a_number_of_questions_have_minutes_too() -> None:
    run = lw.run(X, lw.oracles.FromLabels(TRUTH), budget=5)
    assert run.curve["minutes"].iloc[-1] == pytest.approx(5 * lw.Pace().of_pair([0.3, 0.3]) / 60)


def test_an_oracle_that_fails_ends_the_run_and_its_answers_are_kept() -> None:
    n_asked = 0

    def failing(i: int, j: int) -> bool:
        nonlocal n_asked
        n_asked += 1
        if n_asked > 10:
            raise RuntimeError("gone home")
        return bool(TRUTH[i] == TRUTH[j])

    run = lw.run(X, failing, minutes=10, kinds="best")
    assert run.interrupted
    assert "gone home" in run.reason
    assert run.study.n_answers > 0


@pytest.mark.parametrize(
    "wrong", [{"minutes": 0}, {"kinds": "row"}, {"minutes": 1, "batch": 2}, {"minutes": np.inf}]
)
def test_odd_settings_are_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(MethodError):
        lw.run(X, lw.oracles.Person(TRUTH), **wrong)
