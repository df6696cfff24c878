"""A family of feature models: a package that runs models, or a place where one is found by name."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from typing import Any

from likewise.errors import DataError, MissingExtra
from likewise.features.base import FeatureModel


@dataclass(frozen=True)
class Family:
    """Models that are built from a name: `--model PREFIX:NAME`.

    Parameters
    ----------
    prefix : str
        What stands before the colon.
    build : callable
        Makes the model of a name.
    serves : str
        "texts", "pictures" or "texts and pictures".
    module, package : str
        What is imported to run the model, and what pip installs to have it.
    name : str
        What stands behind the colon, for the user to fill in.
    summary : str
        What its models are, in a line.
    """

    prefix: str
    build: Callable[[str], FeatureModel]
    serves: str
    module: str
    package: str
    name: str
    summary: str

    @property
    def is_installed(self) -> bool:
        """Whether the package is there."""
        return find_spec(self.module) is not None


def require(module: str, package: str, model: str) -> Any:
    """Import what a model needs.

    Raises
    ------
    MissingExtra
        If it is not installed; the sentence says how to install it.
    """
    try:
        return import_module(module)
    except ImportError as error:
        raise MissingExtra(
            f"the model {model!r} needs {package}; install it with pip install {package}, "
            "or leave --model out"
        ) from error


def version_of(package: str) -> str:
    """Return which version of a package is installed, for the keys of caches."""
    try:
        return version(package)
    except PackageNotFoundError:
        return "none"


def not_loaded(model: str, error: Exception) -> DataError:
    """Return the error that says why a model cannot be loaded."""
    reason = str(error).strip().splitlines()[0] if str(error).strip() else type(error).__name__
    return DataError(
        f"the model {model!r} cannot be loaded ({reason}); check its name, or leave --model out"
    )
