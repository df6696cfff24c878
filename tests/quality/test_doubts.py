"""Answers in doubt: few, and the wrong ones first."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.datasets import load_wine

import likewise as lw
from likewise.quality import answers_in_doubt
from likewise.quality.doubts import _surprise


def answered(n: int, wrong: int, seed: int = 0) -> tuple[lw.Study, set[int]]:
    """A study of wines with so many answers, and which of them are wrong: all about other items.

    Random wines are held against one of each kind so far, so that nothing hangs on what a method
    would ask.
    """
    X, y = load_wine(return_X_y=True)
    study, kinds = lw.Study(X), dict[int, int]()
    slips: set[int] = set()
    for item in np.random.default_rng(seed).permutation(len(y)).tolist():
        others = sorted(
            kinds.values(), key=lambda other: (X[item] - X[other]) @ (X[item] - X[other])
        )
        for other in others:
            slip = study.n_answers >= n // 2 and len(slips) < wrong
            same = bool(y[item] == y[other])
            told = study.tell((item, other), same != slip)
            slips |= {told.id} if slip else set()
            if study.n_answers == n:
                return study, slips
            if same or slip:
                break
        kinds.setdefault(int(y[item]), item)
    raise AssertionError


@pytest.fixture(scope="module")
def slipped() -> tuple[lw.Study, set[int]]:
    return answered(60, wrong=2)


def test_truthful_answers_are_hardly_doubted() -> None:
    truthful, _ = answered(60, wrong=0)
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


def test_what_was_unexpected_is_doubted_by_the_root_of_its_odds() -> None:
    X, y = load_wine(return_X_y=True)
    study = lw.Study(X[::6])
    while study.n_answers < 12 and (question := study.ask()) is not None:
        i, j = question.pair
        study.tell(question, bool(y[::6][i] == y[::6][j]))
    study.tell((0, 1), "same")  # of which nothing was predicted
    found = _surprise(study.answers)
    for answer, surprise in zip(study.answers, found, strict=True):
        p = 0.5 if answer.same_probability is None else answer.same_probability
        expected = (1 - p) / p if answer.verdict.value == "same" else p / (1 - p)
        assert surprise == pytest.approx(np.log(expected), abs=1e-9)
