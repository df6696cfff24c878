"""Runs lose nothing: stores, oracles that raise, batches, money, callbacks, pickles."""

from __future__ import annotations

import asyncio
import pickle
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import likewise as lw
from likewise.errors import CostLimit, MethodError, StoreError
from likewise.journal import Answered
from likewise.journal.pairs import Answer, Pair, Verdict

X, Y = (array[::5] for array in lw.datasets.load("iris"))
SETTINGS: dict[str, Any] = {"method": "random-items", "n_clusters": 3}


class Failing(lw.oracles.FromLabels):
    """Raises at one call, counted over all threads."""

    def __init__(self, at: int, error: Exception) -> None:
        super().__init__(Y)
        self.at, self.error, self.calls = at, error, 0
        self.lock = threading.Lock()

    def __call__(self, i: int, j: int) -> Verdict:
        with self.lock:
            self.calls += 1
            if self.calls == self.at:
                raise self.error
        return super().__call__(i, j)


def said(run: lw.Run) -> list[tuple[Pair, Verdict]]:
    return [(answer.pair, answer.verdict) for answer in run.study.answers]


@pytest.mark.parametrize("name", ["run.db", "run.jsonl"])
def test_an_oracle_that_raises_ends_the_run_and_another_goes_on(tmp_path: Path, name: str) -> None:
    store = tmp_path / name
    whole = lw.run(X, lw.oracles.FromLabels(Y), budget=25, checkpoints=[], **SETTINGS)
    torn = lw.run(
        X, Failing(18, TimeoutError("no line")), budget=25, store=store, checkpoints=[], **SETTINGS
    )
    assert torn.reason == "the oracle raised TimeoutError: no line"
    assert torn.interrupted
    assert torn.n_questions == 17
    resumed = lw.run(
        X, lw.oracles.FromLabels(Y), budget=25, store=store, checkpoints=[], **SETTINGS
    )
    assert resumed.n_questions == 25
    assert said(resumed) == said(whole)
    np.testing.assert_array_equal(resumed.labels_, whole.labels_)
    assert resumed.curve.questions.tolist() == [25]
    again = lw.run(X, Failing(1, KeyError("asked")), budget=25, store=store, **SETTINGS)
    assert said(again) == said(whole)
    assert again.reason == "that was the last answer of this sitting"


def test_a_store_of_other_items_is_refused(tmp_path: Path) -> None:
    lw.run(X, lw.oracles.FromLabels(Y), budget=2, store=tmp_path / "a.jsonl", **SETTINGS)
    with pytest.raises(StoreError, match="other items"):
        lw.run(X[:9], lw.oracles.FromLabels(Y[:9]), store=tmp_path / "a.jsonl", **SETTINGS)


def test_a_killed_run_has_kept_every_answer(tmp_path: Path) -> None:
    store = tmp_path / "run.jsonl"
    script = f"""
import os, signal, likewise as lw
X, y = (array[::5] for array in lw.datasets.load("iris"))
def kill(answer):
    if answer.id == 6:
        os.kill(os.getpid(), getattr(signal, "SIGKILL", signal.SIGTERM))
oracle = lw.oracles.FromLabels(y)
lw.run(X, oracle, store={str(store)!r}, on_answer=kill, method='random', checkpoints=[])
"""
    assert subprocess.run([sys.executable, "-c", script], check=False).returncode != 0
    assert lw.Study.open(store, X).n_answers == 7


@pytest.mark.parametrize("batch", [2, 5])
def test_answers_of_a_batch_that_fails_in_part_are_kept(batch: int) -> None:
    run = lw.run(X, Failing(8, ValueError("7")), budget=20, batch=batch, **SETTINGS)
    assert run.reason == "the oracle raised ValueError: 7"
    n_batches = -(-8 // batch)
    assert run.n_questions == run.study.n_answers == n_batches * batch - 1


def test_batches_are_asked_side_by_side_and_kept_in_order() -> None:
    together = threading.Barrier(4, timeout=30)

    def oracle(i: int, j: int) -> bool:
        together.wait()  # until all four of a batch are being asked
        return bool(Y[i] == Y[j])

    run = lw.run(X, oracle, budget=12, batch=4, **SETTINGS)
    assert not run.interrupted, run.reason
    serial = lw.run(X, Failing(0, ValueError()), budget=12, batch=4, **SETTINGS)
    assert said(run) == said(serial)
    assert run.curve.questions.tolist() == [0, 4, 8, 12]


def test_an_oracle_may_be_a_coroutine_also_where_a_loop_runs_already() -> None:
    together, n_waiting = asyncio.Event(), 0

    async def oracle(i: int, j: int) -> bool:
        nonlocal n_waiting
        n_waiting += 1
        if n_waiting == 4:
            together.set()
        await asyncio.wait_for(together.wait(), 30)  # until all four of a batch are being asked
        if (n_waiting := n_waiting - 1) == 0:
            together.clear()
        return bool(Y[i] == Y[j])

    async def in_a_notebook() -> lw.Run:
        return lw.run(X, oracle, budget=12, batch=4, **SETTINGS)

    run = asyncio.run(in_a_notebook())
    assert not run.interrupted, run.reason
    serial = lw.run(X, lw.oracles.FromLabels(Y), budget=12, batch=4, **SETTINGS)
    assert said(run) == said(serial)

    async def fails(i: int, j: int) -> bool:
        raise RuntimeError("the line is dead")

    assert lw.run(X, fails, budget=4, **SETTINGS).reason == (
        "the oracle raised RuntimeError: the line is dead"
    )


class InOneCall(lw.oracles.FromLabels):
    """Yields the answers of a batch, as many as it has left."""

    def __init__(self, n: int) -> None:
        super().__init__(Y)
        self.n = n

    def many(self, pairs: list[Pair]) -> Iterator[Verdict]:
        for pair in pairs:
            if self.n == 0:
                return
            self.n -= 1
            yield self(*pair)


def test_an_oracle_may_answer_batches_in_one_call() -> None:
    run = lw.run(X, InOneCall(7), budget=20, batch=5, **SETTINGS)
    assert run.n_questions == 7
    assert run.reason == "the oracle gave 2 of 5 answers"


def test_nonsense_and_spent_money_end_a_run_in_a_sentence() -> None:
    run = lw.run(X, lambda i, j: "perhaps", budget=5, **SETTINGS)
    assert "got 'perhaps'" in run.reason
    spent = lw.run(X, Failing(3, CostLimit("only 2 is left")), budget=5, **SETTINGS)
    assert spent.n_questions == 2
    assert "only 2 is left" in spent.reason


def test_an_answer_being_rechecked_when_the_oracle_raises_is_kept() -> None:
    class Doubted(Failing):
        error_rate = 0.3

    whole = lw.run(X, Doubted(0, OSError()), budget=30, checkpoints=[], **SETTINGS)
    for at in range(1, 31, 3):
        run = lw.run(X, Doubted(at, OSError()), budget=30, checkpoints=[], **SETTINGS)
        # Those that rechecks have taken back were asked about, too, and stay in the journal.
        events = run.study.store.read()
        given = {event.answer.pair.unordered for event in events if isinstance(event, Answered)}
        assert run.n_questions == len(given) == at - 1
    assert whole.n_questions == 30


class Priced(lw.oracles.FromLabels):
    price = 0.01


def test_money_is_never_overspent() -> None:
    run = lw.run(X, Priced(Y), budget=lw.Money(0.1), batch=3, **SETTINGS)
    assert run.n_questions == 10
    assert run.curve.cost.iloc[-1] == pytest.approx(0.1)
    run = lw.run(X, Priced(Y), budget=lw.Money(0.099), **SETTINGS)
    assert run.n_questions == 9
    with pytest.raises(MethodError, match="oracle with a price"):
        lw.run(X, lw.oracles.FromLabels(Y), budget=lw.Money(1))
    with pytest.raises(MethodError, match="above 0 but got -1"):
        lw.Money(-1)


def test_callbacks_are_given_every_answer_once() -> None:
    seen: list[Answer] = []
    run = lw.run(X, lw.oracles.FromLabels(Y), budget=12, on_answer=seen.append, **SETTINGS)
    assert seen == run.study.answers
    seen.clear()
    run = lw.run(X, lw.oracles.Classes(Y), budget=5, on_answer=seen.append, **SETTINGS)
    assert seen == run.study.answers
    seen.clear()
    noisy = lw.oracles.Noisy(Y, 0.3)
    run = lw.run(X, noisy, budget=20, doubt="surprise", on_answer=seen.append, **SETTINGS)
    assert {a.id for a in run.study.answers} <= {a.id for a in seen}
    assert len({a.id for a in seen}) == len(seen)


def test_what_a_callback_raises_loses_no_answer(tmp_path: Path) -> None:
    def broken(answer: Answer) -> None:
        raise ZeroDivisionError

    store = tmp_path / "run.jsonl"
    with pytest.raises(ZeroDivisionError):
        lw.run(X, lw.oracles.FromLabels(Y), store=store, batch=4, on_answer=broken, **SETTINGS)
    assert lw.Study.open(store, X).n_answers == 4


def test_classes_go_on_from_a_store_too(tmp_path: Path) -> None:
    store = tmp_path / "run.jsonl"
    for budget in (4, 9):
        run = lw.run(X, lw.oracles.Classes(Y), budget=budget, store=store, **SETTINGS)
        assert run.n_questions == budget
    whole = lw.run(X, lw.oracles.Classes(Y), budget=9, **SETTINGS)
    assert said(run) == said(whole)
    with pytest.raises(MethodError, match="one item at a time"):
        lw.run(X, lw.oracles.Classes(Y), batch=2)


def test_bad_batches_are_refused() -> None:
    with pytest.raises(MethodError, match="at least 1 question but got 0"):
        lw.run(X, lw.oracles.FromLabels(Y), batch=0)


def test_runs_and_studies_can_be_pickled(tmp_path: Path) -> None:
    store = tmp_path / "run.jsonl"
    run = lw.run(X, lw.oracles.FromLabels(Y), budget=8, store=store, **SETTINGS)
    copy = pickle.loads(pickle.dumps(run))
    assert copy.reason == run.reason
    assert copy.curve.equals(run.curve)
    np.testing.assert_array_equal(copy.labels_, run.labels_)
    assert copy.study.ask() == run.study.ask()
    copy.study.tell((0, 1), "same")  # a copy in memory: the store does not hear of it
    assert run.study.refresh() == 0
    copy.study.undo()
    assert copy.study.answers == run.study.answers
