"""A study of similarities: a journal of measurements, and everything computed from it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import pairwise
from operator import index
from pathlib import Path
from typing import Any, overload

import numpy as np
import numpy.typing as npt

from likewise.errors import AnswerError, MethodError, StoreError
from likewise.journal import Event, Measured, Opened, OpenedSimilarities, Retracted
from likewise.journal.events import timestamp
from likewise.journal.pairs import Measurement, Pair
from likewise.similarity.graph import SimilarityGraph
from likewise.similarity.grouping import Grouping, Settings, group
from likewise.similarity.laplacian import SMALL
from likewise.similarity.rules import SIMILARITY_METHODS, View, propose
from likewise.similarity.state import Measurements
from likewise.stores import Store, open_store
from likewise.stores.recorder import Recorder, read_or_begin

# Every so many measurements the eigenvectors are computed from nothing; from there on they start
# from those of two measurements before. So they depend on the measurements alone, also after
# reopening, and a study that measures every second pair at random computes none in vain.
_STRIDE = 64


class SimilarityStudy:
    """Groups `n` items by measuring how alike some pairs of them are.

    `method` is "iu-red", "s-and-t" or "random"; with `interleave` every second measurement is
    random. A pair is measured up to `max_repeats` times, and the median counts. `laplacian` is
    "unnormalised", as in the paper, or "normalised", which does not cut off single outliers. More
    than two groups are found among several eigenvectors at once, or by cutting groups again and
    again (`splitting="recursive"`). `store` keeps the journal (None: in memory); `fingerprint` is
    any text by which the items are recognised when it is opened again.

    >>> W = [[1, 0.9, 0.2, 0.1], [0.9, 1, 0.1, 0.3], [0.2, 0.1, 1, 0.8], [0.1, 0.3, 0.8, 1]]
    >>> sim = SimilarityStudy(n=4)
    >>> while sim.cost < 4:
    ...     i, j = sim.ask()
    ...     _ = sim.tell((i, j), W[i][j])
    >>> sim.labels_
    array([0, 0, 1, 1])
    """

    def __init__(
        self,
        n: int,
        *,
        method: str = "iu-red",
        n_clusters: int = 2,
        interleave: bool = False,
        max_repeats: int = 1,
        laplacian: str = "unnormalised",
        splitting: str = "vectors",
        random_state: int = 0,
        store: str | Path | Store | None = None,
        fingerprint: str = "",
    ) -> None:
        _require(method, "method", SIMILARITY_METHODS)
        _require(laplacian, "laplacian", ("unnormalised", "normalised"))
        _require(splitting, "splitting", ("recursive", "vectors"))
        n = _whole(n, "n", 2)
        if _whole(n_clusters, "n_clusters", 2) > n:
            raise MethodError(
                f"n_clusters must be between 2 and the number of items, {n}, but got {n_clusters}"
            )
        wanted = OpenedSimilarities(
            n,
            fingerprint,
            method,
            index(n_clusters),
            bool(interleave),
            _whole(max_repeats, "max_repeats", 1),
            laplacian,
            splitting,
            _whole(random_state, "random_state", 0),
        )
        opened_store = open_store(store)
        events = read_or_begin(opened_store, wanted)
        if events[0] != wanted:
            raise StoreError(_difference(events[0], wanted))
        self._begin(opened_store, events)

    @classmethod
    def open(cls, store: str | Path | Store, *, fingerprint: str = "") -> SimilarityStudy:
        """Go on with a study that was begun earlier; the journal holds all there is to it."""
        opened_store = open_store(store)
        events = opened_store.read()
        if not events:
            raise StoreError(
                f"there is no study in {store}; begin one with SimilarityStudy(n=..., store=...)"
            )
        first = events[0]
        if isinstance(first, OpenedSimilarities) and fingerprint not in ("", first.fingerprint):
            raise StoreError(
                f"the journal belongs to {first.n_items} other items than those given; "
                "give the items it was begun with"
            )
        study = cls.__new__(cls)
        study._begin(opened_store, events)
        return study

    def _begin(self, store: Store, events: list[Event]) -> None:
        self._state = Measurements.replay(events)
        self._recorder = Recorder(store, self._state, events)
        opened = self._state.opened
        self.n, self.method, self.n_clusters = opened.n_items, opened.method, opened.n_clusters
        self.interleave, self.max_repeats = opened.interleave, opened.max_repeats
        self.laplacian, self.splitting = opened.laplacian, opened.splitting
        self.random_state = opened.random_state
        self._rule = SIMILARITY_METHODS[self.method]
        self._settings = Settings(self.n_clusters, self.laplacian, self.splitting)
        self._groupings: dict[int, Grouping] = {}  # by the number of measurements they rest on
        self._n_gaps = 0  # measurements taken back that the groupings know of
        self._asked: dict[tuple[Any, ...], list[Pair]] = {}

    # -- asking ------------------------------------------------------------------------------

    @overload
    def ask(self, n: None = None, *, pending: Iterable[tuple[int, int]] = ()) -> Pair | None: ...
    @overload
    def ask(self, n: int, *, pending: Iterable[tuple[int, int]] = ()) -> list[Pair]: ...
    def ask(
        self, n: int | None = None, *, pending: Iterable[tuple[int, int]] = ()
    ) -> Pair | list[Pair] | None:
        """The pair most worth measuring, None when nothing is left; with `n`, up to `n` of them.

        Asking twice without telling gives the same pair. Several pairs are each about another
        item. `pending` names pairs that others are looking at; they are left alone.
        """
        if n is not None and n < 1:
            raise MethodError(f"n must be at least 1 but got {n}")
        waiting = tuple(sorted({Pair(*pair).unordered for pair in pending}))
        key = (self._state.next_id, len(self._state.standing), n or 1, waiting)
        if key not in self._asked:
            graph = self._state.graph
            for pair in waiting:
                self._require_items(*pair)
                graph = graph.without(*pair, joined=True)
            noise = self._state.noise if self.max_repeats > 1 else 0.0
            view = View(graph, self._grouping, self.max_repeats, noise)
            rng = np.random.default_rng([self.random_state, len(self._state.standing)])
            before = self._state.n_measured
            pairs = propose(
                view, self._rule, n or 1, n_before=before, interleave=self.interleave, rng=rng
            )
            self._asked = {key: pairs}
        found = self._asked[key]
        if n is None:
            return found[0] if found else None
        return list(found)

    # -- telling -----------------------------------------------------------------------------

    def tell(
        self,
        pair: Pair | tuple[int, int],
        value: float,
        *,
        cost: float = 1.0,
        who: str = "",
        seconds: float | None = None,
    ) -> Measurement:
        """Record how alike a pair is, from 0 to 1; any pair, asked or not, as often as you like."""
        try:
            number = float(value)
        except (TypeError, ValueError):
            number = float("nan")
        if not 0 <= number <= 1:
            raise AnswerError(
                f"a similarity must be a number from 0 to 1 but got {value!r}; "
                "use unavailable(pair) for a pair that cannot be measured"
            )
        return self._measured(pair, number, cost, who, seconds)

    def unavailable(
        self, pair: Pair | tuple[int, int], *, cost: float = 0.0, who: str = ""
    ) -> Measurement:
        """Record that a pair cannot be measured at any price: it is never offered again."""
        return self._measured(pair, None, cost, who, None)

    def undo(self) -> Measurement:
        """Take back the last measurement that stands; as often as there are any."""
        if not self._state.standing:
            raise AnswerError("there is no measurement to take back")
        return self.retract(self._state.standing[-1].id)

    def retract(self, measurement_id: int) -> Measurement:
        """Take back any measurement, by its id."""
        gone = self._standing(measurement_id)
        self._recorder.record(lambda: [Retracted(self._standing(measurement_id).id, timestamp())])
        return gone

    def refresh(self) -> int:
        """Take in what other programs have recorded in the store; how many events that was.

        Whatever records something does so by itself when it finds that it was overtaken.
        """
        return self._recorder.refresh()

    # -- what is known -----------------------------------------------------------------------

    @property
    def measurements(self) -> list[Measurement]:
        """The measurements that stand, oldest first; those without a value were unavailable."""
        return list(self._state.standing)

    @property
    def n_measurements(self) -> int:
        """How many looks yielded a number, repeats included."""
        return self._state.n_measured

    @property
    def cost(self) -> float:
        """What all measurements that stand have cost."""
        return self._state.cost

    @property
    def labels_(self) -> npt.NDArray[np.int64]:  # (n,)
        """The group of every item; group 0 is the one with item 0."""
        return self._grouping().labels.copy()

    @property
    def embedding_(self) -> npt.NDArray[np.float64]:  # (n, n_clusters - 1)
        """The eigenvectors by which items were grouped; the sign of the first cuts them in two."""
        return self._grouping().embedding

    @property
    def confidence_(self) -> npt.NDArray[np.float64]:  # (n,) in [0, 1]
        """Every item's margin: 0 on the boundary, 1 as far from it as a clean, even cut has it."""
        return self._grouping().margin

    @property
    def graph(self) -> SimilarityGraph:
        """The measured similarities, medians of repeats; to be read, not changed."""
        return self._state.graph

    # -- computing ---------------------------------------------------------------------------

    def _grouping(self) -> Grouping:
        m = len(self._state.standing)
        for at in self._state.gaps[self._n_gaps :]:
            self._groupings = {
                length: fit for length, fit in self._groupings.items() if length <= at
            }
        self._n_gaps = len(self._state.gaps)
        if m not in self._groupings:
            chain = [m]
            if self.n > SMALL:
                chain = [*range(m - m % _STRIDE, m, 2), m]
            done = max((length for length in chain if length in self._groupings), default=-1)
            last = self._groupings.get(done)
            to_do = [length for length in chain if length > done]
            for length, graph in zip(to_do, self._graphs(to_do), strict=True):
                last = group(graph, self._settings, last)
                self._groupings[length] = last
            self._groupings = {at: self._groupings[at] for at in chain[-2:]}
        return self._groupings[m]

    def _graphs(self, lengths: list[int]) -> Iterator[SimilarityGraph]:
        """The graphs after so many measurements each, ascending; the last is the one of now."""
        standing = self._state.standing
        if len(lengths) > 1:
            begun: list[Event] = [self._state.opened, *map(Measured, standing[: lengths[0]])]
            earlier = Measurements.replay(begun)
            yield earlier.graph
            for before, length in pairwise(lengths[:-1]):
                for measurement in standing[before:length]:
                    earlier.apply(Measured(measurement))
                yield earlier.graph
        yield self._state.graph

    def _measured(
        self,
        pair: Pair | tuple[int, int],
        value: float | None,
        cost: float,
        who: str,
        seconds: float | None,
    ) -> Measurement:
        i, j = pair
        self._require_items(i, j)
        if not 0 <= cost < float("inf"):
            raise AnswerError(f"the cost of a measurement must be at least 0 but got {cost}")

        def measured() -> list[Measured]:
            measurement = Measurement(
                id=self._state.next_id,
                pair=Pair(int(i), int(j)),
                value=value,
                cost=float(cost),
                who=who,
                when=timestamp(),
                seconds=None if seconds is None else float(seconds),
            )
            return [Measured(measurement)]

        (event,) = self._recorder.record(measured)
        return event.measurement

    def _standing(self, measurement_id: int) -> Measurement:
        at = self._state.position(measurement_id)
        if at is None:
            raise AnswerError(f"there is no measurement {measurement_id} to take back")
        return self._state.standing[at]

    def _require_items(self, i: int, j: int) -> None:
        if i == j or not (0 <= i < self.n and 0 <= j < self.n):
            raise AnswerError(
                f"a pair needs two different items between 0 and {self.n - 1} but got {i} and {j}"
            )


def _whole(value: Any, name: str, least: int) -> int:
    try:
        number = index(value)
    except TypeError:
        number = least - 1
    if number < least:
        raise MethodError(f"{name} must be a whole number of at least {least} but got {value!r}")
    return number


def _require(value: str, name: str, allowed: Iterable[str]) -> None:
    if value not in allowed:
        raise MethodError(f"{name} must be one of {', '.join(allowed)} but got {value!r}")


def _difference(found: Event, wanted: OpenedSimilarities) -> str:
    """Why a journal does not fit the study that is to be begun."""
    if isinstance(found, Opened):
        return "the journal belongs to a study of same or different; choose another file"
    if not isinstance(found, OpenedSimilarities):
        return "the journal does not begin with a study; choose another file"
    for name in OpenedSimilarities.__slots__:
        before, now = getattr(found, name), getattr(wanted, name)
        if before != now:
            return (
                f"the journal was begun with {name}={before!r}, not {now!r}; "
                "use SimilarityStudy.open to go on with it"
            )
    return "the journal was begun otherwise; use SimilarityStudy.open to go on with it"
