"""Representatives, spectral clustering of them, and labels that flow back."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.datasets import make_blobs, make_moons
from sklearn.utils.estimator_checks import parametrize_with_checks

from likewise.clusterers import KASP, RASP, SpectralLearning
from likewise.clusterers.representatives import kmeans_representatives, random_tree_representatives
from likewise.clusterers.spectral import kasp
from likewise.errors import MethodError
from likewise.metrics import ari

Floats = npt.NDArray[np.float64]
both = pytest.mark.parametrize("clusterer", [KASP, RASP])


@parametrize_with_checks([KASP(), RASP()])  # type: ignore[untyped-decorator]
def test_both_are_estimators_as_scikit_learn_wants_them(estimator: Any, check: Any) -> None:
    check(estimator)


def rng() -> np.random.Generator:
    return np.random.default_rng(0)


# -- representatives -------------------------------------------------------------------------


def test_every_item_goes_to_its_nearest_centre() -> None:
    X, _ = make_blobs(400, centers=6, random_state=0)
    found = kmeans_representatives(X, 30, rng())
    away = ((X[:, None] - found.points[None]) ** 2).sum(axis=2)
    # After the last round centres have moved to the means of their items by a hair.
    chosen = away[np.arange(400), found.of_item]
    assert (chosen <= away.min(axis=1) * 1.05 + 1e-3).all()
    means = np.array([X[found.of_item == k].mean(axis=0) for k in range(len(found.points))])
    np.testing.assert_allclose(means, found.points, atol=0.2)


def test_a_weight_counts_like_so_many_equal_rows() -> None:
    X = np.array([[0.0], [1.0], [10.0], [11.0]])
    weighted = kmeans_representatives(X, 2, rng(), np.array([3.0, 1.0, 1.0, 1.0]))
    assert sorted(np.round(weighted.points.ravel(), 6)) == [0.25, 10.5]


@settings(max_examples=30)
@given(st.integers(2, 60), st.integers(1, 40), st.integers(0, 3), st.sampled_from([0, 1]))
def test_every_leaf_has_items_and_stands_at_their_mean(
    n: int, wanted: int, seed: int, copies: int
) -> None:
    X = np.random.default_rng(seed).normal(size=(n, 3))
    X = np.vstack([X, np.repeat(X[:1], 5 * copies, axis=0)])
    for represent in (random_tree_representatives, kmeans_representatives):
        found = represent(X, wanted, np.random.default_rng(seed))
        assert 1 <= len(found.points) <= max(min(wanted, len(X)), 1)
        assert set(found.of_item.tolist()) == set(range(len(found.points)))
        if represent is random_tree_representatives:
            for k, point in enumerate(found.points):
                np.testing.assert_allclose(X[found.of_item == k].mean(axis=0), point)


def test_leaves_are_as_large_as_each_other() -> None:
    X = np.random.default_rng(0).normal(size=(1024, 4))
    sizes = np.bincount(random_tree_representatives(X, 64, rng()).of_item)
    assert sizes.min() == sizes.max() == 16


def test_equal_rows_cannot_be_told_apart() -> None:
    assert len(random_tree_representatives(np.ones((20, 2)), 8, rng()).points) == 1
    assert len(kmeans_representatives(np.ones((20, 2)), 8, rng()).points) <= 8


# -- the clusterers --------------------------------------------------------------------------


@both
@pytest.mark.parametrize("sparse", [False, True])
def test_blobs_are_found_through_few_representatives(clusterer: Any, sparse: bool) -> None:
    X, truth = make_blobs(1500, centers=[[0, 0], [15, 0], [0, 15]], random_state=0)
    model = clusterer(n_clusters=3, n_representatives=60).fit(sp.csr_matrix(X) if sparse else X)
    assert ari(truth, model.labels_) > 0.95
    assert model.representatives_.shape == (60, 2)
    assert model.n_clusters_ == 3


def test_moons_are_found_where_kmeans_fails() -> None:
    X, truth = make_moons(2000, noise=0.05, random_state=0)
    assert ari(truth, KASP(n_representatives=200).fit(X).labels_) > 0.95
    assert ari(truth, kmeans_representatives(X, 2, rng()).of_item) < 0.5


def test_a_representative_for_every_item_is_spectral_clustering() -> None:
    X, _ = make_moons(200, noise=0.1, random_state=0)
    links: dict[str, Any] = {"must_link": [(0, 1)], "cannot_link": [(0, 5), (7, 9)]}
    plain = SpectralLearning(n_clusters=2).fit(X, **links).labels_
    np.testing.assert_array_equal(KASP(n_representatives=200).fit(X, **links).labels_, plain)
    np.testing.assert_array_equal(KASP().fit(X, **links).labels_, plain)  # too few to compress


@both
@settings(max_examples=25)
@given(st.data())
def test_labels_never_contradict_a_link(clusterer: Any, data: st.DataObject) -> None:
    n = data.draw(st.integers(8, 30))
    hidden = data.draw(st.lists(st.integers(0, 2), min_size=n, max_size=n))
    item = st.integers(0, n - 1)
    linked = data.draw(st.lists(st.tuples(item, item).filter(lambda p: p[0] != p[1]), max_size=15))
    must = [(i, j) for i, j in linked if hidden[i] == hidden[j]]
    cannot = [(i, j) for i, j in linked if hidden[i] != hidden[j]]
    X = np.random.default_rng(n).normal(size=(n, 2))
    model = clusterer(n_clusters=2, n_representatives=data.draw(st.integers(1, n)))
    labels = model.fit(X, must_link=must, cannot_link=cannot).labels_
    assert all(labels[i] == labels[j] for i, j in must)
    assert all(labels[i] != labels[j] for i, j in cannot)


def test_a_start_saves_the_representatives(monkeypatch: pytest.MonkeyPatch) -> None:
    X, _ = make_moons(400, noise=0.1, random_state=0)
    first = KASP(n_representatives=50).fit(X)
    cold = KASP(n_representatives=50).fit(X, cannot_link=[(0, 1)])

    def refuse(*_: Any) -> None:
        raise AssertionError("k-means again")

    monkeypatch.setattr(kasp, "kmeans_representatives", refuse)
    warm = KASP(n_representatives=50).fit(X, cannot_link=[(0, 1)], start=first)
    np.testing.assert_array_equal(warm.labels_, cold.labels_)


@both
def test_no_representatives_at_all_are_refused(clusterer: Any) -> None:
    with pytest.raises(MethodError, match="n_representatives must be at least 1"):
        clusterer(n_representatives=0).fit(np.arange(12.0).reshape(6, 2))
