"""Compiled loops run also where nothing can be written."""

from __future__ import annotations

import pytest
from numba import njit
from numba.core import caching

from likewise._compiled import compiled


def tripled(x: int) -> int:
    return 3 * x


def test_where_nothing_can_be_kept_loops_are_compiled_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    # As in a folder and a home that cannot be written: numba finds no place for its cache.
    monkeypatch.setattr(caching.FunctionCache._impl_class, "_locator_classes", [])
    with pytest.raises(RuntimeError, match="no locator"):
        njit(cache=True)(tripled)
    assert compiled(nogil=True)(tripled)(14) == 42
