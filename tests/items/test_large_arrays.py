"""Arrays that are worked on in blocks: the same numbers come out, and no second copy of all."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import likewise as lw
from likewise.errors import DataError
from likewise.items import Units, _matrices
from likewise.items._matrices import blocks


@pytest.fixture
def small_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_matrices, "_BLOCK", 64)


@pytest.fixture
def few_doubled(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_matrices, "_DOUBLED", 100)


def rows(n: int = 500, d: int = 7) -> Any:
    rng = np.random.default_rng(0)
    return rng.normal(size=(n, d)) * 10.0 ** np.arange(d) + 3


@given(st.integers(0, 300), st.integers(0, 2**23))
def test_blocks_hold_everything_once_and_none_is_a_single_one(n: int, width: int) -> None:
    found = list(blocks(n, width))
    assert [k for block in found for k in range(n)[block]] == list(range(n))
    assert n == 1 or all(len(range(n)[block]) > 1 for block in found)


@pytest.mark.usefixtures("small_blocks")
def test_units_are_bit_for_bit_those_of_the_whole_array() -> None:
    X = rows()
    units = Units.of(X)
    assert np.array_equal(units.mean, X.mean(axis=0))
    assert np.array_equal(units.spread, X.std(axis=0))
    assert np.array_equal(units(X), (X - X.mean(axis=0)) / X.std(axis=0))


def test_a_pile_is_recognised_whatever_the_size_of_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    before = lw.Items.of(rows()).fingerprint()
    monkeypatch.setattr(_matrices, "_BLOCK", 64)
    assert lw.Items.of(rows()).fingerprint() == before


@pytest.mark.usefixtures("few_doubled")
def test_a_large_array_of_single_precision_is_not_copied() -> None:
    X = np.random.default_rng(0).normal(size=(200, 4)).astype(np.float32)
    items = lw.Items.of(X)
    assert items.features is X
    assert items.take(np.array([3, 5])).data.dtype == np.float64


def test_a_pile_in_single_precision_is_the_same_pile(monkeypatch: pytest.MonkeyPatch) -> None:
    X = lw.datasets.load("blobs", n=300, n_clusters=3)[0].astype(np.float32)
    doubled = lw.Items.of(X)
    monkeypatch.setattr(_matrices, "_DOUBLED", 100)
    single = lw.Items.of(X)
    assert single.data.dtype == np.float32
    assert single.fingerprint() == doubled.fingerprint()
    assert single.scaling == doubled.scaling


@pytest.mark.usefixtures("few_doubled")
@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
def test_a_number_that_is_none_is_named_however_large_the_array(bad: float) -> None:
    X = np.zeros((200, 4), dtype=np.float32)
    X[17, 2] = bad
    with pytest.raises(DataError, match="row 17, column 2"):
        lw.Items.of(X)


def test_finite_numbers_whose_sum_is_not_are_numbers() -> None:
    X = np.full((4, 2), 1e149)
    X[0] = -1e149
    assert len(lw.Items.of(X)) == 4
    with pytest.raises(DataError, match="within"):
        lw.Items.of(np.full((4, 2), 1e308))
