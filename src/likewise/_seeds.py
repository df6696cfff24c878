"""Seeds: whatever scikit-learn takes as `random_state`, as the one number that all else follows."""

from __future__ import annotations

from operator import index
from typing import Any

import numpy as np

from likewise.errors import MethodError

_BELOW = 2**31 - 1  # what every generator takes as a seed

# None: a new one; a number: that one; a generator: its next draw.
RandomState = int | np.random.RandomState | np.random.Generator | None


def seed_from(random_state: Any) -> int:
    """Return the seed that is meant, at least 0.

    None gives another seed every time, a generator the next number that it draws.

    >>> seed_from(7), seed_from(np.random.RandomState(0)) == seed_from(np.random.RandomState(0))
    (7, True)

    Raises
    ------
    MethodError
        If it is none of these, or negative.
    """
    if random_state is None:
        return int(np.random.default_rng().integers(_BELOW))
    if isinstance(random_state, np.random.RandomState):
        return int(random_state.randint(_BELOW))
    if isinstance(random_state, np.random.Generator):
        return int(random_state.integers(_BELOW))
    try:
        seed = index(random_state)
    except TypeError:
        raise MethodError(
            "random_state must be a whole number, None or a generator of numpy's but got "
            f"{random_state!r}"
        ) from None
    if seed < 0:
        raise MethodError(f"random_state must not be negative but got {random_state}")
    return seed
