"""Seconds per question against the number of items, for any method.

Methods, sizes and the yardstick (one cold eigenproblem on the same neighbour graph) take turns,
so that a busy machine slows all of them; medians and quartiles are over all rounds but the first,
which warms up. The number of threads is one, and the seconds are the processor's: what others do
on the machine meanwhile is not counted.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from time import perf_counter, process_time
from typing import TYPE_CHECKING, Any

import numpy as np
import scipy.sparse as sp
from scipy.sparse.linalg import eigsh

from likewise import datasets
from likewise.affinities import Gaussian
from likewise.bench.statistics import growth_exponent
from likewise.errors import MethodError
from likewise.items import Items
from likewise.methods import find_recipe
from likewise.study import Study

if TYPE_CHECKING:
    import pandas as pd

YARDSTICK = "cold eigsh"
_GROUPS = 10
_VECTORS = 20


def measure(
    methods: Sequence[str],
    *,
    sizes: Sequence[int] = (500, 1000, 2000, 4000),
    questions: int = 30,
    rounds: int = 3,
    on_step: Callable[[], None] | None = None,
) -> pd.DataFrame:
    """Measure the seconds per question of methods on piles of growing size.

    Parameters
    ----------
    methods : sequence of str
        What to measure beside the yardstick.
    sizes : sequence of int
        Numbers of items, 20 at least.
    questions : int
        How many are timed in each run, after the first.
    rounds : int
        Repetitions, after one that only warms up.
    on_step : callable, optional
        Called after each run.

    Returns
    -------
    DataFrame
        A row per method, size and round: `first` has the seconds until the first question,
        `per_question` those of one later question.
    """
    import pandas as pd
    from threadpoolctl import threadpool_limits

    for method in methods:
        find_recipe(method)
    if min(sizes) < 2 * _GROUPS or questions < 2 or rounds < 1:
        raise MethodError("speed needs at least 20 items, 2 questions and one round")
    rows: list[dict[str, Any]] = []
    with threadpool_limits(1):
        for turn in range(rounds + 1):
            for n in sizes:
                for row in _once(methods, n, questions):
                    if turn > 0:
                        rows.append({"round": turn, "n": n, **row})
                    if on_step is not None:
                        on_step()
    return pd.DataFrame(rows)


def summary(rows: pd.DataFrame) -> pd.DataFrame:
    """Return ms per question at each size, growth exponent and ratio to the yardstick by method."""
    import pandas as pd

    medians = rows.groupby(["method", "n"])["per_question"].median().unstack()
    sizes = medians.columns.to_numpy(dtype=float)
    ratio = medians / medians.loc[YARDSTICK]
    table = (medians * 1000).round(2).rename(columns=lambda n: f"{n} items, ms")
    table["growth exponent"] = [
        round(growth_exponent(sizes, row), 2) for row in medians.to_numpy(dtype=float)
    ]
    table[f"ratio to {YARDSTICK}"] = ratio.iloc[:, -1].round(3)
    return pd.DataFrame(table.reset_index())


def _once(methods: Sequence[str], n: int, questions: int) -> Iterator[dict[str, Any]]:
    X, truth = _pile(n, _GROUPS)
    graph = Gaussian().fit(Items.of(X).features).affinity_
    yield {
        "method": YARDSTICK,
        "first": 0.0,
        "per_question": cold_eigenproblem(graph, clock=process_time),
    }
    for method in methods:
        groups = find_recipe(method).most_groups or _GROUPS
        X, truth = _pile(n, groups)
        began = process_time()
        study = Study(X, method=method, n_clusters=groups)
        question = study.ask()
        first = process_time() - began
        began, asked = process_time(), 0
        while question is not None and asked < questions:
            study.tell(question, bool(truth[question.pair.i] == truth[question.pair.j]))
            question = study.ask()
            asked += 1
        spent = process_time() - began
        yield {"method": method, "first": first, "per_question": spent / max(asked, 1)}


def _pile(n: int, n_groups: int) -> datasets.Dataset:
    return datasets.load("blobs", n=n, n_clusters=n_groups, d=10, spread=3.0)


def cold_eigenproblem(
    graph: Any, n_vectors: int = _VECTORS, clock: Callable[[], float] = perf_counter
) -> float:
    """Return the seconds of one `eigsh` on a normalised neighbour graph, from nothing."""
    scale = 1 / np.sqrt(np.asarray(graph.sum(axis=1)).ravel())
    normal = sp.csr_matrix(sp.diags(scale) @ graph @ sp.diags(scale))
    began = clock()
    eigsh(normal, k=n_vectors, which="LA", v0=np.ones(graph.shape[0]))
    return clock() - began
