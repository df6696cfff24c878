"""Experiments: which methods, on which data, how often, read from TOML.

name = "first"
title = "A first comparison"

[[runs]]                              # as many blocks as needed
methods = ["urasc", "random-items"]
data = ["wine", {name = "blobs", n = 500, n_clusters = 5}, "own/file.csv"]
seeds = 10                            # 0 to 9
checkpoints = [0, 10, 25, 50]         # numbers of answers after which labels are scored, or
shares = [0.001, 0.005]               # the same as shares of all pairs of items
noise = [0.0, 0.02]                   # shares of wrong answers; 0.0 unless said
k_known = [true, false]               # true unless said
kind = "questions"                    # what is done; see bench.tasks
time_limit = 600                      # seconds for one run; none unless said
scaling = "range"                     # columns from -1 to 1, "columns": in one unit, "raw": as are
doubt = "surprise"                    # what is done about odd answers (see run); "keep" unless said

[checkpoints]                         # by data set, for blocks that give neither of the two
wine = [5, 10, 15]

[quick]                               # replaces entries of every block for a quick look
seeds = 3

A data set is a name that `likewise.datasets.load` knows, or the path of a CSV file (numbers, and
`label` as the last column), relative to the TOML file. The title is that of the report.
"""

from __future__ import annotations

import hashlib
import json
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field, replace
from itertools import product
from pathlib import Path
from typing import Any

from likewise.errors import DataError

_OPTIONAL = {"shares", "scaling", "doubt"}


@dataclass(frozen=True)
class Task:
    """One run, with all that decides what comes of it.

    See the module's example for what the attributes mean.
    """

    method: str
    data: str
    seed: int
    checkpoints: tuple[int, ...]
    kind: str = "questions"
    data_settings: tuple[tuple[str, Any], ...] = ()
    noise: float = 0.0
    k_known: bool = True
    time_limit: float | None = None
    shares: tuple[float, ...] = ()  # of all pairs; they become checkpoints once n is known
    scaling: str | None = None
    doubt: str | None = None
    folder: str = field(default="", compare=False)  # where relative paths of data start

    @property
    def by_path(self) -> bool:
        """Whether the data are a file that is named by its path."""
        return self.data.endswith(".csv")

    @property
    def data_name(self) -> str:
        """The data set with its settings, as tables show it.

        >>> Task("urasc", "blobs", 0, (10,), data_settings=(("n", 500),)).data_name
        'blobs(n=500)'
        """
        settings = ", ".join(f"{name}={value}" for name, value in self.data_settings)
        return f"{self.data}({settings})" if settings else self.data

    @property
    def settings(self) -> str:
        """All that decides what is run, as JSON; where a data file lies does not."""
        values = asdict(self)
        del values["folder"]
        # Left out where unsaid: results from before they could be said are still recognised.
        given = {name: values[name] for name in values if name not in _OPTIONAL or values[name]}
        return json.dumps(given, sort_keys=True)

    @property
    def key(self) -> str:
        """A short name by which a task that was done is recognised."""
        return hashlib.sha256(self.settings.encode()).hexdigest()[:16]

    @classmethod
    def from_settings(cls, settings: str, *, folder: str | Path | None = None) -> Task:
        """Return the task with these settings, data files relative to `folder`.

        >>> task = Task("urasc", "blobs", 0, (10,), data_settings=(("n", 500),))
        >>> Task.from_settings(task.settings) == task
        True
        """
        values = json.loads(settings)
        for name in ("checkpoints", "shares"):
            values[name] = tuple(values.get(name, ()))
        values["data_settings"] = tuple((name, value) for name, value in values["data_settings"])
        return cls(**values, folder=str(folder or ""))

    def on(self, n_items: int) -> Task:
        """Return the task with its shares turned into numbers of answers, each at least one.

        >>> Task("e2cp", "iris", 0, (), shares=(0.001, 0.005)).on(150).checkpoints
        (11, 56)
        """
        if not self.shares:
            return self
        counts = tuple(round(share * n_items * (n_items - 1) / 2) for share in self.shares)
        if 0 in counts or len(set(counts)) < len(counts):
            raise DataError(
                f"{n_items} items have too few pairs for shares of {self.shares}; "
                "give numbers of answers as checkpoints"
            )
        return replace(self, checkpoints=counts)


@dataclass(frozen=True)
class Experiment:
    """A named list of tasks."""

    name: str
    title: str
    tasks: tuple[Task, ...] = field(repr=False)

    @classmethod
    def read(cls, path: str | Path, *, quick: bool = False) -> Experiment:
        """Return the experiment that a TOML file describes; `quick` is its shorter version."""
        try:
            described = tomllib.loads(Path(path).read_text(encoding="utf-8"))
        except FileNotFoundError as error:
            raise DataError(f"there is no experiment file {path}; check the name") from error
        except (tomllib.TOMLDecodeError, UnicodeDecodeError, OSError) as error:
            raise DataError(f"{path} cannot be read as TOML: {error}") from error
        return cls.of(described, quick=quick, origin=str(path), folder=Path(path).parent)

    @classmethod
    def of(
        cls,
        described: Mapping[str, Any],
        *,
        quick: bool = False,
        origin: str = "the experiment",
        folder: str | Path = "",
    ) -> Experiment:
        """Return the experiment that a mapping in the shape of the module's example describes.

        Parameters
        ----------
        described : mapping
            What the TOML file holds.
        quick : bool
            Whether the entries of `[quick]` replace those of every block.
        origin : str
            What errors call the description: the name of its file.
        folder : path
            Where relative paths of data files start; the working directory unless given.
        """
        unknown = set(described) - {"name", "title", "runs", "quick", "checkpoints"}
        if unknown or "name" not in described or not described.get("runs"):
            raise DataError(
                f"{origin} needs a name and [[runs]], and may have a title, [checkpoints] and "
                f"[quick], but it has {', '.join(sorted(described)) or 'nothing'}"
            )
        shorter = described.get("quick", {}) if quick else {}
        blocks = [{**block, **shorter} for block in described["runs"]]
        by_data = described.get("checkpoints", {})
        here = str(Path(folder).absolute())
        found = dict.fromkeys(
            task for block in blocks for task in _tasks(block, by_data, origin, here)
        )
        # An interrupted experiment has the first seeds of everything.
        tasks = sorted(found, key=lambda task: task.seed)
        name = str(described["name"]) + ("-quick" if quick else "")
        return cls(name, str(described.get("title", name)), tuple(tasks))


_KNOWN = {
    *("methods", "data", "seeds", "checkpoints", "shares", "noise", "k_known"),
    *("kind", "time_limit", "scaling", "doubt"),
}


def _tasks(
    block: Mapping[str, Any], by_data: Mapping[str, list[int]], origin: str, folder: str
) -> Iterator[Task]:
    """Yield the tasks of one block of runs; refuse what is unknown or missing."""
    unknown = sorted(set(block) - _KNOWN)
    if unknown:
        raise DataError(
            f"{origin} says {unknown[0]!r} of its runs; there are {', '.join(sorted(_KNOWN))}"
        )
    try:
        shares = tuple(sorted({float(share) for share in block.get("shares", ())}))
        methods = block["methods"]
        data = [{"name": one} if isinstance(one, str) else dict(one) for one in block["data"]]
        given = block.get("checkpoints", ())
        names = [str(one.pop("name")) for one in data]
        chosen = [given if given or shares else by_data[name] for name in names]
        checkpoints = [tuple(sorted({int(at) for at in some})) for some in chosen]
        seeds = block.get("seeds", 1)
        seeds = range(seeds) if isinstance(seeds, int) else [int(seed) for seed in seeds]
    except (KeyError, TypeError, ValueError) as error:
        raise DataError(
            f"{origin} must give its runs methods, data and checkpoints, there or by data set: "
            f"{error}"
        ) from error
    if shares and (given or shares[0] <= 0 or shares[-1] > 1):
        raise DataError(f"{origin} needs checkpoints, or shares above 0 and up to 1, not {shares}")
    for at in checkpoints:
        if not shares and (not at or at[0] < 0 or at[-1] < 1):
            raise DataError(f"{origin} needs checkpoints of at least one answer, not {at}")
    for seed, (name, settings, at), method, noise, k_known in product(
        seeds,
        zip(names, data, checkpoints, strict=True),
        methods,
        _listed(block.get("noise", 0.0)),
        _listed(block.get("k_known", True)),
    ):
        yield Task(
            method=str(method),
            data=name,
            seed=seed,
            checkpoints=at,
            kind=str(block.get("kind", "questions")),
            data_settings=tuple(sorted(settings.items())),
            noise=float(noise),
            k_known=bool(k_known),
            time_limit=block.get("time_limit"),
            shares=shares,
            scaling=block.get("scaling"),
            doubt=block.get("doubt"),
            folder=folder if name.endswith(".csv") else "",
        )


def _listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]
