from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.sparse.linalg import ArpackError
from sklearn.base import clone
from sklearn.cluster import SpectralClustering
from sklearn.datasets import make_blobs, make_moons
from sklearn.metrics import adjusted_rand_score
from sklearn.utils.estimator_checks import parametrize_with_checks

from likewise.affinities import Gaussian
from likewise.clusterers import E2CP
from likewise.clusterers.spectral import _eigensolvers as eigensolvers
from likewise.clusterers.spectral import e2cp, propagation
from likewise.clusterers.spectral.e2cp import adjusted
from likewise.errors import DataError, LikewiseError, MethodError

Array = npt.NDArray[np.float64]
Labels = npt.NDArray[np.int64]
Link = tuple[int, int]


@parametrize_with_checks([E2CP()])  # type: ignore[untyped-decorator]
def test_e2cp_is_an_estimator_as_scikit_learn_wants_it(estimator: Any, check: Any) -> None:
    check(estimator)


def blobs(n: int = 90, seed: int = 0) -> tuple[Array, Labels]:
    X, truth = make_blobs(n, centers=[[0, 0], [12, 0], [0, 12]], random_state=seed)
    return X, truth


def random_links(truth: Labels, count: int, seed: int = 0) -> tuple[list[Link], list[Link]]:
    pairs = np.random.default_rng(seed).integers(len(truth), size=(count, 2)).tolist()
    told = [(i, j) for i, j in pairs if i != j]
    must = [(i, j) for i, j in told if truth[i] == truth[j]]
    return must, [(i, j) for i, j in told if truth[i] != truth[j]]


@pytest.mark.parametrize("add_edges", [None, 0])
def test_the_similarities_of_a_path_change_as_they_should(add_edges: int | None) -> None:
    W = np.zeros((4, 4))
    for i, j, weight in [(0, 1, 1.0), (1, 2, 0.1), (2, 3, 1.0)]:
        W[i, j] = W[j, i] = weight
    model = E2CP(affinity="precomputed", add_edges=add_edges).fit(W, cannot_link=[(0, 3)])
    changed = model.affinity_matrix_
    assert changed[0, 1] == pytest.approx(0.949371, abs=5e-7)
    assert changed[1, 2] == pytest.approx(0.085421, abs=5e-7)
    assert changed[0, 3] == 0.0
    assert model.propagated_[0, 3] == pytest.approx(-0.239600, abs=5e-7)
    assert model.labels_.tolist() in ([0, 0, 1, 1], [1, 1, 0, 0])


def test_without_links_the_graph_stays_as_it_is() -> None:
    X, truth = blobs()
    model = E2CP(n_clusters=3).fit(X)
    np.testing.assert_array_equal(model.affinity_matrix_, Gaussian().fit(X).affinity_.toarray())
    assert not model.propagated_.any()
    assert adjusted_rand_score(truth, model.labels_) == 1.0


@settings(max_examples=30)
@given(st.integers(0, 1000), st.sampled_from([0.0, 0.5, 0.8]))
def test_similarities_stay_between_zero_and_one_and_symmetric(seed: int, alpha: float) -> None:
    X = np.random.default_rng(seed).normal(size=(15, 2))
    truth = np.random.default_rng(seed).integers(3, size=15)
    must, cannot = random_links(truth, 60, seed)
    model = E2CP(alpha=alpha, answers_win=False).fit(X, must_link=must, cannot_link=cannot)
    changed = model.affinity_matrix_
    np.testing.assert_array_equal(changed, changed.T)
    assert changed.min() >= 0.0
    assert changed.max() <= 1.0
    assert (np.diag(changed) == 0).all()
    assert np.abs(model.propagated_).max() <= 1.0


def test_with_nothing_propagated_only_linked_pairs_change() -> None:
    X, truth = blobs()
    must, cannot = random_links(truth, 50)
    model = E2CP(alpha=0.0, n_clusters=3).fit(X, must_link=must, cannot_link=cannot)
    expected = Gaussian().fit(X).affinity_.toarray()
    for i, j in must:
        expected[i, j] = expected[j, i] = 1.0
    for i, j in cannot:
        expected[i, j] = expected[j, i] = 0.0
    np.testing.assert_allclose(model.affinity_matrix_, expected, atol=1e-12)


def test_the_sparse_way_gives_what_the_dense_way_gives_where_it_looks(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    X, truth = make_moons(200, noise=0.1, random_state=0)
    must, cannot = random_links(truth, 60)
    dense = E2CP().fit(X, must_link=must, cannot_link=cannot)
    for module in (propagation, e2cp):
        monkeypatch.setattr(module, "DENSE", 0)
    for add_edges in (None, 0, 5):
        sparse = E2CP(add_edges=add_edges).fit(X, must_link=must, cannot_link=cannot)
        i, j = sparse.affinity_matrix_.nonzero()
        values = np.asarray(sparse.affinity_matrix_[i, j]).ravel()
        np.testing.assert_allclose(values, dense.affinity_matrix_[i, j], atol=1e-10)
        scores = np.asarray(sparse.propagated_[i, j]).ravel()
        np.testing.assert_allclose(scores, dense.propagated_[i, j], atol=1e-10)
        told = {(min(i, j), max(i, j)) for i, j in must}
        assert all(sparse.affinity_matrix_[i, j] > 0 for i, j in told)


def test_new_edges_go_to_the_largest_scores(monkeypatch: pytest.MonkeyPatch) -> None:
    X, truth = make_moons(80, noise=0.1, random_state=0)
    must, cannot = random_links(truth, 60)
    graph = Gaussian(n_neighbours=5)
    every = E2CP(affinity=graph).fit(X, must_link=must, cannot_link=cannot)
    edges = graph.fit(X).affinity_.toarray() > 0
    some = E2CP(affinity=graph, add_edges=3).fit(X, must_link=must, cannot_link=cannot)
    gained = (some.affinity_matrix_.toarray() > 0) & ~edges
    for item in range(80):
        new = np.where(edges[item], -np.inf, every.propagated_[item])
        new[item] = -np.inf
        best = [other for other in np.argsort(-new)[:3] if new[other] > 0]
        assert gained[item, best].all()


@settings(max_examples=15)
@given(st.permutations(range(60)), st.integers(0, 40))
def test_items_in_another_order_get_the_same_groups(order: list[int], count: int) -> None:
    X, truth = blobs(60)
    must, cannot = random_links(truth, count)
    place = np.argsort(order)
    model = E2CP(n_clusters=3)
    first = clone(model).fit(X, must_link=must, cannot_link=cannot)
    moved = clone(model).fit(
        X[order],
        must_link=[(int(place[i]), int(place[j])) for i, j in must],
        cannot_link=[(int(place[i]), int(place[j])) for i, j in cannot],
    )
    expected = first.propagated_[np.ix_(order, order)]
    np.testing.assert_allclose(moved.propagated_, expected, atol=1e-10)
    assert adjusted_rand_score(first.labels_[order], moved.labels_) == 1.0


@settings(max_examples=30)
@given(st.data(), st.integers(1, 5))
def test_labels_never_contradict_a_link(data: st.DataObject, n_clusters: int) -> None:
    n = data.draw(st.integers(max(2, n_clusters), 14))
    hidden = np.array(data.draw(st.lists(st.integers(0, 3), min_size=n, max_size=n)))
    must, cannot = random_links(hidden, data.draw(st.integers(0, 20)), n)
    X = np.random.default_rng(n).normal(size=(n, 2))
    model = E2CP(n_clusters=n_clusters).fit(X, must_link=must, cannot_link=cannot)
    assert all(model.labels_[i] == model.labels_[j] for i, j in must)
    assert all(model.labels_[i] != model.labels_[j] for i, j in cannot)
    assert set(model.labels_.tolist()) == set(range(model.n_clusters_))


def test_contradictory_links_are_averaged_unless_answers_must_win() -> None:
    X, truth = blobs()
    both: dict[str, Any] = {"must_link": [(0, 1), (2, 3)], "cannot_link": [(1, 0)]}
    free = E2CP(n_clusters=3, answers_win=False).fit(X, **both)
    without = E2CP(n_clusters=3, answers_win=False).fit(X, must_link=[(2, 3)])
    np.testing.assert_allclose(free.propagated_, without.propagated_, atol=1e-15)
    assert adjusted_rand_score(truth, free.labels_) == 1.0
    with pytest.raises(DataError, match="drop one of these links"):
        E2CP(n_clusters=3).fit(X, **both)


def test_propagated_answers_part_what_distances_do_not() -> None:
    X, truth = make_moons(200, noise=0.12, random_state=1)
    unlinked, linked = [], []
    for seed in range(5):
        must, cannot = random_links(truth, 60, seed)
        model = E2CP(affinity=Gaussian(n_neighbours=0.1), answers_win=False, random_state=seed)
        unlinked.append(adjusted_rand_score(truth, model.fit(X).labels_))
        model.fit(X, must_link=must, cannot_link=cannot)
        linked.append(adjusted_rand_score(truth, model.labels_))
    assert np.mean(linked) > np.mean(unlinked) + 0.1


def test_the_changed_graph_is_clustered_as_scikit_learn_clusters_it() -> None:
    X, truth = make_moons(150, noise=0.08, random_state=0)
    must, cannot = random_links(truth, 80)
    model = E2CP(answers_win=False).fit(X, must_link=must, cannot_link=cannot)
    peer = SpectralClustering(2, affinity="precomputed", random_state=0)
    assert adjusted_rand_score(peer.fit_predict(model.affinity_matrix_), model.labels_) > 0.9


@pytest.mark.parametrize("form", ["sparse", "dense", "tenfold"])
def test_a_precomputed_affinity_gives_what_the_features_give(form: str) -> None:
    X, truth = blobs()
    must, cannot = random_links(truth, 30)
    affinity = Gaussian().fit(X).affinity_
    given_affinity = affinity if form == "sparse" else affinity.toarray()
    if form == "tenfold":  # similarities above one are brought back to one
        given_affinity = 10.0 * given_affinity / given_affinity.max()
    model = E2CP(n_clusters=3, affinity="precomputed")
    model.fit(given_affinity, must_link=must, cannot_link=cannot)
    plain = E2CP(n_clusters=3).fit(X, must_link=must, cannot_link=cannot)
    np.testing.assert_allclose(model.propagated_, plain.propagated_, atol=1e-10)
    np.testing.assert_array_equal(model.labels_, plain.labels_)
    assert model.affinity_matrix_.max() <= 1.0


def test_equal_input_gives_equal_output_and_a_start_the_same_groups() -> None:
    X, truth = blobs(300)
    must, cannot = random_links(truth, 100)
    model = E2CP(n_clusters=3, random_state=3)
    first = clone(model).fit(X, must_link=must, cannot_link=cannot)
    again = clone(model).fit(X.copy(), must_link=np.array(must), cannot_link=np.array(cannot))
    np.testing.assert_array_equal(first.eigenvectors_, again.eigenvectors_)
    np.testing.assert_array_equal(first.labels_, again.labels_)
    warm = clone(model).fit(X, must_link=must, cannot_link=cannot, start=clone(model).fit(X))
    assert adjusted_rand_score(first.labels_, warm.labels_) == 1.0


def test_an_affinity_that_learns_is_given_the_links_and_fitted_anew() -> None:
    class Learning(Gaussian):
        learns = True

        def fit(self, X: Any, y: Any = None, **links: Any) -> Learning:
            super().fit(X)
            self.told = links
            return self

    X, _ = blobs()
    affinity = Learning()
    earlier = E2CP(n_clusters=3, affinity=affinity).fit(X)
    E2CP(n_clusters=3, affinity=affinity).fit(X, must_link=[(0, 1)], start=earlier)
    assert {name: links.tolist() for name, links in affinity.told.items()} == {
        "must_link": [[0, 1]],
        "cannot_link": [],
    }


@pytest.mark.parametrize(
    ("settings_", "links", "error"),
    [
        ({"alpha": 1.0}, {}, MethodError),
        ({"alpha": -0.1}, {}, MethodError),
        ({"add_edges": -1}, {}, MethodError),
        ({"affinity": "cosine"}, {}, MethodError),
        ({"n_clusters": 91}, {}, MethodError),
        ({}, {"must_link": [(0, 90)]}, DataError),
        ({}, {"cannot_link": [(3, 3)]}, DataError),
    ],
)
def test_settings_and_links_that_make_no_sense_are_refused(
    settings_: dict[str, Any], links: dict[str, Any], error: type[LikewiseError]
) -> None:
    with pytest.raises(error):
        E2CP(**settings_).fit(blobs()[0], **links)


def test_duplicates_constant_columns_and_sparse_features_do_no_harm() -> None:
    X, _ = blobs(30)
    twice = np.column_stack([np.repeat(X, 3, axis=0), np.ones(90)])
    for form in (twice, sp.csr_matrix(twice)):
        model = E2CP(n_clusters=3).fit(form, must_link=[(0, 1)], cannot_link=[(0, 89)])
        assert np.isfinite(model.embedding_).all()
    assert E2CP(n_clusters=2).fit(np.zeros((6, 2)), cannot_link=[(0, 1)]).n_clusters_ == 2


def test_a_score_of_one_or_minus_one_decides_a_similarity() -> None:
    W = np.array([0.3, 0.3, 0.3, 0.0])
    F = np.array([1.0, -1.0, 0.0, 0.25])
    np.testing.assert_allclose(adjusted(W, F), [1.0, 0.0, 0.3, 0.25])


def test_eigenvalues_too_close_for_an_iteration_are_found_all_the_same(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    X, truth = blobs(300)
    must, cannot = random_links(truth, 40)
    expected = E2CP(n_clusters=3).fit(X, must_link=must, cannot_link=cannot)

    def give_up(*_: Any, **__: Any) -> None:
        raise ArpackError(-1)

    monkeypatch.setattr(eigensolvers, "eigsh", give_up)
    model = E2CP(n_clusters=3).fit(X, must_link=must, cannot_link=cannot)
    np.testing.assert_allclose(model.eigenvalues_, expected.eigenvalues_, atol=1e-9)
    np.testing.assert_array_equal(model.labels_, expected.labels_)
