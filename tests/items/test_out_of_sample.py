"""New items after a study: the groups they are given."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd
import pytest
import scipy.sparse as sp

import likewise as lw
from likewise.errors import DataError

Array = npt.NDArray[Any]


def halves(name: str = "wine") -> tuple[Array, Array, Array, Array]:
    X, y = lw.datasets.load(name)
    order = np.random.default_rng(0).permutation(len(X))
    first, second = order[::2], order[1::2]
    return X[first], y[first], X[second], y[second]


@pytest.mark.parametrize("method", ["auto", "sgt", "svm", "aqm-mee"])
def test_new_wines_go_where_their_kind_is(method: str) -> None:
    X, y, X_new, y_new = halves()
    run = lw.run(X, lw.oracles.FromLabels(y), method=method, budget=60, n_clusters=3)
    before = run.study.answers
    assert lw.metrics.ari(y_new, run.study.predict(X_new)) > 0.7
    assert run.study.answers == before


def test_when_everything_is_placed_the_svms_decide() -> None:
    X, y, X_new, y_new = halves()
    run = lw.run(X, lw.oracles.Classes(y), method="sgt", budget=200, n_clusters=3)
    assert run.study.clustering_.case_ == 4
    features = run.study.items.prepare(X_new)  # type: ignore[misc]
    np.testing.assert_array_equal(run.study.predict(X_new), run.study.clustering_.predict(features))
    assert lw.metrics.ari(y_new, run.study.predict(X_new)) > 0.85


@pytest.mark.parametrize("method", ["auto", "sgt"])
def test_the_items_themselves_keep_their_groups(method: str) -> None:
    X, y, *_ = halves()
    run = lw.run(X, lw.oracles.FromLabels(y), method=method, budget=40, n_clusters=3)
    np.testing.assert_array_equal(run.study.predict(X), run.labels_)
    np.testing.assert_array_equal(run.study.predict(X[:1]), run.labels_[:1])


def test_rows_of_a_table_may_hold_what_is_new() -> None:
    table = pd.DataFrame({"price": [1.0, 2.0, 50.0, 60.0] * 3, "kind": ["a", "a", "b", "b"] * 3})
    study = lw.Study(table)
    truth = [0, 0, 1, 1] * 3
    while (question := study.ask()) is not None:
        study.tell(question, truth[question.pair.i] == truth[question.pair.j])
    new = pd.DataFrame({"kind": ["b", "z"], "price": [55.0, 1.5]})
    found = study.predict(new)
    assert found.tolist() == [study.labels_[2], study.labels_[0]]
    with pytest.raises(DataError, match="no column 'kind'"):
        study.predict(new[["price"]])


def test_sparse_rows_are_compared_by_angle() -> None:
    X = np.vstack([np.eye(2)[[0] * 10], np.eye(2)[[1] * 10]]) * np.arange(1, 21)[:, None]
    study = lw.Study(sp.csr_matrix(X), n_clusters=2)
    assert study.predict(sp.csr_matrix([[0.0, 900.0]])).tolist() == [study.labels_[-1]]


def test_what_cannot_be_compared_is_refused() -> None:
    X, *_ = halves()
    study = lw.Study(X)
    with pytest.raises(DataError, match="need 13 numbers each but have 2"):
        study.predict([[1.0, 2.0]])
    with pytest.raises(DataError, match="finite"):
        study.predict(np.full((1, 13), np.nan))
    alike = lw.Study(lw.Items.from_affinity(np.ones((4, 4))))
    with pytest.raises(DataError, match="need features"):
        alike.predict([[1.0]])
    other = lw.Study(lw.Items(features=np.arange(6.0)[:, None], ids=list("abcdef")))
    with pytest.raises(DataError, match="give the new ones as Items"):
        other.predict([[1.0]])
    assert other.predict(lw.Items(features=np.array([[5.1]]), ids=["x"])).shape == (1,)
