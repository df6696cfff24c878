"""CAC1's score against a loop over all pairs of clusters."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given
from hypothesis import strategies as st

import likewise as lw
from likewise.affinities.base import Links
from likewise.errors import MethodError
from likewise.strategies import LargeNearby, PairSelection


@given(st.integers(0, 2**32 - 1), st.integers(8, 40), st.integers(0, 12))
def test_the_clusters_of_largest_size_times_likeness_are_compared(
    seed: int, n: int, n_answers: int
) -> None:
    rng = np.random.default_rng(seed)
    X, kinds = rng.random((n, 2)), rng.integers(2, size=n)
    study = lw.Study(X, method="cac1")
    for _ in range(n_answers):
        i, j = rng.choice(n, 2, replace=False)
        study.tell((int(i), int(j)), bool(kinds[i] == kinds[j]))
    question = study.ask()
    if question is None:
        return
    view = study._view(frozenset())
    W = sp.csr_matrix(view.affinity.affinity_).toarray()
    parts = view.clustering.parts_  # type: ignore[attr-defined]
    cluster = view.components[parts]

    def score(a: int, b: int) -> float:
        """|A| |B| times the mean similarity of their items."""
        one, other = np.flatnonzero(cluster == a), np.flatnonzero(cluster == b)
        return len(one) * len(other) * float(W[np.ix_(one, other)].mean())

    undecided = [
        (int(a), int(b))
        for a, b in combinations(np.unique(cluster), 2)
        if view.constraints.implied(int(a), int(b)) is None
    ]
    if not undecided:
        return
    best = max(score(a, b) for a, b in undecided)
    asked = [int(cluster[item]) for item in question.pair]
    assert score(*asked) == pytest.approx(best, rel=1e-5)
    assert all(parts[item] == item for item in question.pair)


def test_large_clusters_come_before_closer_small_ones() -> None:
    # Likeness between clusters of 10, 10 and 2 items: 0.3, 0.9 and 0.1; scores 30, 18 and 2.
    sizes, likeness = (10, 10, 2), {(0, 1): 0.3, (0, 2): 0.9, (1, 2): 0.1}
    kinds = np.repeat([0, 1, 2], sizes)
    W = np.zeros((22, 22))
    for (a, b), value in likeness.items():
        W[np.ix_(kinds == a, kinds == b)] = W[np.ix_(kinds == b, kinds == a)] = value
    X = np.array([[0.0], [10.0], [25.0]])[kinds] + 0.01 * np.arange(22)[:, None]
    affinity = lw.affinities.PrecomputedAffinity().fit(W)
    given = lw.Recipe(
        "",
        lambda: PairSelection(LargeNearby()),
        lambda **settings: lw.clusterers.AverageLinkParts(
            **{**settings, "n_clusters": 3}, parts_per_cluster=1
        ),
        affinity=lambda items: _Given(affinity),
    )
    asked = []
    study = lw.Study(X, method=given, n_clusters=3)
    for _ in range(2):
        question = study.ask()
        assert question is not None
        asked.append({int(kinds[item]) for item in question.pair})
        study.tell(question, "different")
    assert asked == [{0, 1}, {0, 2}]


class _Given:
    """An affinity that stays as it was given, whatever the items are."""

    learns = False

    def __init__(self, fitted: lw.affinities.PrecomputedAffinity) -> None:
        self.affinity_ = fitted.affinity_
        self.distances = fitted.distances

    def fit(
        self, X: Any, y: Any = None, *, must_link: Links = None, cannot_link: Links = None
    ) -> _Given:
        return self


def test_another_clusterer_is_refused() -> None:
    misfit = lw.Recipe("", lambda: PairSelection(LargeNearby()))
    with pytest.raises(MethodError, match="needs the clusterer AverageLinkParts, not Spectral"):
        lw.Study([[0.0], [1.0], [2.0]], method=misfit).ask()
