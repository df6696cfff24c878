from __future__ import annotations

from collections.abc import Iterator

import pytest
from threadpoolctl import threadpool_limits

from likewise import METHODS
from likewise.testing import StrategyContract


@pytest.fixture(autouse=True)
def one_thread() -> Iterator[None]:
    """On fifteen items, threads of parallel test runs only wait for each other."""
    with threadpool_limits(1):
        yield


class TestEveryMethod(StrategyContract):
    @pytest.fixture(params=sorted(METHODS))
    def method(self, request: pytest.FixtureRequest) -> str:
        return str(request.param)
