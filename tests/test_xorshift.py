"""The generator of compiled loops against the recurrence in whole numbers."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from likewise._xorshift import draw, draw_below

_ALL = 2**64 - 1


def bits_and_next(x: int) -> tuple[int, int]:
    """xorshift64*: the 53 highest bits of the product, and the state after."""
    x ^= x >> 12
    x ^= (x << 25) & _ALL
    x ^= x >> 27
    return ((x * 0x2545F4914F6CDD1D) & _ALL) >> 11, x


@given(start=st.integers(1, _ALL), below=st.integers(1, 1000))
def test_draws_are_those_of_the_recurrence(start: int, below: int) -> None:
    state, expected = np.array([start], dtype=np.uint64), start
    for _ in range(3):
        bits, expected = bits_and_next(expected)
        assert draw(state) == bits / 2**53
        bits, expected = bits_and_next(expected)
        assert draw_below(state, below) == bits % below
        assert int(state[0]) == expected


def test_draws_fill_the_range_evenly() -> None:
    state = np.array([1], dtype=np.uint64)
    drawn = [draw(state) for _ in range(5000)]
    counts = np.histogram(drawn, bins=10, range=(0, 1))[0]
    assert abs(counts - 500).max() < 100
