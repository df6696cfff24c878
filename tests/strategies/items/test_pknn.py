"""pKNN against a loop over items and their placed neighbours."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import assume, given
from hypothesis import strategies as st

import likewise as lw
from likewise.items import Items
from likewise.strategies import NeighbourEntropy, View
from likewise.strategies.items.pknn import group_probabilities


def literal_chances(view: View, item: int, n_neighbours: int) -> list[float]:
    """Shares of the similarities to the nearest placed neighbours; even shares without any."""
    W = sp.csr_matrix(view.affinity.affinity_).toarray()
    neighbours = [j for j in range(len(W)) if view.placed[j] and W[item, j] > 0]
    neighbours.sort(key=lambda j: -W[item, j])
    mass = [
        sum(
            W[item, j]
            for j in neighbours[:n_neighbours]
            if view.constraints.component(j) == view.constraints.component(representative)
        )
        for representative in view.representatives
    ]
    if sum(mass) == 0:
        return [1 / len(mass)] * len(mass)
    return [m / sum(mass) for m in mass]


def some_study(seed: int, n: int) -> lw.Study:
    rng = np.random.default_rng(seed)
    study = lw.Study(rng.random((n, 2)), method="pknn")
    kinds = rng.integers(3, size=n)
    for i in range(1, n // 2):
        study.tell((0, i), bool(kinds[0] == kinds[i]))
    return study


@given(st.integers(0, 2**32 - 1), st.integers(6, 40), st.integers(1, 5))
def test_chances_are_shares_of_the_nearest_placed_neighbours(seed: int, n: int, k: int) -> None:
    view = some_study(seed, n)._view(frozenset())
    found = group_probabilities(view, sp.csr_matrix(view.affinity.affinity_), k)
    for item in range(n):
        assert found[item] == pytest.approx(literal_chances(view, item, k))


@given(st.integers(0, 2**32 - 1), st.integers(6, 40))
def test_the_item_of_largest_entropy_is_placed_next(seed: int, n: int) -> None:
    view = some_study(seed, n)._view(frozenset())
    candidates = np.flatnonzero(~view.placed)
    assume(len(candidates) > 0)
    chances = np.array([literal_chances(view, i, 10) for i in candidates.tolist()])
    entropy = -(chances * np.log(np.maximum(chances, 1e-300))).sum(axis=1)
    (chosen,) = NeighbourEntropy().rank(view, candidates, 1, np.random.default_rng(0))
    assert entropy[candidates.tolist().index(chosen)] >= entropy.max() - 2e-3


def test_the_worked_example() -> None:
    W = np.zeros((4, 4))
    W[0, 2] = W[2, 0] = 1.0
    W[0, 3] = W[3, 0] = 0.5
    W[1, 2] = W[2, 1] = 1.0
    study = lw.Study(Items.from_affinity(W), method="pknn")
    study.tell((2, 3), "different")
    view = study._view(frozenset())
    chances = group_probabilities(view, sp.csr_matrix(view.affinity.affinity_), 10)
    assert sorted(chances[0]) == pytest.approx([1 / 3, 2 / 3])
    assert -(chances[0] * np.log(chances[0])).sum() == pytest.approx(0.636514, abs=1e-6)
    assert NeighbourEntropy().rank(view, np.array([0, 1]), 1, np.random.default_rng(0)) == [0]
