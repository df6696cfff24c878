"""Notes beside the answers: review, collections, further groups; they move nothing."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import likewise as lw
from likewise.errors import AnswerError, StoreError
from likewise.journal import Journal, Noted, from_record, to_record
from likewise.journal.notes import Notes
from likewise.journal.succession import Succession
from likewise.stores import copy_study

X = np.repeat([[0.0], [10.0], [20.0]], 3, axis=0) + 0.1 * np.arange(9)[:, None]
item = st.integers(0, 8)
PATHS = ("animals", "all / animals", "all / animals / cats", "things", "")
notes = st.lists(
    st.one_of(
        st.builds(Noted, item, st.just("review"), st.sampled_from(["", "?"]), stands=st.booleans()),
        st.builds(Noted, item, st.just("collection"), st.sampled_from(PATHS)),
        st.builds(Noted, item, st.just("also"), other=item, stands=st.booleans()),
        st.builds(Noted, item, st.just("apart"), stands=st.booleans()),
    ),
    max_size=12,
)


def three_groups(store: Path | None = None) -> lw.Study:
    study = lw.Study(X, store=store)
    for pair in ((0, 3), (0, 6), (3, 6)):
        study.tell(pair, "different")
    return study


def folded(some: list[Noted]) -> Notes:
    found = Notes()
    for note in some:
        found.add(note)
    return found


def same(one: Notes, other: Notes) -> bool:
    parts = ("reviews", "collections", "further", "apart")
    return all(
        list(getattr(one, part).items()) == list(getattr(other, part).items())
        if part != "apart"
        else one.apart == other.apart
        for part in parts
    )


@given(notes)
def test_what_stands_says_it_all_and_what_is_left_out_never_was(some: list[Noted]) -> None:
    assert same(folded(folded(some).facts()), folded(some))
    numbered = [
        Noted(n.item, n.about, n.text, n.other, n.stands, step=k) for k, n in enumerate(some)
    ]
    kept = [k for k in range(len(some)) if k % 3]
    undone = folded(numbered)
    undone.leave_out(lambda step: step not in kept)
    assert same(undone, folded([numbered[k] for k in kept]))


@given(notes, st.permutations(range(9)))
def test_other_numbers_of_items_change_nothing_but_the_numbers(
    some: list[Noted], order: list[int]
) -> None:
    renumbered = [
        Noted(order[n.item], n.about, n.text, None if n.other is None else order[n.other], n.stands)
        for n in some
    ]
    here, there = folded(some), folded(renumbered)
    assert {order[k]: one for k, one in here.reviews.items()} == there.reviews
    assert [(order[k], path) for k, path in here.collections.items()] == list(
        there.collections.items()
    )
    assert {order[k] for k in here.apart} == there.apart
    assert {order[k]: [order[o] for o in v] for k, v in here.further.items()} == there.further
    # What is not at hand is not spoken of; what is about a group passes to who stands in.
    placed = here.placed(lambda k: k if k < 6 else None if k == 8 else 0)
    assert set(placed.reviews) == {k for k in here.reviews if k < 6}
    assert set(placed.collections) <= set(range(6))


@settings(max_examples=10, deadline=None)
@given(notes)
def test_notes_move_neither_groups_nor_questions(some: list[Noted]) -> None:
    plain, noted = three_groups(), three_groups()
    before = len(noted.store.read())
    noted._record(lambda: some)
    assert noted.ask() == plain.ask()
    assert noted.labels_.tolist() == plain.labels_.tolist()
    assert noted.confidence_.tolist() == plain.confidence_.tolist()
    assert noted.answers == [noted.find(answer.id) for answer in plain.answers]
    assert noted.store.read()[before:] == some
    for note in some:
        assert from_record(to_record(note)) == note


def test_a_mark_is_everybodys_and_kept(tmp_path: Path) -> None:
    study = three_groups(tmp_path / "a.db")
    study.mark_for_review(4, "  blurred?  ", who="Ada")
    study.mark_for_review("5")
    other = lw.Study.open(tmp_path / "a.db", X)
    assert [(k, one.note, one.who) for k, one in other.reviews.items()] == [
        (4, "blurred?", "Ada"),
        (5, "", ""),
    ]
    assert other.reviews[4].when
    assert other.clear_review(4, who="Bob")
    assert study.refresh() == 1
    assert list(study.reviews) == [5]
    assert not study.clear_review(4)
    other.undo(who="Bob")
    study.refresh()
    assert list(study.reviews) == [4, 5]
    copy_study(tmp_path / "a.db", tmp_path / "b.jsonl")
    assert lw.Study.open(tmp_path / "b.jsonl", X).reviews == study.reviews
    assert study.without("").reviews == study.reviews


def test_notes_are_columns_where_there_are_any() -> None:
    study = three_groups()
    assert list(study.to_frame()) == ["id", "group", "name", "confidence"]
    study.mark_for_review(4, "blurred?", who="Ada")
    study.mark_for_review(5)
    study.collect(0, "all/animals")
    study.add_to_group(8, 0)
    frame = study.to_frame().set_index("id")
    labels = study.labels_
    assert frame.loc["1", "collection"] == "all / animals"
    assert frame.loc["8", "also"] == str(labels[0])
    assert frame.loc[["4", "5", "6"], "review"].tolist() == ["blurred?", "needs review", ""]
    assert frame.loc["4", "review_by"] == "Ada"


def test_a_collection_follows_merges_splits_and_undo() -> None:
    study = three_groups()
    study.collect(0, "animals")
    study.collect(3, "things")
    lw.edits.merge(study, 1, 4, force=True)
    assert set(study.collections_.values()) == {("things",)}  # the latest
    study.undo()
    assert [study.collections_[int(study.labels_[k])] for k in (1, 4)] == [
        ("animals",),
        ("things",),
    ]
    # Both halves of a group stay in its collection, whichever has the item it was noted at.
    lw.edits.split(study, [0, 1], force=True)
    paths, labels = study.collections_, study.labels_
    assert labels[0] != labels[2]
    assert paths[int(labels[0])] == paths[int(labels[2])] == ("animals",)
    study.undo()
    assert list(study.collected.items()) == [(0, ("animals",)), (3, ("things",))]
    lw.edits.split(study, [0, 4], force=True)  # from two collections: it lies in neither for sure
    assert study.collections_[int(study.labels_[5])] == ("things",)


def test_a_collection_is_renamed_moved_and_dissolved_in_one_step() -> None:
    study = three_groups()
    study.collect(0, "animals / cats")
    study.collect(3, "animals")
    study.collect(6, "things")
    was = study.collections_
    assert study.rename_collection("animals", "living / beasts") == 2
    assert sorted(study.collections_.values()) == [
        ("living", "beasts"),
        ("living", "beasts", "cats"),
        ("things",),
    ]
    study.undo()
    assert study.collections_ == was
    study.rename_collection("animals", "")
    assert sorted(study.collections_.values()) == [("cats",), ("things",)]
    with pytest.raises(AnswerError, match="in a collection 'animals'"):
        study.rename_collection("animals", "x")
    with pytest.raises(AnswerError, match="which collection"):
        study.rename_collection(" / ", "x")


@settings(max_examples=15, deadline=None)
@given(st.lists(st.tuples(item, st.sampled_from(PATHS)), max_size=6), st.sampled_from(PATHS[:3]))
def test_renaming_there_and_back_is_no_change(plan: list[tuple[int, str]], old: str) -> None:
    study = three_groups()
    for k, path in plan:
        study.collect(k, path)
    before = study.collections_
    try:
        study.rename_collection(old, "quite new")
    except AnswerError:
        return
    assert {path[:1] for path in study.collections_.values()} <= {
        ("quite new",),
        *(path[:1] for path in before.values()),
    }
    study.rename_collection("quite new", old)
    assert study.collections_ == before
    study.undo()
    study.undo()
    assert study.collections_ == before


def test_a_further_group_goes_where_its_item_goes() -> None:
    study = three_groups()
    study.add_to_group(1, 3)
    study.add_to_group(1, 4)  # the same group, once
    label = study.labels_
    assert study.also_ == {1: [int(label[3])]}
    lw.edits.merge(study, 0, 3, force=True)
    assert study.also_ == {}  # both in one group: it says nothing
    study.undo()
    assert study.also_ == {1: [int(study.labels_[3])]}
    assert study.constraints.implied(1, 3) is not lw.Verdict.SAME
    assert study.remove_from_group(1, 5)  # any item of that group
    assert not study.remove_from_group(1, 5)
    assert study.also_ == {}
    study.undo()
    assert study.also_ == {1: [int(study.labels_[3])]}
    with pytest.raises(AnswerError, match="own group"):
        study.add_to_group(1, 1)


def test_what_cannot_be_noted_is_refused_in_a_sentence() -> None:
    study = three_groups()
    with pytest.raises(AnswerError, match="one line"):
        study.mark_for_review(1, "a\nb")
    with pytest.raises(AnswerError, match="500 characters"):
        study.mark_for_review(1, "a" * 501)
    with pytest.raises(AnswerError, match="between 0 and 8"):
        study.mark_for_review(9)
    with pytest.raises(AnswerError, match="no item 'x'"):
        study.add_to_group("x", 1)
    with pytest.raises(AnswerError, match="one line"):
        study.collect(1, "a\tb")
    with pytest.raises(AnswerError, match="100 characters"):
        study.collect(1, "a" * 101)
    so_far = Succession()
    for event in study.store.read():
        so_far.follow(event)
    for wrong in (Noted(9, "review"), Noted(0, "also", other=9)):
        with pytest.raises(StoreError, match="no item 9"):
            so_far.follow(wrong)
    assert len(study.store.read()) == 4


def test_a_journal_of_an_earlier_format_opens_and_takes_notes(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    three_groups(path)
    lines = path.read_text().splitlines()
    path.write_text("\n".join([lines[0].replace('"format": 4', '"format": 3'), *lines[1:]]) + "\n")
    assert '"format": 3' in path.read_text()
    study = lw.Study.open(path, X)
    study.mark_for_review(0)
    assert list(lw.Study.open(path, X).reviews) == [0]


deeds = st.lists(
    st.one_of(
        st.tuples(st.just("collect"), item, st.sampled_from(PATHS)),
        st.tuples(st.just("merge"), item, item),
        st.tuples(st.just("split"), item, item),
        st.tuples(st.just("add"), item, item),
        st.tuples(st.just("undo"), item, item),
    ),
    max_size=10,
)


@settings(max_examples=25, deadline=None)
@given(deeds)
def test_collections_through_merges_splits_and_undo(plan: list[tuple[str, int, object]]) -> None:
    """After whatever was done: as the notes say literally, and the same when it is read again."""
    study = lw.Study(X, method="random")
    for deed, i, other in plan:
        before, was = study.collections_, study.labels_
        try:
            if deed == "collect":
                study.collect(i, str(other))
            elif deed == "merge":
                lw.edits.merge(study, i, int(str(other)), force=True)
            elif deed == "add":
                study.add_to_group(i, int(str(other)))
            elif deed == "undo":
                study.undo()
            elif was[i] == was[int(str(other))]:
                lw.edits.split(study, [i, int(str(other))], force=True)
                now = study.labels_
                path = before.get(int(was[i]), ())
                assert study.collections_.get(int(now[i]), ()) == path
        except AnswerError:
            continue
    labels = study.labels_
    literal: dict[int, tuple[str, ...]] = {}
    for k, path in study.collected.items():  # in the order in which they were noted
        literal[int(labels[k])] = path
    assert study.collections_ == {k: path for k, path in sorted(literal.items()) if path}
    for k, groups in study.also_.items():
        assert int(labels[k]) not in groups
    again = study.without()
    assert again.labels_.tolist() == labels.tolist()
    assert (again.collections_, again.also_) == (study.collections_, study.also_)
    replayed = Journal.replay(study.store.read())
    assert replayed.notes.facts() == study.notes
