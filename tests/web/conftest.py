"""What the tests of the page share: piles, and a client that speaks to the server in memory."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from fastapi.testclient import TestClient

from likewise.items import Items
from likewise.study import Study
from likewise.web.app import create_app

Truth = npt.NDArray[np.int64]
Open = Callable[..., TestClient]


def pile(n: int = 30, groups: int = 3, seed: int = 0) -> tuple[Items, Truth]:
    """Well separated items with pictures, and the group of each."""
    rng = np.random.default_rng(seed)
    truth = rng.permutation(np.arange(n) % groups)
    X = 10 * np.eye(groups)[truth] + rng.normal(size=(n, groups))
    shades = [np.full((8, 8), 60 * label + 40, dtype=np.uint8) for label in truth]
    ids = [f"photo-{k:02}.png" for k in range(n)]
    return replace(Items.of(X), pictures=shades, ids=ids), truth


@pytest.fixture
def opened() -> Iterator[Open]:
    """Opens a study in a server of its own and gives a client for it."""
    with ExitStack() as stack:

        def open_client(study: Study, **settings: Any) -> TestClient:
            app = create_app(study, **settings)
            return stack.enter_context(TestClient(app, base_url="http://127.0.0.1:8000"))

        yield open_client


@pytest.fixture
def study() -> Study:
    """A small study in memory."""
    return Study(pile()[0])


@pytest.fixture
def client(opened: Open, study: Study) -> TestClient:
    """A client of that study."""
    return opened(study)
