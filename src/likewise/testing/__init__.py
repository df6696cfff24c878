"""Tests that anyone can run on a store or a strategy of their own; pytest is needed.

Subclass a contract in a test module, provide the fixtures it names, and pytest does the rest.
"""

from __future__ import annotations

import pytest

# Before the modules are imported, so that a failing assert shows its values in other projects too.
pytest.register_assert_rewrite("likewise.testing.stores", "likewise.testing.strategies")

from likewise.testing.stores import StoreContract  # noqa: E402 - see above
from likewise.testing.strategies import StrategyContract  # noqa: E402

__all__ = ["StoreContract", "StrategyContract"]
