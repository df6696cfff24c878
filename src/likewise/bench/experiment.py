"""Experiments: which methods, on which data, how often, read from TOML.

name = "first"
title = "A first comparison"

[[runs]]                              # as many blocks as needed
methods = ["urasc", "random-items"]
data = ["wine", {name = "blobs", n = 500, n_clusters = 5}]
seeds = 10                            # 0 to 9
checkpoints = [0, 10, 25, 50]         # numbers of answers after which labels are scored, or
shares = [0.001, 0.005]               # the same as shares of all pairs of items
noise = [0.0, 0.02]                   # shares of wrong answers; 0.0 unless said
k_known = [true, false]               # true unless said
kind = "questions"                    # what is done; see kinds.py
time_limit = 600                      # seconds for one run; none unless said
scaling = "range"                     # every column from -1 to 1; as Items have it unless said
doubt = "surprise"                    # what is done about odd answers (see run); "keep" unless said

[checkpoints]                         # by data set, for blocks that give neither of the two
wine = [5, 10, 15]

[quick]                               # replaces entries of every block for a quick look
seeds = 3
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
    """One run, with all that decides what comes of it."""

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

    @property
    def data_name(self) -> str:
        """The data set with its settings, as tables show it.

        >>> Task("urasc", "blobs", 0, (10,), data_settings=(("n", 500),)).data_name
        'blobs(n=500)'
        """
        settings = ", ".join(f"{name}={value}" for name, value in self.data_settings)
        return f"{self.data}({settings})" if settings else self.data

    @property
    def key(self) -> str:
        """A short name by which a task that was done is recognised."""
        said = asdict(self)
        # Left out where unsaid: results from before they could be said are still recognised.
        said = {name: said[name] for name in said if name not in _OPTIONAL or said[name]}
        told = json.dumps(said, sort_keys=True)
        return hashlib.sha256(told.encode()).hexdigest()[:16]

    def on(self, n_items: int) -> Task:
        """The task with its shares turned into numbers of answers, each at least one.

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
        """The experiment a TOML file describes."""
        try:
            described = tomllib.loads(Path(path).read_text(encoding="utf-8"))
        except FileNotFoundError as error:
            raise DataError(f"there is no experiment file {path}; check the name") from error
        except (tomllib.TOMLDecodeError, UnicodeDecodeError, OSError) as error:
            raise DataError(f"{path} cannot be read as TOML: {error}") from error
        return cls.of(described, quick=quick, source=str(path))

    @classmethod
    def of(
        cls, described: Mapping[str, Any], *, quick: bool = False, source: str = "the experiment"
    ) -> Experiment:
        """The experiment in the shape of the module's example."""
        unknown = set(described) - {"name", "title", "runs", "quick", "checkpoints"}
        if unknown or "name" not in described or not described.get("runs"):
            raise DataError(
                f"{source} needs a name and [[runs]], and may have a title, [checkpoints] and "
                f"[quick], but it has {', '.join(sorted(described)) or 'nothing'}"
            )
        shorter = described.get("quick", {}) if quick else {}
        blocks = [{**block, **shorter} for block in described["runs"]]
        by_data = described.get("checkpoints", {})
        found = dict.fromkeys(task for block in blocks for task in _tasks(block, by_data, source))
        # An interrupted experiment has the first seeds of everything.
        tasks = sorted(found, key=lambda task: task.seed)
        name = str(described["name"]) + ("-quick" if quick else "")
        return cls(name, str(described.get("title", name)), tuple(tasks))


_KNOWN = {
    *("methods", "data", "seeds", "checkpoints", "shares", "noise", "k_known"),
    *("kind", "time_limit", "scaling", "doubt"),
}


def _tasks(
    block: Mapping[str, Any], by_data: Mapping[str, list[int]], source: str
) -> Iterator[Task]:
    unknown = sorted(set(block) - _KNOWN)
    if unknown:
        raise DataError(
            f"{source} says {unknown[0]!r} of its runs; there are {', '.join(sorted(_KNOWN))}"
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
            f"{source} must give its runs methods, data and checkpoints, there or by data set: "
            f"{error}"
        ) from error
    if shares and (given or shares[0] <= 0 or shares[-1] > 1):
        raise DataError(f"{source} needs checkpoints, or shares above 0 and up to 1, not {shares}")
    for at in checkpoints:
        if not shares and (not at or at[0] < 0 or at[-1] < 1):
            raise DataError(f"{source} needs checkpoints of at least one answer, not {at}")
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
        )


def _listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]
