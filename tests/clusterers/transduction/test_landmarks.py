"""Landmark graphs: their eigenvectors written out, and transduction on them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.datasets import load_iris, make_moons
from sklearn.utils.estimator_checks import parametrize_with_checks

from likewise.clusterers import LandmarkTransducer, LinkedGroups, StagedTransducer
from likewise.clusterers.transduction.landmarks import landmark_basis, landmark_weights
from likewise.errors import MethodError
from likewise.metrics import ari


@parametrize_with_checks([LandmarkTransducer(n_landmarks=10)])  # type: ignore[untyped-decorator]
def test_it_is_an_estimator_as_scikit_learn_wants_it(estimator: Any, check: Any) -> None:
    check(estimator)


def test_every_item_is_joined_to_its_nearest_landmarks_by_a_gaussian(seed: int) -> None:
    rng = np.random.default_rng(seed)
    X, landmarks = rng.normal(size=(30, 3)), rng.normal(size=(7, 3))
    weights = landmark_weights(X, landmarks, 3).toarray()
    squares = ((X[:, None] - landmarks) ** 2).sum(axis=2)
    width = np.sort(squares, axis=1)[:, 2].mean()
    for row, square in zip(weights, squares, strict=True):
        near = np.argsort(square)[:3]
        assert set(np.flatnonzero(row)) == set(near)
        expected = np.exp(-square[near] / width)
        np.testing.assert_allclose(row[near], expected / expected.sum())
    np.testing.assert_allclose(landmark_weights(sp.csr_matrix(X), landmarks, 3).toarray(), weights)


def test_the_basis_is_that_of_the_graph_written_out(seed: int) -> None:
    rng = np.random.default_rng(seed)
    Z = landmark_weights(rng.normal(size=(40, 2)), rng.normal(size=(9, 2)), 4)
    dense = Z.toarray()
    W = dense @ np.diag(1 / dense.sum(axis=0)) @ dense.T
    np.testing.assert_allclose(W.sum(axis=1), 1)
    basis = landmark_basis(Z, 6)
    np.testing.assert_allclose(basis.values, np.linalg.eigvalsh(np.eye(40) - W)[1:7], atol=1e-9)
    np.testing.assert_allclose(
        (np.eye(40) - W) @ basis.vectors, basis.vectors * basis.values, atol=1e-9
    )
    np.testing.assert_allclose(basis.vectors.sum(axis=0), 0, atol=1e-9)


@pytest.mark.parametrize("kind", [LandmarkTransducer, StagedTransducer])
def test_two_labels_sort_two_moons_and_links_win(kind: Any) -> None:
    model = kind(n_landmarks=80, spectrum="squares")
    X, y = make_moons(300, noise=0.05, random_state=0)
    first = [int(np.flatnonzero(y == c)[0]) for c in (0, 1)]
    links = {"must_link": [(first[0], 5), (first[0], 9)], "cannot_link": [(first[0], first[1])]}
    model.fit(X, **links)
    assert ari(y, model.labels_) > 0.85
    assert LinkedGroups.of(len(X), links["must_link"], links["cannot_link"]).respected_by(
        model.labels_
    )
    assert len(np.unique(model.margin_)) > 290  # items have scores of their own


def test_the_graph_is_computed_once() -> None:
    X, _ = load_iris(return_X_y=True)
    first = LandmarkTransducer(n_clusters=3, n_landmarks=30).fit(X)
    links: Any = {"cannot_link": [(0, 60), (0, 120), (60, 120)]}
    warm = LandmarkTransducer(n_clusters=3, n_landmarks=30).fit(X, **links, start=first)
    assert warm._basis is first._basis
    cold = LandmarkTransducer(n_clusters=3, n_landmarks=30).fit(X, **links)
    np.testing.assert_array_equal(warm.labels_, cold.labels_)
    other = LandmarkTransducer(n_clusters=3, n_landmarks=20).fit(X, start=first)
    assert other.landmarks_.shape[0] == 20


@pytest.mark.parametrize("settings", [{"n_landmarks": 0}, {"n_nearest": 0}, {"spectrum": "cubes"}])
def test_settings_that_make_no_sense_are_refused(settings: dict[str, Any]) -> None:
    with pytest.raises(MethodError):
        LandmarkTransducer(**settings).fit(np.eye(5))
