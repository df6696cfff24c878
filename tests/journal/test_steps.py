"""Steps are taken back as a whole: everything is as it was before them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import likewise as lw
from likewise.errors import AnswerError, Contradiction, StoreError
from likewise.journal import Answered, Journal, Noted, Opened, Redone, Undone
from likewise.journal.pairs import Answer, Pair, Verdict
from likewise.journal.succession import Succession
from likewise.stores import open_store

X = np.repeat([[0.0], [10.0], [20.0]], 3, axis=0) + 0.1 * np.arange(9)[:, None]
item = st.integers(0, 8)
deeds = st.lists(
    st.one_of(
        st.tuples(st.just("tell"), item, item, st.booleans()),
        st.tuples(st.just("merge"), item, item),
        st.tuples(st.just("split"), item, item),
        st.tuples(st.just("name"), item, st.sampled_from(["cats", "dogs", ""])),
        st.tuples(st.just("mark"), item, st.sampled_from(["", "a fox?"])),
        st.tuples(st.just("collect"), item, st.sampled_from(["animals", "all / animals", ""])),
        st.tuples(st.just("add"), item, item),
    ),
    max_size=9,
)
State = tuple[list[Answer], dict[int, str], list[Pair], list[Noted]]


def do(study: lw.Study, deed: tuple[object, ...]) -> None:
    match deed:
        case "tell", int(i), int(j), bool(same):
            study.tell((i, j), same)
        case "merge", int(i), int(j):
            lw.edits.merge(study, i, j, force=True)
        case "split", int(i), int(j):
            lw.edits.split(study, [i, j], force=True)
        case "name", int(i), str(name):
            study.name(i, name)
        case "mark", int(i), str(note):
            study.mark_for_review(i, note)
        case "collect", int(i), str(collection):
            study.collect(i, collection)
        case "add", int(i), int(j):
            study.add_to_group(i, j)


def state(study: lw.Study) -> State:
    disputed = [one.answer.pair for one in study.disputes()]
    return study.answers, study.names_, disputed, study._state.notes.facts()


@settings(max_examples=12, deadline=None)
@given(deeds)
def test_undo_leads_back_through_every_state(plan: list[tuple[object, ...]]) -> None:
    study = lw.Study(X, method="random")
    before: list[State] = []
    for deed in plan:
        was = state(study)
        try:
            do(study, deed)
        except (AnswerError, Contradiction):
            continue
        if state(study)[0] != was[0] or deed[0] in ("name", "mark", "collect", "add"):
            before.append(was)
    for was in reversed(before):
        study.undo()
        assert state(study) == was
    with pytest.raises(AnswerError, match="no answer to take back"):
        study.undo()


@pytest.mark.parametrize("name", ["a.jsonl", "a.db"])
def test_a_step_that_was_undone_stays_undone_after_a_restart(tmp_path: Path, name: str) -> None:
    study = lw.Study(X, store=tmp_path / name)
    study.tell((0, 3), "different", who="ann")
    study.name(0, "low")
    said = study.answers
    lw.edits.merge(study, 1, 4, who="bob", force=True)
    assert study.last_step(who="ann") is None  # bob's merge has taken her answer back
    study.undo(who="bob")
    again = lw.Study.open(tmp_path / name, X)
    assert again.answers == said
    assert again.answers[0].who == "ann"
    assert list(again.names_.values()) == ["low"]
    again.undo()
    again.undo()
    assert (again.answers, again.names_) == ([], {})


def test_each_person_takes_back_their_own_last_step() -> None:
    study = lw.Study(X)
    study.tell((0, 1), "same", who="ann")
    lw.edits.split(study, [3], who="bob", force=True)
    study.tell((6, 7), "same", who="cleo")
    undone = study.undo(who="ann")
    assert undone is not None
    assert undone.who == "ann"
    step = study.last_step(who="bob")
    assert step is not None
    study.undo(who="bob")
    assert [answer.who for answer in study.answers] == ["cleo"]


@pytest.mark.parametrize("turn", [Undone, Redone])
def test_a_step_that_never_was_is_refused(turn: Callable[[int], Undone | Redone]) -> None:
    opened = Opened(4, "", "auto", None, 0)
    answered = Answered(Answer(0, Pair(0, 1), Verdict.SAME), step=0)
    with pytest.raises(StoreError, match=r"event 2 .*no step 3"):
        Journal.replay([opened, answered, turn(3)])
    so_far = Succession()
    so_far.follow(opened)
    with pytest.raises(StoreError, match="no step 3"):
        so_far.follow(turn(3))


def test_an_undone_edit_is_verified_and_backed_up(tmp_path: Path) -> None:
    study = lw.Study(X, store=tmp_path / "a.jsonl")
    study.tell((0, 3), "different")
    edit = lw.edits.merge(study, 1, 4, force=True)
    undone = lw.edits.take_back(study, edit)
    lw.edits.take_back(study, undone)
    lw.edits.take_back(study, undone)  # done again already: nothing more to do
    assert lw.stores.verify_store(tmp_path / "a.jsonl") == []
    lw.stores.back_up(tmp_path / "a.jsonl", tmp_path / "copy.db")
    assert open_store(tmp_path / "copy.db").read() == study.store.read()
    assert lw.Study.open(tmp_path / "copy.db", X).answers == study.answers
