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
from likewise.journal.pairs import Pair
from likewise.methods import Recipe
from likewise.metrics import all_metrics
from likewise.simulation.oracles import Oracle
from likewise.simulation.rechecks import Rechecks
from likewise.study import Study
from likewise.study.edits import ask_class, tell_class

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True)
class Run:
    """What came of a simulated study."""

    study: Study
    curve: pd.DataFrame  # a row per refit: questions, seconds, and the metrics if truth is known
    n_questions: int  # distinct pairs, or items, asked about; implied answers are free
    interrupted: bool  # stopped by the keyboard or the clock before the budget was spent

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
    on_row: Callable[[dict[str, float]], None] | None = None,
    progress: bool = False,
) -> Run:
    """Let an oracle answer up to `budget` questions.

    They are about pairs or, if the oracle can name classes (`oracles.Classes`), about items.

    Labels are computed and scored whenever an item has been placed (after every answer for
    methods that ask about loose pairs), or only at the numbers of questions in `checkpoints`,
    which is quicker. `on_row` is given every row of the curve as it comes; `progress` shows a bar
    in the terminal. Interrupting from the keyboard, or passing `time_limit` seconds, ends the run
    with what there is. `doubt` says what is done about answers that look wrong: "keep" them,
    "filter" them out, "reask" now and then, or ask again at every "surprise" (see `Rechecks`);
    unless said it is the last for an oracle that errs (`oracles.Noisy`), else the first. The curve
    tells where the time went: `seconds` in all since the start, `seconds_asking` of them waiting
    for a question (fits it needed included) and `seconds_fitting` computing affinities and
    clusterings.

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
    second_looks = Rechecks(study, oracle, doubt)
    rows: list[dict[str, float]] = []
    asked: set[Pair | int] = set()
    name_of: Callable[[int], str] | None = getattr(oracle, "name_of", None)
    wanted = None if checkpoints is None else sorted(set(checkpoints))
    began = perf_counter()
    asking = 0.0

    def note() -> None:
        labels = study.labels_
        row = {
            "questions": len(asked),
            "seconds": perf_counter() - began,
            "seconds_asking": asking,
            "seconds_fitting": study.seconds_fitting,
            **({} if truth is None else all_metrics(truth, labels)),
        }
        rows.append(row)
        if on_row is not None:
            on_row(row)

    interrupted = False
    with _bar(progress, budget) as advance:
        try:
            while True:
                if time_limit is not None and perf_counter() - began > time_limit:
                    raise KeyboardInterrupt
                waiting = perf_counter()
                question = study.ask() if len(asked) < budget else None
                asking += perf_counter() - waiting
                if wanted is not None:
                    n_passed = bisect_right(wanted, len(asked))  # more than one by second looks
                    due, wanted = n_passed > 0, wanted[n_passed:]
                else:
                    due = question is None or study.placing is None
                if due and not (rows and rows[-1]["questions"] == len(asked)):
                    note()
                if question is None:
                    break
                if name_of is not None and (item := ask_class(study)) is not None:
                    tell_class(study, item, name_of(item))
                    asked.add(item)
                else:
                    study.tell(question, oracle(*question.pair))
                    asked.add(question.pair.unordered)
                    again = second_looks.after_answer(budget - len(asked))
                    asked.update(pair.unordered for pair in again)
                advance()
        except KeyboardInterrupt:
            interrupted = True
    if not rows or rows[-1]["questions"] != len(asked):
        note()
    import pandas as pd

    curve = pd.DataFrame(rows)
    curve["questions"] = curve["questions"].astype(int)
    return Run(study, curve, len(asked), interrupted)


@contextmanager
def _bar(shown: bool, total: int) -> Iterator[Callable[[], None]]:
    """A progress bar, or nothing; calling what it yields moves it on."""
    if not shown:
        yield lambda: None
        return
    from rich.progress import Progress

    with Progress() as progress:
        task = progress.add_task("questions", total=total)
        yield lambda: progress.advance(task)
