"""Several questions at once, chosen as if those before them had been answered as is likely."""

from __future__ import annotations

import numpy as np
import pytest

import likewise as lw
from likewise.journal.pairs import Verdict
from likewise.strategies import IndependentBatch
from likewise.study.branch import Branch


def digits(n: int, seed: int) -> lw.Study:
    X, _ = lw.datasets.load("digits")
    rows = np.random.default_rng(seed).permutation(len(X))[:n]
    return lw.Study(X[rows], n_clusters=10)


@pytest.mark.parametrize("seed", [0, 1])
def test_each_question_is_the_best_one_after_the_likeliest_answers_to_those_before(
    seed: int,
) -> None:
    study = digits(80, seed)
    together = study.ask(6)
    assert together[0] == study.ask()
    assert len({question.pair.unordered for question in together}) == 6
    alone, batch = digits(80, seed), IndependentBatch(study.view)
    for question in together:
        first = alone.ask()
        assert first is not None
        # What depends on an answer that is still to come cannot be asked in the same batch.
        depends = not batch.add(first.pair)
        assert depends or first.pair == question.pair
        batch.add(question.pair)
        by_then = Branch.of(alone).same_probability(question.pair)
        alone.tell(question.pair, "same" if by_then >= 0.5 else "different")


def test_a_question_tells_the_chance_before_anything_was_supposed() -> None:
    study = digits(80, 0)
    branch = Branch.of(study)
    for question in study.ask(6):
        assert question.same_probability == branch.same_probability(question.pair)


def test_nothing_is_supposed_where_groups_are_few_or_somebody_waits() -> None:
    X, _ = lw.datasets.load("iris")
    few = lw.Study(X[::3], n_clusters=3)
    assert few.ask(5) == few._propose(5, frozenset())
    many = digits(80, 0)
    assert Branch.of(many).ask(5) == many._propose(5, frozenset()) != many.ask(5)


def test_a_batch_leaves_the_study_and_pending_pairs_alone() -> None:
    study = digits(60, 0)
    pending = [question.pair for question in study.ask(3)]
    more = study.ask(4, pending=pending)
    taken = IndependentBatch(study.view)
    assert all(taken.add(pair) for pair in [*pending, *(question.pair for question in more)])
    assert study.n_answers == 0
    assert study.ask(3)[0].pair == pending[0]


def test_a_small_pile_is_asked_to_its_end() -> None:
    X = np.repeat(np.arange(7.0)[:, None] * 5, 2, axis=0)
    X[::2] += 0.1
    truth = np.repeat(np.arange(7), 2)
    study = lw.Study(X, n_clusters=7)
    while batch := study.ask(10):
        for question in batch:
            i, j = question.pair
            assert study.constraints.implied(i, j) is None
            study.tell(question, Verdict.SAME if truth[i] == truth[j] else Verdict.DIFFERENT)
    assert lw.metrics.ari(truth, study.labels_) == 1.0
