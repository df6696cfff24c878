"""Every public estimator documents what its constructor takes and what its fit sets."""

from __future__ import annotations

import inspect
import re
from typing import Any

import numpy as np
import pytest
from sklearn.base import BaseEstimator

import likewise as lw
from likewise.features.feature_views import FeatureViews

X = np.abs(np.random.default_rng(0).normal(size=(24, 3))) + np.repeat([[0.0], [5.0]], 12, axis=0)
LINKS = {"must_link": [(0, 1), (12, 13)], "cannot_link": [(0, 12)]}
SQUARE = ("PrecomputedAffinity", "GaussianOfDistances")  # are fitted on a matrix (n, n)


def _estimators() -> list[type[BaseEstimator]]:
    found = []
    for package in (lw.clusterers, lw.affinities):
        for name in package.__all__:
            part = getattr(package, name)
            if inspect.isclass(part) and issubclass(part, BaseEstimator):
                found.append(part)
    return [part for part in found if not inspect.isabstract(part)]


def _documented(estimator: type[BaseEstimator], section: str) -> set[str]:
    """The names before the colons of a numpydoc section."""
    text = inspect.cleandoc(estimator.__doc__ or "")
    found = re.search(
        rf"^{section}\n-+\n(.*?)(?=^\w[^\n]*\n-+\n|\Z)", text, re.DOTALL | re.MULTILINE
    )
    if found is None:
        return set()
    lines = re.findall(r"^([\w, ]+) :", found[1], re.MULTILINE)
    return {name for line in lines for name in line.split(", ")}


def _made(estimator: type[BaseEstimator]) -> Any:
    """One with its defaults; views, where it needs them, of the columns."""
    if estimator is lw.affinities.LearnedMixture:
        return estimator(FeatureViews.of({"first": X[:, :1], "others": X[:, 1:]}))
    return estimator()


def _fitted(estimator: type[BaseEstimator]) -> set[str]:
    """The public names that end in an underscore after a fit, but for those of scikit-learn."""
    data: Any = np.exp(-((X[:, None] - X) ** 2).sum(axis=2)) if estimator.__name__ in SQUARE else X
    model = _made(estimator).fit(data, **LINKS)
    names = {name for name in vars(model) if name.endswith("_") and not name.startswith("_")}
    return names - {"n_features_in_", "feature_names_in_"}


@pytest.mark.parametrize("estimator", _estimators(), ids=lambda estimator: estimator.__name__)
def test_every_parameter_is_documented_and_nothing_else(estimator: type[BaseEstimator]) -> None:
    taken = set(_made(estimator).get_params(deep=False))
    assert _documented(estimator, "Parameters") == taken


@pytest.mark.parametrize("estimator", _estimators(), ids=lambda estimator: estimator.__name__)
def test_every_fitted_attribute_is_documented_and_nothing_else(
    estimator: type[BaseEstimator],
) -> None:
    assert _documented(estimator, "Attributes") == _fitted(estimator)


@pytest.mark.parametrize("estimator", _estimators(), ids=lambda estimator: estimator.__name__)
def test_every_estimator_has_an_example(estimator: type[BaseEstimator]) -> None:
    assert "Examples\n--------\n>>> " in inspect.cleandoc(estimator.__doc__ or "")
