"""Who belongs where: mean similarities to groups, by votes of neighbours and by a forest."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import numpy.typing as npt
import pytest
import scipy.sparse as sp
from sklearn.ensemble import RandomForestClassifier

import likewise as lw
from likewise.affinities import GaussianOfDistances
from likewise.errors import MethodError
from likewise.strategies import ForestLeaves, NeighbourVotes, Similarity, View
from likewise.strategies.group_membership import membership


def answered(n_answers: int = 12) -> View:
    """A study of 30 items of three kinds, a few of them placed."""
    X, y = lw.datasets.load("blobs", n=30, n_clusters=3, spread=4.0, random_state=3)
    study = lw.Study(X, method="random-items", random_state=1)
    for _ in range(n_answers):
        question = study.ask()
        assert question is not None
        study.tell(question, bool(y[question.pair.i] == y[question.pair.j]))
    return study._view(frozenset())


class Given:
    """A similarity that is known beforehand."""

    def __init__(self, profiles: npt.NDArray[np.float64]) -> None:
        self.given = profiles

    def profiles(self, view: View, rng: np.random.Generator) -> npt.NDArray[np.float64]:
        return self.given


@pytest.mark.parametrize("similarity", [NeighbourVotes(), ForestLeaves(n_trees=5)])
def test_membership_is_the_mean_similarity_to_a_groups_members(similarity: Similarity) -> None:
    view = answered()
    assert len(view.representatives) == 3
    profiles = similarity.profiles(view, np.random.default_rng(4))
    profiles = profiles.toarray() if hasattr(profiles, "toarray") else profiles
    R = membership(view, similarity, np.random.default_rng(4))
    for i in range(30):
        if view.placed[i]:
            assert R[i].tolist() == [
                float(view.components[i] == view.constraints.component(p))
                for p in view.representatives
            ]
            continue
        mean = np.zeros(3)
        for m, representative in enumerate(view.representatives):
            members = np.flatnonzero(view.components == view.constraints.component(representative))
            mean[m] = np.mean([profiles[i] @ profiles[j] for j in members])
            if view.constraints.implied(i, representative) is not None:
                mean[m] = 0.0
        expected = mean / mean.sum() if mean.sum() > 0 else np.full(3, 1 / 3)
        np.testing.assert_allclose(R[i], expected, atol=1e-12)


def test_an_item_like_no_group_may_belong_to_any() -> None:
    view = answered()
    R = membership(view, Given(np.zeros((30, 2))), np.random.default_rng(0))
    free = [
        i
        for i in np.flatnonzero(~view.placed)
        if len(view.constraints.open_representatives(int(i))) == len(view.representatives)
    ]
    assert free
    np.testing.assert_allclose(R[free], 1 / 3)


def test_an_item_does_not_belong_to_a_group_it_was_set_apart_from() -> None:
    study = lw.Study([[0.0], [0.1], [0.2], [5.0], [5.1], [5.2]], random_state=0)
    study.tell((0, 3), "different")
    study.tell((1, 3), "different")
    view = study._view(frozenset())
    assert not view.placed[1]
    R = membership(view, Given(np.ones((6, 1))), np.random.default_rng(0))
    assert R[1].tolist() == [float(representative == 0) for representative in view.representatives]
    assert R[2].tolist() == [0.5, 0.5]


def test_sparse_items_are_alike_in_as_many_trees_as_they_share_a_leaf() -> None:
    view = answered()
    assert view.features is not None
    # Scaled to one as the forest here is; a tree is the same up to rounding on any scale.
    X = sp.csr_matrix(view.features / abs(view.features).max())
    sparse = replace(view, features=X)
    profiles = ForestLeaves(n_trees=7).profiles(sparse, np.random.default_rng(2)).toarray()
    seed = int(np.random.default_rng(2).integers(2**31))
    forest = RandomForestClassifier(7, max_samples=30, random_state=seed)
    leaves = forest.fit(X, view.clustering.labels_).apply(X)
    shared = (leaves[:, None, :] == leaves[None, :, :]).mean(axis=2)
    np.testing.assert_allclose(profiles @ profiles.T, shared)


def test_items_are_as_alike_as_in_the_forest_of_scikit_learn() -> None:
    view = answered()
    assert view.features is not None
    X, labels = view.features, view.clustering.labels_
    profiles = ForestLeaves(n_trees=2000).profiles(view, np.random.default_rng(2)).toarray()
    forest = RandomForestClassifier(2000, random_state=0).fit(X, labels)
    leaves = forest.apply(X)
    shared = (leaves[:, None, :] == leaves[None, :, :]).mean(axis=2)
    # The standard error of a share of 2000 trees is 0.011 at most; of 435 pairs some are off by 4.
    assert np.abs(profiles @ profiles.T - shared).max() < 4 * np.sqrt(2 * 0.25 / 2000)


def test_a_forest_takes_features_of_any_size() -> None:
    X, _ = lw.datasets.load("blobs", n=20, random_state=1)
    study = lw.Study(np.clip(X, -1, 1) * 1e100)
    profiles = ForestLeaves(n_trees=3).profiles(study._view(frozenset()), np.random.default_rng(0))
    assert np.isfinite(profiles.toarray()).all()


def test_a_forest_without_features_goes_by_the_embedding() -> None:
    X, _ = lw.datasets.load("blobs", n=20, random_state=1)
    distances = np.linalg.norm(X[:, None] - X[None], axis=2)
    view = lw.Study(lw.Items.from_distances(distances), method="urasc")._view(frozenset())
    assert isinstance(view.affinity, GaussianOfDistances)
    profiles = ForestLeaves(n_trees=3).profiles(view, np.random.default_rng(0))
    np.testing.assert_allclose((profiles.toarray() ** 2).sum(axis=1), 1.0)
    del view.clustering.embedding_  # type: ignore[attr-defined]
    with pytest.raises(MethodError, match="a forest needs features"):
        ForestLeaves().profiles(view, np.random.default_rng(0))


def test_a_forest_without_trees_is_refused() -> None:
    with pytest.raises(MethodError, match="n_trees and n_samples must be at least 1 but got 0"):
        ForestLeaves(n_trees=0).profiles(answered(0), np.random.default_rng(0))
