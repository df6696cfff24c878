"""Answers in doubt: few, and the wrong ones first."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.datasets import load_iris, load_wine

import likewise as lw
from likewise.quality import answers_in_doubt


def answered(name: str, n: int, wrong: int) -> tuple[lw.Study, set[int]]:
    """A study with so many answers, and which of them are wrong: no two about one item."""
    X, y = {"wine": load_wine, "iris": load_iris}[name](return_X_y=True)
    chosen = np.random.default_rng(0).permutation(len(y))[:120]
    X, y = X[chosen], y[chosen]
    study = lw.Study(X)
    slips: set[int] = set()
    slipped_at: set[int] = set()
    for number in range(n):
        question = study.ask()
        assert question is not None
        i, j = question.pair
        slip = number >= n // 2 and len(slips) < wrong and not slipped_at & {i, j}
        answer = study.tell(question, bool(y[i] == y[j]) != slip)
        if slip:
            slips.add(answer.id)
            slipped_at |= {i, j}
    return study, slips


@pytest.fixture(scope="module")
def slipped() -> tuple[lw.Study, set[int]]:
    return answered("wine", 40, wrong=2)


def test_truthful_answers_are_hardly_doubted() -> None:
    truthful, _ = answered("wine", 40, wrong=0)
    assert len(answers_in_doubt(truthful)) <= 1


def test_a_slip_comes_first(slipped: tuple[lw.Study, set[int]]) -> None:
    study, slips = slipped
    before = study.answers
    found = [doubt.answer.id for doubt in answers_in_doubt(study)]
    assert found[0] in slips
    assert len(found) <= 5
    assert study.answers == before


def test_what_is_confirmed_is_not_doubted_again(slipped: tuple[lw.Study, set[int]]) -> None:
    study, _ = slipped
    first = answers_in_doubt(study)[0].answer
    study.tell(first.pair, first.verdict)
    assert first.pair not in [doubt.answer.pair for doubt in answers_in_doubt(study)]
    study.undo()
