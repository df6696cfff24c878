"""What all tests share: a seed that can be varied from outside, and a profile for Hypothesis."""

from __future__ import annotations

import os

# Tests run side by side: were every one of them to start threads of its own, all would wait.
for _name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
    os.environ.setdefault(_name, "1")

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
