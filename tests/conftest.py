"""What all tests share: a seed that can be varied from outside, and a profile for Hypothesis."""

from __future__ import annotations

import os

import pytest
from hypothesis import HealthCheck, settings

settings.register_profile(
    "likewise",
    deadline=None,  # machines are shared; a slow example is no failure
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("likewise")


@pytest.fixture
def seed() -> int:
    """The seed of stochastic tests: LIKEWISE_TEST_SEED, 0 unless set."""
    return int(os.environ.get("LIKEWISE_TEST_SEED", "0"))
