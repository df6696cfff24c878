"""Votes of the nearest representatives about the group of an item."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st

from likewise.clusterers.representative_votes import Nearest, Regions, elect, nearest

Singles = npt.NDArray[np.float32]


def drawn(n: int, seed: int) -> Singles:
    return np.random.default_rng(seed).normal(size=(n, 3)).astype(np.float32)


@given(st.integers(1, 8), st.integers(0, 50))
def test_nearer_and_surer_representatives_count_more(n_voters: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    voters = np.array([rng.permutation(9)[:n_voters] for _ in range(20)], dtype=np.int32)
    away = np.sort(rng.uniform(0.5, 2.0, voters.shape), axis=1).astype(np.float32)
    labels, sure = rng.integers(3, size=9), rng.uniform(0.2, 1.0, 9)
    elected, share = elect(Nearest(voters, away), labels, sure)
    for item in range(20):
        votes = dict.fromkeys(labels.tolist(), 0.0)
        for voter, distance in zip(voters[item], away[item], strict=True):
            votes[int(labels[voter])] += sure[voter] / distance
        won = max(votes, key=lambda label: votes[label])
        assert labels[elected[item]] == won
        assert elected[item] == next(voter for voter in voters[item] if labels[voter] == won)
        assert share[item] == pytest.approx(votes[won] / (1 / away[item]).sum(), rel=1e-5)


@pytest.mark.parametrize("n_points", [2, 4, 40])
def test_of_few_representatives_all_vote(n_points: int) -> None:
    points, representatives = drawn(100, 0), drawn(n_points, 1)
    found = nearest(points, representatives, 5)
    assert found.positions.shape == (100, min(5, n_points))
    away = np.linalg.norm(points[:, None] - representatives[None], axis=2)
    np.testing.assert_allclose(found.distances, np.sort(away, axis=1)[:, :5], rtol=1e-3, atol=1e-3)
    _, share = elect(found, np.zeros(n_points, dtype=np.int64), np.ones(n_points))
    np.testing.assert_allclose(share, 1.0, rtol=1e-5)


def test_regions_do_not_depend_on_what_is_looked_for() -> None:
    regions = Regions.of(drawn(200, 0))
    assert sorted(np.concatenate(regions.members).tolist()) == list(range(200))
    together = regions.nearest(drawn(50, 1), 5)
    np.testing.assert_array_equal(
        together.positions, nearest(drawn(50, 1), drawn(200, 0), 5).positions
    )
