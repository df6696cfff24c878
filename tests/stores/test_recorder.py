"""Two writers of one journal: each event is kept and applied exactly once, in one order."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import likewise as lw
from likewise.errors import AnswerError, Overtaken
from likewise.journal import Answered, Event, Opened
from likewise.journal.pairs import Answer, Pair, Verdict
from likewise.journal.state import Journal
from likewise.stores import open_store
from likewise.stores.recorder import Recorder
from likewise.stores.stored_journal import StoredJournal

OPENED = Opened(9, "", "random", None, 0)


def log(path: Path) -> Recorder:
    stored = StoredJournal.read(path)
    stored.begin(OPENED)
    return Recorder(stored.store, Journal.replay(stored.events), stored.events)


def journal(log: Recorder) -> Journal:
    assert isinstance(log.state, Journal)
    return log.state


def said(log: Recorder, *pairs: tuple[int, int]) -> list[Event]:
    first = journal(log).next_id
    return [Answered(Answer(first + k, Pair(*p), Verdict.SAME)) for k, p in enumerate(pairs)]


@pytest.mark.parametrize("name", ["a.jsonl", "a.db"])
def test_who_is_overtaken_reads_and_makes_its_events_anew(tmp_path: Path, name: str) -> None:
    one, other = log(tmp_path / name), log(tmp_path / name)
    for k in range(0, 8, 2):
        one.record(lambda k=k: said(one, (k, k + 1)))  # type: ignore[misc]
        other.record(lambda k=k: said(other, (k, k + 1), (k, (k + 2) % 8)))  # type: ignore[misc]
    assert one.refresh() == 2
    assert one.refresh() == other.refresh() == 0
    answers = journal(one).answers
    assert answers == journal(other).answers == journal(log(tmp_path / name)).answers
    assert [answer.id for answer in answers] == list(range(12))


def test_a_study_is_begun_once_whoever_was_quicker(tmp_path: Path) -> None:
    class Slow:
        """A store that finds nothing, because the other has not written yet."""

        def __init__(self) -> None:
            self.store = open_store(tmp_path / "a.db")
            self.first = True

        def read(self, since: int = 0) -> list[Event]:
            if self.first:
                self.first = False
                open_store(tmp_path / "a.db").append([OPENED])
                return []
            return self.store.read(since)

        def append(self, events: list[Event]) -> None:
            self.store.append(events)

    stored = StoredJournal.read(Slow())  # type: ignore[arg-type]
    stored.begin(Opened(9, "", "random", None, 5))
    assert stored.events == [OPENED]


def test_a_store_that_cries_wolf_is_not_asked_for_ever() -> None:
    class Broken:
        def read(self, since: int = 0) -> list[Event]:
            return []

        def append(self, events: list[Event]) -> None:
            raise Overtaken("somebody wrote")

    broken = Recorder(Broken(), Journal(OPENED), [OPENED])  # type: ignore[arg-type]
    with pytest.raises(Overtaken):
        broken.record(lambda: said(broken, (0, 1)))


@pytest.mark.parametrize("name", ["a.jsonl", "a.db"])
def test_two_programs_measure_in_one_study(tmp_path: Path, name: str, seed: int) -> None:
    rng = np.random.default_rng(seed)
    one = lw.SimilarityStudy(8, store=tmp_path / name, random_state=seed)
    other = lw.SimilarityStudy(8, store=tmp_path / name, random_state=seed)
    for step in range(30):
        writer = (one, other)[int(rng.integers(2))]
        pair = writer.ask()
        if pair is None:
            writer.refresh()
            continue
        writer.tell(pair, float(rng.random()))
        if step % 7 == 3:
            assert len(writer.labels_) == 8  # so that there is something to forget
            writer.undo()
    one.refresh()
    other.refresh()
    fresh = lw.SimilarityStudy.open(tmp_path / name)
    assert one.measurements == other.measurements == fresh.measurements
    assert len({m.id for m in one.measurements}) == len(one.measurements)
    for study in (one, other):
        np.testing.assert_array_equal(study.embedding_, fresh.embedding_)
        assert study.ask() == fresh.ask()


def test_what_somebody_else_took_back_cannot_be_taken_back_again(tmp_path: Path) -> None:
    one = lw.SimilarityStudy(4, store=tmp_path / "a.db")
    first = one.tell((0, 1), 0.5)
    other = lw.SimilarityStudy.open(tmp_path / "a.db")
    one.retract(first.id)
    with pytest.raises(AnswerError, match="no measurement 0"):
        other.retract(first.id)
    assert other.measurements == []


def test_a_study_of_similarities_begun_in_the_same_moment_goes_on(tmp_path: Path) -> None:
    one = lw.SimilarityStudy(4, store=tmp_path / "a.db")
    one.tell((0, 1), 0.5)
    assert lw.SimilarityStudy(4, store=tmp_path / "a.db").n_measurements == 1
