"""Rows of experiments, kept in results/NAME.parquet: what is missing or out of date is computed."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from time import monotonic
from typing import Any

import pandas as pd
from joblib import Parallel, delayed

from benchmarks.tables import RESULTS
from likewise.bench.experiment import Experiment, Task
from likewise.bench.method_code import code_hash
from likewise.bench.provenance import STALE, commit, method_hash, with_states
from likewise.bench.results import Results, write_rows
from likewise.bench.runner import carry_out, plan
from likewise.bench.task_data import data_hash
from likewise.bench.tasks.questions import parts_of_recipe
from likewise.errors import DataError
from likewise.methods import Recipe

Key = Mapping[str, Any]
_Identity = tuple[Any, ...]

# Set by the options of `python -m benchmarks`.
keep_old = False  # compute only what is missing
quick = False  # a part of the runs, for experiments that have one that says something
until: float | None = None  # when to stop computing, by the monotonic clock
methods: frozenset[str] = frozenset()  # compute rows of these alone, all if there are none


class _TimeIsUpError(Exception):
    """The time given with `--minutes` is spent."""


def time_is_left() -> bool:
    """Return whether more may be computed, by what the command line allows."""
    return until is None or monotonic() < until


def rows_of(experiment: Experiment) -> pd.DataFrame:
    """Return all rows of an experiment, those that are missing or out of date computed now.

    Where time was limited and is up, what is out of date is left out: tables are then of the rows
    of today's code alone, and the next call goes on. Where methods were named, rows of others are
    taken as they are.
    """
    results = Results(RESULTS / f"{experiment.name}.parquet")
    planned = plan(experiment, results, keep_old=keep_old)

    def done(*_: object) -> None:
        show_progress()
        if not time_is_left():
            raise _TimeIsUpError

    # By seed, so that time that runs out leaves every method and every data set as many runs.
    waiting = sorted(planned.tasks, key=lambda task: task.seed)
    tasks = [task for task in waiting if time_is_left() and _is_wanted(task)]
    try:
        carry_out(experiment, results, n_jobs=-1, tasks=tasks, on_done=done)
    except _TimeIsUpError:
        results.gather(title=experiment.title)
    frame = results.frame()
    assert frame is not None
    if until is None or keep_old or methods:
        return frame
    wanted = frame["key"].isin({task.key for task in experiment.tasks})
    stated = with_states(frame[wanted])
    return stated[~stated["state"].isin(STALE)].drop(columns="state").reset_index(drop=True)


def kept_rows(
    name: str,
    keys: Iterable[Key],
    compute: Callable[..., Mapping[str, Any]],
    task_of: Callable[..., Task],
    recipes: Mapping[str, Recipe] | None = None,
    hash_of: Callable[..., str] | None = None,
    n_jobs: int = 1,
) -> pd.DataFrame:
    """Return a row per key, those that are missing or out of date computed now.

    For experiments that are no experiments of the bench but take as long. Where time was limited
    and is up, only rows of today's code come back, and the next call goes on.

    Parameters
    ----------
    name : str
        Rows are kept in results/NAME.parquet, after each one that was computed.
    keys : iterable of mapping
        What tells the rows apart.
    compute : callable
        Takes the entries of a key by name and returns what is found.
    task_of : callable
        Takes the same and returns a task of the same method on the same data, from which the hashes
        of code and data are taken.
    recipes : mapping, optional
        Methods of the experiment's own, by the name that its tasks give them.
    hash_of : callable, optional
        Takes the entries of a key and returns the hash of its data, where no task can load them.
    n_jobs : int
        How many processes compute rows; -1: one per core. Only for what measures no seconds.
    """
    path = RESULTS / f"{name}.parquet"
    wanted = {_frozen(key, key): dict(key) for key in keys}
    there = pd.read_parquet(path).to_dict("records") if path.exists() else []
    first = next(iter(wanted.values()))
    rows: dict[_Identity, dict[Any, Any]] = {_frozen(row, first): row for row in there}
    missing: dict[_Identity, dict[str, str]] = {}  # with where they will come from
    for one, key in wanted.items():
        task = task_of(**key)
        if not _is_wanted(task):
            continue
        origin = _origin(task, recipes or {})
        if hash_of is not None:
            origin["data_hash"] = hash_of(**key)
        if one not in rows or not (keep_old or _matches(rows[one], origin)):
            missing[one] = origin
    for computed, found in _computed(compute, [wanted[one] for one in missing], n_jobs):
        one = _frozen(computed, computed)
        rows[one] = {**computed, **missing.pop(one), **found}
        _keep(rows, path)
        show_progress()
    return pd.DataFrame([rows[one] for one in wanted if one in rows and one not in missing])


def _computed(
    compute: Callable[..., Mapping[str, Any]], keys: Iterable[Key], n_jobs: int
) -> Iterator[tuple[Key, Mapping[str, Any]]]:
    """Yield what is found for each key, as it comes; no more is begun once the time is up."""
    if n_jobs == 1:
        yield from ((key, compute(**key)) for key in keys if time_is_left())
        return
    begun = (delayed(_found)(compute, key) for key in keys if time_is_left())
    yield from Parallel(n_jobs, return_as="generator_unordered", pre_dispatch="n_jobs")(begun)


def _found(compute: Callable[..., Mapping[str, Any]], key: Key) -> tuple[Key, Mapping[str, Any]]:
    return key, compute(**key)


def _is_wanted(task: Task) -> bool:
    """Return whether the command line allows rows of this method to be computed."""
    return not methods or task.method in methods


def _keep(rows: Mapping[_Identity, Mapping[Any, Any]], path: Any) -> None:
    """Write the rows in the order of their keys."""
    write_rows(pd.DataFrame([rows[key] for key in sorted(rows)]), path)


def _frozen(row: Mapping[Any, Any], key: Key) -> _Identity:
    return tuple(row[name] for name in key)


def _origin(task: Task, recipes: Mapping[str, Recipe]) -> dict[str, str]:
    """Return what rows computed now come from; data that are no table of numbers have no hash."""
    try:
        data = data_hash(task)
    except DataError:
        data = ""
    own = recipes.get(task.method)
    code = code_hash(*parts_of_recipe(own)) if own is not None else method_hash(task)
    return {"commit": commit(), "code_hash": code, "data_hash": data}


def _matches(row: Mapping[Any, Any], origin: Mapping[str, str]) -> bool:
    return all(row.get(name) == origin[name] for name in ("code_hash", "data_hash"))


def show_progress() -> None:
    """Print a dot, to whoever waits."""
    sys.stderr.write(".")
    sys.stderr.flush()
