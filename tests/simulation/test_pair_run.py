"""Runs: budgets, curves, interruption, oracles."""

from __future__ import annotations

import numpy as np
import pytest

import likewise as lw
from likewise.errors import DataError, MethodError
from likewise.journal.pairs import Verdict


def test_questions_are_distinct_pairs_within_the_budget(seed: int) -> None:
    X, y = lw.datasets.load("iris")
    result = lw.run(X, lw.oracles.FromLabels(y), budget=30, random_state=seed)
    assert result.n_questions == 30 == len({a.pair.unordered for a in result.study.answers})
    assert result.curve.questions.tolist()[0] == 0
    assert result.curve.questions.tolist()[-1] == 30
    assert result.curve.questions.is_monotonic_increasing
    assert {"questions", "seconds", "ari", "jaccard", "v_measure"} <= set(result.curve.columns)


def test_checkpoints_do_not_change_the_questions(seed: int) -> None:
    X, y = lw.datasets.load("iris")
    oracle = lw.oracles.FromLabels(y)
    every = lw.run(X, oracle, budget=25, random_state=seed)
    some = lw.run(X, oracle, budget=25, random_state=seed, checkpoints=[5, 10])
    assert [a.pair for a in every.study.answers] == [a.pair for a in some.study.answers]
    assert some.curve.questions.tolist() == [5, 10, 25]
    np.testing.assert_array_equal(every.labels_, some.labels_)


def test_a_finished_study_ends_the_run_early() -> None:
    result = lw.run([[0.0], [0.1], [9.0]], lw.oracles.FromLabels([0, 0, 1]), budget=1000)
    assert result.n_questions <= 3
    assert result.curve.ari.iloc[-1] == 1.0


def test_a_run_without_the_truth_has_no_scores() -> None:
    things = ["ant", "ape", "bee", "bat"]
    oracle = lw.oracles.FromCallable(lambda a, b: a[0] == b[0], things)
    result = lw.run([[0.0], [0.2], [7.0], [7.1]], oracle, budget=6)
    assert set(result.curve.columns) == {
        "questions", "minutes", "seconds", "seconds_asking", "seconds_fitting"
    }  # fmt: skip
    assert lw.metrics.ari([0, 0, 1, 1], result.labels_) == 1.0


def test_an_interrupted_run_keeps_what_it_has() -> None:
    y = np.array([0, 1] * 10)

    def impatient(i: int, j: int) -> bool:
        if impatient.calls == 5:  # type: ignore[attr-defined]
            raise KeyboardInterrupt
        impatient.calls += 1  # type: ignore[attr-defined]
        return bool(y[i] == y[j])

    impatient.calls = 0  # type: ignore[attr-defined]
    result = lw.run(np.arange(20.0)[:, None], impatient, budget=50)
    assert result.interrupted
    assert result.n_questions == 5
    assert len(result.labels_) == 20


def test_a_run_past_its_time_limit_keeps_what_it_has() -> None:
    X, y = lw.datasets.load("iris")
    result = lw.run(X, lw.oracles.FromLabels(y), budget=100, time_limit=0.0)
    assert result.interrupted
    assert result.n_questions == 0
    assert len(result.curve) == 1


def test_a_noisy_oracle_errs_at_its_rate_and_never_changes_its_mind(seed: int) -> None:
    labels = np.arange(200) % 4
    noisy = lw.oracles.Noisy(labels, 0.1, random_state=seed)
    truth = lw.oracles.FromLabels(labels)
    pairs = np.random.default_rng(seed).choice(200, (4000, 2))
    pairs = pairs[pairs[:, 0] != pairs[:, 1]]
    wrong = [noisy(int(i), int(j)) is not truth(int(i), int(j)) for i, j in pairs]
    assert 0.07 < np.mean(wrong) < 0.13
    assert all(noisy(int(i), int(j)) is noisy(int(j), int(i)) for i, j in pairs[:100])


def test_a_noisy_run_is_repeatable(seed: int) -> None:
    X, y = lw.datasets.load("iris")
    one, other = (
        lw.run(X, lw.oracles.Noisy(y, 0.1, seed), budget=40, random_state=seed) for _ in range(2)
    )
    assert [(a.pair, a.verdict) for a in one.study.answers] == [
        (a.pair, a.verdict) for a in other.study.answers
    ]


def test_asking_pays(seed: int) -> None:
    X, y = lw.datasets.load("wine")
    oracle = lw.oracles.FromLabels(y)
    area = {
        method: lw.run(
            X, oracle, method=method, budget=50, n_clusters=3, random_state=seed,
            checkpoints=range(0, 51, 10),
        ).curve.ari.mean()
        for method in ("urasc", "random")
    }  # fmt: skip
    assert area["urasc"] > area["random"]


@pytest.mark.parametrize("budget", [0, -3])
def test_a_budget_that_buys_nothing_is_refused(budget: int) -> None:
    with pytest.raises(MethodError, match="budget must be at least 1"):
        lw.run([[0.0], [1.0]], lw.oracles.FromLabels([0, 1]), budget=budget)


def test_labels_of_another_pile_are_refused() -> None:
    with pytest.raises(DataError, match="3 items but the oracle has 2 labels"):
        lw.run([[0.0], [1.0], [2.0]], lw.oracles.FromLabels([0, 1]))


@pytest.mark.parametrize("rate", [-0.1, 0.5, 2.0])
def test_an_error_rate_outside_its_range_is_refused(rate: float) -> None:
    with pytest.raises(MethodError, match="error_rate"):
        lw.oracles.Noisy([0, 1], rate)


def test_verdicts_may_be_said_in_several_ways() -> None:
    assert Verdict.of(True) is Verdict.of(np.bool_(True)) is Verdict.of("same") is Verdict.SAME
    assert Verdict.of(False) is Verdict.of("different") is Verdict.DIFFERENT


def test_a_person_at_the_terminal_is_asked_until_the_answer_makes_sense(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    typed = iter(["perhaps", " S ", "d", ""])
    shown: list[str] = []

    def reply(prompt: str) -> str:
        shown.append(prompt)
        return next(typed)

    monkeypatch.setattr("builtins.input", reply)
    oracle = lw.oracles.FromTerminal(["ant", "bee"])
    assert [oracle(0, 1) for _ in range(3)] == [Verdict.SAME, Verdict.DIFFERENT, Verdict.UNSURE]
    assert len(shown) == 4
    assert shown[0].startswith("ant\nbee\n")


def test_the_end_of_input_interrupts_a_run(monkeypatch: pytest.MonkeyPatch) -> None:
    def nobody(prompt: str) -> str:
        raise EOFError

    monkeypatch.setattr("builtins.input", nobody)
    result = lw.run([[0.0], [1.0], [2.0]], lw.oracles.FromTerminal(), budget=3)
    assert result.interrupted
    assert result.n_questions == 0
