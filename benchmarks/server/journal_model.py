"""Programs that answer, take back, grow and restart at random, held to a plain dictionary.

    python -m benchmarks.server.journal_model [STEPS]

Whatever the programs do to a study and its pile, and whatever waits in browsers' queues meanwhile,
on every store: each acknowledged answer is there
once, about the items that were named, by who gave it; what was taken back is implied nowhere;
what is implied is what a search through the dictionary finds. Hypothesis chooses the steps and
shortens what fails. It stops at the first difference, so a table means that there was none.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from itertools import combinations, count
from pathlib import Path
from time import perf_counter
from typing import ClassVar

import numpy as np
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from benchmarks.tables import markdown, write_table
from likewise.items import Items
from likewise.items.digests import content_fingerprint, digest
from likewise.journal.pairs import Pair, Verdict
from likewise.journal.state import Journal
from likewise.piles import Pile, begin_study, resume_study
from likewise.stores import ItemStore, MemoryItemStore, Store, open_store, verify_store
from likewise.stores.base import close
from likewise.study import Study
from likewise.study.item_keys import OtherItem, OtherStudy, pair_asked, question_id
from likewise.testing.postgres import postgres_server

_FIRST = ("a", "b", "c", "d")  # the items that a study begins with
_MOST = 8  # items at once; few, so that answers meet
_AT_LEAST = 3
_choice = st.integers(0, 2**16)


@dataclass(frozen=True)
class Said:
    """An answer as the dictionary has it: by the names of items."""

    pair: tuple[str, str]
    verdict: Verdict
    who: str
    client_id: str


@dataclass(frozen=True)
class Waiting:
    """An answer in a browser's queue: what the browser knows, and what its person saw."""

    question: str
    said: Said


class JournalModel(RuleBasedStateMachine):
    """One or two programs on one store, and the dictionary of what they were told.

    A subclass says where studies are kept (`place`), and how many programs share one.
    """

    place: ClassVar[Callable[[], str | Store]]
    n_programs: ClassVar[int] = 2

    def __init__(self) -> None:
        super().__init__()
        self.where = type(self).place()
        self.pile = list(_FIRST)
        self.ever = list(_FIRST)
        self.said: dict[int, Said] = {}
        self.standing: dict[int, None] = {}
        self.named: dict[str, str] = {}
        self.marked: dict[str, tuple[str, str]] = {}
        self.queue: list[Waiting] = []
        self.n_queued = 0
        first = begin_study(self._read(), self._open(), method="random")
        self.grows = isinstance(first.store, ItemStore)
        self.programs = [first]
        while len(self.programs) < self.n_programs:
            self.programs.append(self._resumed())

    # -- what the programs do ----------------------------------------------------------------

    @rule(program=_choice, one=_choice, other=_choice, verdict=st.sampled_from(list(Verdict)))
    def tell(self, program: int, one: int, other: int, verdict: Verdict) -> None:
        """Answer about two items that the program has, with a name of the answer's own."""
        study = self._program(program)
        i = one % len(study.items)
        j = (i + 1 + other % (len(study.items) - 1)) % len(study.items)
        ids, sent = study.items.ids, f"sent-{len(self.said)}"
        answer = study.tell((i, j), verdict, who=f"p{program % 3}", client_id=sent)
        assert answer.id not in self.said
        self.said[answer.id] = Said((ids[i], ids[j]), verdict, f"p{program % 3}", sent)
        self.standing[answer.id] = None

    @precondition(lambda self: self.said)
    @rule(program=_choice, which=_choice, verdict=st.sampled_from(list(Verdict)))
    def resend(self, program: int, which: int, verdict: Verdict) -> None:
        """Send once more what was kept already, late, as a browser's queue does."""
        study, number = self._program(program), which % len(self.said)
        study.refresh()
        again = study.tell((0, 1), verdict, client_id=self.said[number].client_id)
        assert (again.id, again.who) == (number, self.said[number].who)

    @rule(program=_choice, one=_choice, other=_choice, verdict=st.sampled_from(list(Verdict)))
    def answer_offline(self, program: int, one: int, other: int, verdict: Verdict) -> None:
        """Answer what a program has shown while it cannot be reached: the answer waits."""
        study = self._program(program)
        i = one % len(study.items)
        j = (i + 1 + other % (len(study.items) - 1)) % len(study.items)
        names = study.items.ids[i], study.items.ids[j]
        said = Said(names, verdict, f"p{program % 3}", f"queued-{self.n_queued}")
        self.queue.append(Waiting(question_id(study, Pair(i, j)), said))
        self.n_queued += 1

    @precondition(lambda self: self.queue)
    @rule(program=_choice, which=_choice, reply_is_lost=st.booleans())
    def deliver(self, program: int, which: int, reply_is_lost: bool) -> None:
        """Send what waits, in any order and to any program; without a reply it waits on."""
        study, at = self._program(program), which % len(self.queue)
        waiting, said = self.queue[at], self.queue[at].said
        study.refresh()
        try:
            pair = pair_asked(study, waiting.question)
        except OtherItem:  # refused for good: the browser drops it and says so
            assert not set(said.pair) <= set(study.items.ids)
            del self.queue[at]
            return
        assert (study.items.ids[pair.i], study.items.ids[pair.j]) == said.pair
        answer = study.tell(pair, said.verdict, who=said.who, client_id=said.client_id)
        if answer.id not in self.said:
            self.standing[answer.id] = None
        self.said[answer.id] = said
        if not reply_is_lost:
            del self.queue[at]

    @precondition(lambda self: self.queue)
    @rule(program=_choice, which=_choice)
    def deliver_to_another_study(self, program: int, which: int) -> None:
        """Send what waits to a study that it is not about: it is refused, and waits on."""
        identity, *items = self.queue[which % len(self.queue)].question.rsplit(".", 2)
        with suppress(OtherStudy):
            pair_asked(self._program(program), ".".join([identity[::-1] + "0", *items]))
            raise AssertionError("an answer was taken for another study's")

    @precondition(lambda self: self.standing)
    @rule(program=_choice, which=_choice)
    def retract(self, program: int, which: int) -> None:
        """Take any answer back, also one about an item that has left."""
        study = self._program(program)
        study.refresh()
        number = list(self.standing)[which % len(self.standing)]
        assert study.retract(number).id == number
        del self.standing[number]

    @rule(program=_choice)
    def undo(self, program: int) -> None:
        """Take back the last answer that the program sees."""
        study = self._program(program)
        study.refresh()
        step = study.last_step()
        if step is not None and step.number is None:  # a name has been the last step else
            study.undo()
            del self.standing[step.given[0].id]

    @rule(program=_choice, item=_choice, name=st.sampled_from(["cats", "dogs", ""]))
    def rename(self, program: int, item: int, name: str) -> None:
        """Name the group of an item, or take its name away."""
        study = self._program(program)
        item %= len(study.items)
        study.name(item, name)
        self.named.pop(study.items.ids[item], None)
        self.named[study.items.ids[item]] = name

    @rule(program=_choice, which=_choice, note=st.sampled_from(["", "blurred", None]))
    def mark(self, program: int, which: int, note: str | None) -> None:
        """Mark an item for review, or clear its mark, whoever has set it."""
        study, who = self._program(program), f"p{program % 3}"
        item = which % len(study.items)
        name = study.items.ids[item]
        if note is None:
            study.refresh()
            assert study.clear_review(item, who=who) == (name in self.marked)
            self.marked.pop(name, None)
        else:
            study.mark_for_review(item, note, who=who)
            self.marked[name] = (note, who)

    # -- what happens to the pile ------------------------------------------------------------

    @precondition(lambda self: self.grows and len(self.pile) < _MOST)
    @rule(program=_choice)
    def grow(self, program: int) -> None:
        """Add an item; one program finds it, the other goes on with what it has."""
        name = f"new-{len(self.ever)}"
        self.pile.append(name)
        self.ever.append(name)
        self.restart(program)

    @precondition(lambda self: self.grows and len(self.pile) > _AT_LEAST)
    @rule(program=_choice, which=_choice)
    def vanish(self, program: int, which: int) -> None:
        """Take an item out of the pile; its answers stay."""
        del self.pile[which % len(self.pile)]
        self.restart(program)

    @precondition(lambda self: self.grows and len(self.pile) < min(len(self.ever), _MOST))
    @rule(program=_choice, which=_choice)
    def come_back(self, program: int, which: int) -> None:
        """Put an item back that had left."""
        gone = [name for name in self.ever if name not in self.pile]
        self.pile.insert(0, gone[which % len(gone)])
        self.restart(program)

    @rule(program=_choice)
    def restart(self, program: int) -> None:
        """End a program and start it again on the pile as it is."""
        number = program % len(self.programs)
        if self.n_programs > 1:
            close(self.programs[number].store)
        self.programs[number] = self._resumed()

    # -- what must hold ----------------------------------------------------------------------

    @invariant()
    def every_program_knows_what_the_dictionary_knows(self) -> None:
        """Compare what follows from each program's journal with a search through the dictionary.

        What is believed where several people contradict each other is another matter.
        """
        groups, different = self._closure()
        for study in self.programs:
            study.refresh()
            ids = study.items.ids
            for i, j in combinations(range(len(ids)), 2):
                a, b = groups[ids[i]], groups[ids[j]]
                expected = (
                    Verdict.SAME
                    if a is b
                    else Verdict.DIFFERENT
                    if frozenset((id(a), id(b))) in different
                    else None
                )
                assert study._state.constraints.implied(i, j) is expected, (ids[i], ids[j])
            assert {answer.id for answer in study.answers} <= self.standing.keys()
            marked = {ids[k]: (one.note, one.who) for k, one in study.reviews.items()}
            assert marked == {name: one for name, one in self.marked.items() if name in ids}
            assert max((max(answer.pair) for answer in study.answers), default=0) < len(ids)

    @invariant()
    def the_store_holds_what_the_dictionary_holds(self) -> None:
        """Read the store as a program would that has never seen the pile."""
        store = self._open()
        journal = Journal.replay(store.read())
        known = [one.id for one in store.read_items()] if isinstance(store, ItemStore) else _FIRST
        kept = {
            answer.id: Said(
                (known[answer.pair.i], known[answer.pair.j]),
                answer.verdict,
                answer.who,
                answer.client_id,
            )
            for answer in journal.whole.answers
        }
        assert kept == {number: self.said[number] for number in self.standing}
        assert list(kept) == sorted(kept)
        assert [(known[item], name) for item, name in journal.names.items()] == list(
            self.named.items()
        )
        self._done(store)

    def teardown(self) -> None:
        """Verify the store as `likewise verify` does."""
        store = self._open()
        assert verify_store(store) == []
        for one in (*(study.store for study in self.programs), store):
            self._done(one)

    # -- the parts ---------------------------------------------------------------------------

    def _program(self, number: int) -> Study:
        return self.programs[number % len(self.programs)]

    def _open(self) -> Store:
        return open_store(self.where)

    def _done(self, store: Store) -> None:
        if not isinstance(self.where, Store):
            close(store)

    def _resumed(self) -> Study:
        return resume_study(self._read(), self._open())[0]

    def _read(self) -> Pile:
        """Return the pile as it is now, as a reader of files would."""
        digests = [digest(name.encode()) for name in self.pile]
        items = Items(
            features=np.array([[float(self.ever.index(name))] for name in self.pile]),
            ids=list(self.pile),
            digests=digests,
            content=content_fingerprint(digests),
        )
        return Pile(Path("pile"), items, digests, "text", "", "", [])

    def _closure(self) -> tuple[dict[str, set[str]], set[frozenset[int]]]:
        """Return the group of every item by name, and which groups differ, by their `id`."""
        groups = {name: {name} for name in self.ever}
        apart: list[tuple[str, str]] = []
        for number in self.standing:
            said = self.said[number]
            a, b = (groups[name] for name in said.pair)
            differ = any({id(groups[x]), id(groups[y])} == {id(a), id(b)} for x, y in apart)
            if said.verdict is Verdict.SAME and a is not b and not differ:
                a |= b
                groups |= dict.fromkeys(b, a)
            elif said.verdict is Verdict.DIFFERENT and a is not b:
                apart.append(said.pair)
        return groups, {frozenset((id(groups[x]), id(groups[y]))) for x, y in apart}


def machine(place: Callable[[], str | Store], *, n_programs: int = 2) -> type[JournalModel]:
    """Return the model for studies that are kept at places of one kind."""
    return type(
        "Machine", (JournalModel,), {"place": staticmethod(place), "n_programs": n_programs}
    )


def check(model: type[JournalModel], *, n_stories: int, n_steps: int) -> None:
    """Tell so many stories of so many steps each; an AssertionError shows a shortest bad one."""
    run_state_machine_as_test(
        model,
        settings=settings(
            max_examples=n_stories,
            stateful_step_count=n_steps,
            deadline=None,
            derandomize=True,
            database=None,
            suppress_health_check=list(HealthCheck),
        ),
    )


def main(steps: int = 5000) -> None:
    """Tell stories on every store, and write down how many."""
    numbers, n_steps = count(), 50
    rows: list[list[str]] = []
    with tempfile.TemporaryDirectory() as folder, postgres_server() as server:
        machines = {
            "memory": machine(MemoryItemStore, n_programs=1),
            "text file": machine(lambda: str(Path(folder) / f"{next(numbers)}.jsonl")),
            "SQLite": machine(lambda: str(Path(folder) / f"{next(numbers)}.db")),
            "PostgreSQL": machine(lambda: f"{server.url}&study=model-{next(numbers)}"),
        }
        for name, model in machines.items():
            began = perf_counter()
            n_stories = max(1, steps // n_steps)
            check(model, n_stories=n_stories, n_steps=n_steps)
            minutes = (perf_counter() - began) / 60
            rows.append([name, str(n_stories), f"up to {n_steps}", "0", f"{minutes:.1f}"])
            sys.stderr.write(f"{name}: {minutes:.1f} minutes\n")
    header = ["store", "stories", "steps each", "differences", "minutes"]
    write_table("journal_model", markdown(header, rows))


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
