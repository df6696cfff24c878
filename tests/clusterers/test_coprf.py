"""COP-RF as a clusterer: which links guide the forest, and what they do."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.datasets import load_iris
from sklearn.utils.estimator_checks import parametrize_with_checks

from likewise.affinities import ConstraintForest, Gaussian
from likewise.affinities.forest.inconsistency import doubts, least_doubtful
from likewise.affinities.forest.screened_forest import consistent_links, wrong_by_kind
from likewise.clusterers import COPRF, LinkedGroups, SpectralLearning
from likewise.errors import LikewiseError
from likewise.metrics import ari


@parametrize_with_checks([COPRF(n_trees=5)])  # type: ignore[untyped-decorator]
def test_it_is_an_estimator_as_scikit_learn_wants_it(estimator: Any, check: Any) -> None:
    check(estimator)


def answers(m: int, n_wrong: int, seed: int) -> tuple[Any, Any, dict[str, Any], Any]:
    """Iris, its kinds, links and which of them, must-links first, are wrong."""
    X, truth = load_iris(return_X_y=True)
    rng = np.random.default_rng(seed)
    pairs = rng.permutation(np.array(np.triu_indices(len(X), 1)).T)[:m]
    wrong = rng.permutation(np.arange(m) < n_wrong)
    same = (truth[pairs[:, 0]] == truth[pairs[:, 1]]) ^ wrong
    links = {"must_link": pairs[same], "cannot_link": pairs[~same]}
    return X, truth, links, np.concatenate([wrong[same], wrong[~same]])


def test_right_links_are_not_contradicted_though_the_odd_ones_do_not_guide(seed: int) -> None:
    X, truth, links, _ = answers(120, 0, seed)
    model = COPRF(n_clusters=3, n_trees=60, random_state=seed).fit(X, **links)
    assert model.error_rate_ == 0
    assert model.used_links_.sum() == 108
    assert (
        model.inconsistency_[model.used_links_].max()
        <= model.inconsistency_[~model.used_links_].min()
    )
    for i, j in links["must_link"]:
        assert model.labels_[i] == model.labels_[j]
    for i, j in links["cannot_link"]:
        assert model.labels_[i] != model.labels_[j]
    free = COPRF(n_clusters=3, n_trees=60, random_state=seed).fit(X)
    assert ari(truth, model.labels_) > ari(truth, free.labels_)


@pytest.mark.parametrize("told", [None, 0.2])
def test_wrong_links_are_left_out_and_do_little_harm(told: float | None, seed: int) -> None:
    X, truth, links, wrong = answers(150, 30, seed)
    wary = COPRF(n_clusters=3, n_trees=60, error_rate=told, random_state=seed).fit(X, **links)
    assert wary.error_rate_ > 0.1
    assert wary.used_links_[wrong].mean() < 0.7 * wary.used_links_[~wrong].mean()
    credulous = COPRF(n_clusters=3, n_trees=60, error_rate=0.0, random_state=seed).fit(X, **links)
    assert ari(truth, wary.labels_) > ari(truth, credulous.labels_) + 0.1


def test_the_more_are_wrong_the_fewer_guide() -> None:
    X, _, links, _ = answers(150, 30, 0)
    counts = [
        COPRF(n_clusters=3, n_trees=10, error_rate=rate).fit(X, **links).used_links_.sum()
        for rate in (0.0, 0.2, 0.5, 0.95)
    ]
    assert counts == sorted(counts, reverse=True)
    assert (
        counts[-1] <= 0.05 * 150 + 2
    )  # of either kind one that is thought to be right, rounded up


def test_the_affinity_is_that_of_the_forest_on_guiding_links() -> None:
    X, _, links, _ = answers(80, 0, 0)
    model = COPRF(n_clusters=3, n_trees=30, n_neighbours=12, sharpness=2.0).fit(X, **links)
    must, cannot = np.split(model.used_links_, [len(links["must_link"])])
    forest = ConstraintForest(n_trees=30, max_features=None, close_links=True, n_neighbours=12).fit(
        X, must_link=links["must_link"][must], cannot_link=links["cannot_link"][cannot]
    )
    np.testing.assert_allclose(model.affinity_matrix_.toarray(), forest.affinity_.toarray() ** 2)
    share = COPRF(n_clusters=3, n_trees=30, n_neighbours=0.08, sharpness=1.0).fit(X, **links)
    assert (share.affinity_matrix_ != forest.affinity_).nnz == 0
    every = COPRF(n_clusters=3, n_trees=30, n_neighbours=None).fit(X, **links)
    assert isinstance(every.affinity_matrix_, np.ndarray)


@settings(max_examples=60)
@given(st.data(), st.integers(2, 8), st.integers(0, 12))
def test_what_stays_contradicts_nothing_and_nothing_else_could_stay(
    data: st.DataObject, n: int, m: int
) -> None:
    pair = st.tuples(st.integers(0, n - 1), st.integers(0, n - 1)).filter(lambda p: p[0] != p[1])
    drawn = data.draw(st.lists(pair, min_size=m, max_size=m))
    links: npt.NDArray[np.int64] = np.array(drawn, dtype=np.int64).reshape(-1, 2)
    flags = data.draw(st.lists(st.booleans(), min_size=m, max_size=m))
    same = np.array(flags, dtype=bool)
    scores = data.draw(st.lists(st.floats(0, 1), min_size=m, max_size=m))
    doubt = np.array(scores, dtype=np.float64)
    kept = consistent_links(n, links, same, doubt)
    LinkedGroups.of(n, links[kept & same], links[kept & ~same])  # raises at a contradiction
    for left_out in np.flatnonzero(~kept):
        surer = kept & (doubt <= doubt[left_out])
        surer[left_out] = True
        with pytest.raises(LikewiseError):
            LinkedGroups.of(n, links[surer & same], links[surer & ~same])


@pytest.mark.parametrize(
    "settings_",
    [
        {"error_rate": -0.1},
        {"error_rate": 1.0},
        {"n_neighbours": 0},
        {"n_clusters": 0},
        {"sharpness": 0},
        {"scan": "backwards"},
        {"plain_share": 1.5},
        {"odd_share": 1.0},
    ],
)
def test_settings_that_make_no_sense_are_refused(settings_: dict[str, Any]) -> None:
    with pytest.raises(LikewiseError):
        COPRF(n_trees=5, **settings_).fit(np.arange(20.0)[:, None])


def test_the_letter_is_the_most_consistent_half_in_the_forest_of_the_paper() -> None:
    X, _, links, _ = answers(120, 18, 0)
    model = COPRF.literal(n_clusters=3, n_trees=30, n_neighbours=12).fit(X, **links)
    must, cannot = links["must_link"], links["cannot_link"]
    xi = doubts(X, must_link=must, cannot_link=cannot, measure="inconsistency", n_trees=200)
    np.testing.assert_array_equal(model.inconsistency_, xi)
    kept = least_doubtful(must, cannot, xi, share=0.5)
    forest = ConstraintForest(n_trees=30, scan="running", n_neighbours=12)
    forest.fit(X, must_link=kept[0], cannot_link=kept[1])
    assert (model.affinity_matrix_ != forest.affinity_).nnz == 0
    labels = SpectralLearning(n_clusters=3, affinity="precomputed").fit(forest.affinity_).labels_
    assert ari(labels, model.labels_) == 1.0


def test_of_each_kind_as_many_are_left_out_as_are_expected_to_be_wrong() -> None:
    X, _, links, wrong = answers(300, 45, 0)
    model = COPRF(n_clusters=3, n_trees=10, error_rate=0.15, odd_share=0.0).fit(X, **links)
    must = np.arange(300) < len(links["must_link"])
    for kind, share in zip((must, ~must), wrong_by_kind(must, 0.15), strict=True):
        assert model.used_links_[kind].sum() == pytest.approx((1 - share) * kind.sum(), abs=4)
        assert share == pytest.approx(wrong[kind].mean(), abs=0.08)


@settings(max_examples=40)
@given(st.floats(0.05, 0.95), st.floats(0.0, 0.45))
def test_wrong_links_by_kind_add_up_to_all_wrong_links(same: float, rate: float) -> None:
    said = same * (1 - rate) + (1 - same) * rate
    flags = np.arange(100_000) < round(100_000 * said)
    of_must, of_cannot = wrong_by_kind(flags, rate)
    assert said * of_must + (1 - said) * of_cannot == pytest.approx(rate, abs=1e-3)
    assert of_must == pytest.approx((1 - same) * rate / said, abs=1e-3)


def test_a_mixed_graph_is_that_of_the_features_as_far_as_asked_for() -> None:
    X, _, links, _ = answers(80, 12, 0)
    none, some, all_ = (
        COPRF(n_clusters=3, n_trees=20, error_rate=0.15, plain_share=share).fit(X, **links)
        for share in (0.0, 0.5, 1.0)
    )
    mean = (none.affinity_matrix_ + all_.affinity_matrix_) / 2
    np.testing.assert_allclose(some.affinity_matrix_.toarray(), mean.toarray())
    plain = Gaussian(n_neighbours=15).fit(X).affinity_
    assert (all_.affinity_matrix_ > 0).nnz == (plain > 0).nnz


def test_links_choose_the_forest_where_it_tells_them_better_than_distances_do() -> None:
    rng = np.random.default_rng(0)
    truth = np.arange(150) % 2
    # One feature tells the kinds; distances are made of the others.
    X = np.column_stack([truth + rng.normal(0, 0.1, 150), rng.normal(0, 3, (150, 6))])
    pairs = rng.permutation(np.array(np.triu_indices(150, 1)).T)[:300]
    same = (truth[pairs[:, 0]] == truth[pairs[:, 1]]) ^ (np.arange(300) < 30)
    links = {"must_link": pairs[same], "cannot_link": pairs[~same]}
    knows = COPRF(n_clusters=2, n_trees=60, error_rate=0.1).fit(X, **links)
    assert knows.forest_.plain_share_ == 0
    pairs = np.random.default_rng(1).permutation(np.array(np.triu_indices(150, 1)).T)
    # Answers that have nothing to do with the features. With two kinds the forest is believed, with
    # many most of the few must-links are wrong, and it has to be ahead.
    for n_must, share in ((100, 0.0), (40, 0.75)):
        noise: dict[str, Any] = {"must_link": pairs[:n_must], "cannot_link": pairs[n_must:200]}
        knows_nothing = COPRF(n_clusters=2, n_trees=60, error_rate=0.15).fit(X, **noise)
        assert knows_nothing.forest_.plain_share_ == share
    sure = COPRF(n_clusters=2, n_trees=60, error_rate=0.0).fit(X, **links)
    assert sure.forest_.plain_share_ == 0
