"""Several answerers with names, prices and errors: who is asked what, and what it costs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import likewise as lw
from likewise.beliefs import Beliefs
from likewise.errors import DataError, MethodError
from likewise.journal.pairs import Answer, Pair, Question, Verdict
from likewise.simulation.answerer_choice import AnswererChoice, answer_information

Simulated = lw.answerers.Simulated
X, Y = (array[::5] for array in lw.datasets.load("iris"))
SETTINGS: dict[str, Any] = {"method": "random-items", "n_clusters": 3, "checkpoints": []}


def people(n: int, error: float = 0.15, price: float = 0.0, seed: int = 0) -> list[Any]:
    return [Simulated(f"p{k}", Y, error=error, price=price, random_state=seed) for k in range(n)]


def test_simulated_people_err_at_their_rates_each_in_his_own_way(seed: int) -> None:
    labels = np.arange(200) % 2
    ada, bob = (
        Simulated(name, labels, error=(0.3, 0.1), random_state=seed) for name in ("Ada", "Bob")
    )
    truth = lw.oracles.FromLabels(labels)
    pairs = [(i, i + d) for i in range(150) for d in range(1, 21)]
    for parity, share in ((0, 0.3), (1, 0.1)):
        asked = [pair for pair in pairs if (pair[1] - pair[0]) % 2 == parity]
        wrong = np.array([ada(*pair) is not truth(*pair) for pair in asked])
        assert abs(wrong.mean() - share) < 0.04
        assert (wrong != [bob(*pair) is not truth(*pair) for pair in asked]).any()
    assert all(ada(j, i) is ada(i, j) for i, j in pairs[:50])


def test_information_by_hand() -> None:
    # The capacity of a channel that flips one bit in ten, and two bits of nothing.
    bits = answer_information(np.array([0.5, 0.0]), 0.1, 0.1)
    np.testing.assert_allclose(bits, [1 + 0.9 * np.log2(0.9) + 0.1 * np.log2(0.1), 0], atol=1e-12)
    assert answer_information(np.array([0.5]), 0.5, 0.5)[0] == pytest.approx(0)


def test_every_answer_counts_towards_the_budget_and_the_table() -> None:
    run = lw.run(X, answerers=people(3, price=0.25), budget=40, **SETTINGS)
    assert run.n_questions == run.study.n_answers == 40
    assert {a.who for a in run.study.answers} == {"p0", "p1", "p2"}
    assert run.study.answerers_.cost.sum() == pytest.approx(10.0)
    assert run.curve.cost.iloc[-1] == pytest.approx(10.0)
    asked = [(a.who, a.pair.unordered) for a in run.study.answers]
    assert len(set(asked)) == 40  # nobody is asked the same twice
    shared = {pair for who, pair in asked if who == "p0"} & {p for w, p in asked if w == "p1"}
    assert shared


def test_money_is_never_overspent_by_anybody() -> None:
    both = [*people(1, 0.2, 0.01), Simulated("expert", Y, error=0.0, price=1.0)]
    run = lw.run(X, answerers=both, budget=lw.Money(2.5), **SETTINGS)
    table = run.study.answerers_.set_index("who")
    assert table.cost.sum() <= 2.5
    assert table.answers["expert"] <= 2
    assert table.answers["p0"] > 10


def test_a_run_of_answerers_goes_on_from_its_store(tmp_path: Path) -> None:
    whole = lw.run(X, answerers=people(3, price=0.1), budget=30, **SETTINGS)
    for budget in (11, 30):
        run = lw.run(
            X, answerers=people(3, price=0.1), budget=budget, store=tmp_path / "a.db", **SETTINGS
        )
        assert run.n_questions == budget
    said = [(a.who, a.pair, a.verdict) for a in run.study.answers]
    assert said == [(a.who, a.pair, a.verdict) for a in whole.study.answers]
    spent = lw.run(
        X, answerers=people(3, price=0.1), budget=lw.Money(3), store=tmp_path / "a.db", **SETTINGS
    )
    assert spent.n_questions == 30  # three units were spent before


def test_an_answerer_that_raises_ends_the_run_by_name() -> None:
    class Gone(Simulated):
        def __call__(self, i: int, j: int) -> Verdict:
            raise ConnectionError("hung up")

    run = lw.run(X, answerers=[*people(1), Gone("Bob", Y)], budget=30, **SETTINGS)
    assert run.reason == "Bob: the oracle raised ConnectionError: hung up"
    assert {a.who for a in run.study.answers} == {"p0"}


def told(*said: tuple[str, int, int, str]) -> list[Answer]:
    return [Answer(k, Pair(i, j), Verdict.of(v), who=w) for k, (w, i, j, v) in enumerate(said)]


def test_whoever_tells_more_per_cost_is_asked() -> None:
    good, poor = Simulated("good", Y, price=1.0), Simulated("poor", Y, price=1.0)
    said = [("good", i, i + 1, "same") for i in range(12)]
    said += [("poor", i, i + 1, "same" if i % 6 else "different") for i in range(12)]
    said += [("third", i, i + 1, "same") for i in range(12)]
    answers = told(*said)
    new, beliefs = Question(Pair(20, 25), 0.5), Beliefs.of(answers)
    task = AnswererChoice([poor, good]).choose(lambda: new, answers, beliefs, [poor, good])
    assert task is not None
    assert task.answerer is good
    poor.price = 1e-4  # so much cheaper that it makes up for it
    task = AnswererChoice([poor, good]).choose(lambda: new, answers, beliefs, [poor, good])
    assert task is not None
    assert task.answerer is poor
    task = AnswererChoice([poor, good]).choose(lambda: new, answers, beliefs, [good])
    assert task is not None  # the one who can be paid
    assert task.answerer is good


def never() -> Question:
    raise AssertionError("what is new is not looked for before doubts are settled")


def test_doubt_about_an_answered_pair_goes_before_a_new_question() -> None:
    ada, bob, cem = people(3)
    said = [(one.name, i, i + 1, "same") for i in range(12) for one in (ada, bob, cem)]
    split = [("p0", 25, 26, "same"), ("p1", 25, 26, "different")]
    answers = told(*said, *split)
    task = AnswererChoice([ada, bob, cem]).choose(
        never, answers, Beliefs.of(answers), [ada, bob, cem]
    )
    assert task is not None
    assert (task.pair, task.answerer) == (Pair(25, 26), cem)


def test_a_single_word_is_checked_by_somebody_else_before_its_giver_is_asked_again() -> None:
    ada, bob, cem = people(3)
    said = [(one.name, i, i + 1, "same") for i in range(12) for one in (ada, bob)]
    answers = told(*said, ("p0", 13, 14, "different"))
    choice = AnswererChoice([ada, bob])
    task = choice.choose(never, answers, Beliefs.of(answers), [ada, bob])
    assert task is not None
    assert (task.pair, task.answerer) == (Pair(13, 14), bob)
    # Somebody of whom nothing is known yet is tried before those who err.
    answers = told(*said, *[("p1", i, i + 1, "different") for i in range(6)])
    task = AnswererChoice([bob, cem]).choose(never, answers, Beliefs.of(answers), [bob, cem])
    assert task is not None
    assert task.answerer is cem


def test_whoever_is_dear_is_asked_first_and_then_not_waited_for() -> None:
    ada, expert = Simulated("p0", Y, price=0.01), Simulated("expert", Y, price=1.0)
    said = [(who, i, i + 1, "same") for i in range(6) for who in ("p0", "p1")]
    said.append(("p0", 20, 3, "different"))
    answers, choice = told(*said), AnswererChoice([ada, expert])
    task = choice.choose(never, answers, Beliefs.of(answers), [ada, expert])
    assert task is not None
    assert (task.answerer, task.pair) == (expert, Pair(3, 20))
    answers = told(*said, ("expert", 0, 1, "same"), ("expert", 1, 2, "same"))
    task = choice.choose(never, answers, Beliefs.of(answers), [ada, expert])
    assert task is not None  # a pair that comes to the same, instead of the one already answered
    assert task.answerer is ada
    assert 20 in task.pair
    assert 3 not in task.pair


def test_people_who_err_together_are_better_than_what_each_says(seed: int) -> None:
    run = lw.run(X, answerers=people(3, seed=seed), budget=120, random_state=seed, **SETTINGS)
    truth = [Y[a.pair.i] == Y[a.pair.j] for a in run.study.answers]
    believed = [run.study.constraints.implied(*a.pair) is Verdict.SAME for a in run.study.answers]
    said = [a.verdict is Verdict.SAME for a in run.study.answers]
    assert np.mean(np.equal(believed, truth)) > np.mean(np.equal(said, truth))


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        ({}, "somebody must answer"),
        ({"oracle": lw.oracles.FromLabels(Y), "answerers": people(1)}, "not both"),
        ({"answerers": []}, "names that differ"),
        ({"answerers": [*people(1), *people(1)]}, "names that differ"),
        ({"answerers": people(2), "batch": 3}, "one question at a time"),
        ({"answerers": people(2), "budget": lw.Money(1)}, "with a price above 0"),
        ({"answerers": people(2), "doubt": "reask"}, "check one another"),
    ],
)
def test_what_cannot_be_is_refused(arguments: dict[str, Any], problem: str) -> None:
    with pytest.raises(MethodError, match=problem):
        lw.run(X, **arguments)


def test_bad_answerers_are_refused() -> None:
    with pytest.raises(MethodError, match="error must be between 0 and 1 but got"):
        Simulated("a", Y, error=1.5)
    with pytest.raises(MethodError, match="price must be at least 0 but got -1"):
        Simulated("a", Y, price=-1)
    with pytest.raises(DataError, match="30 items but the oracle has 3 labels"):
        lw.run(X, answerers=[Simulated("a", [0, 1, 0])])
