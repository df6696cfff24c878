"""Which pair to measure next.

IU-RED takes the pair that moves the item nearest the boundary the most, Shamir and Tishby's rule
the pair that moves the whole embedding the most, "random" any pair. With the first two, components
of the measured graph are connected first.

References
----------
Wauthier, Jojic and Jordan, "Active spectral clustering via iterative uncertainty reduction", 2012:
algorithm 1 (IU-RED), algorithm 2 (S&T, after Shamir and Tishby, "Spectral clustering on a budget",
2011) and section 5 (measurement noise).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import islice
from typing import Protocol

import numpy as np

from likewise.journal.pairs import Pair
from likewise.similarity.graph import Floats, Ints, SimilarityGraph
from likewise.similarity.grouping import Cut, Grouping
from likewise.similarity.sensitivity import entry_sensitivity, vector_sensitivity

PRIOR_SD = np.sqrt(1 / 12)  # standard deviation of a similarity of which nothing is known
_TRIES = 50  # draws before open pairs are counted instead


@dataclass(frozen=True, eq=False)
class MeasurementView:
    """All that a rule may know of a study of similarities.

    Parameters
    ----------
    graph : SimilarityGraph
        What was measured. Pairs that must not be offered are closed in it.
    grouping : callable
        Returns the present groups; a rule that never calls it costs no eigenvectors.
    max_repeats : int
        How often a pair may be measured.
    noise : float
        Standard deviation of one measurement.
    """

    graph: SimilarityGraph
    grouping: Callable[[], Grouping]
    max_repeats: int
    noise: float


class Sensitivity(Protocol):
    """How much eigenvectors change with the similarity of a pair; see `sensitivity`."""

    def at(self, i: Ints, j: Ints) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
        """Return the sensitivity to some pairs."""

    def best_open(self, graph: SimilarityGraph) -> tuple[float, tuple[int, int]] | None:
        """Return the pair of largest sensitivity of which nothing is known, after that value."""


def iu_red(view: MeasurementView, rank: int) -> Pair | None:
    """Return the pair that moves the item nearest the boundary the most (algorithm 1).

    `rank` 1 takes the item that is second nearest, and so on, for several questions at once.
    """
    cuts = view.grouping().cuts
    margins = np.concatenate([cut.margin for cut in cuts])
    which = np.concatenate([np.full(len(cut.items), at) for at, cut in enumerate(cuts)])
    where = np.concatenate([np.arange(len(cut.items)) for cut in cuts])
    for k in islice(_nearest_first(margins, rank), max(1, len(cuts) * 2)):
        cut, item = cuts[which[k]], int(where[k])
        sensitivity = entry_sensitivity(cut.laplacian, cut.spectrum, item, cut.direction[item])
        found = _most_informative(view, cut, sensitivity)
        if found is not None:
            return found[1]
    return None


def _nearest_first(margins: Floats, rank: int) -> Iterator[int]:
    """Yield items by their margins, from that rank on and then around."""
    # To nine digits, so that rounding does not decide between equals.
    margins = np.round(margins, 9)
    if rank % len(margins) == 0:
        yield int(np.argmin(margins))  # mostly no other is wanted, and sorting takes longer
    order = np.roll(np.argsort(margins, kind="stable"), -(rank % len(margins)))
    yield from order[rank % len(margins) == 0 :].tolist()


def s_and_t(view: MeasurementView, rank: int) -> Pair | None:
    """Return the pair that moves all items together the most (algorithm 2)."""
    candidates = [
        _most_informative(view, cut, vector_sensitivity(cut.laplacian, cut.spectrum))
        for cut in view.grouping().cuts
    ]
    found = [candidate for candidate in candidates if candidate is not None]
    return max(found, key=lambda one: one[0])[1] if found else None


Rule = Callable[[MeasurementView, int], Pair | None]

SIMILARITY_METHODS: dict[str, Rule | None] = {"iu-red": iu_red, "s-and-t": s_and_t, "random": None}


def propose(
    view: MeasurementView,
    rule: Rule | None,
    n: int,
    *,
    n_before: int,
    interleave: bool,
    rng: np.random.Generator,
) -> list[Pair]:
    """Return up to `n` pairs, best first; none if nothing is left to measure.

    A rule of None measures at random, and so does every second measurement with `interleave`;
    `n_before`, how many there were, says whose turn it is.
    """
    pairs: list[Pair] = []
    for rank in range(n):
        pair = None
        if rule is not None:
            pair = _connecting(view.graph, rng)
            if pair is None and not (interleave and (n_before + rank) % 2):
                pair = rule(view, rank)
        pair = pair or _random_pair(view, rng)
        if pair is None:
            break
        pairs.append(pair)
        if rank + 1 < n:
            view = replace(view, graph=view.graph.with_closed(*pair, joined=True))
    return pairs


def _most_informative(
    view: MeasurementView, cut: Cut, sensitivity: Sensitivity
) -> tuple[float, Pair] | None:
    """Return the largest σ |dv/dw| of new pairs and repeats (section 5), and its pair."""
    graph = view.graph.restricted(cut.items)
    best: tuple[float, Pair] | None = None
    found = sensitivity.best_open(graph)
    if found is not None:
        best = PRIOR_SD * found[0], Pair(*found[1])
    if view.max_repeats > 1:
        i, j, at = graph.pairs()
        again = graph.times[at] < view.max_repeats
        i, j, times = i[again], j[again], graph.times[at][again]
        if len(i):
            gains = view.noise / np.sqrt(times) * sensitivity.at(i, j)
            top = int(np.argmax(gains >= gains.max() * (1 - 1e-6)))
            if best is None or gains[top] > best[0] * (1 + 1e-6):
                best = float(gains[top]), Pair(int(i[top]), int(j[top]))
    if best is None:
        return None
    gain, (one, other) = best
    return gain, Pair(int(cut.items[one]), int(cut.items[other]))


def _connecting(graph: SimilarityGraph, rng: np.random.Generator) -> Pair | None:
    """Draw an open pair between two components; None if all that can be are connected."""
    if graph.connected:
        return None
    for _ in range(_TRIES):
        i, j = sorted(rng.integers(graph.n, size=2).tolist())
        if graph.component[i] != graph.component[j] and graph.at(i, j) is None:
            return Pair(i, j)
    # Few are left: item by item, those that others in another component can still be asked about.
    for i in rng.permutation(graph.n).tolist():
        others = graph.component != graph.component[i]
        others[graph.columns[graph.starts[i] : graph.starts[i + 1]]] = False
        if others.any():
            return Pair(i, int(rng.choice(np.flatnonzero(others)))).unordered
    return None


def _random_pair(view: MeasurementView, rng: np.random.Generator) -> Pair | None:
    """Draw any pair that may still be measured, all equally likely; new pairs before repeats."""
    graph = view.graph
    n_open = graph.n * (graph.n - 1) // 2 - graph.n_known
    if n_open:
        return Pair(*graph.open_pair(int(rng.integers(n_open))))
    i, j, at = graph.pairs()
    again = np.flatnonzero(graph.times[at] < view.max_repeats)
    if not len(again):
        return None
    chosen = int(rng.choice(again))
    return Pair(int(i[chosen]), int(j[chosen]))
