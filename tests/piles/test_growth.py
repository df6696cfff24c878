"""A pile that changes between sittings keeps its answers."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from likewise.errors import AnswerError, StoreError
from likewise.journal import Answered, Grown, Named, Opened, Retracted
from likewise.journal.constraints import Constraints
from likewise.journal.pairs import Answer, Pair, Verdict
from likewise.journal.state import Journal
from likewise.piles import begin_study, read_pile, resume_study
from likewise.stores import JsonLinesStore, MemoryStore, SqlStore, StoredJournal, SubsetStore
from likewise.study import Study
from pile_files import paint, paint_photos


def kind(name: str) -> str:
    """The truth about a picture: its folder."""
    return name.split("/")[0]


def answer_all(study: Study, budget: int = 100) -> list[tuple[str, str]]:
    """Answer truthfully; which pairs were asked, by name."""
    asked: list[tuple[str, str]] = []
    while (question := study.ask()) is not None and len(asked) < budget:
        one, other = (study.items.ids[k] for k in question.pair)
        asked.append((one, other))
        study.tell(question, kind(one) == kind(other))
    return asked


def groups(study: Study) -> set[frozenset[str]]:
    """The items of each group."""
    labels = study.labels_
    return {
        frozenset(study.items.ids[k] for k in np.flatnonzero(labels == group))
        for group in set(labels.tolist())
    }


@pytest.fixture
def photos(tmp_path: Path) -> Path:
    return paint_photos(tmp_path / "photos", 8)


@pytest.fixture
def store(tmp_path: Path) -> Path:
    return tmp_path / "photos.likewise.db"


def test_a_grown_pile_keeps_its_answers_and_asks_only_about_what_is_new(
    photos: Path, store: Path
) -> None:
    study = begin_study(read_pile(photos), store)
    answer_all(study)
    before = study.answers
    paint(photos / "a" / "001 first of all.png", 20)
    paint(photos / "c" / "9.png", 21)
    again, pile = resume_study(read_pile(photos), store)
    assert again.answers == before
    assert pile.items.ids[:8] == study.items.ids
    assert "2 pictures are new" in pile.notes
    asked = answer_all(again)
    new = {"a/001 first of all.png", "c/9.png"}
    assert asked
    assert all(new & set(pair) for pair in asked)
    assert groups(again) == {
        frozenset(name for name in again.items.ids if kind(name) == letter) for letter in "abc"
    }
    # Opened once more, nothing is new and nothing is written.
    events = len(SqlStore(store).read())
    final, pile = resume_study(read_pile(photos), store)
    assert pile.notes == []
    assert len(SqlStore(store).read()) == events
    assert final.ask() is None


def test_vanished_items_are_neither_asked_about_nor_labelled_but_remembered(
    photos: Path, store: Path
) -> None:
    study = begin_study(read_pile(photos), store)
    ids = study.items.ids
    for one, other in (("a/0.png", "a/2.png"), ("a/2.png", "a/4.png"), ("a/2.png", "b/1.png")):
        study.tell((ids.index(one), ids.index(other)), kind(one) == kind(other))
    kept = (photos / "a" / "2.png").read_bytes()
    (photos / "a" / "2.png").unlink()
    again, pile = resume_study(read_pile(photos), store)
    assert "1 picture is gone; the answers about them are kept" in pile.notes
    assert "a/2.png" not in again.items.ids
    assert len(again.labels_) == len(again.confidence_) == 7
    there = again.items.ids
    # What was said about it still ties the others.
    known = again.constraints
    assert known.implied(there.index("a/0.png"), there.index("a/4.png")) is Verdict.SAME
    assert known.implied(there.index("a/4.png"), there.index("b/1.png")) is Verdict.DIFFERENT
    assert [one.present for one in SqlStore(store).read_items()].count(False) == 1
    asked = answer_all(again)
    assert asked
    assert again.ask() is None

    (photos / "a" / "2.png").write_bytes(kept)
    back, pile = resume_study(read_pile(photos), store)
    assert back.items.ids == ids
    assert back.n_answers == 3 + len(asked)
    assert groups(back) == {
        frozenset(name for name in ids if kind(name) == letter) for letter in "ab"
    }


def test_files_that_were_moved_are_recognised_by_their_content(photos: Path, store: Path) -> None:
    study = begin_study(read_pile(photos), store)
    study.tell((0, 1), "same")
    (photos / "a" / "0.png").rename(photos / "b" / "moved.png")
    again, pile = resume_study(read_pile(photos), store)
    assert again.items.ids[0] == "b/moved.png"
    assert pile.notes == []
    assert again.constraints.implied(0, 1) is Verdict.SAME


def test_rows_without_ids_are_recognised_by_their_content(tmp_path: Path) -> None:
    rows = ["red,1", "green,5", "blue,9", "grey,7"]
    table, store = tmp_path / "t.csv", tmp_path / "t.likewise.db"
    table.write_text("\n".join(["colour,n", *rows]))
    study = begin_study(read_pile(table), store)
    study.tell((0, 2), "same")
    table.write_text("\n".join(["colour,n", "first,3", *rows]))
    again, pile = resume_study(read_pile(table), store)
    assert pile.items.ids == ["1", "2", "3", "4", "0"]
    assert again.constraints.implied(0, 2) is Verdict.SAME


def test_a_row_whose_cells_were_edited_keeps_its_answers(tmp_path: Path) -> None:
    table, store = tmp_path / "t.csv", tmp_path / "t.likewise.db"
    table.write_text("id,colour\na,red\nb,green\nc,blue\n")
    begin_study(read_pile(table), store).tell((0, 1), "different")
    table.write_text("id,colour\na,red\nb,greenish\nc,blue\n")
    again, pile = resume_study(read_pile(table), store)
    assert again.n_answers == 1
    assert "1 row has other content than before; the answers about them still hold" in pile.notes


def test_another_pile_is_refused(photos: Path, store: Path, tmp_path: Path) -> None:
    begin_study(read_pile(photos), store)
    for k in range(4):
        paint(tmp_path / "others" / f"{k}.png", 50 + k)
    with pytest.raises(StoreError, match="the journal belongs to 8 other items than the 4 given"):
        resume_study(read_pile(tmp_path / "others"), store)


def test_a_file_of_lines_says_that_it_cannot_grow(photos: Path, tmp_path: Path) -> None:
    store = tmp_path / "photos.likewise.jsonl"
    begin_study(read_pile(photos), store).tell((0, 1), "same")
    assert resume_study(read_pile(photos), store)[0].n_answers == 1
    paint(photos / "c" / "9.png", 21)
    with pytest.raises(StoreError, match=r"cannot follow a pile that changes \(a .db file can\)"):
        resume_study(read_pile(photos), store)
    assert len(JsonLinesStore(store).read()) == 2


def test_whoever_still_has_the_smaller_pile_goes_on_and_can_tell(photos: Path, store: Path) -> None:
    study = begin_study(read_pile(photos), store)
    paint(photos / "c" / "9.png", 21)
    other = resume_study(read_pile(photos), store)[0]
    other.tell((0, 8), "same")
    other.tell((8, 1), "same")
    assert study.n_pile_changes == 0
    study.tell((2, 3), "same")
    assert study.n_pile_changes == 1
    assert study.constraints.implied(0, 1) is Verdict.SAME
    assert study.ask() is not None
    assert len(study.labels_) == 8
    assert Study.open(store, resume_study(read_pile(photos), store)[1].items).n_answers == 3


# -- the parts ---------------------------------------------------------------------------------


def test_constraints_grow_and_stay_what_they_were() -> None:
    known = Constraints(2)
    known.add(Answer(0, Pair(0, 1), Verdict.DIFFERENT))
    known.grow(4)
    assert known.n_items == 4
    known.add(Answer(1, Pair(3, 1), Verdict.SAME))
    assert known.implied(3, 0) is Verdict.DIFFERENT
    assert len(known.components()) == 4
    known.remove(0)
    assert known.implied(3, 0) is None
    with pytest.raises(AnswerError, match="cannot become fewer"):
        known.grow(3)


def test_numbers_of_answers_about_vanished_items_are_not_given_again() -> None:
    whole = MemoryStore()
    whole.append([Opened(4, "f", "auto", None, 0)])
    pairs = [Pair(1, 3), Pair(0, 1), Pair(1, 2), Pair(3, 1)]
    said = [Verdict.SAME, Verdict.SAME, Verdict.UNSURE, Verdict.DIFFERENT]
    for k, (pair, verdict) in enumerate(zip(pairs, said, strict=True)):
        whole.append([Answered(Answer(k, pair, verdict))])
    whole.append([Retracted(0), Named(1, "n"), Named(3, "gone"), Grown(4, "g")])
    # Item 1 has vanished: 0 stands for it, and 3 is alone once answer 0 is taken back.
    seen = SubsetStore(whole, np.array([0, 2, 3]))
    journal = Journal.replay(seen.read())
    journal.restrict(3)
    assert (journal.opened.n_items, journal.opened.fingerprint) == (3, "g")
    assert journal.next_id == 4
    assert [(a.id, a.pair, a.verdict) for a in journal.answers] == [
        (3, Pair(2, 0), Verdict.DIFFERENT)
    ]
    assert journal.names == {0: "n", 2: "gone"}
    seen.append([Answered(Answer(4, Pair(1, 2), Verdict.SAME))])
    assert whole.read()[-1] == Answered(Answer(4, Pair(2, 3), Verdict.SAME))
    assert seen.read(since=9) == [Answered(Answer(4, Pair(1, 2), Verdict.SAME))]
    assert [seen.inward(place) for place in range(6)] == [0, 3, 1, 2, 4, 5]
    assert [seen.outward(number) for number in range(6)] == [0, 2, 3, 1, 4, 5]


@pytest.mark.parametrize("taken_back", [0, 1])
def test_what_is_taken_back_after_an_item_has_left_is_no_longer_implied(
    photos: Path, store: Path, taken_back: int
) -> None:
    study = begin_study(read_pile(photos), store)
    ids = study.items.ids
    for one, other in (("a/0.png", "a/2.png"), ("a/2.png", "a/4.png"), ("b/1.png", "b/3.png")):
        study.tell((ids.index(one), ids.index(other)), "same")
    (photos / "a" / "2.png").unlink()
    pile = read_pile(photos)
    study, other_program = resume_study(pile, store)[0], resume_study(pile, store)[0]
    a, b, c = (study.items.ids.index(name) for name in ("a/0.png", "a/4.png", "b/1.png"))
    assert study.constraints.implied(a, b) is Verdict.SAME
    study.retract(taken_back)
    again = resume_study(pile, store)[0]
    assert other_program.refresh() == 1
    for opened in (study, other_program, again):
        assert opened.constraints.implied(a, b) is None
        assert opened.ask() == again.ask()
    taken = other_program.undo()
    assert taken is not None
    assert taken.id == 2
    assert study.refresh() == 1
    assert study.answers == other_program.answers == []
    assert study.tell((a, c), "different").id == 3
    assert other_program.refresh() == 1


def test_leases_are_by_the_numbers_that_everybody_knows() -> None:
    whole = MemoryStore()
    leases = SubsetStore(whole, np.array([1, 2, 4])).leases
    assert leases.take(Pair(2, 0), "Ada", 60) is not None
    assert [lease.pair for lease in whole.leases.held()] == [Pair(1, 4)]
    assert whole.leases.take(Pair(0, 3), "Bob", 60) is not None
    assert [lease.pair for lease in leases.held()] == [Pair(0, 2), Pair(3, 4)]
    assert leases.extend(Pair(0, 2), "Ada", 60)
    leases.release(Pair(0, 2), "Ada")
    assert [lease.who for lease in whole.leases.held()] == ["Bob"]


def test_two_programs_that_find_new_items_at_once_agree_about_their_numbers(
    photos: Path, store: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    begin_study(read_pile(photos), store)
    paint(photos / "c" / "9.png", 21)
    mine = read_pile(photos)
    paint(photos / "c" / "8.png", 24)
    theirs = read_pile(photos)
    write = SqlStore.write_items
    found: list[Study] = []

    def overtaken(self: SqlStore, *args: Any) -> None:
        monkeypatch.setattr(SqlStore, "write_items", write)
        found.append(resume_study(theirs, store)[0])  # at the last moment
        write(self, *args)

    monkeypatch.setattr(SqlStore, "write_items", overtaken)
    study, _ = resume_study(mine, store)
    assert len(found) == 1
    known = [one.id for one in SqlStore(store).read_items()]
    assert sorted(known[8:]) == ["c/8.png", "c/9.png"]
    assert [one.present for one in SqlStore(store).read_items()].count(False) == 1
    study.tell((study.items.ids.index("c/9.png"), 0), "same")
    assert SqlStore(store).read()[-1].answer.pair == (known.index("c/9.png"), 0)  # type: ignore[union-attr]


def test_who_only_looks_at_a_changed_pile_writes_nothing(photos: Path, store: Path) -> None:
    begin_study(read_pile(photos), store).tell((0, 1), "same")
    paint(photos / "c" / "9.png", 21)
    (photos / "b" / "3.png").unlink()
    before = SqlStore(store).read(), SqlStore(store).read_items()
    study, pile = resume_study(read_pile(photos), StoredJournal.read(store).detached())
    gone = "1 picture is gone; the answers about them are kept"
    assert pile.changes == ["1 picture is new", gone]
    assert (len(study.items), study.n_answers) == (8, 1)
    assert str(study.store) == str(store)
    study.tell((0, 2), "same")
    assert (SqlStore(store).read(), SqlStore(store).read_items()) == before
