"""What the events of a study of similarities amount to."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from likewise.errors import StoreError
from likewise.journal import Event, Measured, Opened, OpenedSimilarities, Retracted
from likewise.journal.pairs import Measurement, Pair
from likewise.similarity.graph import NEVER, THREAD, SimilarityGraph
from likewise.similarity.rules import UNMEASURED


class Measurements:
    """The measurements that stand, and the graph of their medians."""

    def __init__(self, opened: OpenedSimilarities) -> None:
        self.opened = opened
        self.standing: list[Measurement] = []
        self.next_id = 0
        # Where each measurement that was taken back had stood, in the order of taking back.
        self.gaps: list[int] = []
        self.graph: SimilarityGraph
        self._gather()

    @classmethod
    def replay(cls, events: Iterable[Event]) -> Measurements:
        """The state after all the events."""
        stream = iter(events)
        opened = next(stream, None)
        if isinstance(opened, Opened):
            raise StoreError(
                "the journal belongs to a study of same or different; open it with Study.open"
            )
        if not isinstance(opened, OpenedSimilarities):
            raise StoreError("a journal must begin by saying which study it belongs to")
        state = cls(opened)
        for event in stream:
            state._take(event)
        state._gather()
        return state

    def apply(self, event: Event) -> None:
        """Take one more event into account."""
        self._take(event)
        if not isinstance(event, Measured):
            self._gather()
            return
        pair = event.measurement.pair.unordered
        self._count(event.measurement)
        if event.measurement.value is None:
            self.graph = self.graph.without(*pair)
        else:
            known = self.graph.at(*pair)
            never = known is not None and self.graph.times[known] == NEVER
            times = NEVER if never else len(self._values[pair])
            self.graph = self.graph.with_pair(*pair, _weight(self._values[pair]), times)

    def position(self, measurement_id: int) -> int | None:
        """Where a measurement stands among the others, None if it does not."""
        for at in range(len(self.standing) - 1, -1, -1):
            if self.standing[at].id == measurement_id:
                return at
        return None

    @property
    def noise(self) -> float:
        """Standard deviation of one measurement, pooled over pairs measured more than once.

        Before any repeat it is that of a uniform number, which keeps the weight of one repeat.
        """
        return float(np.sqrt((UNMEASURED**2 + self._squares) / (1 + self._repeats)))

    def _take(self, event: Event) -> None:
        match event:
            case Measured(measurement):
                self.standing.append(measurement)
                self.next_id = max(self.next_id, measurement.id + 1)
            case Retracted(answer_id):
                at = self.position(answer_id)
                if at is None:
                    raise StoreError(f"the journal takes back {answer_id}, which does not stand")
                del self.standing[at]
                self.gaps.append(at)
            case _:
                raise StoreError("only measurements can be kept in a study of similarities")

    def _gather(self) -> None:
        self.n_measured, self.cost = 0, 0.0  # looks that yielded a number; what all looks cost
        self._values: dict[Pair, list[float]] = {}
        self._squares, self._repeats = 0.0, 0  # deviations from the means of repeated pairs
        for measurement in self.standing:
            self._count(measurement)
        self.graph = graph_of(self.opened.n_items, self.standing)

    def _count(self, measurement: Measurement) -> None:
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
    """The graph of medians; the same, bit for bit, as if they had come one by one."""
    values = _values_of(measurements)
    never = {m.pair.unordered for m in measurements if m.value is None}
    pairs = sorted(values.keys() | never)
    i, j = np.array(pairs, dtype=np.int64).reshape(-1, 2).T
    weights = [_weight(values[pair]) if pair in values else 0.0 for pair in pairs]
    times = [NEVER if pair in never else len(values[pair]) for pair in pairs]
    return SimilarityGraph.of(n, i, j, np.array(weights), np.array(times, dtype=np.int64))


def _values_of(measurements: list[Measurement]) -> dict[Pair, list[float]]:
    values: dict[Pair, list[float]] = {}
    for measurement in measurements:
        if measurement.value is not None:
            values.setdefault(measurement.pair.unordered, []).append(measurement.value)
    return values


def _weight(values: list[float]) -> float:
    return max(float(np.median(values)) if len(values) > 1 else values[0], THREAD)
