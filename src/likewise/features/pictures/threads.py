"""Work on pictures by every core: decoding and matrix products leave Python to other threads."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

Given = TypeVar("Given")
Made = TypeVar("Made")


def in_threads(work: Callable[[Given], Made], given: Sequence[Given]) -> list[Made]:
    """Return what `work` makes of each, in their order, with a thread per core.

    >>> in_threads(abs, [-1, 2, -3])
    [1, 2, 3]
    """
    from threadpoolctl import threadpool_limits

    workers = min(len(given), os.cpu_count() or 1)
    # The cores are taken: matrix products with threads of their own would only wait for each other.
    with threadpool_limits(1, user_api="blas"):
        if workers <= 1:
            return [work(one) for one in given]
        with ThreadPoolExecutor(workers) as pool:
            return list(pool.map(work, given))
