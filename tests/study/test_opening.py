"""Tests of how studies are opened: the journal is read once, and recipes are given again."""

from __future__ import annotations

import pickle
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import likewise as lw
from likewise.errors import MethodError, StoreError
from likewise.journal import Event, Grown, Opened, from_record, to_record
from likewise.journal.state import Journal
from likewise.stores import MemoryStore, copy_study
from likewise.stores.stored_journal import StoredJournal
from likewise.strategies import RandomPairs
from likewise.study.branch import Branch

X = [[0.0], [0.1], [5.0], [5.1], [9.0], [9.1]]
MINE = lw.Recipe("pairs at random", RandomPairs, name="mine")


class CountingStore(MemoryStore):
    """A store that counts how often it is read."""

    def __init__(self) -> None:
        super().__init__()
        self.n_reads = 0

    def append(self, events: Sequence[Event]) -> None:
        super().append(events)

    def read(self, since: int = 0) -> list[Event]:
        self.n_reads += 1
        return super().read(since)


@pytest.fixture
def store() -> CountingStore:
    """A store with a study of two answers, not read since."""
    store = CountingStore()
    study = lw.Study(X, store=store)
    assert store.n_reads == 1
    study.tell((0, 2), "different")
    study.tell((0, 1), "same")
    store.n_reads = 0
    return store


def test_opening_reads_the_journal_once(store: CountingStore) -> None:
    assert lw.Study.open(store, X).n_answers == 2
    assert store.n_reads == 1


@pytest.mark.parametrize("name", ["study.jsonl", "study.db"])
def test_a_study_keeps_its_identity_and_shares_it_with_no_other(tmp_path: Path, name: str) -> None:
    begun = lw.Study(X, store=tmp_path / name)
    assert lw.Study.open(tmp_path / name, X).identity == begun.identity
    assert lw.Study(X, store=tmp_path / name).identity == begun.identity
    assert Branch.of(begun).identity == begun.identity
    others = {lw.Study(X).identity, lw.Study(X, store=tmp_path / f"other-{name}").identity}
    assert len(others | {begun.identity}) == 3


def test_a_copy_of_a_study_is_the_same_study(tmp_path: Path) -> None:
    begun = lw.Study(X, store=tmp_path / "study.jsonl")
    copy_study(tmp_path / "study.jsonl", tmp_path / "study.db")
    assert lw.Study.open(tmp_path / "study.db", X).identity == begun.identity


def test_a_journal_that_was_begun_without_an_identity_has_a_lasting_one() -> None:
    def old(seed: int) -> dict[str, object]:
        record = to_record(Opened(4, "f", "auto", None, seed))
        del record["identity"]
        return {**record, "format": 1}

    first, again, other = (Journal.replay([from_record(old(seed))]).opened for seed in (0, 0, 1))
    assert first.identity == again.identity != ""
    assert first.identity != other.identity
    journal = Journal.replay([from_record(old(0)), Grown(5, "g")])
    assert journal.opened.identity == first.identity


def test_beginning_on_a_store_with_the_same_study_reads_it_once(store: CountingStore) -> None:
    assert lw.Study(X, store=store).n_answers == 2
    assert store.n_reads == 1


def test_a_study_of_some_of_the_items_reads_the_journal_once(store: CountingStore) -> None:
    items = lw.Items.of(X)
    some = replace(
        items.take(np.array([0, 1, 2])), places=np.array([0, 1, 2]), content=items.fingerprint()
    )
    assert lw.Study.open(store, some).n_answers == 2
    assert store.n_reads == 1


def test_what_was_read_already_is_not_read_again(store: CountingStore) -> None:
    stored = StoredJournal.read(store)
    assert lw.Study.open(stored, X).n_answers == 2
    assert store.n_reads == 1


def test_a_study_of_similarities_reads_its_journal_once() -> None:
    store = CountingStore()
    lw.SimilarityStudy(4, store=store).tell((0, 1), 0.5)
    store.n_reads = 0
    assert lw.SimilarityStudy.open(store).n_measurements == 1
    assert store.n_reads == 1


def test_a_recipe_is_a_method(tmp_path: Path) -> None:
    path = tmp_path / "mine.likewise.jsonl"
    study = lw.Study(X, method=MINE, store=path)
    named = lw.Study(X, method="random")
    assert study.method == "mine"
    assert study.ask() == named.ask()
    study.tell(study.ask(), "different")  # type: ignore[call-overload]
    again = lw.Study.open(path, X, method=MINE)
    assert again.ask() == study.ask()
    assert lw.Study(X, method=MINE, store=path).n_answers == 1
    assert "mine" not in lw.METHODS


def test_a_journal_with_a_recipe_of_its_own_asks_for_it_again(tmp_path: Path) -> None:
    path = tmp_path / "mine.likewise.jsonl"
    lw.Study(X, method=MINE, store=path)
    with pytest.raises(MethodError, match=r"method 'mine', which has no recipe here"):
        lw.Study.open(path, X)
    with pytest.raises(StoreError, match="begun with method='mine', not 'random'"):
        lw.Study.open(path, X, method="random")


def test_a_listed_recipe_goes_by_its_name_and_no_other_may_take_it() -> None:
    assert lw.Study(X, method=lw.METHODS["urasc"]).method == "urasc"
    assert lw.Study(X, method=replace(MINE, name="other")).method == "other"
    with pytest.raises(MethodError, match="'urasc' belongs to another method"):
        lw.Study(X, method=replace(MINE, name="urasc"))


def test_most_groups_of_a_recipe_are_taken_as_the_number() -> None:
    two = replace(MINE, most_groups=2)
    assert lw.Study(X, method=two).n_clusters == 2
    with pytest.raises(MethodError, match="'mine' tells 2 groups apart, not 3"):
        lw.Study(X, method=two, n_clusters=3)


def test_a_branch_of_a_study_with_a_recipe_travels() -> None:
    study = lw.Study(X, method=MINE)
    there = pickle.loads(pickle.dumps(Branch.of(study)))
    assert there.ask() == study.ask()


def test_runs_take_recipes() -> None:
    y = [0, 0, 1, 1, 2, 2]
    mine = lw.run(X, lw.oracles.FromLabels(y), method=MINE, budget=5)
    named = lw.run(X, lw.oracles.FromLabels(y), method="random", budget=5)
    assert mine.study.answers[-1].pair == named.study.answers[-1].pair
