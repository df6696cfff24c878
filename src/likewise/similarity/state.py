"""The state of a study of similarities: a fold of its journal."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from likewise.errors import StoreError
from likewise.journal import Event, Measured, Opened, OpenedSimilarities, Retracted
from likewise.journal.pairs import Measurement, Pair
from likewise.journal.succession import in_succession
from likewise.similarity.graph import CLOSED, MIN_WEIGHT, SimilarityGraph
from likewise.similarity.rules import PRIOR_SD


class Measurements:
    """The measurements that were not retracted, and the graph of their medians.

    Parameters
    ----------
    opened : OpenedSimilarities
        The first event of the journal.

    Attributes
    ----------
    kept : list of Measurement
        The measurements that were not retracted, oldest first.
    retracted_at : list of int
        Where each retracted measurement was among the kept ones, in the order of retraction.
    graph : SimilarityGraph
        Of the medians.
    n_measured : int
        How many kept measurements have a value.
    cost : float
        What all kept ones cost.
    """

    def __init__(self, opened: OpenedSimilarities) -> None:
        self.opened = opened
        self.kept: list[Measurement] = []
        self.next_id = 0
        self.retracted_at: list[int] = []
        self.graph: SimilarityGraph
        self._recompute()

    @classmethod
    def replay(cls, events: Sequence[Event]) -> Measurements:
        """Return the state after all the events."""
        stream = in_succession(events)
        opened = next(stream, None)
        if isinstance(opened, Opened):
            raise StoreError(
                "the journal belongs to a study of same or different; open it with Study.open"
            )
        if not isinstance(opened, OpenedSimilarities):
            raise StoreError("a journal must begin by saying which study it belongs to")
        state = cls(opened)
        for event in stream:
            state._keep(event)
        state._recompute()
        return state

    def apply(self, event: Event) -> None:
        """Apply one more event; a measurement costs no recomputation."""
        self._keep(event)
        if not isinstance(event, Measured):
            self._recompute()
            return
        pair = event.measurement.pair.unordered
        self._tally(event.measurement)
        if event.measurement.value is None:
            self.graph = self.graph.with_closed(*pair)
        else:
            known = self.graph.at(*pair)
            closed = known is not None and self.graph.times[known] == CLOSED
            times = CLOSED if closed else len(self._values[pair])
            self.graph = self.graph.with_pair(*pair, _weight(self._values[pair]), times)

    def position(self, measurement_id: int) -> int | None:
        """Return where a measurement is among the kept ones, None if it is not."""
        for at in range(len(self.kept) - 1, -1, -1):
            if self.kept[at].id == measurement_id:
                return at
        return None

    @property
    def noise(self) -> float:
        """Standard deviation of one measurement, pooled over pairs measured more than once.

        Before any repeat it is that of a uniform number, which keeps the weight of one repeat.
        """
        return float(np.sqrt((PRIOR_SD**2 + self._squares) / (1 + self._repeats)))

    def _keep(self, event: Event) -> None:
        """Append a measurement, or drop a retracted one."""
        match event:
            case Measured(measurement):
                self.kept.append(measurement)
                self.next_id = max(self.next_id, measurement.id + 1)
            case Retracted(answer_id):
                at = self.position(answer_id)
                if at is None:
                    raise StoreError(f"the journal takes back {answer_id}, which does not stand")
                del self.kept[at]
                self.retracted_at.append(at)
            case _:
                raise StoreError("only measurements can be kept in a study of similarities")

    def _recompute(self) -> None:
        """Compute graph and statistics from all kept measurements."""
        self.n_measured, self.cost = 0, 0.0
        self._values: dict[Pair, list[float]] = {}
        self._squares, self._repeats = 0.0, 0  # deviations from the means of repeated pairs
        for measurement in self.kept:
            self._tally(measurement)
        self.graph = graph_of(self.opened.n_items, self.kept)

    def _tally(self, measurement: Measurement) -> None:
        """Add one measurement to the cost, the values of its pair and the pooled variance."""
        self.cost += measurement.cost
        if measurement.value is None:
            return
        self.n_measured += 1
        values = self._values.setdefault(measurement.pair.unordered, [])
        if values:
            m = len(values)
            self._squares += (measurement.value - sum(values) / m) ** 2 * m / (m + 1)
            self._repeats += 1
        values.append(measurement.value)


def graph_of(n: int, measurements: list[Measurement]) -> SimilarityGraph:
    """Build the graph of medians; the same, bit for bit, as if they had come one by one."""
    values = _values_of(measurements)
    closed = {m.pair.unordered for m in measurements if m.value is None}
    pairs = sorted(values.keys() | closed)
    i, j = np.array(pairs, dtype=np.int64).reshape(-1, 2).T
    weights = [_weight(values[pair]) if pair in values else 0.0 for pair in pairs]
    times = [CLOSED if pair in closed else len(values[pair]) for pair in pairs]
    return SimilarityGraph.of(n, i, j, np.array(weights), np.array(times, dtype=np.int64))


def _values_of(measurements: list[Measurement]) -> dict[Pair, list[float]]:
    """Collect the values of every pair."""
    values: dict[Pair, list[float]] = {}
    for measurement in measurements:
        if measurement.value is not None:
            values.setdefault(measurement.pair.unordered, []).append(measurement.value)
    return values


def _weight(values: list[float]) -> float:
    """Return the median of repeats, at least `MIN_WEIGHT`."""
    return max(float(np.median(values)) if len(values) > 1 else values[0], MIN_WEIGHT)
