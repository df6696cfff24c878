"""No public estimator goes without scikit-learn's own checks, unless the documentation names it."""

from __future__ import annotations

import inspect
import re
from pathlib import Path

import pytest
from sklearn.base import BaseEstimator

import likewise as lw

TESTS = Path(__file__).parents[1]
PAGE = TESTS.parent / "docs" / "explanation" / "conventions.md"
UNCHECKED = {"LearnedMixture"}  # it cannot be made without the views of a pile
ESTIMATORS = [
    found
    for package in (lw.affinities, lw.clusterers)
    for found in (getattr(package, name) for name in package.__all__)
    if inspect.isclass(found) and issubclass(found, BaseEstimator) and not inspect.isabstract(found)
]


@pytest.mark.parametrize("estimator", ESTIMATORS, ids=lambda one: one.__name__)
def test_every_public_estimator_is_checked(estimator: type[BaseEstimator]) -> None:
    name = estimator.__name__
    others = (path for path in TESTS.rglob("test_*.py") if path != Path(__file__))
    texts = (path.read_text(encoding="utf-8") for path in others)
    checked = any(
        re.search(rf"\b{name}\b", text) for text in texts if "@parametrize_with_checks(" in text
    )
    assert checked != (name in UNCHECKED)


@pytest.mark.skipif(not PAGE.exists(), reason="not in the source tree")
def test_exceptions_are_named_in_the_documentation() -> None:
    page = PAGE.read_text(encoding="utf-8")
    for name in UNCHECKED:
        assert f"| `{name}` |" in page
