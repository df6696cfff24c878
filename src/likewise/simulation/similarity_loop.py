"""Running a study of similarities by itself: what was measured, and what it bought."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass
from time import perf_counter
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
import numpy.typing as npt

from likewise.errors import CostLimit, DataError, MethodError
from likewise.metrics import ari, misclustering_error
from likewise.study.similarity import SimilarityStudy

if TYPE_CHECKING:
    import pandas as pd


class SimilarityOracle(Protocol):
    """Says how alike two items are, from 0 to 1, or None if that cannot be known."""

    def __call__(self, i: int, j: int) -> float | None:
        """The similarity of items `i` and `j`."""


@dataclass(frozen=True)
class SimilarityRun:
    """What came of a simulated study of similarities."""

    study: SimilarityStudy
    curve: pd.DataFrame  # a row per checkpoint: measurements, fraction, cost, seconds, error
    interrupted: bool  # stopped by the keyboard, the clock or the oracle's cost limit

    @property
    def labels_(self) -> npt.NDArray[np.int64]:
        """The groups after the last measurement."""
        return self.study.labels_


def run_similarity(
    oracle: SimilarityOracle,
    n: int,
    *,
    budget: int,
    reference: npt.ArrayLike | None = None,
    checkpoints: Collection[int] | None = None,
    batch: int = 1,
    time_limit: float | None = None,
    on_look: Callable[[SimilarityStudy, float], None] | None = None,
    **settings: Any,
) -> SimilarityRun:
    """Let an oracle be measured up to `budget` times.

    `reference` are the groups to be found, usually `complete_labels` of the whole matrix; the
    curve's `error` is the share of items grouped otherwise. Rows come after every tenth of the
    budget, or at `checkpoints`. `batch` pairs are asked for at a time, and given to the oracle
    together if it has a method `many`. `on_look` is given the study, and the seconds so far,
    before every question. All other settings are those of `SimilarityStudy`.

    >>> import likewise as lw
    >>> W = [[1, 0.9, 0.2, 0.1], [0.9, 1, 0.1, 0.3], [0.2, 0.1, 1, 0.8], [0.1, 0.3, 0.8, 1]]
    >>> done = run_similarity(
    ...     lw.oracles.FromMatrix(W), 4, budget=4, reference=[0, 0, 1, 1], checkpoints=[4]
    ... )
    >>> done.curve.error.tolist()
    [0.0]
    """
    if budget < 1 or batch < 1:
        raise MethodError(f"budget and batch must be at least 1 but got {budget} and {batch}")
    study = SimilarityStudy(n, **settings)
    truth = None if reference is None else np.asarray(reference)
    if truth is not None and len(truth) != study.n:
        raise DataError(f"there are {study.n} items but {len(truth)} reference labels")
    step = max(1, budget // 10)
    due = set(range(0, budget + 1, step)) if checkpoints is None else set(checkpoints)
    many = getattr(oracle, "many", None) or (lambda pairs: [oracle(*pair) for pair in pairs])
    rows: list[dict[str, float]] = []
    began = perf_counter()

    def note() -> None:
        measured = study.n_measurements
        if rows and rows[-1]["measurements"] == measured:
            return
        row = {
            "measurements": measured,
            "fraction": measured / (n * (n - 1) / 2),
            "cost": study.cost,
            "seconds": perf_counter() - began,
        }
        if truth is not None:
            labels = study.labels_
            row |= {"error": misclustering_error(truth, labels), "ari": ari(truth, labels)}
        rows.append(row)

    interrupted = False
    try:
        while True:
            if study.n_measurements in due:
                note()
            if on_look is not None:
                on_look(study, perf_counter() - began)
            if time_limit is not None and perf_counter() - began > time_limit:
                interrupted = True
                break
            pairs = study.ask(min(batch, max(budget - study.n_measurements, 1)))
            if study.n_measurements >= budget or not pairs:
                break
            price = float(getattr(oracle, "price", 1.0))
            for pair, value in zip(pairs, many(pairs), strict=True):
                if value is None:
                    study.unavailable(pair)
                else:
                    study.tell(pair, value, cost=price)
    except (KeyboardInterrupt, CostLimit):
        interrupted = True
    note()
    import pandas as pd

    curve = pd.DataFrame(rows)
    curve["measurements"] = curve["measurements"].astype(int)
    return SimilarityRun(study, curve, interrupted)
