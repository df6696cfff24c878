"""Experiments with costly similarities, after the IU-RED paper: curves, single steps, money.

Items come scaled to the unit cube; their similarities are Gaussian, with `width` times the median
distance (uniform numbers without any structure for width 0). The truth is what all similarities
together give, and `balance` tells which share of the items its smaller group holds: cuts that
shave off a few outliers say little.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from likewise.bench.experiment import Task
from likewise.bench.tasks.base import Array, Labels, Parts, Row
from likewise.errors import MethodError
from likewise.metrics import all_metrics, misclustering_error
from likewise.similarity import complete_labels
from likewise.similarity.graph import MIN_WEIGHT, SimilarityGraph
from likewise.similarity.grouping import CutSettings, group
from likewise.similarity.rules import SIMILARITY_METHODS, MeasurementView
from likewise.simulation import run_similarity
from likewise.simulation.oracles import FromMatrix, Raters
from likewise.study import SimilarityStudy

_WIDTH = 0.7
_RESTARTS = 100  # of a single step, for one seed
_PRICE = 0.015  # dollars for one rating: the paper paid 0.045 for the three of a comparison
_GOOD = 0.05  # the error that the paper's table 2 pays for
_LOOKS = {"three": 3, "adaptive": 1, "one": 1}  # ratings per query, by figure 5a, 5b and 5c


def similarities(X: Array, width: float, seed: int) -> Array:  # (n, d) -> (n, n)
    """Return how alike the items are, from 0 to 1; the diagonal is 1."""
    from scipy.spatial.distance import pdist, squareform

    if width == 0:
        W = np.triu(np.random.default_rng(seed).random((len(X), len(X))), 1)
        return np.asarray(W + W.T + np.eye(len(X)))
    extent = np.ptp(X, axis=0)
    unit = (X - X.min(axis=0)) / np.where(extent > 0, extent, 1.0)
    distances = pdist(unit)
    scale = width * np.median(distances)
    return np.asarray(np.exp(-(squareform(distances) ** 2) / (2 * scale**2)))


def parts_of_rule(method: str) -> Parts:
    """Return the rule that chooses pairs, and the grouping by measured similarities."""
    rule = settings_of(method)["method"]
    if rule not in SIMILARITY_METHODS:
        known = ", ".join(sorted(SIMILARITY_METHODS))
        raise MethodError(f"there is no rule {rule!r}; there are {known}")
    return (method, SIMILARITY_METHODS[rule], group, complete_labels), ()


def settings_of(method: str) -> dict[str, Any]:
    """Return what a method's name says: its rule, and whether every second pair is random.

    >>> settings_of("iu-red-interleaved")
    {'method': 'iu-red', 'interleave': True}
    """
    rule = method.removesuffix("-interleaved")
    return {"method": rule, "interleave": rule != method}


def run_curve(task: Task, X: Array, _: Labels) -> Iterator[Row]:
    """Yield the error at each number of measured pairs."""
    options = dict(task.data_settings)
    W = similarities(X, float(options.get("width", _WIDTH)), task.seed)
    how: dict[str, Any] = {
        "n_clusters": int(options.get("groups", 2)),
        "laplacian": str(options.get("laplacian", "unnormalised")),
        "splitting": str(options.get("splitting", "vectors")),
    }
    truth = complete_labels(W, **how)
    balance = float(np.bincount(truth).min() / len(truth))
    rows: dict[int, Row] = {}

    def note(study: SimilarityStudy, seconds: float) -> None:
        at = study.n_measurements
        if at in task.checkpoints and at not in rows:
            scores = all_metrics(truth, study.labels_)
            rows[at] = {"questions": at, "seconds": seconds, "balance": balance, **scores}

    run_similarity(
        FromMatrix(W),
        len(W),
        budget=task.checkpoints[-1],
        checkpoints=(),
        random_state=task.seed,
        time_limit=task.time_limit,
        on_look=note,
        **settings_of(task.method),
        **how,
    )
    yield from rows.values()


def run_single_steps(task: Task, X: Array, _: Labels) -> Iterator[Row]:
    """Yield how much the error falls by one choice, after a random start of some size (table 1)."""
    options = dict(task.data_settings)
    rule = SIMILARITY_METHODS[task.method]
    falls: list[float] = []
    balances: list[float] = []
    size = task.checkpoints[-1]
    W = similarities(X, float(options.get("width", _WIDTH)), task.seed)
    two = CutSettings(2, str(options.get("laplacian", "unnormalised")))
    truth = complete_labels(W, laplacian=two.laplacian)
    i, j = np.triu_indices(len(W), 1)
    for restart in range(_RESTARTS):
        chosen = np.random.default_rng([task.seed, restart]).permutation(len(i))[:size]
        a, b = i[chosen], j[chosen]
        ones = np.ones(size, dtype=np.int64)
        graph = SimilarityGraph.of(len(W), a, b, np.maximum(W[a, b], MIN_WEIGHT), ones)
        if not graph.connected:
            continue
        before = group(graph, two)
        view = MeasurementView(graph, lambda before=before: before, 1, 0.0)  # type: ignore[misc]
        pair = rule(view, 0) if rule is not None else None
        if pair is None:
            continue
        after = group(graph.with_pair(*pair, max(float(W[pair]), MIN_WEIGHT), 1), two)
        falls.append(
            misclustering_error(truth, before.labels) - misclustering_error(truth, after.labels)
        )
        balances.append(float(np.bincount(truth).min() / len(truth)))
    yield {
        "questions": size,
        "decrease": float(np.mean(falls)) if falls else float("nan"),
        "restarts": len(falls),
        "balance": float(np.mean(balances)) if balances else float("nan"),
    }


class _MedianOfThree:
    """Raters of whom three are asked about every pair at once: figure 5a of the paper."""

    def __init__(self, raters: Raters) -> None:
        self.raters, self.price = raters, 3 * raters.price

    def __call__(self, i: int, j: int) -> float | None:
        ratings = [self.raters(i, j) for _ in range(3)]
        known = [rating for rating in ratings if rating is not None]
        return float(np.median(known)) if known else None


def run_money(task: Task, X: Array, _: Labels) -> Iterator[Row]:
    """Yield the error for the money spent, and the dollars until it is 0.05 (figure 5, table 2).

    Raters differ; the truth is what the medians of three ratings of all pairs give. `looks` says
    how they are asked: always "three" (figure 5a), "adaptive", up to three where a repeat is worth
    more than a new pair (5b), or "one" (5c). Questions are ratings, whatever a query costs. The
    money counts when the error is at most 0.05 at a checkpoint and at the next.
    """
    options = dict(task.data_settings)
    looks = str(options.get("looks", "three"))
    if looks not in _LOOKS:
        raise MethodError(f"looks must be one of {', '.join(_LOOKS)} but got {looks!r}")
    laplacian = str(options.get("laplacian", "unnormalised"))
    W = similarities(X, float(options.get("width", _WIDTH)), task.seed)
    three = _MedianOfThree(Raters(W, price=_PRICE, random_state=task.seed))
    i, j = np.triu_indices(len(W), 1)
    medians = np.eye(len(W))
    for a, b in zip(i.tolist(), j.tolist(), strict=True):
        medians[a, b] = medians[b, a] = three(a, b) or 0.0
    truth = complete_labels(medians, laplacian=laplacian)
    fresh = Raters(W, price=_PRICE, random_state=task.seed)  # the same ratings once more
    run = run_similarity(
        _MedianOfThree(fresh) if looks == "three" else fresh,
        len(W),
        budget=task.checkpoints[-1] // _LOOKS[looks],
        checkpoints=[at // _LOOKS[looks] for at in task.checkpoints],
        reference=truth,
        max_repeats=3 if looks == "adaptive" else 1,
        laplacian=laplacian,
        random_state=task.seed,
        time_limit=task.time_limit,
        **settings_of(task.method),
    )
    curve = run.curve
    good = (curve.error <= _GOOD).to_numpy()
    both = good[:-1] & good[1:]
    reached = bool(both.any())
    cost = float(curve.cost.iloc[int(both.argmax())] if reached else curve.cost.iloc[-1])
    balance = float(np.bincount(truth).min() / len(truth))
    for at, error, spent in zip(curve.measurements, curve.error, curve.cost, strict=True):
        yield {
            "questions": int(at) * _LOOKS[looks],
            "misclustering": float(error),
            "spent": float(spent),
            "dollars": cost,
            "reached": reached,
            "balance": balance,
        }
