from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
import scipy.sparse as sp
from scipy.sparse.csgraph import connected_components
from scipy.spatial.distance import cdist
from sklearn.utils.estimator_checks import parametrize_with_checks

from likewise.affinities import Gaussian, GaussianOfDistances, PrecomputedAffinity
from likewise.errors import DataError

Array = npt.NDArray[np.float64]
both_forms = pytest.mark.parametrize("form", [np.array, sp.csr_matrix], ids=["dense", "sparse"])


@parametrize_with_checks(  # type: ignore[untyped-decorator]
    [PrecomputedAffinity(), GaussianOfDistances()]
)
def test_it_is_an_estimator_as_scikit_learn_wants_it(estimator: Any, check: Any) -> None:
    check(estimator)


def similarities(n: int = 12) -> Array:
    half = np.random.default_rng(0).uniform(0.1, 5.0, size=(n, n))
    return half + half.T


def dense(affinity: Any) -> Array:
    return np.asarray(affinity.toarray() if sp.issparse(affinity) else affinity)


@both_forms
def test_similarities_stay_as_they_are_but_for_the_diagonal(form: Any) -> None:
    given = similarities()
    X = form(given)
    affinity = PrecomputedAffinity().fit(X).affinity_
    expected = given.copy()
    np.fill_diagonal(expected, 0.0)
    np.testing.assert_array_equal(dense(affinity), expected)
    assert sp.issparse(affinity) == sp.issparse(X)
    np.testing.assert_array_equal(dense(X), given)


@both_forms
def test_pieces_are_tied_together_weakly(form: Any) -> None:
    W = np.kron(np.eye(3), np.ones((4, 4)))
    affinity = dense(PrecomputedAffinity().fit(form(W)).affinity_)
    assert connected_components(affinity)[0] == 1
    between = affinity[W == 0]
    assert between.max() <= 1e-3
    np.testing.assert_array_equal(affinity, affinity.T)


@both_forms
def test_items_without_any_similarity_still_hang_together(form: Any) -> None:
    affinity = dense(PrecomputedAffinity().fit(form(np.zeros((5, 5)))).affinity_)
    assert connected_components(affinity)[0] == 1
    assert not np.diag(affinity).any()


@both_forms
def test_the_most_alike_are_at_no_distance_and_so_is_an_item_from_itself(form: Any) -> None:
    W = np.array([[9.0, 4.0, 1.0], [4.0, 9.0, 0.0], [1.0, 0.0, 9.0]])
    away = PrecomputedAffinity().fit(form(W)).distances(np.arange(3), np.array([1, 2]))
    np.testing.assert_allclose(away, [[0.0, 0.75], [0.0, 1.0], [1.0, 0.0]])


@both_forms
def test_distances_follow_from_similarities_whatever_their_scale(form: Any) -> None:
    some, others = np.array([3, 0]), np.arange(12)
    once = PrecomputedAffinity().fit(form(similarities())).distances(some, others)
    scaled = PrecomputedAffinity().fit(form(1000 * similarities())).distances(some, others)
    np.testing.assert_allclose(once, scaled)
    assert (once >= 0).all()
    assert (once <= 1).all()


@pytest.mark.parametrize("width", ["self-tuning", "median", 0.5])
@pytest.mark.parametrize("n_neighbours", [None, 3, 50])
def test_distances_give_what_the_features_behind_them_give(
    width: Any, n_neighbours: int | None
) -> None:
    X = np.random.default_rng(0).normal(size=(30, 2))
    of_features = Gaussian(width=width, n_neighbours=n_neighbours).fit(X)
    of_distances = GaussianOfDistances(width=width, n_neighbours=n_neighbours).fit(cdist(X, X))
    np.testing.assert_allclose(
        dense(of_distances.affinity_), dense(of_features.affinity_), rtol=1e-6, atol=1e-12
    )


def test_given_distances_are_handed_out_as_given() -> None:
    D = cdist(np.eye(4), np.eye(4))
    away = GaussianOfDistances().fit(D).distances(np.array([2, 0]), np.array([1, 2, 3]))
    np.testing.assert_array_equal(away, D[np.ix_([2, 0], [1, 2, 3])])


def test_two_groups_far_apart_by_distance_are_in_one_piece() -> None:
    D = np.where(np.kron(np.eye(2), np.ones((10, 10))) > 0, 1.0, 1e6)
    np.fill_diagonal(D, 0.0)
    graph = GaussianOfDistances(n_neighbours=4).fit(D).affinity_
    assert connected_components(graph)[0] == 1
    assert graph[:10][:, 10:].nnz == 1


@pytest.mark.parametrize(
    ("affinity", "X", "sentence"),
    [
        (PrecomputedAffinity(), np.ones((3, 2)), "must be square, a row per item, but got 3 x 2"),
        (GaussianOfDistances(), np.ones((3, 2)), "must be square, a row per item, but got 3 x 2"),
        (GaussianOfDistances(), sp.eye_array(3).tocsr(), "must be a dense matrix"),
        (GaussianOfDistances(), -np.ones((3, 3)), "distances are zero or more"),
    ],
)
def test_what_is_no_matrix_of_pairs_is_refused(affinity: Any, X: Any, sentence: str) -> None:
    with pytest.raises(DataError, match=sentence):
        affinity.fit(X)
