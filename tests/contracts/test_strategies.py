from __future__ import annotations

import pytest

from likewise import METHODS, Recipe
from likewise.strategies import MinMax, Placing
from likewise.testing import StrategyContract

UNNAMED = Recipe("a method that is in no registry", lambda: Placing(MinMax()))


class TestEveryMethod(StrategyContract):
    @pytest.fixture(params=sorted(METHODS))
    def method(self, request: pytest.FixtureRequest) -> str:
        return str(request.param)


class TestARecipe(StrategyContract):
    @pytest.fixture
    def method(self) -> Recipe:
        return UNNAMED
