from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
import scipy.sparse as sp
from hypothesis import given
from hypothesis import strategies as st
from sklearn.datasets import load_iris, make_blobs
from sklearn.metrics import pairwise_distances, roc_auc_score

from likewise.affinities.forest.inconsistency import (
    MEASURES,
    doubts,
    inconsistency,
    least_doubtful,
    pair_features,
)
from likewise.errors import DataError, LikewiseError, MethodError
from likewise.items import Items
from likewise.study import Study

Array = npt.NDArray[np.float64]


def answers(m: int, n_wrong: int, seed: int) -> tuple[Array, dict[str, Any], Any]:
    """Answers about iris; which of them, must-links first, are wrong."""
    X, truth = load_iris(return_X_y=True)
    rng = np.random.default_rng(seed)
    pairs = rng.permutation(np.array(np.triu_indices(len(X), 1)).T)[:m]
    wrong = rng.permutation(np.arange(m) < n_wrong)  # anywhere, so that ties tell nothing
    same = (truth[pairs[:, 0]] == truth[pairs[:, 1]]) ^ wrong
    links = {"must_link": pairs[same], "cannot_link": pairs[~same]}
    return X, links, np.concatenate([wrong[same], wrong[~same]])


@pytest.mark.parametrize("measure", MEASURES)
def test_wrong_answers_are_doubted_more_than_right_ones(measure: str, seed: int) -> None:
    X, links, wrong = answers(200, 20, seed)
    scores = doubts(X, **links, measure=measure, n_trees=100, random_state=seed)
    assert roc_auc_score(wrong, scores) > 0.85
    again = doubts(X, **links, measure=measure, n_trees=100, random_state=seed, n_jobs=2)
    np.testing.assert_array_equal(scores, again)


@pytest.mark.parametrize("measure", MEASURES)
def test_the_order_of_the_two_items_of_a_pair_does_not_matter(measure: str) -> None:
    X, links, _ = answers(60, 6, 0)
    turned = {name: pairs[:, ::-1] for name, pairs in links.items()}
    scores = doubts(X, **links, measure=measure, n_trees=50)
    np.testing.assert_array_equal(scores, doubts(X, **turned, measure=measure, n_trees=50))


def test_the_inconsistency_of_a_proximity_known_by_hand() -> None:
    # Ten trees: pairs 0 and 1 share eight leaves, pair 2 shares one with each of them.
    leaves = np.array([[0] * 10, [0] * 8 + [1, 2], [0] + [3] * 7 + [4, 5]])
    expected = [0.0, 0.0, 0.617647]  # 1 / (1 + .8² + .1²) against 1 / (1 + .1² + .1²)
    scores = inconsistency(leaves, np.ones(3, dtype=bool))
    np.testing.assert_allclose(scores, expected, atol=1e-6)


@given(st.integers(2, 12), st.integers(1, 6), st.integers(0, 99))
def test_the_inconsistency_is_that_of_the_literal_formula(m: int, n_trees: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    leaves, same = rng.integers(3, size=(m, n_trees)), rng.random(m) < 0.5
    scores = inconsistency(leaves, same)
    proximity = (leaves[:, None] == leaves[None]).mean(axis=2)
    for answer in (True, False):
        mine = np.flatnonzero(same == answer)
        rho = [1 / sum(proximity[i, j] ** 2 for j in mine) for i in mine]
        for i, value in zip(mine, rho, strict=True):
            assert scores[i] == pytest.approx((value - np.median(rho)) / np.median(rho), abs=1e-5)


def test_few_answers_of_a_kind_are_not_doubted() -> None:
    X, links, _ = answers(60, 6, 0)
    few = {"must_link": links["must_link"][:4], "cannot_link": links["cannot_link"]}
    assert not doubts(X, **few, n_trees=50).any()
    assert len(doubts(X)) == 0


def test_the_least_doubted_links_are_kept() -> None:
    X, links, _ = answers(200, 30, 0)
    scores = doubts(X, **links, n_trees=100)
    must, cannot = least_doubtful(**links, scores=scores, share=0.5)
    assert 100 <= len(must) + len(cannot) < 105  # ties stay
    right = load_iris().target
    n_wrong = (right[must[:, 0]] != right[must[:, 1]]).sum()
    n_wrong += (right[cannot[:, 0]] == right[cannot[:, 1]]).sum()
    assert n_wrong < 5
    everyone = least_doubtful(**links, scores=scores, share=1.0)
    np.testing.assert_array_equal(everyone[0], links["must_link"])
    assert [len(pairs) for pairs in least_doubtful(**links, scores=scores, share=0.0)] == [0, 0]
    # Undoubted answers are all alike: none is thrown away.
    assert len(least_doubtful([(0, 1)] * 4, None, np.zeros(4))[0]) == 4


def test_pairs_are_described_by_difference_and_place() -> None:
    X = np.array([[0.0, 1.0], [4.0, -1.0], [2.0, 2.0]])
    pairs = np.array([[0, 1], [2, 1]])
    np.testing.assert_array_equal(pair_features(X, pairs), [[4, 2, 2, 0], [2, 3, 3, 0.5]])


@pytest.mark.parametrize(
    ("X", "more", "error"),
    [
        (None, {}, MethodError),
        (sp.eye(5).tocsr(), {}, MethodError),
        (np.ones((5, 2)), {"measure": "feeling"}, MethodError),
        (np.ones((5, 2)), {"n_trees": 3}, MethodError),
        (np.ones((5, 2)), {"must_link": [(0, 5)]}, DataError),
    ],
)
def test_what_cannot_be_judged_is_refused(
    X: Any, more: dict[str, Any], error: type[LikewiseError]
) -> None:
    with pytest.raises(error):
        doubts(X, **more)


def test_scores_of_other_links_are_refused() -> None:
    with pytest.raises(DataError, match="2 scores for 1 links"):
        least_doubtful([(0, 1)], None, np.zeros(2))
    with pytest.raises(MethodError, match="between 0 and 1"):
        least_doubtful([(0, 1)], None, np.zeros(1), share=1.5)


@pytest.mark.parametrize("method", ["auto", "urasc"])
def test_answers_about_items_known_only_by_their_likeness_can_be_doubted(method: str) -> None:
    X, kinds = make_blobs(40, centers=2, cluster_std=0.5, random_state=0)
    away = pairwise_distances(X)
    study = Study(Items.from_affinity(np.exp(-((away / away.mean()) ** 2))), method=method)
    for i, j in [(k, k + 1) for k in range(0, 38, 2)]:
        study.tell((i, j), bool(kinds[i] == kinds[j]))
    i, j = 38, int(np.flatnonzero(kinds[:38] != kinds[38])[0])
    wrong = study.tell((i, j), "same")
    assert study.doubtful()[0].answer == wrong
