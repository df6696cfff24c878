"""A study of similarities: a journal of measurements, and everything computed from it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from operator import index
from typing import Any

import numpy as np
import numpy.typing as npt

from likewise._seeds import RandomState, seed_from
from likewise.errors import AnswerError, MethodError, StoreError
from likewise.journal import Event, Measured, OpenedSimilarities
from likewise.journal.events import timestamp
from likewise.journal.pairs import Measurement, Pair
from likewise.metrics import misclustering_error
from likewise.similarity.graph import SimilarityGraph
from likewise.similarity.grouping import CutSettings, Grouping, group
from likewise.similarity.laplacian import SMALL
from likewise.similarity.rules import SIMILARITY_METHODS, MeasurementView, propose
from likewise.similarity.state import Measurements
from likewise.stores.stored_journal import StoredJournal
from likewise.study.base import BaseStudy, Where

# Every so many measurements the eigenvectors are computed from nothing; from there on they start
# from those of two measurements before. So they depend on the measurements alone, also after
# reopening, and a study that measures every second pair at random computes none in vain.
_STRIDE = 64


class SimilarityStudy(BaseStudy[Measurements, Measurement, Pair]):
    """Groups items by measuring how alike some pairs of them are.

    Parameters
    ----------
    n : int
        How many items there are, at least 2.
    method : str
        How pairs are chosen: "iu-red", "s-and-t" or "random".
    n_clusters : int
        How many groups there are, from 2 to `n`.
    interleave : bool
        Whether every second measurement is of a random pair.
    max_repeats : int
        How often a pair is measured at most; the median counts.
    laplacian : str
        "unnormalised", as in the paper, or "normalised", which does not cut off single outliers.
    splitting : str
        How more than two groups are found: among several eigenvectors at once, "vectors", or by
        cutting groups again and again, "recursive". The second is for pairs measured at random:
        which item is nearest a boundary cannot be told across several cuts.
    random_state : int, RandomState, Generator or None
        The seed of all that is random, at least 0; of a generator of numpy's its next draw is the
        seed, of None any. The journal keeps it.
    store : str, Path, Store, StoredJournal or None
        Where the journal is kept; None is in memory.
    fingerprint : str
        Any text by which the items are recognised when the study is opened again.

    Attributes
    ----------
    labels_ : array of int, shape (n,)
        The group of every item.
    embedding_ : array of float, shape (n, n_clusters - 1)
        The eigenvectors by which items were grouped.
    confidence_ : array of float, shape (n,)
        Every item's margin.
    expected_error_ : float or None
        The share of items that the last third of the measurements has moved.

    Examples
    --------
    >>> W = [[1, 0.9, 0.2, 0.1], [0.9, 1, 0.1, 0.3], [0.2, 0.1, 1, 0.8], [0.1, 0.3, 0.8, 1]]
    >>> sim = SimilarityStudy(n=4)
    >>> while sim.cost < 4:
    ...     i, j = sim.ask()
    ...     _ = sim.tell((i, j), W[i][j])
    >>> sim.labels_
    array([0, 0, 1, 1])
    """

    _noun, _subject = "measurement", "a pair"
    _constructor = "SimilarityStudy(n=..., store=...)"

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
        random_state: RandomState = 0,
        store: Where = None,
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
        if splitting == "recursive" and n_clusters > 2 and method != "random":
            raise MethodError(
                f"{method!r} cannot choose pairs for groups that are cut again and again, since "
                "margins of different cuts cannot be compared; use splitting='vectors', or "
                "method='random'"
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
            seed_from(random_state),
        )
        self._begin(store, wanted, any_seed=random_state is None)

    @classmethod
    def open(cls, store: Where, *, fingerprint: str = "") -> SimilarityStudy:
        """Go on with a study that was begun earlier; the journal holds all there is to it.

        Parameters
        ----------
        store : str, Path, Store or StoredJournal
            Where the journal is kept; it is read once.
        fingerprint : str
            What the items are recognised by; empty: they are not compared.
        """
        stored = cls._read(store)
        first = stored.events[0]
        if isinstance(first, OpenedSimilarities) and fingerprint not in ("", first.fingerprint):
            raise StoreError(
                f"the journal belongs to {first.n_items} other items than those given; "
                "give the items it was begun with"
            )
        study = cls.__new__(cls)
        study._attach(stored)
        return study

    @classmethod
    def _replay(cls, events: Sequence[Event]) -> Measurements:
        return Measurements.replay(events)

    def _attach(self, stored: StoredJournal) -> None:
        super()._attach(stored)
        opened = self._state.opened
        self.n, self.method, self.n_clusters = opened.n_items, opened.method, opened.n_clusters
        self.interleave, self.max_repeats = opened.interleave, opened.max_repeats
        self.laplacian, self.splitting = opened.laplacian, opened.splitting
        self.random_state = opened.random_state
        _require(self.method, "method", SIMILARITY_METHODS)  # that of a journal from elsewhere
        self._rule = SIMILARITY_METHODS[self.method]
        self._settings = CutSettings(self.n_clusters, self.laplacian, self.splitting)
        self._groupings: dict[int, Grouping] = {}  # by the number of measurements they rest on
        self._n_retracted = 0  # measurements taken back that the groupings know of

    # -- asking ------------------------------------------------------------------------------

    def _key(self) -> tuple[int, ...]:
        return self._state.next_id, len(self._state.kept)

    def _propose(self, n: int, pending: frozenset[Pair]) -> list[Pair]:
        graph = self._state.graph
        for pair in sorted({pair.unordered for pair in pending}):
            self.require_pair(*pair)
            graph = graph.with_closed(*pair, joined=True)
        noise = self._state.noise if self.max_repeats > 1 else 0.0
        view = MeasurementView(graph, self._grouping, self.max_repeats, noise)
        rng = np.random.default_rng([self.random_state, len(self._state.kept)])
        before = self._state.n_measured
        return propose(view, self._rule, n, n_before=before, interleave=self.interleave, rng=rng)

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
        """Record how alike a pair is; any pair, asked or not, as often as you like.

        Parameters
        ----------
        pair : pair of int
            The two items.
        value : float
            How alike they are, from 0 to 1.
        cost : float
            What the measurement cost, at least 0.
        who : str
            Who measured.
        seconds : float, optional
            How long it took.
        """
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
        """Take back the last measurement, and return it; as often as there is one."""
        if not self._kept:
            raise AnswerError("there is no measurement to take back")
        return self.retract(self._kept[-1].id)

    @property
    def _kept(self) -> Sequence[Measurement]:
        return self._state.kept

    @property
    def _n_items(self) -> int:
        return self.n

    # -- what is known -----------------------------------------------------------------------

    @property
    def measurements(self) -> list[Measurement]:
        """The measurements that stand, oldest first; those without a value were unavailable."""
        return list(self._state.kept)

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
    def expected_error_(self) -> float | None:
        """The share of items that the last third of the measurements has moved to another group.

        What moves items while it comes in would move more if more came: near 0, the groups have
        settled. None while there are fewer measurements than items.
        """
        kept = self._state.kept
        if self.n_measurements < self.n:
            return None
        begun: list[Event] = [self._state.opened, *map(Measured, kept[: 2 * len(kept) // 3])]
        earlier = group(Measurements.replay(begun).graph, self._settings, None)
        return misclustering_error(self._grouping().labels, earlier.labels)

    @property
    def graph(self) -> SimilarityGraph:
        """The measured similarities, medians of repeats; to be read, not changed."""
        return self._state.graph

    # -- computing ---------------------------------------------------------------------------

    def _grouping(self) -> Grouping:
        m = len(self._state.kept)
        for at in self._state.retracted_at[self._n_retracted :]:
            self._groupings = {
                length: fit for length, fit in self._groupings.items() if length <= at
            }
        self._n_retracted = len(self._state.retracted_at)
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
        """Yield the graph after each of these numbers of measurements; the last is the present."""
        kept = self._state.kept
        if len(lengths) > 1:
            begun: list[Event] = [self._state.opened, *map(Measured, kept[: lengths[0]])]
            earlier = Measurements.replay(begun)
            yield earlier.graph
            for before, length in pairwise(lengths[:-1]):
                for measurement in kept[before:length]:
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
        self.require_pair(i, j)
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

        (event,) = self._record(measured)
        return event.measurement


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
