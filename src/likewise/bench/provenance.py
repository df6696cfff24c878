"""What results were computed with, and whether that still is what there is.

Every row carries the commit of the code (the version, where likewise is no checkout), a hash of
the method's own code, a hash of the data and the settings of its task. Rows of the same task are
taken as done only while method and data are the same; the commit is there to look it up.
"""

from __future__ import annotations

import subprocess
from collections.abc import Hashable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from likewise._version import __version__
from likewise.errors import DataError

if TYPE_CHECKING:
    import pandas as pd

    from likewise.bench.experiment import Task

CURRENT = "current"
UNCHECKED = "data not here"
OTHER_CODE = "other code"
OTHER_DATA = "other data"
UNKNOWN = "unknown"
STALE = (OTHER_CODE, OTHER_DATA, UNKNOWN)  # in which states a task is run again
COLUMNS = ("commit", "code_hash", "data_hash", "settings")

_NO_SUCH_METHOD = "none"


@dataclass(frozen=True)
class Provenance:
    """The code and the data that rows come from.

    Attributes
    ----------
    commit : str
        The commit that was checked out, with "+" when files of the package had been changed since;
        "version 0.1.0" for an installed wheel; empty in rows from before provenance was kept.
    code_hash : str
        Of the code the method consists of; see `method_code`.
    data_hash : str
        Of the items and their true groups as the task was given them.
    """

    commit: str
    code_hash: str
    data_hash: str


@cache
def commit() -> str:
    """Return the commit of this package, or its version where it is no checkout.

    A package that merely lies inside somebody else's repository, as in a virtual environment
    there, is not tracked by it and counts as installed.
    """
    folder = Path(__file__).parents[1]
    if _git(folder, "ls-files", "--error-unmatch", "__init__.py") is None:
        return f"version {__version__}"
    changed = _git(folder, "status", "--porcelain", "--", ".")
    return f"{_git(folder, 'rev-parse', '--short=12', 'HEAD')}{'+' if changed else ''}"


def _git(folder: Path, *words: str) -> str | None:
    try:
        done = subprocess.run(
            ["git", "-C", str(folder), *words], capture_output=True, text=True, check=False
        )
    except OSError:  # no git here
        return None
    return done.stdout.strip() if done.returncode == 0 else None


def method_hash(task: Task) -> str:
    """Return the hash of the code that a task's method consists of.

    A method that does not exist has one as well: once it does, its failures are out of date.
    """
    from likewise.bench.tasks import TASKS

    return _hash_of_method(task.kind, task.method) if task.kind in TASKS else _NO_SUCH_METHOD


@cache
def _hash_of_method(kind: str, method: str) -> str:
    from likewise.bench.method_code import code_hash
    from likewise.bench.tasks import TASKS

    try:
        return code_hash(*TASKS[kind].parts(method))
    except Exception:  # noqa: BLE001 - running it will say what is wrong
        return _NO_SUCH_METHOD


def state(task: Task, kept: Provenance) -> str:
    """Return whether results of a task are of the code and the data that there are now.

    Returns
    -------
    str
        "current"; "other code" or "other data" when the method or the data have changed since;
        "unknown" when the rows do not say; "data not here" when the code is the same and the data
        cannot be read, so that running it again is no choice.
    """
    from likewise.bench.task_data import data_hash

    try:
        data = data_hash(task)
    except DataError:
        return UNCHECKED
    if not kept.commit:
        return UNKNOWN
    if kept.code_hash != method_hash(task):
        return OTHER_CODE
    return CURRENT if kept.data_hash == data else OTHER_DATA


def with_states(frame: pd.DataFrame, folder: Path | None = None) -> pd.DataFrame:
    """Return the rows of results with a column `state`; see `state`.

    Parameters
    ----------
    frame : DataFrame
        Rows as `Results.frame` gives them.
    folder : Path, optional
        Where relative paths of data files start.
    """
    states: dict[Any, str] = {}
    firsts = frame.drop_duplicates("key")[["key", *COLUMNS]]
    for row in firsts.to_dict("records"):
        states[row["key"]] = _state_of_row(row, folder)
    return frame.assign(state=frame["key"].map(states))


def _state_of_row(row: dict[Hashable, Any], folder: Path | None) -> str:
    from likewise.bench.experiment import Task

    if not row["commit"]:
        return UNKNOWN
    kept = Provenance(row["commit"], row["code_hash"], row["data_hash"])
    return state(Task.from_settings(row["settings"], folder=folder), kept)
