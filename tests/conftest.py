"""What all tests share: a seed that can be varied from outside, and a profile for Hypothesis."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

# Tests run side by side: were every one of them to start threads of its own, all would wait.
for _name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
    os.environ.setdefault(_name, "1")

import pytest
from hypothesis import HealthCheck, settings

from likewise.testing.postgres import PostgresServer, ServerError, postgres_server

settings.register_profile(
    "likewise",
    # For every change; `make test-long` looks at ten times as many.
    max_examples=int(os.environ.get("LIKEWISE_TEST_EXAMPLES", "40")),
    deadline=None,  # machines are shared; a slow example is no failure
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("likewise")


@pytest.fixture
def seed() -> int:
    """The seed of stochastic tests: LIKEWISE_TEST_SEED, 0 unless set."""
    return int(os.environ.get("LIKEWISE_TEST_SEED", "0"))


@pytest.fixture(scope="session", autouse=True)
def feature_cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A cache of features that is not the user's."""
    folder = tmp_path_factory.mktemp("cache")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("LIKEWISE_CACHE", str(folder))
        patch.setenv("LIKEWISE_HOME", str(folder / "own"))  # piles opened lately
        yield folder


@pytest.fixture(scope="session")
def postgres() -> Iterator[PostgresServer]:
    """A PostgreSQL server for all tests; each takes a study of its own on it."""
    with ExitStack() as stack:
        try:
            server = stack.enter_context(postgres_server())
        except ServerError as error:
            pytest.skip(f"no PostgreSQL server here: {error}")
        yield server
