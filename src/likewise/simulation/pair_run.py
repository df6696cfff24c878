"""Running a study by itself: an oracle answers, and the curve shows what the answers bought."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from time import perf_counter
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from likewise.errors import DataError, MethodError
from likewise.journal.pairs import Pair, Question
from likewise.methods import Recipe
from likewise.metrics import all_metrics
from likewise.simulation.curve import Curve, Row
from likewise.simulation.oracles import Oracle
from likewise.simulation.rechecks import Rechecks
from likewise.study import Study
from likewise.study.edits import ask_class, tell_class
from likewise.study.loop import Outcome, QuestionLoop

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True)
class Run:
    """What came of a simulated study.

    Attributes
    ----------
    study : Study
        The study after the last answer.
    curve : DataFrame
        A row per refit: questions, seconds, and the metrics if the truth is known.
    n_questions : int
        Distinct pairs, or items, that were asked about; implied answers are free.
    interrupted : bool
        Whether the keyboard or the clock ended the run before the budget was spent.
    labels_ : array of int, shape (n_items,)
        The groups after the last answer.
    """

    study: Study
    curve: pd.DataFrame
    n_questions: int
    interrupted: bool

    @property
    def labels_(self) -> npt.NDArray[np.int64]:
        """The groups after the last answer."""
        return self.study.labels_


def run(
    X: Any,
    oracle: Oracle,
    *,
    method: str | Recipe = "auto",
    budget: int = 100,
    n_clusters: int | None = None,
    random_state: int = 0,
    checkpoints: Collection[int] | None = None,
    time_limit: float | None = None,
    doubt: str | None = None,
    on_row: Callable[[Row], None] | None = None,
    progress: bool = False,
) -> Run:
    """Let an oracle answer up to `budget` questions.

    Parameters
    ----------
    X, method, n_clusters, random_state
        As for `Study`.
    oracle : Oracle
        Answers about pairs or, if it can name classes (`oracles.Classes`), about items. One with
        `labels` knows the truth: then the curve has the metrics.
    budget : int
        How many questions are asked at most, at least 1.
    checkpoints : collection of int, optional
        Numbers of questions at which labels are computed and scored; the fewer, the quicker. None:
        whenever an item has been placed, or after every answer for methods that ask about loose
        pairs.
    time_limit : float, optional
        Seconds after which the run ends with what there is, as it does when it is interrupted from
        the keyboard.
    doubt : str, optional
        What is done about answers that look wrong: "keep" them, "filter" them out, "reask" now and
        then, or ask again at every "surprise" (see `Rechecks`). None: "surprise" for an oracle
        that errs (`oracles.Noisy`), else "keep".
    on_row : callable, optional
        Is given every row of the curve as it comes.
    progress : bool
        Show a bar in the terminal.

    Returns
    -------
    Run
        Its curve tells where the time went: `seconds` in all since the start, `seconds_asking` of
        them waiting for a question (fits it needed included) and `seconds_fitting` computing
        affinities and clusterings.

    Examples
    --------
    >>> import likewise as lw
    >>> X, y = lw.datasets.load("iris")
    >>> result = run(X, lw.oracles.FromLabels(y), budget=20, n_clusters=3, checkpoints=[0, 20])
    >>> list(result.curve.questions), result.n_questions
    ([0, 20], 20)
    """
    if budget < 1:
        raise MethodError(f"budget must be at least 1 question but got {budget}")
    study = Study(X, method=method, n_clusters=n_clusters, random_state=random_state)
    truth = getattr(oracle, "labels", None)
    if truth is not None and len(truth) != len(study.items):
        raise DataError(
            f"there are {len(study.items)} items but the oracle has {len(truth)} labels"
        )
    if doubt is None:
        doubt = "surprise" if getattr(oracle, "error_rate", 0.0) > 0 else "keep"
    loop = _PairLoop(
        study,
        oracle,
        rechecks=Rechecks(study, oracle, doubt),
        checkpoints=None if checkpoints is None else sorted(set(checkpoints)),
        on_row=on_row,
        budget=budget,
        time_limit=time_limit,
    )
    with _bar(progress, budget) as loop.advance:
        outcome = loop.run()
    loop.curve.add(loop.n_spent)
    interrupted = outcome in (Outcome.INTERRUPTED, Outcome.TIME_UP)
    return Run(study, loop.curve.frame(), loop.n_spent, interrupted)


class _PairLoop(QuestionLoop[Question]):
    """Lets an oracle answer, and notes a row of the curve at every checkpoint."""

    advance: Callable[[], None]  # moves the progress bar on

    def __init__(
        self,
        study: Study,
        oracle: Oracle,
        *,
        rechecks: Rechecks,
        checkpoints: list[int] | None,
        on_row: Callable[[Row], None] | None,
        budget: int,
        time_limit: float | None,
    ) -> None:
        super().__init__(budget=budget, time_limit=time_limit)
        self.study, self.oracle, self.rechecks = study, oracle, rechecks
        self.curve = Curve("questions", self._row, on_row)
        self._checkpoints = checkpoints
        self._name_of: Callable[[int], str] | None = getattr(oracle, "name_of", None)
        self._asked: set[Pair | int] = set()
        self._seconds_asking = 0.0

    @property
    def n_spent(self) -> int:
        return len(self._asked)

    def ask(self) -> Question | None:
        began = perf_counter()
        question = self.study.ask()
        self._seconds_asking += perf_counter() - began
        return question

    def on_question(self, question: Question | None) -> None:
        if self._checkpoints is None:
            due = question is None or self.study.placing is None
        else:
            n_passed = bisect_right(self._checkpoints, self.n_spent)  # several, after rechecks
            due, self._checkpoints = n_passed > 0, self._checkpoints[n_passed:]
        if due:
            self.curve.add(self.n_spent)

    def reply(self, question: Question) -> None:
        if self._name_of is not None and (item := ask_class(self.study)) is not None:
            tell_class(self.study, item, self._name_of(item))
            self._asked.add(item)
        else:
            self.study.tell(question, self.oracle(*question.pair))
            self._asked.add(question.pair.unordered)
            assert self.budget is not None
            again = self.rechecks.after_answer(self.budget - self.n_spent)
            self._asked.update(pair.unordered for pair in again)
        self.advance()

    def _row(self) -> Row:
        labels = self.study.labels_
        truth = getattr(self.oracle, "labels", None)
        return {
            "seconds": self.seconds,
            "seconds_asking": self._seconds_asking,
            "seconds_fitting": self.study.seconds_fitting,
            **({} if truth is None else all_metrics(truth, labels)),
        }


@contextmanager
def _bar(shown: bool, total: int) -> Iterator[Callable[[], None]]:
    """Show a progress bar, or nothing; calling what it yields moves it on."""
    if not shown:
        yield lambda: None
        return
    from rich.progress import Progress

    with Progress() as progress:
        task = progress.add_task("questions", total=total)
        yield lambda: progress.advance(task)
