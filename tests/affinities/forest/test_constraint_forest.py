from __future__ import annotations

import subprocess
import sys
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.sparse.csgraph import connected_components
from sklearn.base import clone
from sklearn.datasets import load_wine, make_blobs
from sklearn.metrics import roc_auc_score
from sklearn.utils.estimator_checks import parametrize_with_checks

from likewise.affinities import ConstraintForest, ScreenedForest
from likewise.errors import DataError, LikewiseError, MethodError

Array = npt.NDArray[np.float64]


@parametrize_with_checks([ConstraintForest(n_trees=5), ScreenedForest(n_trees=5)])  # type: ignore[untyped-decorator]
def test_the_forest_is_an_estimator_as_scikit_learn_wants_it(estimator: Any, check: Any) -> None:
    check(estimator)


def blobs(n: int = 80, seed: int = 0) -> tuple[Array, npt.NDArray[np.int64]]:
    X, truth = make_blobs(n, centers=4, n_features=5, random_state=seed)
    return X, truth


def links_of(truth: Any, m: int, seed: int = 0) -> dict[str, Any]:
    drawn = np.random.default_rng(seed).integers(len(truth), size=(m, 2))
    drawn = drawn[drawn[:, 0] != drawn[:, 1]]
    same = truth[drawn[:, 0]] == truth[drawn[:, 1]]
    return {"must_link": drawn[same], "cannot_link": drawn[~same]}


@pytest.mark.parametrize("linked", [False, True])
def test_the_affinity_is_the_share_of_common_leaves(linked: bool) -> None:
    X, truth = blobs()
    forest = ConstraintForest(n_trees=30).fit(X, **(links_of(truth, 40) if linked else {}))
    common = (forest.leaves_[:, None, :] == forest.leaves_[None, :, :]).mean(axis=2)
    np.testing.assert_allclose(forest.distances(np.arange(80), np.arange(80)), 1 - common)
    np.fill_diagonal(common, 0.0)
    np.testing.assert_allclose(forest.affinity_, common)
    np.testing.assert_array_equal(forest.apply(X), forest.leaves_)


@settings(max_examples=30)
@given(st.data(), st.booleans(), st.booleans())
def test_any_links_on_any_items_give_an_affinity(
    data: st.DataObject, closed: bool, single: bool
) -> None:
    n = data.draw(st.integers(2, 12))
    few = st.integers(0, 2).map(float)  # duplicates, constant columns
    X = np.array(data.draw(st.lists(st.lists(few, min_size=2, max_size=2), min_size=n, max_size=n)))
    pair = st.tuples(st.integers(0, n - 1), st.integers(0, n - 1)).filter(lambda p: p[0] != p[1])
    must, cannot = data.draw(st.lists(pair, max_size=9)), data.draw(st.lists(pair, max_size=9))
    forest = ConstraintForest(n_trees=5, close_links=closed, to_single_rows=single)
    A = forest.fit(X, must_link=must, cannot_link=cannot).affinity_
    np.testing.assert_array_equal(A, A.T)
    assert ((A >= 0) & (A <= 1)).all()
    assert not A.diagonal().any()
    equal = (X[:, None] == X[None]).all(axis=2) & ~np.eye(n, dtype=bool)
    assert (A[equal] == 1).all()  # nothing tells duplicates apart
    assert np.isfinite(forest.feature_importances_).all()


@pytest.mark.parametrize("n_jobs", [2, 3])
def test_the_result_does_not_depend_on_the_number_of_jobs(n_jobs: int) -> None:
    X, truth = blobs()
    links = links_of(truth, 50)
    alone = ConstraintForest(n_trees=20, random_state=4).fit(X, **links)
    shared = ConstraintForest(n_trees=20, random_state=4, n_jobs=n_jobs).fit(X, **links)
    np.testing.assert_array_equal(alone.leaves_, shared.leaves_)
    other = ConstraintForest(n_trees=20, random_state=5).fit(X, **links)
    assert not np.array_equal(alone.affinity_, other.affinity_)


def test_columns_stretched_or_bent_change_nothing_but_thresholds() -> None:
    X, truth = blobs()
    links = links_of(truth, 50)
    forest = ConstraintForest(n_trees=20).fit(X, **links)
    bent = ConstraintForest(n_trees=20, random_state=0).fit(np.exp(X / 5), **links)
    # Ranks decide where a cut lies; the middle between two values may fall on an item's other side.
    assert abs(forest.affinity_ - bent.affinity_).mean() < 0.02


def test_links_make_items_of_one_kind_more_alike() -> None:
    X, truth = load_wine(return_X_y=True)
    apart = np.triu_indices(len(X), 1)
    same = (truth[:, None] == truth[None])[apart]
    areas = []
    for links in ({}, links_of(truth, 150)):
        forest = ConstraintForest(n_trees=200).fit(X, **links)
        areas.append(roc_auc_score(same, forest.affinity_[apart]))
    assert areas[1] > areas[0] + 0.01
    assert areas[0] > 0.8


@pytest.mark.parametrize("closed", [False, True])
def test_linked_pairs_move_together_and_apart(closed: bool) -> None:
    X = np.random.default_rng(0).normal(size=(60, 4))
    must, cannot = [(0, 1), (2, 3)], [(4, 5), (6, 7)]
    # Those that are alike without links are told apart, those that are not are tied.
    free = ConstraintForest(n_trees=300).fit(X)
    forest = ConstraintForest(n_trees=300, close_links=closed)
    tied = forest.fit(X, must_link=must, cannot_link=cannot)
    for i, j in must:
        assert tied.affinity_[i, j] > free.affinity_[i, j] + 0.05
    for i, j in cannot:
        assert tied.affinity_[i, j] <= free.affinity_[i, j] + 0.02


def test_contradictory_links_end_in_a_leaf() -> None:
    X, _ = blobs(30)
    all_pairs = np.array(np.triu_indices(30, 1)).T
    forest = ConstraintForest(n_trees=10).fit(X, must_link=all_pairs, cannot_link=all_pairs)
    in_each_tree = [tree.n_leaves for tree in forest.trees_]
    # Synthetic rows may still be cut off from the items, which stay together but for strays.
    assert max(in_each_tree) < 20
    assert forest.affinity_[~np.eye(30, dtype=bool)].mean() > 0.5


def test_informative_columns_matter_more_than_noise() -> None:
    X, _ = blobs(200)
    noisy = np.column_stack([X, np.random.default_rng(0).normal(size=(200, 5)), np.ones(200)])
    weight = ConstraintForest(n_trees=50).fit(noisy).feature_importances_
    assert weight.sum() == pytest.approx(1.0)
    assert weight[:5].min() > weight[5:].max()
    assert weight[-1] == 0.0
    assert ConstraintForest(n_trees=5).fit(np.ones((9, 2))).feature_importances_.tolist() == [0, 0]


@pytest.mark.parametrize("k", [1, 5, 79, 200])
def test_the_neighbour_graph_holds_the_largest_shares(k: int) -> None:
    X, truth = blobs()
    links = links_of(truth, 40)
    full = ConstraintForest(n_trees=40).fit(X, **links).affinity_
    graph = ConstraintForest(n_trees=40, n_neighbours=k).fit(X, **links).affinity_
    assert connected_components(graph, directed=False)[0] == 1
    assert abs(graph - graph.T).max() == 0
    kept = np.zeros_like(full)
    for i, row in enumerate(full):
        best = np.argsort(-row, kind="stable")[:k]
        kept[i, best] = row[best]
    kept = np.maximum(kept, kept.T)
    bridges = graph.toarray()[kept == 0]
    np.testing.assert_allclose(graph.toarray()[kept > 0], kept[kept > 0])
    assert bridges.max(initial=0.0) <= 1e-3 * full.max()


def test_sampled_cuts_tell_kinds_apart_as_well() -> None:
    X, truth = blobs(600)
    same = truth[:, None] == truth[None]
    apart = np.triu_indices(600, 1)
    of_all = ConstraintForest(n_trees=40, to_single_rows=False)
    for links in ({}, links_of(truth, 200)):
        forest = clone(of_all).set_params(cut_sample=50).fit(X, **links)
        again = clone(forest).set_params(n_jobs=2).fit(X, **links)
        np.testing.assert_array_equal(forest.leaves_, again.leaves_)
        whole = clone(of_all).fit(X, **links)
        assert not np.array_equal(forest.leaves_, whole.leaves_)
        areas = [roc_auc_score(same[apart], one.affinity_[apart]) for one in (forest, whole)]
        assert areas[0] > areas[1] - 0.01


def test_each_tree_is_reported() -> None:
    calls: list[None] = []
    ConstraintForest(n_trees=7).fit(blobs()[0], on_tree=lambda: calls.append(None))
    assert len(calls) == 7


def test_new_items_fall_into_the_leaves_of_items_like_them() -> None:
    X, truth = blobs(200)
    forest = ConstraintForest(n_trees=100).fit(X[:150])
    common = (forest.apply(X[150:])[:, None, :] == forest.leaves_[None]).mean(axis=2)
    assert (truth[:150][common.argmax(axis=1)] == truth[150:]).mean() > 0.9


@pytest.mark.parametrize(
    ("settings_", "links", "error"),
    [
        ({"n_trees": 0}, {}, MethodError),
        ({"min_leaf": 0}, {}, MethodError),
        ({"n_neighbours": 0}, {}, MethodError),
        ({"cut_sample": 1}, {}, MethodError),
        ({"max_features": 0}, {}, MethodError),
        ({"max_features": "all"}, {}, MethodError),
        ({}, {"must_link": [(0, 80)]}, DataError),
        ({}, {"cannot_link": [(3, 3)]}, DataError),
    ],
)
def test_settings_and_links_that_make_no_sense_are_refused(
    settings_: dict[str, Any], links: dict[str, Any], error: type[LikewiseError]
) -> None:
    with pytest.raises(error):
        ConstraintForest(**settings_).fit(blobs()[0], **links)


def test_numba_waits_for_the_first_forest() -> None:
    code = "import likewise.affinities, likewise.study, sys; sys.exit('numba' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_shares_of_trees_that_have_not_seen_a_pair_leave_the_others_out() -> None:
    X = blobs()[0]
    forest = ConstraintForest(n_trees=40, random_state=3).fit(X)
    pairs = np.array([[0, 1], [0, 50], [2, 3]])
    seeds = np.random.SeedSequence(3).spawn(41)[1:]
    expected = []
    for i, j in pairs:
        alike = []
        for tree, seed in enumerate(seeds):
            bag = np.random.default_rng(seed).integers(2 * len(X), size=len(X))
            if not (i in bag and j in bag):
                alike.append(forest.leaves_[i, tree] == forest.leaves_[j, tree])
        expected.append(np.mean(alike))
    np.testing.assert_allclose(forest.unseen_shares(pairs), expected)
