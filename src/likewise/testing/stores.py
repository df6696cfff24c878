"""What every store must do, as tests; pytest is needed.

A store of your own keeps the contract when this passes:

    class TestMyStore(StoreContract):
        @pytest.fixture
        def store(self, tmp_path):
            return MyStore(tmp_path / "study")

        @pytest.fixture
        def reopen(self, tmp_path):
            return lambda: MyStore(tmp_path / "study")

A store with `leases` inherits from `LeasingStoreContract` too, one with `read_items` and
`write_items` from `ItemStoreContract`; they need the same two fixtures.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import ClassVar

import pytest

from likewise.errors import AnswerError, Overtaken
from likewise.journal import (
    Answered,
    Event,
    Measured,
    Named,
    Noted,
    Opened,
    OpenedSimilarities,
    Redone,
    Retracted,
    Switched,
    Undone,
)
from likewise.journal.pairs import Answer, Measurement, Pair, Question, Verdict
from likewise.journal.state import Journal
from likewise.stores.base import ItemReference, ItemStore, LeasingStore, Store

_OPENED = Opened(n_items=9, fingerprint="c0ffee", method="urasc", n_clusters=3, random_state=7)
_AWKWARD = 'Zoë "Z"\n\\ 鳥'
_EVENTS: dict[str, Event] = {
    "opened": _OPENED,
    "opened, number of groups unknown": Opened(9, "", "random", None, 0),
    "opened, with its identity": Opened(9, "", "random", None, 0, "0123456789abcdef"),
    "same": Answered(Answer(0, Pair(4, 2), Verdict.SAME)),
    "different": Answered(
        Answer(1, Pair(0, 8), Verdict.DIFFERENT, "ann", "2024-02-29T12:00:00.123+00:00", 0.25, 1.5)
    ),
    "unsure": Answered(Answer(2, Pair(1, 7), Verdict.UNSURE, who=_AWKWARD, same_probability=0.75)),
    "awkward characters, odd numbers": Answered(
        Answer(2**40, Pair(0, 1), Verdict.SAME, "a\0b\ud800", "", 1.0, float("inf"), 5e-324, "\t")
    ),
    "opened, with similarities": OpenedSimilarities(
        9, "c0ffee", "iu-red", 2, True, 3, "normalised", "vectors", 7
    ),
    "measured": Measured(Measurement(0, Pair(4, 2), 0.30000000000000004, 0.045, _AWKWARD, "", 2.5)),
    "measured, in vain": Measured(Measurement(1, Pair(0, 8), None, 0.0)),
    "retracted": Retracted(1),
    "named": Named(4, "cats"),
    "named, by somebody": Named(0, _AWKWARD, "2024-03-01T00:00:00.000+00:00", "ann"),
    "retracted, with its time": Retracted(0, when="2024-03-01T00:00:00.000+00:00"),
    "retracted, by somebody": Retracted(0, when="2024-03-01T00:00:00.000+00:00", who=_AWKWARD),
    "answered, in a step": Answered(Answer(3, Pair(0, 1), Verdict.SAME), step=0),
    "retracted, in a step": Retracted(0, who="ann", step=2**40),
    "named, in a step": Named(4, "cats", step=1),
    "undone": Undone(0, "2024-03-01T00:00:00.000+00:00", _AWKWARD),
    "redone": Redone(0),
    "noted, for review": Noted(4, "review", _AWKWARD, who=_AWKWARD, step=2),
    "noted, a collection": Noted(0, "collection", "living things / animals"),
    "noted, a further group": Noted(3, "also", other=8, when="2024-03-01T00:00:00.000+00:00"),
    "noted, taken away": Noted(3, "also", other=8, stands=False),
    "noted, a stack taken apart": Noted(7, "apart"),
    "switched": Switched(('a "view"', "colour"), "2024-03-01T00:00:00.000+00:00", _AWKWARD),
    "switched, all on": Switched(()),
}
_STORY: list[Event] = [
    _OPENED,
    Answered(Answer(0, Pair(0, 1), Verdict.SAME)),
    Answered(Answer(1, Pair(2, 1), Verdict.DIFFERENT)),
    Retracted(0),
    Answered(Answer(2, Pair(0, 1), Verdict.UNSURE)),
]


class StoreContract:
    """What every store must do: `append` and `read` events.

    Provide two fixtures: `store`, a new and empty store, and `reopen`, a function that opens the
    same place once more, as a program started later would. A store that cannot be opened twice
    lets `reopen` return `store` itself.
    """

    def test_it_fits_the_protocol(self, store: Store) -> None:
        assert isinstance(store, Store)
        assert str(store)

    def test_a_new_store_holds_nothing(self, store: Store, reopen: Callable[[], Store]) -> None:
        assert store.read() == []
        assert store.read(since=3) == []
        assert reopen().read() == []

    def test_events_come_back_in_the_order_they_were_appended(self, store: Store) -> None:
        for n, event in enumerate(_STORY, start=1):
            store.append([event])
            assert store.read() == _STORY[:n]

    def test_several_events_can_be_appended_at_once(self, store: Store) -> None:
        store.append(_STORY[:3])
        store.append(_STORY[3:])
        assert store.read() == _STORY

    def test_appending_nothing_changes_nothing(self, store: Store) -> None:
        store.append([])
        assert store.read() == []
        store.append(_STORY)
        store.append([])
        assert store.read() == _STORY

    @pytest.mark.parametrize("kind", _EVENTS)
    def test_every_kind_of_event_survives_with_all_its_fields(
        self, store: Store, reopen: Callable[[], Store], kind: str
    ) -> None:
        store.append([_EVENTS[kind]])
        for events in (store.read(), reopen().read()):
            assert events == [_EVENTS[kind]]
            assert repr(events) == repr([_EVENTS[kind]])  # a Pair, not a tuple; 1.0, not 1

    @pytest.mark.parametrize("since", range(len(_STORY) + 2))
    def test_reading_since_a_position_leaves_out_what_came_before(
        self, store: Store, since: int
    ) -> None:
        store.append(_STORY)
        assert store.read(since) == _STORY[since:]

    def test_a_store_opened_again_holds_what_was_appended(
        self, store: Store, reopen: Callable[[], Store]
    ) -> None:
        for n, event in enumerate(_STORY, start=1):
            store.append([event])
            assert reopen().read() == _STORY[:n]
        assert reopen().read(since=2) == _STORY[2:]

    def test_a_store_opened_again_can_be_continued(
        self, store: Store, reopen: Callable[[], Store]
    ) -> None:
        store.append(_STORY[:2])
        later = reopen()
        assert later.read() == _STORY[:2]
        later.append(_STORY[2:])
        assert later.read() == _STORY
        assert reopen().read() == _STORY

    def test_a_writer_that_was_overtaken_is_told_and_writes_after_reading(
        self, store: Store, reopen: Callable[[], Store]
    ) -> None:
        other = reopen()
        if other is store:
            pytest.skip("this store cannot be opened twice")
        store.append(_STORY[:2])
        with pytest.raises(Overtaken):
            other.append(_STORY[2:3])
        assert other.read() == _STORY[:2]
        other.append(_STORY[2:3])
        with pytest.raises(Overtaken):
            store.append(_STORY[3:])
        assert store.read(since=2) == _STORY[2:3]
        store.append(_STORY[3:])
        assert reopen().read() == _STORY

    def test_a_stored_study_can_be_replayed(
        self, store: Store, reopen: Callable[[], Store]
    ) -> None:
        store.append(_STORY)
        journal = Journal.replay(reopen().read())
        assert journal.opened == _OPENED
        assert [answer.id for answer in journal.answers] == [1, 2]
        assert journal.next_id == 3

    def test_lists_given_and_taken_are_not_shared_with_the_store(self, store: Store) -> None:
        given = list(_STORY)
        store.append(given)
        given.clear()
        store.read().clear()
        assert store.read() == _STORY


class LeasingStoreContract:
    """What a store with `leases` must do besides; the fixtures are those of `StoreContract`.

    `shares_leases` is False for a store whose leases hold only among those who share the object.
    """

    shares_leases: ClassVar[bool] = True

    def test_it_fits_the_protocol_of_leases(self, store: LeasingStore) -> None:
        assert isinstance(store, LeasingStore)
        assert store.leases.held() == []

    def test_a_pair_has_one_holder_in_whatever_order_it_is_named(self, store: LeasingStore) -> None:
        began = time.time()
        lease = store.leases.take(Pair(4, 2), "Ada", 600)
        assert lease is not None
        assert (lease.pair, lease.who) == (Pair(2, 4), "Ada")
        assert lease.until == pytest.approx(began + 600, abs=120)
        assert store.leases.take(Pair(2, 4), "Bob", 600) is None
        assert store.leases.take(Question(Pair(4, 2), 0.5), "Bob", 600) is None
        assert store.leases.take(Pair(0, 9), _AWKWARD, 600) is not None
        held = [(lease.pair, lease.who) for lease in store.leases.held()]
        assert held == [(Pair(0, 9), _AWKWARD), (Pair(2, 4), "Ada")]

    def test_only_its_holder_keeps_a_pair_or_gives_it_back(self, store: LeasingStore) -> None:
        leases = store.leases
        leases.take(Pair(1, 0), "Ada", 600)
        assert not leases.extend(Pair(0, 1), "Bob", 600)
        assert leases.extend(Pair(0, 1), "Ada", 600)
        leases.release(Pair(0, 1), "Bob")
        assert leases.take(Pair(0, 1), "Bob", 600) is None
        leases.release(Pair(1, 0), "Ada")
        assert leases.held() == []
        assert leases.take(Pair(0, 1), "Bob", 600) is not None

    def test_a_lease_ends_by_itself(self, store: LeasingStore) -> None:
        store.leases.take(Pair(0, 1), "Ada", 0.01)
        time.sleep(0.1)
        assert store.leases.held() == []
        assert not store.leases.extend(Pair(0, 1), "Ada", 600)
        assert store.leases.take(Pair(0, 1), "Bob", 600) is not None

    @pytest.mark.parametrize("seconds", [0, -1, float("nan"), float("inf")])
    def test_a_lease_must_last_and_end(self, store: LeasingStore, seconds: float) -> None:
        for use in (store.leases.take, store.leases.extend):
            with pytest.raises(AnswerError):
                use(Pair(0, 1), "Ada", seconds)

    def test_leases_are_known_to_whoever_opens_the_store(
        self, store: LeasingStore, reopen: Callable[[], LeasingStore]
    ) -> None:
        if not self.shares_leases:
            pytest.skip("leases of this store hold among those who share the object")
        store.leases.take(Pair(0, 1), "Ada", 600)
        assert reopen().leases.take(Pair(0, 1), "Bob", 600) is None
        assert [lease.who for lease in reopen().leases.held()] == ["Ada"]


class ItemStoreContract:
    """What a store of items must do besides; the fixtures are those of `StoreContract`."""

    def test_it_fits_the_protocol_of_items(self, store: ItemStore) -> None:
        assert isinstance(store, ItemStore)
        assert store.read_items() == []

    def test_items_come_back_in_their_order_and_with_all_their_fields(
        self, store: ItemStore, reopen: Callable[[], ItemStore]
    ) -> None:
        items = [ItemReference("b", "photos/b.jpg", "c0ffee", present=False), ItemReference("a")]
        store.write_items(items)
        assert store.read_items() == items
        assert reopen().read_items() == items

    def test_items_are_replaced_and_events_are_not(self, store: ItemStore) -> None:
        store.append(_STORY)
        store.write_items([ItemReference("a"), ItemReference("b")])
        store.write_items([ItemReference(_AWKWARD)])
        assert store.read_items() == [ItemReference(_AWKWARD)]
        store.write_items([])
        assert store.read_items() == []
        assert store.read() == _STORY

    def test_items_and_events_are_written_in_one_piece(
        self, store: ItemStore, reopen: Callable[[], ItemStore]
    ) -> None:
        store.append(_STORY[:2])
        items = [ItemReference("a"), ItemReference("b")]
        store.write_items(items, _STORY[2:])
        assert store.read() == reopen().read() == _STORY
        other = reopen()
        if other is store:
            return
        other.read()
        other.append([Named(4, "cats")])
        with pytest.raises(Overtaken):
            store.write_items(items[:1], [Named(4, "dogs")])
        assert store.read_items() == items
        assert store.read() == [*_STORY, Named(4, "cats")]
