"""A branch of a study: it follows, and it foresees."""

from __future__ import annotations

import pickle
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from likewise.items import Items
from likewise.journal.pairs import Verdict
from likewise.study import Study
from likewise.study.branch import Branch


def small_pile(seed: int, n: int = 14) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, 3, n)
    return 8 * np.eye(3)[truth] + rng.normal(size=(n, 3)), truth


@settings(max_examples=15)
@given(st.integers(0, 100), st.lists(st.sampled_from([*Verdict, None]), max_size=14))
def test_a_branch_that_follows_asks_and_groups_like_the_study(
    seed: int, moves: list[Verdict | None]
) -> None:
    X, _ = small_pile(seed)
    study = Study(X)
    branch = Branch.of(study)
    for verdict in moves:
        question = study.ask()
        if verdict is None or question is None:
            if study.n_answers:
                study.undo()
        else:
            study.tell(question, verdict)
        branch.follow(study.answers)
        assert branch.ask() == study.ask()
    assert branch.labels_.tolist() == study.labels_.tolist()


@pytest.mark.parametrize("method", ["auto", "urasc", "minmax", "aqm-npu", "cobras", "random"])
def test_what_is_foreseen_is_what_is_asked(method: str) -> None:
    X, truth = small_pile(1, 20)
    study = Study(X, method=method)
    branch = Branch.of(study)
    for _ in range(12):
        question = study.ask()
        if question is None:
            break
        branch.follow(study.answers)
        foreseen = {}
        for verdict in Verdict:
            with branch.assuming(question.pair, verdict):
                foreseen[verdict] = branch.ask()
        i, j = question.pair
        said = Verdict.SAME if truth[i] == truth[j] else Verdict.DIFFERENT
        study.tell(question, said)
        assert study.ask() == foreseen[said]
    assert study.n_answers > 3


def test_nothing_that_happens_to_a_branch_reaches_the_study() -> None:
    X, _ = small_pile(2)
    study = Study(X)
    study.tell((0, 1), "same")
    before = study.labels_
    branch = Branch.of(study)
    branch.tell((0, 2), "different")
    with branch.assuming(branch.ask().pair, Verdict.SAME):  # type: ignore[union-attr]
        branch.labels_  # noqa: B018 - computed to see whether it leaks
    assert study.n_answers == 1
    assert branch.n_answers == 2
    assert study.labels_.tolist() == before.tolist()
    assert len(study.store.read()) == 2


@pytest.mark.parametrize("method", ["auto", "urasc", "coprf", "aqm-mee", "cobras"])
def test_questions_asked_in_a_hurry_are_open_ones_and_leave_no_trace(method: str) -> None:
    X, truth = small_pile(2, 60)
    study = Study(X, method=method)
    branch, asked = Branch.of(study), 0
    for _ in range(8):
        branch.follow(study.answers)
        with branch.warm_started():
            questions = branch.ask(4)
        for question in questions:
            assert study.constraints.implied(*question.pair) is None
            study.tell(question, bool(truth[question.pair.i] == truth[question.pair.j]))
        asked += len(questions)
        if study.n_answers > 9:
            study.undo()
    assert asked > 7
    branch.follow(study.answers)
    assert branch.ask() == study.ask()  # what was found in haste is not used for this


def test_a_branch_goes_on_after_a_journey_through_a_pickle() -> None:
    X, truth = small_pile(3, 30)
    study = Study(replace(Items.of(X), texts=["never sent"] * 30))
    for _ in range(5):
        question = study.ask()
        assert question is not None
        study.tell(question, bool(truth[question.pair.i] == truth[question.pair.j]))
    expected = study.ask()
    packed = pickle.dumps(Branch.of(study))
    assert b"never sent" not in packed
    branch = pickle.loads(packed)
    assert branch.ask() == expected
    assert branch.seconds_fitting == 0, "what was computed is computed again"
