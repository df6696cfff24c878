from __future__ import annotations

import pytest

from likewise import METHODS
from likewise.testing import StrategyContract


class TestEveryMethod(StrategyContract):
    @pytest.fixture(params=sorted(METHODS))
    def method(self, request: pytest.FixtureRequest) -> str:
        return str(request.param)
