"""The method `coprf`: an affinity that learns from the answers while it is asked by."""

from __future__ import annotations

import numpy as np
import pytest

import likewise as lw
from likewise.errors import MethodError
from likewise.items import Items


def test_the_forest_is_grown_anew_with_every_sixteenth_answer() -> None:
    X, y = lw.datasets.load("iris")
    study = lw.Study(X, method="coprf", n_clusters=3)
    seen = []
    for _ in range(17):
        question = study.ask()
        assert question is not None
        seen.append(study._view(frozenset()).affinity)
        study.tell(question, bool(y[question.pair.i] == y[question.pair.j]))
    assert all(affinity is seen[0] for affinity in seen[:16])
    assert seen[16] is not seen[0]
    assert abs(seen[16].affinity_ - seen[0].affinity_).max() > 0


def test_items_without_dense_features_are_refused_with_a_way_out() -> None:
    items = Items.from_affinity(np.ones((4, 4)) - np.eye(4))
    with pytest.raises(MethodError, match=r"a forest needs features in a dense array.*'urasc'"):
        lw.Study(items, method="coprf").ask()
