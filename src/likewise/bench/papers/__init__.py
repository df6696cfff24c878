"""Papers' experiments, as data: NAME.toml says what is run, NAME.csv what the paper printed.

A further paper adds these two files and no code. The CSV has a line per published figure: data,
questions, method (our name for it), metric, published, reference (table or figure).
"""

from __future__ import annotations

from dataclasses import dataclass
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import TYPE_CHECKING

from likewise.bench.experiment import Experiment
from likewise.errors import DataError

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True)
class Paper:
    """An experiment and the figures it is compared with."""

    experiment: Experiment
    published: pd.DataFrame

    def compare(self, results: pd.DataFrame) -> pd.DataFrame:
        """The published figures with ours (mean over seeds), the difference and our spread."""
        import pandas as pd

        told = self.published
        metrics = [m for m in dict.fromkeys(told["metric"]) if m in results]
        key = ["data", "questions", "method"]
        long = results.melt([*key, "seed"], metrics, var_name="metric", value_name="ours")
        ours = long.groupby([*key, "metric"])["ours"].agg(["mean", "std", "count"]).reset_index()
        ours = ours.rename(columns={"mean": "ours", "std": "spread", "count": "runs"})
        both = pd.merge(told, ours, how="left", on=[*key, "metric"])
        both["difference"] = both["ours"] - both["published"]
        return both


def names() -> list[str]:
    """The papers there are."""
    return sorted(f.name.removesuffix(".toml") for f in _files() if f.name.endswith(".toml"))


def load(name: str, *, quick: bool = False) -> Paper:
    """A paper by name; `quick` is the shorter version of its experiment."""
    import tomllib

    import pandas as pd

    if name not in names():
        raise DataError(f"there is no paper {name!r}; there are {', '.join(names())}")
    here = files(__package__)
    described = tomllib.loads(here.joinpath(f"{name}.toml").read_text(encoding="utf-8"))
    with here.joinpath(f"{name}.csv").open(encoding="utf-8") as file:
        published = pd.read_csv(file)
    return Paper(Experiment.of(described, quick=quick, source=f"{name}.toml"), published)


def _files() -> list[Traversable]:
    return list(files(__package__).iterdir())
