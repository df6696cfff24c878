"""Running a study of similarities by itself: what was measured, and what it bought."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
import numpy.typing as npt

from likewise._summaries import html_table, one_line
from likewise.errors import CostLimit, DataError, MethodError
from likewise.journal.pairs import Pair
from likewise.metrics import ari, misclustering_error
from likewise.simulation.curve import Curve, Row
from likewise.study.loop import Outcome, QuestionLoop
from likewise.study.similarity import SimilarityStudy

if TYPE_CHECKING:
    import pandas as pd


class SimilarityOracle(Protocol):
    """Says how alike two items are, from 0 to 1, or None if that cannot be known."""

    def __call__(self, i: int, j: int) -> float | None:
        """Return the similarity of items `i` and `j`."""


@dataclass(frozen=True, repr=False)
class SimilarityRun:
    """What came of a simulated study of similarities.

    Attributes
    ----------
    study : SimilarityStudy
        The study after the last measurement.
    curve : DataFrame
        A row per checkpoint: measurements, fraction of all pairs, cost, seconds and, where the
        groups to be found are known, error and ari.
    interrupted : bool
        Whether the keyboard, the clock or the oracle's cost limit ended the run.
    labels_ : array of int, shape (n_items,)
        The groups after the last measurement.
    """

    study: SimilarityStudy
    curve: pd.DataFrame
    interrupted: bool

    @property
    def labels_(self) -> npt.NDArray[np.int64]:
        """The groups after the last measurement."""
        return self.study.labels_

    def __repr__(self) -> str:
        return one_line(type(self).__name__, self._facts())

    def _repr_html_(self) -> str:
        return html_table(type(self).__name__, self._facts())

    def _facts(self) -> dict[str, Any]:
        """Return what came of it, in short: the last row of the curve."""
        last = {str(name): round(float(value), 4) for name, value in self.curve.iloc[-1].items()}
        return {"study": self.study, "interrupted": self.interrupted, **last}


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

    Parameters
    ----------
    oracle : SimilarityOracle
        Says how alike two items are; a batch is given to its method `many` if it has one. Its
        `price`, 1 where it has none, is the cost of a measurement.
    n : int
        How many items there are.
    budget : int
        How many pairs are measured at most, at least 1.
    reference : array of int, shape (n,), optional
        The groups to be found, usually `complete_labels` of the whole matrix; the curve's `error`
        is the share of items grouped otherwise.
    checkpoints : collection of int, optional
        Numbers of measurements at which labels are computed and scored; None: after every tenth of
        the budget.
    batch : int
        How many pairs are asked for at a time.
    time_limit : float, optional
        Seconds after which the run ends with what there is, as it does when it is interrupted from
        the keyboard or when the oracle raises `CostLimit`.
    on_look : callable, optional
        Is given the study, and the seconds so far, before every question.
    **settings
        All others are those of `SimilarityStudy`.

    Examples
    --------
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
    if checkpoints is None:
        checkpoints = range(0, budget + 1, max(1, budget // 10))
    loop = _SimilarityLoop(
        study,
        oracle,
        truth,
        checkpoints=frozenset(checkpoints),
        batch=batch,
        on_look=on_look,
        budget=budget,
        time_limit=time_limit,
    )
    outcome = loop.run()
    loop.curve.add(loop.n_spent)
    interrupted = outcome in (Outcome.INTERRUPTED, Outcome.TIME_UP, Outcome.COST_LIMIT)
    return SimilarityRun(study, loop.curve.frame(), interrupted)


class _SimilarityLoop(QuestionLoop[list[Pair]]):
    """Measures batches of pairs, and notes a row of the curve at every checkpoint."""

    def __init__(
        self,
        study: SimilarityStudy,
        oracle: SimilarityOracle,
        truth: npt.NDArray[Any] | None,
        *,
        checkpoints: frozenset[int],
        batch: int,
        on_look: Callable[[SimilarityStudy, float], None] | None,
        budget: int,
        time_limit: float | None,
    ) -> None:
        super().__init__(budget=budget, time_limit=time_limit)
        self.study, self.oracle, self.truth = study, oracle, truth
        self.curve = Curve("measurements", self._row)
        self._checkpoints, self._batch, self._on_look = checkpoints, batch, on_look

    @property
    def n_spent(self) -> int:
        return self.study.n_measurements

    def before_question(self) -> None:
        if self.n_spent in self._checkpoints:
            self.curve.add(self.n_spent)
        if self._on_look is not None:
            self._on_look(self.study, self.seconds)

    def ask(self) -> list[Pair]:
        assert self.budget is not None
        return self.study.ask(min(self._batch, self.budget - self.n_spent))

    def reply(self, question: list[Pair]) -> Outcome | None:
        many = getattr(self.oracle, "many", None)
        price = float(getattr(self.oracle, "price", 1.0))
        try:
            values = many(question) if many else [self.oracle(*pair) for pair in question]
        except CostLimit:
            return Outcome.COST_LIMIT
        for pair, value in zip(question, values, strict=True):
            if value is None:
                self.study.unavailable(pair)
            else:
                self.study.tell(pair, value, cost=price)
        return None

    def _row(self) -> Row:
        n, n_measured = self.study.n, self.n_spent
        row = {
            "fraction": n_measured / (n * (n - 1) / 2),
            "cost": self.study.cost,
            "seconds": self.seconds,
        }
        if self.truth is not None:
            labels = self.study.labels_
            row |= {
                "error": misclustering_error(self.truth, labels),
                "ari": ari(self.truth, labels),
            }
        return row
