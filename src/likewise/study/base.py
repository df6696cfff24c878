"""What both kinds of study share: a store, the state its events amount to, asking and taking back.

A study of pairs (`Study`) keeps answers, a study of similarities (`SimilarityStudy`) measurements.
How either is opened, written to and refreshed is the same.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Protocol, Self, TypeVar, overload

import numpy as np
import numpy.typing as npt

from likewise._summaries import html_table, one_line
from likewise.errors import AnswerError, MethodError, StoreError
from likewise.journal import Answer, Event, Measurement, Opened, OpenedSimilarities, Pair, Retracted
from likewise.journal.events import timestamp
from likewise.journal.pairs import require_pair
from likewise.stores import Store
from likewise.stores.base import close
from likewise.stores.recorder import Recorder, State
from likewise.stores.stored_journal import StoredJournal

if TYPE_CHECKING:
    import pandas as pd

Where = str | Path | Store | StoredJournal | None


class _StudyState(State, Protocol):
    """What the events of a study amount to; `opened` are its settings as of now."""

    @property
    def opened(self) -> Opened | OpenedSimilarities:
        """The first event, brought up to date."""


_E = TypeVar("_E", bound=Event)
_S = TypeVar("_S", bound=_StudyState)
_Kept = TypeVar("_Kept", Answer, Measurement)
_Asked = TypeVar("_Asked")


class BaseStudy(ABC, Generic[_S, _Kept, _Asked]):
    """A store and the state of its events, with questions that are computed once.

    A subclass says what its state is (`_replay`), what it keeps (`_kept`) and how questions are
    chosen (`_propose`). Everything that writes goes through `_record`.
    """

    _noun: ClassVar[str]  # what is kept, in messages
    _subject: ClassVar[str]  # what needs two different items, in messages
    _constructor: ClassVar[str]  # how one is begun, in messages

    _state: _S
    _recorder: Recorder
    _asked: dict[tuple[Any, ...], list[_Asked]]  # by what the latest questions depend on

    # -- opening -----------------------------------------------------------------------------

    @classmethod
    @abstractmethod
    def _replay(cls, events: Sequence[Event]) -> _S:
        """Return the state after the events; refuse those of another kind of study."""

    @classmethod
    def _read(cls, where: Where) -> StoredJournal:
        """Read the journal of a study that was begun earlier."""
        stored = StoredJournal.read(where)
        if not stored.events:
            raise StoreError(
                f"there is no study in {stored.store}; begin one with {cls._constructor}"
            )
        return stored

    def _begin(
        self, where: Where, wanted: Opened | OpenedSimilarities, *, any_seed: bool = False
    ) -> None:
        """Begin a study with these settings, or go on with one that was begun with them.

        With `any_seed` one that is gone on with may have another seed.
        """
        stored = StoredJournal.read(where)
        stored.begin(wanted)
        self._attach(stored)
        opened = self._state.opened
        if any_seed:
            wanted = replace(wanted, random_state=opened.random_state)
        if opened != wanted:
            raise StoreError(self._difference(opened, wanted))

    def _attach(self, stored: StoredJournal) -> None:
        """Compute the state of a journal and write to its store from now on."""
        self._state = self._replay(stored.events)
        self._recorder = Recorder(stored.store, self._state, stored.events)
        self._asked = {}

    @classmethod
    def _difference(
        cls, found: Opened | OpenedSimilarities, wanted: Opened | OpenedSimilarities
    ) -> str:
        """Return why a journal does not fit the study that is to be begun."""
        name = next(
            name for name in wanted.__slots__ if getattr(found, name) != getattr(wanted, name)
        )
        return (
            f"the journal was begun with {name}={getattr(found, name)!r}, "
            f"not {getattr(wanted, name)!r}; use {cls.__name__}.open to go on with it"
        )

    # -- asking ------------------------------------------------------------------------------

    @overload
    def ask(self, n: None = None, *, pending: Iterable[tuple[int, int]] = ()) -> _Asked | None: ...
    @overload
    def ask(self, n: int, *, pending: Iterable[tuple[int, int]] = ()) -> list[_Asked]: ...
    def ask(
        self, n: int | None = None, *, pending: Iterable[tuple[int, int]] = ()
    ) -> _Asked | list[_Asked] | None:
        """Return the question most worth asking, None when nothing is left.

        Asking twice without telling gives the same.

        Parameters
        ----------
        n : int, optional
            Return a list of up to `n` questions instead, empty when nothing is left. They are
            about different things: no answer to one makes another superfluous.
        pending : iterable of pairs
            Pairs that others are being asked about: neither they nor what follows from their
            answers is asked.
        """
        if n is not None and n < 1:
            raise MethodError(f"n must be at least 1 but got {n}")
        waiting = frozenset(Pair(*pair) for pair in pending)
        key = (self._key(), n or 1, waiting)
        if key not in self._asked:
            self._asked = {key: self._propose_together(n or 1, waiting)}
        found = self._asked[key]
        if n is None:
            return found[0] if found else None
        return list(found)

    @abstractmethod
    def _key(self) -> tuple[int, ...]:
        """Return what tells the present state from all others."""

    @abstractmethod
    def _propose(self, n: int, pending: frozenset[Pair]) -> list[_Asked]:
        """Return up to `n` questions, the one most worth asking first."""

    def _propose_together(self, n: int, pending: frozenset[Pair]) -> list[_Asked]:
        """Return up to `n` questions that are all asked before the first of them is answered."""
        return self._propose(n, pending)

    # -- recording ---------------------------------------------------------------------------

    @property
    @abstractmethod
    def _kept(self) -> Sequence[_Kept]:
        """What was told and not taken back, oldest first."""

    @property
    @abstractmethod
    def _n_items(self) -> int:
        """How many items there are."""

    def retract(self, number: int, *, who: str = "") -> _Kept:
        """Take back, in the name of `who`, anything that was told, by its id; return it."""
        retracted = self.find(number)
        self._record(lambda: [Retracted(self.find(number).id, timestamp(), who)])
        return retracted

    def refresh(self) -> int:
        """Take in what other programs have recorded in the store; return how many events.

        Whatever records something does so by itself when it finds that it was overtaken.
        """
        return self._recorder.refresh()

    @property
    def store(self) -> Store:
        """Where the journal is kept."""
        return self._recorder.store

    def close(self) -> None:
        """Close what the store holds open; a study that is used again opens it again."""
        close(self.store)

    def __enter__(self) -> Self:
        """Return the study; the store is closed at the end of the with-block."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """Close the store."""
        self.close()

    # -- showing -----------------------------------------------------------------------------

    @property
    @abstractmethod
    def labels_(self) -> npt.NDArray[np.int64]:
        """The group of every item."""

    @property
    @abstractmethod
    def confidence_(self) -> npt.NDArray[np.float64]:
        """How sure each label is."""

    def to_frame(self) -> pd.DataFrame:
        """Return a row for everything in the pile: id, group, name of the group, confidence.

        Where something was noted of items or groups there are columns for it: `collection`,
        `also`, `review`, `review_by`.

        Rows are in the order of the items; copies of an item follow it, each by its own id.
        """
        import pandas as pd

        ids, at = zip(*self._originals(), strict=True)
        all_labels, names = self.labels_, getattr(self, "names_", {})
        labels, noted = all_labels[list(at)], self._annotations(all_labels)
        return pd.DataFrame(
            {
                "id": ids,
                "group": labels,
                "name": [names.get(label, "") for label in labels.tolist()],
                "confidence": self.confidence_[list(at)],
                **{column: [cells[k] for k in at] for column, cells in noted.items()},
            }
        )

    def _annotations(self, labels: npt.NDArray[np.int64]) -> Mapping[str, Sequence[str]]:
        """Return what was noted beside the groups, as columns with a cell per item."""
        return {}

    def _originals(self) -> Iterable[tuple[str, int]]:
        """Return the id of everything in the pile, with the position of its item."""
        return ((str(k), k) for k in range(self._n_items))

    def _facts(self) -> dict[str, Any]:
        """Return what the study is, as far as nothing has to be computed for it."""
        opened = self._state.opened
        return {
            "n_items": self._n_items,
            "method": opened.method,
            "n_clusters": opened.n_clusters,
            "random_state": opened.random_state,
            f"n_{self._noun}s": len(self._kept),
            "store": str(self.store),
        }

    def __repr__(self) -> str:
        return one_line(type(self).__name__, self._facts())

    def _repr_html_(self) -> str:
        return html_table(type(self).__name__, self._facts())

    def require_pair(self, i: int, j: int) -> None:
        """Refuse what is no pair of items, with `AnswerError`."""
        require_pair(i, j, self._n_items, self._subject)

    def _record(self, make: Callable[[], Sequence[_E]]) -> Sequence[_E]:
        """Append the events that `make` makes, anew when another program was quicker."""
        return self._recorder.record(make)

    def find(self, number: int) -> _Kept:
        """Return what was told with this id and not taken back."""
        for one in reversed(self._kept):
            if one.id == number:
                return one
        raise AnswerError(f"there is no {self._noun} {number} to take back")
