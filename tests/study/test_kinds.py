"""Kinds of question: what each asks, and what a reply becomes."""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import likewise as lw
from likewise.errors import AnswerError, MethodError
from likewise.journal.questions import PlaceQuestion, SheetQuestion
from likewise.study.branch import Branch
from likewise.study.question_kinds import AnyQuestion

TRUTH = np.repeat(np.arange(4), 10)


def pile(seed: int = 0) -> np.ndarray:
    """Four groups of ten that lie close enough to be mistaken for one another."""
    rng = np.random.default_rng(seed)
    return np.repeat(np.eye(4) * 3, 10, axis=0) + rng.normal(size=(40, 4))


def group_of(item: int, question: PlaceQuestion | SheetQuestion) -> int | str:
    pairs = zip(question.groups, question.members, strict=True)
    return next((group for group, member in pairs if TRUTH[member] == TRUTH[item]), "new")


def answer(study: lw.Study, question: AnyQuestion, **details: Any) -> None:
    """Reply as somebody who knows the truth."""
    if isinstance(question, PlaceQuestion):
        study.tell(question, group_of(question.item, question), **details)
    elif isinstance(question, SheetQuestion):
        first = question.items[0]
        belong = [item for item in question.items if TRUTH[item] == TRUTH[first]]
        group = group_of(first, question) if question.group is None else None
        study.tell(question, belong, group=group, **details)
    else:
        i, j = question.pair
        study.tell(question, bool(TRUTH[i] == TRUTH[j]), **details)


@pytest.mark.parametrize("kind", ["place", "sheet", "best"])
@pytest.mark.parametrize("method", ["auto", "random", "cobras"])
def test_truthful_replies_of_every_kind_group_the_pile(kind: str, method: str) -> None:
    study = lw.Study(pile(), method=method)
    for _ in range(120):
        question = study.ask(kind=kind)
        if question is None:
            break
        assert question.seconds > 0
        assert len(set(question.items)) == len(question.items) <= 24
        answer(study, question)
    assert not study.disputes()
    while (left := study.ask(kind="place")) is not None:
        answer(study, left)
    assert lw.metrics.ari(TRUTH, study.labels_) == 1.0


def test_asking_twice_asks_the_same_and_so_does_a_study_opened_again(tmp_path: Path) -> None:
    X, store = pile(), tmp_path / "study.likewise.jsonl"
    study = lw.Study(X, store=store)
    for kind in ("place", "sheet", "best", "best"):
        question = study.ask(kind=kind)
        assert question is not None
        answer(study, question, seconds=9.0)
    again = lw.Study.open(store, X)
    for kind in ("pair", "place", "sheet", "best"):
        assert study.ask(kind=kind) == study.ask(kind=kind) == again.ask(kind=kind)


@pytest.mark.parametrize("kind", ["place", "sheet"])
def test_a_reply_is_taken_back_in_one_piece(kind: str) -> None:
    study = lw.Study(pile())
    for _ in range(6):
        place = study.ask(kind="place")
        assert place is not None
        answer(study, place)
    before, question = study.answers, study.ask(kind=kind)
    assert question is not None
    answer(study, question)
    assert study.n_answers > len(before)
    study.undo()
    assert study.answers == before
    assert study.ask(kind=kind) == question


def test_a_place_that_nobody_can_tell_is_put_off() -> None:
    study = lw.Study(pile())
    first = study.ask(kind="place")
    assert first is not None
    study.tell(first, "unsure")
    second = study.ask(kind="place")
    assert second is not None
    assert second.item != first.item
    assert [one.verdict for one in study.answers] == [lw.Verdict.UNSURE]


def test_a_new_group_differs_from_all_that_were_offered() -> None:
    study = lw.Study(pile())
    place = None
    while place is None or len(place.groups) < 3:
        place = study.ask(kind="place")
        assert place is not None
        if len(place.groups) < 3:
            answer(study, place)
    study.tell(place, "new")
    known = study.constraints
    assert all(
        known.implied(place.item, member) is lw.Verdict.DIFFERENT for member in place.members
    )


def test_whatever_belongs_together_on_a_sheet_differs_from_the_rest() -> None:
    study = lw.Study(pile())
    sheet = study.ask(kind="sheet")
    assert sheet is not None
    belong = sheet.items[1:3]  # not the first: then they are a part of their own
    study.tell(sheet, belong)
    known = study.constraints
    assert known.implied(*belong) is lw.Verdict.SAME
    for item in set(sheet.items) - set(belong):
        assert known.implied(item, belong[0]) is lw.Verdict.DIFFERENT


def test_a_sheet_sent_twice_is_kept_once_and_another_under_its_name_is_refused() -> None:
    study = lw.Study(pile())
    sheet = study.ask(kind="sheet")
    assert sheet is not None
    told = study.tell(sheet, sheet.items[:3], client_id="a", seconds=20.0)
    assert study.tell(sheet, sheet.items[:3], client_id="a", seconds=20.0) == told
    with pytest.raises(AnswerError, match="a"):
        study.tell(sheet, sheet.items[:2], client_id="a")
    assert [one.seconds for one in study.answers][:2] == [20.0, None]


def test_an_odd_reply_is_refused_and_nothing_is_kept() -> None:
    study = lw.Study(pile())
    place, sheet = study.ask(kind="place"), study.ask(kind="sheet")
    assert place is not None
    assert sheet is not None
    other = next(item for item in range(40) if item not in sheet.items)
    with pytest.raises(AnswerError, match="one of the groups"):
        study.tell(place, 999)
    with pytest.raises(AnswerError, match="not on the sheet"):
        study.tell(sheet, [other])
    with pytest.raises(MethodError, match="kind must be one of"):
        study.ask(kind="row")
    assert study.n_answers == 0


def test_a_branch_in_another_process_asks_the_same() -> None:
    X = pile()
    texts = [" ".join(["word"] * (1 + item)) for item in range(40)]
    study = lw.Study(lw.Items(features=X, ids=[str(k) for k in range(40)], texts=texts))
    for _ in range(5):
        question = study.ask(kind="place")
        assert question is not None
        answer(study, question)
    branch = pickle.loads(pickle.dumps(Branch.of(study)))
    for kind in ("pair", "place", "sheet", "best"):
        assert branch.ask(kind=kind) == study.ask(kind=kind)


def test_best_is_the_kind_that_puts_most_right_per_second() -> None:
    study = lw.Study(pile())
    kinds = set()
    while (question := study.ask(kind="best")) is not None:
        kinds.add(question.kind)
        answer(study, question)
    assert {"place", "sheet"} <= kinds


def test_best_asks_what_the_method_expects_most_of(monkeypatch: pytest.MonkeyPatch) -> None:
    study = lw.Study(pile())
    while (question := study.ask(kind="best")) is not None and question.kind != "sheet":
        answer(study, question)
    assert question is not None
    before = study.answers
    monkeypatch.setattr(type(study._strategy), "gain", lambda *_: 100.0)
    study = lw.Study(pile())
    for said in before:
        study.tell(said.pair, said.verdict)
    asked, wanted = study.ask(kind="best"), study.ask()
    assert asked is not None
    assert wanted is not None
    assert asked.kind != "sheet"
    assert asked.items[0] in wanted.pair


@pytest.mark.parametrize("method", ["auto", "random-items", "urasc"])
def test_beside_a_single_group_best_asks_for_no_place(method: str) -> None:
    question = lw.Study(pile(), method=method).ask(kind="best")
    assert question is not None
    assert question.kind != "place"
