"""One more link assumed of a spanning forest, against joining everything again."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from likewise.clusterers import LinkedGroups, SingleLink
from likewise.clusterers.links import Labels
from likewise.metrics import ari, jaccard
from likewise.strategies.pairs._hypothetical_links import HypotheticalLinks

Pairs = list[tuple[int, int]]


def problem(seed: int, n: int, n_kinds: int) -> tuple[np.ndarray, Pairs, Pairs]:
    """A graph with few neighbours, perhaps in pieces, and true answers about random pairs."""
    rng = np.random.default_rng(seed)
    kinds = rng.integers(n_kinds, size=n)
    W = np.triu(rng.random((n, n)) * (rng.random((n, n)) < 4 / n), 1)
    drawn = [rng.choice(n, 2, replace=False).tolist() for _ in range(rng.integers(0, n))]
    must = [(i, j) for i, j in drawn if kinds[i] == kinds[j]]
    return W + W.T, must, [(i, j) for i, j in drawn if kinds[i] != kinds[j]]


def again(W: np.ndarray, must: Pairs, cannot: Pairs, k: int) -> Labels:
    return (
        SingleLink(n_clusters=k, affinity="precomputed")
        .fit(W, must_link=must, cannot_link=cannot)
        .labels_
    )


@settings(max_examples=25)
@given(st.integers(0, 2**32 - 1), st.integers(4, 30), st.integers(1, 5))
def test_every_answer_has_the_consequences_of_a_fit_with_it(seed: int, n: int, k: int) -> None:
    W, must, cannot = problem(seed, n, max(2, k))
    model = SingleLink(n_clusters=min(k, n), affinity="precomputed")
    model.fit(W, must_link=must, cannot_link=cannot)
    group = LinkedGroups.of(n, must, cannot)
    tied = np.where(group.group >= 0, group.group, n + np.arange(n))
    differ = {frozenset(pair) for pair in group.differing.tolist()}
    links = (np.array(given, dtype=np.int64).reshape(-1, 2) for given in (must, cannot))
    hypothetical = HypotheticalLinks(model, *links)
    pairs = list(combinations(range(n), 2))
    chosen = np.random.default_rng(seed).permutation(len(pairs))[:40]
    for i, j in (pairs[k] for k in chosen):
        if tied[i] == tied[j] or frozenset((int(tied[i]), int(tied[j]))) in differ:
            continue
        for same in (False, True):
            more = [(i, j)]
            labels = again(W, must + more * same, cannot + more * (not same), model.n_clusters)
            found = hypothetical.clusters(i, j, same=same)
            assert ari(labels, found) == 1.0
            change = 1.0 - jaccard(model.labels_, labels)
            assert hypothetical.change(i, j, same=same) == pytest.approx(change, abs=1e-12)


def test_late_answers_are_assumed_among_few_nodes() -> None:
    rng = np.random.default_rng(0)
    x = np.sort(rng.random(400))
    W = np.exp(-50 * np.abs(np.subtract.outer(x, x)))
    model = SingleLink(n_clusters=2, affinity="precomputed").fit(W)
    none = np.empty((0, 2), dtype=np.int64)
    hypothetical = HypotheticalLinks(model, none, none)
    last = model.edges_[model.tree_[-1]].tolist()
    first = model.edges_[model.tree_[0]].tolist()
    assert hypothetical._replay(*last, same=False)[0].n_nodes <= 4
    assert hypothetical._replay(*first, same=False)[0].n_nodes == 400
