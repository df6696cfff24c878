"""Centres against the formulas written out."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from likewise.clusterers.kmeans import centres


@pytest.mark.parametrize("few", [0, 10**9])
@given(seed=st.integers(0, 2**32 - 1), n=st.integers(1, 30), d=st.integers(1, 5))
def test_sums_are_those_of_each_label_bit_for_bit(few: int, seed: int, n: int, d: int) -> None:
    rng = np.random.default_rng(seed)
    labels, values = rng.integers(4, size=n), rng.normal(size=(n, d))
    literal = np.zeros((4, d))
    for label, row in zip(labels, values, strict=True):
        literal[label] += row
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(centres, "_FEW", few)
        np.testing.assert_array_equal(centres.sums_by(labels, values, 4), literal)


@given(st.integers(0, 2**32 - 1), st.integers(1, 20), st.integers(1, 5))
def test_square_distances_are_sums_of_squares(seed: int, n: int, k: int) -> None:
    rng = np.random.default_rng(seed)
    points, middles = rng.normal(size=(n, 3)), rng.normal(size=(k, 3))
    literal = ((points[:, None] - middles) ** 2).sum(axis=2)
    found = centres.square_distances(points, middles)
    np.testing.assert_allclose(found, literal, atol=1e-12)
    lengths = centres.square_lengths(points)
    np.testing.assert_array_equal(centres.square_distances(points, middles, lengths), found)


@given(st.integers(0, 2**32 - 1), st.integers(1, 20))
def test_what_is_drawn_is_what_numpy_would_choose(seed: int, n: int) -> None:
    weights = np.random.default_rng(seed).random(n) * (np.arange(n) % 3 > 0)
    chance = weights / weights.sum() if weights.sum() > 0 else None
    expected = np.random.default_rng(seed).choice(n, p=chance)
    assert centres._drawn(weights, np.random.default_rng(seed)) == expected
