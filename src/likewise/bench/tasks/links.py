"""The task "links": no questions, a clusterer is given random links."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from likewise.bench.experiment import Task
from likewise.bench.tasks.base import Array, Labels, Parts, Row, items_of
from likewise.bench.tasks.linked_clusterers import CONTRADICTED, FILTERED, LINKED, TOLD_ERRORS
from likewise.errors import MethodError
from likewise.journal.constraints import Constraints
from likewise.journal.pairs import Answer, Pair, Verdict
from likewise.metrics import all_metrics


def run_links(task: Task, X: Array, truth: Labels) -> Iterator[Row]:
    """Yield what the clusterer of `LINKED` reaches with so many links as each checkpoint says."""
    clusterer = linked(task.method)

    def model_of(n_clusters: int) -> Any:
        model = clusterer(n_clusters, task.seed)
        tell = TOLD_ERRORS.get(task.method)
        return model if tell is None else tell(model, task.noise)

    yield from linked_rows(
        task,
        X,
        truth,
        model_of,
        contradicted=task.method in CONTRADICTED,
        filtered=task.method in FILTERED,
    )


def linked_rows(
    task: Task,
    X: Array,
    truth: Labels,
    model_of: Callable[[int], Any],
    *,
    contradicted: bool,
    filtered: bool = False,
) -> Iterator[Row]:
    """Yield what clusterers reach that are given the task's links.

    Parameters
    ----------
    task, X, truth
        The task, its items and their true groups.
    model_of : callable
        Makes the clusterer for a number of groups.
    contradicted : bool
        Whether it takes answers that contradict earlier ones; they are left out else.
    filtered : bool
        Whether all wrong answers are left out, as nobody can who does not know the truth.
    """
    features, rng = items_of(task, X).features, np.random.default_rng(task.seed)
    n = len(truth)
    drawn = rng.integers(n, size=(4 * task.checkpoints[-1] + 100, 2))
    pairs = np.unique(np.sort(drawn[drawn[:, 0] != drawn[:, 1]], axis=1), axis=0)
    pairs = rng.permutation(pairs)[: task.checkpoints[-1]]
    wrong = wrong_links(task.checkpoints, task.noise, np.random.default_rng([task.seed, 1]))
    same = (truth[pairs[:, 0]] == truth[pairs[:, 1]]) ^ wrong[: len(pairs)]
    answers = [
        Answer(number, Pair(i, j), Verdict.SAME if alike else Verdict.DIFFERENT)
        for number, ((i, j), alike) in enumerate(zip(pairs.tolist(), same.tolist(), strict=True))
    ]
    known = Constraints(n)
    agreed = np.array([known.add(answer) for answer in answers], dtype=bool)
    for at in task.checkpoints:
        used = np.arange(at) if contradicted else np.flatnonzero(agreed[:at])
        if filtered:
            used = np.flatnonzero(~wrong[:at])
        must, given = same[used], pairs[used]
        model = model_of(len(np.unique(truth)))
        model.fit(features, must_link=given[must], cannot_link=given[~must])
        yield {"questions": at, **all_metrics(truth, model.labels_)}


def wrong_links(
    checkpoints: tuple[int, ...], share: float, rng: np.random.Generator
) -> npt.NDArray[np.bool_]:
    """Return which links are told the wrong way round: of those up to a checkpoint exactly a share.

    The COP-RF paper turns round a fixed share of the links. Links that are wrong by chance, each
    by itself, would make one trial easier than another.

    >>> wrong = wrong_links((20, 40), 0.15, np.random.default_rng(0))
    >>> int(wrong[:20].sum()), int(wrong.sum())
    (3, 6)
    """
    wrong = np.zeros(checkpoints[-1], dtype=bool)
    for start, end in pairwise((0, *checkpoints)):
        more = round(share * end) - int(wrong.sum())
        wrong[start + rng.choice(end - start, more, replace=False)] = True
    return wrong


def linked(method: str) -> Callable[[int, int], Any]:
    """Return what makes the clusterer of that name, from a number of groups and a seed."""
    if method not in LINKED:
        known = ", ".join(sorted(LINKED))
        raise MethodError(f"there is no clusterer {method!r}; there are {known}")
    return LINKED[method]


def parts_of_linked(method: str) -> Parts:
    """Return the clusterer, and what it is told about wrong answers."""
    told = method in TOLD_ERRORS, method in CONTRADICTED, method in FILTERED
    return (linked(method)(2, 0), *told), ()
