"""Pairs chosen by a score, whatever group either item belongs to."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, islice
from typing import Protocol

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp

from likewise.clusterers.links import pair_keys
from likewise.journal.pairs import Pair
from likewise.strategies.base import View
from likewise.strategies.batch import IndependentBatch
from likewise.strategies.pairs.random_pairs import component_pairs

PairArray = npt.NDArray[np.int64]  # (m, 2)

_CHUNK = 64  # pairs that become objects together


class PairScorer(Protocol):
    """Ranks pairs by how much asking them is worth."""

    def pairs(self, view: View, rng: np.random.Generator) -> Iterator[PairArray]:
        """Yield arrays of pairs, (m, 2), best first; the next is computed when one is used up."""


class PairSelection:
    """The strategy that asks the best pairs of its scorer, and any open pair when it has none.

    Parameters
    ----------
    scorer : PairScorer
        Which pairs come first. It may yield pairs that are known already; they are skipped.

    Examples
    --------
    A scorer is one method:

    >>> import likewise as lw
    >>> class InOrder:
    ...     def pairs(self, view, rng):
    ...         yield np.array([[0, 1], [0, 2]])
    >>> study = lw.Study([[0.0], [0.1], [5.0]], method="random")
    >>> _ = study.tell((0, 1), "same")
    >>> PairSelection(InOrder()).propose(study.view, 1, np.random.default_rng(0))
    [Pair(i=0, j=2)]
    """

    def __init__(self, scorer: PairScorer) -> None:
        self.scorer = scorer

    def propose(self, view: View, n: int, rng: np.random.Generator) -> list[Pair]:
        """Return the best `n` open pairs that are independent of one another."""
        batch = IndependentBatch(view)
        wanted = (pair for some in self.scorer.pairs(view, rng) for pair in _one_by_one(some))
        return list(islice(filter(batch.add, chain(wanted, component_pairs(view, rng))), n))


def _one_by_one(pairs: PairArray) -> Iterator[Pair]:
    """Yield the pairs in their order; most of the time only the first is looked at."""
    for start in range(0, len(pairs), _CHUNK):
        yield from (Pair(*pair) for pair in pairs[start : start + _CHUNK].tolist())


class OpenPairs:
    """Which of many pairs the answers leave open, by array look-ups instead of a loop.

    A pair is open if neither "same" nor "different" follows from the answers by transitivity.

    Parameters
    ----------
    view : View
        Of the study.

    Examples
    --------
    >>> import likewise as lw
    >>> study = lw.Study([[0.0], [0.1], [5.0]], method="random")
    >>> _ = study.tell((0, 1), "same")
    >>> OpenPairs(study.view).among(np.array([[0, 1], [0, 2]]))
    array([False,  True])
    """

    def __init__(self, view: View) -> None:
        components, self._component = np.unique(view.components, return_inverse=True)
        differing = self._component[view.constraints.cannot_link]
        one, other = np.concatenate([differing, differing[:, ::-1]]).T
        self._n_components = len(components)
        self._differ = sp.csr_matrix(
            (np.ones(len(one), dtype=bool), (one, other)), shape=(len(components), len(components))
        )
        self._known = np.unique(pair_keys(differing, len(components)))

    def among(self, pairs: PairArray) -> npt.NDArray[np.bool_]:  # (m, 2) -> (m,)
        """Return whether each pair is open."""
        component = self._component[pairs]
        known = np.isin(pair_keys(component, self._n_components), self._known)
        return np.asarray((component[:, 0] != component[:, 1]) & ~known)

    def between(
        self, some: npt.NDArray[np.int64], others: npt.NDArray[np.int64]
    ) -> npt.NDArray[np.bool_]:  # (some, others)
        """Return whether each of some items is open with each of others."""
        a, b = self._component[some][:, None], self._component[others]
        keys = np.minimum(a, b) * self._n_components + np.maximum(a, b)
        if not len(self._known):
            return np.asarray(a != b)
        at = np.minimum(self._known.searchsorted(keys), len(self._known) - 1)
        return np.asarray((a != b) & (self._known[at] != keys))

    def with_all(self, items: npt.NDArray[np.int64]) -> npt.NDArray[np.bool_]:  # (items, n)
        """Return whether each of some items is open with each item there is."""
        component = self._component[items]
        known = self._differ[component].toarray()
        known[np.arange(len(items)), component] = True
        return np.asarray(~known[:, self._component])
