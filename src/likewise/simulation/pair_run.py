"""Running a study by itself: an oracle answers, and the curve shows what the answers bought."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from math import inf
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from likewise._extras import extra_explained
from likewise._seeds import RandomState
from likewise._summaries import html_table, one_line
from likewise.errors import DataError, MethodError
from likewise.journal.group_number import NumberOfGroups
from likewise.journal.pairs import Answer
from likewise.methods import Recipe
from likewise.simulation.answerer_loop import AnswererLoop
from likewise.simulation.answerers import Answerer, Program, ready
from likewise.simulation.asker import Asker
from likewise.simulation.budget import Budget, Money
from likewise.simulation.curve import Row
from likewise.simulation.offered_answerers import offered_answerer
from likewise.simulation.oracles import Oracle
from likewise.simulation.pair_loop import PairLoop
from likewise.simulation.timed_loop import TimedLoop
from likewise.study import Study
from likewise.study.base import Where
from likewise.study.loop import Outcome
from likewise.study.question_kinds import KINDS

if TYPE_CHECKING:
    import pandas as pd


_BUDGET = 100  # questions, where nothing else ends a run


@dataclass(frozen=True, repr=False)
class Run:
    """What came of a simulated study.

    Attributes
    ----------
    study : Study
        The study after the last answer.
    curve : DataFrame
        A row per refit: questions, minutes, seconds, and the metrics if the truth is known.
    n_questions : int
        Distinct pairs, or items, that were asked about; implied answers are free.
    interrupted : bool
        Whether the keyboard, the clock or the oracle ended the run before the budget was spent.
    reason : str
        Why the run has ended, in a sentence; what the oracle raised, if that was it.
    labels_ : array of int, shape (n_items,)
        The groups after the last answer.
    """

    study: Study
    curve: pd.DataFrame
    n_questions: int
    interrupted: bool
    reason: str

    @property
    def labels_(self) -> npt.NDArray[np.int64]:
        """The groups after the last answer."""
        return self.study.labels_

    def __repr__(self) -> str:
        return one_line(type(self).__name__, self._facts())

    def _repr_html_(self) -> str:
        return html_table(type(self).__name__, self._facts())

    def _facts(self) -> dict[str, Any]:
        """Return what came of it, in short: the last row of the curve."""
        last = self.curve.iloc[-1].drop(["questions"])
        return {
            "study": self.study,
            "n_questions": self.n_questions,
            "interrupted": self.interrupted,
            **{str(name): round(float(value), 4) for name, value in last.items()},
        }


def run(
    X: Any,
    oracle: Oracle | Program | str | None = None,
    *,
    answerers: Sequence[Answerer | Program | str] | None = None,
    method: str | Recipe = "auto",
    budget: Budget | None = None,
    minutes: float | None = None,
    kinds: str = "pair",
    n_clusters: NumberOfGroups = None,
    random_state: RandomState = 0,
    store: Where = None,
    batch: int = 1,
    checkpoints: Collection[int] | None = None,
    time_limit: float | None = None,
    doubt: str | None = None,
    on_row: Callable[[Row], None] | None = None,
    on_answer: Callable[[Answer], None] | None = None,
    progress: bool = False,
) -> Run:
    """Let an oracle answer up to `budget` questions; whatever ends the run, its answers are kept.

    The keyboard, the clock, and an oracle that raises end it early; `reason` says which.

    Parameters
    ----------
    X, method, n_clusters, random_state
        As for `Study`.
    oracle : Oracle
        Answers about pairs or, if it can name classes (`oracles.Classes`), about items. One with
        `labels` knows the truth: then the curve has the metrics. One with a `price` has costs. A
        program, such as `answerers.LanguageModel`, is shown the items first; a string names one
        that an installed package offers.
    answerers : sequence of Answerer, optional
        Several with names, prices and errors of their own, in place of `oracle`. Every question
        goes to whoever tells most about it per cost (see `AnswererChoice`); each answer counts
        towards the budget, a second one about the same pair too.
    budget : int or Money, optional
        How many questions are asked at most, at least 1; or what they may cost together, for an
        oracle with a price. Answers that the store holds already count. None: 100 questions, or
        as many as there are when `minutes` are given.
    minutes : float, optional
        How long a person is asked, whose time passes at the oracle's `pace` (`oracles.Person`), or
        at the usual one; those of this run count.
    kinds : {"pair", "place", "sheet", "best"}
        What is asked, as for `Study.ask`.
    store : str, Path, Store or None
        Where the answers are kept, as they come. A run with the same items and settings goes on
        where one that was ended, or killed, has stopped; only what rechecks (`doubt`) have learned
        begins anew.
    batch : int
        How many pairs are asked about at a time, at least 1: in several threads, side by side on
        one event loop where the oracle is an `async` function, or in one call where it has a method
        `many`. Answers are kept in the order of the questions, each
        as soon as those before it are there. Not for oracles that name classes.
    checkpoints : collection of int, optional
        Numbers of questions at which labels are computed and scored; the fewer, the quicker. None:
        whenever an item has been placed, or after every answer for methods that ask about loose
        pairs.
    time_limit : float, optional
        Seconds after which the run ends with what there is, as it does when it is interrupted from
        the keyboard.
    doubt : str, optional
        What is done about answers that may be wrong: "keep" them, "verify" a second time where most
        depends on them, "filter" them out, "reask" now and then, or ask again at every "surprise"
        (see `Rechecks`). None: "verify" for an oracle that errs (`oracles.Noisy`), else "keep".
    on_row : callable, optional
        Is given every row of the curve as it comes.
    on_answer : callable, optional
        Is given every answer once it is kept. What it raises ends the run for the caller too.
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
    timed = minutes is not None or kinds != "pair"
    if budget is None and minutes is None:
        budget = _BUDGET
    if answerers is not None and timed:
        raise MethodError("several answerers are asked about pairs; leave out minutes and kinds")
    oracles: list[Any] = _named(oracle, answerers)
    _require_sound(oracles, budget, batch, several=answerers is not None)
    if timed:
        _require_timed(minutes, kinds, budget, batch, doubt)
    study = Study(X, method=method, n_clusters=n_clusters, random_state=random_state, store=store)
    oracles = [ready(one, study) for one in oracles]
    for one in oracles:
        truth = getattr(one, "labels", None)
        if truth is not None and len(truth) != len(study.items):
            raise DataError(
                f"there are {len(study.items)} items but the oracle has {len(truth)} labels"
            )
    timetable = None if checkpoints is None else sorted(set(checkpoints))
    if timed:
        assert not isinstance(budget, Money)
        by_the_clock = TimedLoop(
            study,
            Asker(oracles[0]),
            kind=kinds,
            minutes=minutes,
            budget=budget,
            time_limit=time_limit,
            checkpoints=timetable,
            on_row=on_row,
            on_answer=on_answer,
        )
        with _bar(progress, budget) as by_the_clock.advance:
            return _outcome(by_the_clock)
    assert budget is not None
    if answerers is not None:
        if doubt not in (None, "keep"):
            raise MethodError("several answerers check one another; leave doubt out")
        among = AnswererLoop(
            study,
            oracles,
            checkpoints=timetable,
            on_row=on_row,
            on_answer=on_answer,
            budget=budget,
            time_limit=time_limit,
        )
        with _bar(progress, among.n_left) as among.advance:
            return _outcome(among)
    if doubt is None:
        doubt = "verify" if getattr(oracles[0], "error_rate", 0.0) > 0 else "keep"
    loop = PairLoop(
        study,
        Asker(oracles[0]),
        doubt=doubt,
        batch=batch,
        checkpoints=timetable,
        on_row=on_row,
        on_answer=on_answer,
        budget=budget,
        time_limit=time_limit,
    )
    with _bar(progress, loop.n_left) as loop.advance:
        return _outcome(loop)


def _outcome(loop: PairLoop | TimedLoop | AnswererLoop) -> Run:
    """Let a loop run and return what came of it."""
    outcome = loop.run()
    loop.curve.add(loop.n_spent)
    interrupted = outcome not in (Outcome.BUDGET_SPENT, Outcome.NOTHING_LEFT)
    reason = loop.reason or outcome.value
    return Run(loop.study, loop.curve.frame(), loop.n_spent, interrupted, reason)


def _named(
    oracle: Oracle | Program | str | None, answerers: Sequence[Answerer | Program | str] | None
) -> list[Oracle | Program]:
    """Return who answers; refuse none, both kinds, and answerers that share a name."""
    if answerers is None:
        if oracle is None:
            raise MethodError("somebody must answer: give an oracle, or answerers")
        return [offered_answerer(oracle) if isinstance(oracle, str) else oracle]
    if oracle is not None:
        raise MethodError("give an oracle or answerers, not both")
    found: list[Oracle | Program] = [
        offered_answerer(one) if isinstance(one, str) else one for one in answerers
    ]
    names = [getattr(one, "name", "") for one in found]
    if not names or not all(names) or len(set(names)) < len(names):
        raise MethodError(
            f"answerers need names that differ, at least one of them, but got {names}"
        )
    return found


def _require_timed(
    minutes: float | None, kinds: str, budget: Budget | None, batch: int, doubt: str | None
) -> None:
    if minutes is not None and not 0 < minutes < inf:
        raise MethodError(f"minutes must be a number above 0 but got {minutes}")
    if kinds not in KINDS:
        raise MethodError(f"kinds must be one of {', '.join(KINDS)} but got {kinds!r}")
    if isinstance(budget, Money) or batch > 1 or doubt not in (None, "keep"):
        raise MethodError(
            "a person's minutes are spent on one question at a time; leave out batch, doubt and "
            "money, or minutes and kinds"
        )


def _require_sound(oracles: list[Any], budget: Budget | None, batch: int, *, several: bool) -> None:
    oracle = oracles[0]
    if several and batch > 1:
        raise MethodError("several answerers are asked one question at a time; leave batch 1")
    if isinstance(budget, Money):
        prices = [getattr(one, "price", 0.0) or 0.0 for one in oracles]
        if not max(prices) > 0:
            raise MethodError(
                "a budget of money needs an oracle with a price above 0; give one, or a number "
                "of questions"
            )
    elif budget is not None and budget < 1:
        raise MethodError(f"budget must be at least 1 question but got {budget}")
    if batch < 1:
        raise MethodError(f"batch must be at least 1 question but got {batch}")
    if batch > 1 and hasattr(oracle, "name_of"):
        raise MethodError("an oracle that names classes is asked one item at a time; leave batch 1")


@contextmanager
def _bar(shown: bool, total: int | None) -> Iterator[Callable[[int], None]]:
    """Show a progress bar, or nothing; calling what it yields moves it on."""
    if not shown:
        yield lambda _: None
        return
    with extra_explained():
        from rich.progress import Progress

    with Progress() as progress:
        task = progress.add_task("questions", total=total)
        yield lambda n: progress.advance(task, n)
