"""What a task does: a function from a task to rows, by name.

A row holds `questions` (how many answers, links or measurements had been bought), the metrics of
the labels at that point, and where the time went. A study that is finished early, or stopped,
keeps its last labels for the checkpoints that are left.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from likewise import datasets
from likewise.bench import similarity
from likewise.bench.bounds import omniscient_curve
from likewise.bench.experiment import Task
from likewise.bench.linked import CONTRADICTED, LINKED, TOLD_ERRORS
from likewise.bench.peers import run_peer
from likewise.errors import MethodError
from likewise.items import Items
from likewise.journal.constraints import Constraints
from likewise.journal.pairs import Answer, Pair, Verdict
from likewise.metrics import all_metrics
from likewise.simulation import run
from likewise.simulation.oracles import FromLabels, Noisy

_OF_SIMILARITIES = ("width", "laplacian", "splitting", "groups")
_PEER_SECONDS = 600.0  # unless the task says otherwise: some tools never end by themselves

Row = dict[str, Any]
Kind = Callable[[Task], Iterator[Row]]


def _to_range(X: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Every column from −1 to 1, constant ones at 0; Items leave such columns as they are."""
    low, width = X.min(axis=0), np.ptp(X, axis=0)
    return np.where(width > 0, 2 * (X - low) / np.where(width > 0, width, 1.0) - 1, 0.0)


def load(task: Task) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.int64]]:
    """The task's items and their true groups; generators draw by the task's seed.

    `classes = "1-2"` keeps the items of these classes, `rows = 80` as many as that, drawn by the
    seed and in its order. What only concerns similarities is left to `bench.similarity`.
    """
    if task.scaling not in SCALINGS:
        known = ", ".join(sorted(name for name in SCALINGS if name))
        raise MethodError(f"there is no scaling {task.scaling!r}; there are {known}")
    settings = {k: v for k, v in task.data_settings if k not in _OF_SIMILARITIES}
    classes, rows = settings.pop("classes", None), settings.pop("rows", None)
    if task.data in datasets.GENERATORS:
        settings.setdefault("random_state", task.seed)
    X, truth = datasets.load(task.data, **settings)
    kept = np.arange(len(truth))
    if classes is not None:
        kept = np.flatnonzero(np.isin(truth, [int(name) for name in str(classes).split("-")]))
    if rows is not None:
        # In random order: files are often sorted by class, and ties are broken by position.
        kept = np.random.default_rng(task.seed).permutation(kept)[:rows]
    return SCALINGS[task.scaling](X[kept]), np.unique(truth[kept], return_inverse=True)[1]


def oracle_of(task: Task, truth: npt.NDArray[np.int64]) -> FromLabels:
    """Whoever answers the task's questions."""
    return Noisy(truth, task.noise, task.seed) if task.noise else FromLabels(truth)


def questions(task: Task) -> Iterator[Row]:
    """A study of the method, asked and answered up to the last checkpoint."""
    X, truth = load(task)
    result = run(
        X,
        oracle_of(task, truth),
        method=task.method,
        budget=task.checkpoints[-1],
        n_clusters=len(np.unique(truth)) if task.k_known else None,
        random_state=task.seed,
        checkpoints=task.checkpoints,
        time_limit=task.time_limit,
        doubt=task.doubt or "keep",  # methods are compared as they are, unless it says otherwise
    )
    status = "stopped" if result.interrupted else "ok"
    reason = f"time limit of {task.time_limit:g} s" if result.interrupted else ""
    rows: list[Row] = [
        {str(name): value for name, value in row.items()} for row in result.curve.to_dict("records")
    ]
    for at in task.checkpoints:
        last = [row for row in rows if row["questions"] <= at][-1:] or rows[:1]
        yield {**last[0], "questions": at, "status": status, "reason": reason}


def peer(task: Task) -> Iterator[Row]:
    """A public tool from the package index, in an environment of its own; see `peers`."""
    X, truth = load(task)
    result = run_peer(
        task.method,
        np.asarray(Items.of(X).data),
        oracle_of(task, truth),
        n_clusters=len(np.unique(truth)) if task.k_known else None,
        checkpoints=task.checkpoints,
        random_state=task.seed,
        time_limit=task.time_limit if task.time_limit is not None else _PEER_SECONDS,
    )
    told = {"status": result.status, "reason": result.reason}
    if not result.rows:
        yield {"questions": task.checkpoints[0], **told}
        return
    for at in task.checkpoints:
        _, labels, seconds = ([row for row in result.rows if row[0] <= at] or result.rows)[-1]
        yield {"questions": at, "seconds": seconds, **all_metrics(truth, labels), **told}


def links(task: Task) -> Iterator[Row]:
    """No questions: a clusterer is given random links, so many as each checkpoint says."""
    if task.method not in LINKED:
        raise MethodError(
            f"there is no clusterer {task.method!r}; there are {', '.join(sorted(LINKED))}"
        )

    def model_of(n_clusters: int) -> Any:
        model = LINKED[task.method](n_clusters, task.seed)
        return model.set_params(error_rate=task.noise) if task.method in TOLD_ERRORS else model

    yield from linked_rows(task, model_of, contradicted=task.method in CONTRADICTED)


def linked_rows(task: Task, model_of: Callable[[int], Any], *, contradicted: bool) -> Iterator[Row]:
    """What clusterers reach that are made for so many groups and given the task's links."""
    X, truth = load(task)
    features, oracle = Items.of(X).features, oracle_of(task, truth)
    rng = np.random.default_rng(task.seed)
    n = len(truth)
    drawn = rng.integers(n, size=(4 * task.checkpoints[-1] + 100, 2))
    pairs = np.unique(np.sort(drawn[drawn[:, 0] != drawn[:, 1]], axis=1), axis=0)
    pairs = rng.permutation(pairs)[: task.checkpoints[-1]]
    answers = [
        Answer(number, Pair(i, j), oracle(i, j)) for number, (i, j) in enumerate(pairs.tolist())
    ]
    same = np.array([answer.verdict is Verdict.SAME for answer in answers], dtype=bool)
    known = Constraints(n)
    agreed = np.array([known.add(answer) for answer in answers], dtype=bool)
    for at in task.checkpoints:
        used = np.arange(at) if contradicted else np.flatnonzero(agreed[:at])
        said, given = same[used], pairs[used]
        model = model_of(len(np.unique(truth)))
        model.fit(features, must_link=given[said], cannot_link=given[~said])
        yield {"questions": at, **all_metrics(truth, model.labels_)}


def omniscient(task: Task) -> Iterator[Row]:
    """What one who knows the truth achieves with the same clusterer; see `bounds`."""
    X, truth = load(task)
    curve = omniscient_curve(
        truth,
        X,
        budget=task.checkpoints[-1],
        n_clusters=len(np.unique(truth)) if task.k_known else None,
        random_state=task.seed,
    )
    for at in task.checkpoints:
        reached = curve.loc[curve["questions"] <= at, "ari"]
        yield {"questions": at, "ari": float(reached.iloc[-1])}


SCALINGS: dict[str | None, Callable[[npt.NDArray[np.float64]], npt.NDArray[np.float64]]] = {
    None: lambda X: X,
    "range": _to_range,
}
KINDS: dict[str, Kind] = {
    "questions": questions,
    "peer": peer,
    "links": links,
    "omniscient": omniscient,
    "similarity": lambda task: similarity.curve(task, load(task)[0]),
    "similarity-step": lambda task: similarity.single_step(task, load(task)[0]),
    "similarity-money": lambda task: similarity.money(task, load(task)[0]),
}
