from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.base import clone
from sklearn.datasets import load_iris, load_wine, make_blobs
from sklearn.metrics import adjusted_rand_score
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import parametrize_with_checks

from likewise.affinities import Gaussian
from likewise.clusterers import SpectralLearning
from likewise.errors import DataError, LikewiseError, MethodError

Array = npt.NDArray[np.float64]
Labels = npt.NDArray[np.int64]
Link = tuple[int, int]
LITERAL: dict[str, Any] = {  # the URASC paper's section 3.1 to the letter
    "cannot_link_value": -1.0,
    "normalisation": "none",
    "unit_rows": False,
    "affinity": Gaussian(n_neighbours=None),
}


@parametrize_with_checks([SpectralLearning()])  # type: ignore[untyped-decorator]
def test_spectral_learning_is_an_estimator_as_scikit_learn_wants_it(
    estimator: Any, check: Any
) -> None:
    check(estimator)


def blobs(n: int = 90, seed: int = 0) -> tuple[Array, Labels]:
    X, truth = make_blobs(n, centers=[[0, 0], [12, 0], [0, 12]], random_state=seed)
    return X, truth


def links_among(truth: Labels, items: Labels) -> tuple[list[Link], list[Link]]:
    """What is known once the kinds of some items are: each against one of every kind."""
    first: dict[int, int] = {}
    must: list[Link] = []
    cannot: list[Link] = []
    for item in items:
        kind = int(truth[item])
        if kind in first:
            must.append((first[kind], int(item)))
        else:
            cannot += [(other, int(item)) for other in first.values()]
            first[kind] = int(item)
    return must, cannot


def test_separated_blobs_are_found_without_links() -> None:
    for n in (90, 300):
        X, truth = blobs(n)
        model = SpectralLearning(n_clusters=3).fit(X)
        assert adjusted_rand_score(truth, model.labels_) == 1.0
        assert model.n_clusters_ == 3
        assert model.embedding_.shape == (n, 3)
        assert model.eigenvalues_.shape == (3,)


@pytest.mark.parametrize("n_clusters", [2, 3, 5])
@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("parted", [False, True])
def test_far_blobs_are_found_also_when_the_last_edge_between_them_is_cut(
    n_clusters: int, seed: int, parted: bool
) -> None:
    # Far blobs hang together by an edge each; "different" at its two ends parts the graph.
    centres = [[100.0 * c, 0.0] for c in range(n_clusters)]
    X, truth = make_blobs(100 * n_clusters, centers=centres, random_state=seed)
    graph = Gaussian().fit(X).affinity_.tocoo()
    ends = zip(graph.row.tolist(), graph.col.tolist(), strict=True)
    bridges = [(i, j) for i, j in ends if truth[i] < truth[j]]
    model = SpectralLearning(n_clusters=n_clusters).fit(X, cannot_link=bridges if parted else None)
    score = adjusted_rand_score(truth, model.labels_)
    assert score == 1.0


@settings(max_examples=40)
@given(st.data(), st.integers(1, 6), st.sampled_from([{}, LITERAL, {"normalisation": "additive"}]))
def test_labels_never_contradict_a_link(
    data: st.DataObject, n_clusters: int, variant: dict[str, Any]
) -> None:
    n = data.draw(st.integers(max(2, n_clusters), 14))
    hidden = data.draw(st.lists(st.integers(0, 3), min_size=n, max_size=n))
    item = st.integers(0, n - 1)
    linked = data.draw(st.lists(st.tuples(item, item).filter(lambda p: p[0] != p[1]), max_size=20))
    must = [(i, j) for i, j in linked if hidden[i] == hidden[j]]
    cannot = [(i, j) for i, j in linked if hidden[i] != hidden[j]]
    X = np.random.default_rng(n).normal(size=(n, 2))
    model = SpectralLearning(n_clusters=n_clusters, **variant)
    labels = model.fit(X, must_link=must, cannot_link=cannot).labels_
    assert all(labels[i] == labels[j] for i, j in must)
    assert all(labels[i] != labels[j] for i, j in cannot)
    assert set(labels.tolist()) == set(range(model.n_clusters_))


@pytest.mark.parametrize("load", [load_iris, load_wine])
def test_more_links_do_not_make_the_groups_worse(load: Any) -> None:
    raw, truth = load(return_X_y=True)
    X = StandardScaler().fit_transform(raw)
    means = []
    for share in (0.0, 0.1, 0.3, 0.5):
        scores = []
        for seed in range(8):
            order = np.random.default_rng(seed).permutation(len(X))
            must, cannot = links_among(truth, order[: int(share * len(X))])
            model = SpectralLearning(n_clusters=3, random_state=seed)
            labels = model.fit(X, must_link=must, cannot_link=cannot).labels_
            scores.append(adjusted_rand_score(truth, labels))
        means.append(np.mean(scores))
    assert all(later > earlier - 0.05 for earlier, later in pairwise(means))
    assert means[-1] > means[0]


@settings(max_examples=15)
@given(st.permutations(range(60)), st.booleans())
def test_items_in_another_order_get_the_same_groups(order: list[int], linked: bool) -> None:
    X, truth = blobs(60)
    must, cannot = links_among(truth, np.arange(20)) if linked else ([], [])
    place = np.argsort(order)
    moved_must = [(int(place[i]), int(place[j])) for i, j in must]
    moved_cannot = [(int(place[i]), int(place[j])) for i, j in cannot]
    model = SpectralLearning(n_clusters=3)
    labels = model.fit(X, must_link=must, cannot_link=cannot).labels_.copy()
    shuffled = model.fit(X[order], must_link=moved_must, cannot_link=moved_cannot).labels_
    assert adjusted_rand_score(labels[order], shuffled) == 1.0


@pytest.mark.parametrize("n", [90, 300])
def test_equal_input_gives_equal_output(n: int) -> None:
    X, truth = blobs(n)
    must, cannot = links_among(truth, np.arange(30))
    model = SpectralLearning(n_clusters=4, n_extra=5, random_state=3)
    first = clone(model).fit(X, must_link=must, cannot_link=cannot)
    again = clone(model).fit(X.copy(), must_link=np.array(must), cannot_link=np.array(cannot))
    np.testing.assert_array_equal(first.labels_, again.labels_)
    np.testing.assert_array_equal(first.eigenvectors_, again.eigenvectors_)


def test_the_literal_reading_of_the_paper_can_be_chosen() -> None:
    X, truth = blobs()
    must, cannot = links_among(truth, np.arange(9))
    model = SpectralLearning(n_clusters=3, **LITERAL).fit(X, must_link=must, cannot_link=cannot)
    assert model.eigenvalues_[0] < 0  # entries of -1 make the Laplacian indefinite
    np.testing.assert_array_equal(model.embedding_, model.eigenvectors_)
    assert adjusted_rand_score(truth, SpectralLearning(n_clusters=3, **LITERAL).fit_predict(X)) > 0


def test_without_answers_winning_there_are_only_the_clusters_asked_for() -> None:
    X, _ = blobs()
    all_different = [(0, 1), (0, 2), (1, 2)]
    free = SpectralLearning(n_clusters=2, answers_win=False).fit(X, cannot_link=all_different)
    bound = SpectralLearning(n_clusters=2).fit(X, cannot_link=all_different)
    assert (free.n_clusters_, bound.n_clusters_) == (2, 3)
    np.testing.assert_array_equal(free.eigenvectors_, bound.eigenvectors_)


@pytest.mark.parametrize("n", [90, 300])
@pytest.mark.parametrize("form", ["sparse", "dense"])
def test_a_precomputed_affinity_gives_what_the_features_give(n: int, form: str) -> None:
    X, truth = blobs(n)
    affinity = Gaussian().fit(X).affinity_
    given_affinity = affinity if form == "sparse" else affinity.toarray()
    model = SpectralLearning(n_clusters=3, affinity="precomputed").fit(given_affinity)
    assert adjusted_rand_score(truth, model.labels_) == 1.0
    plain = SpectralLearning(n_clusters=3).fit(X)
    np.testing.assert_allclose(model.eigenvalues_, plain.eigenvalues_, atol=1e-6)


def test_extra_eigenvectors_do_not_change_the_labels() -> None:
    X, _ = blobs()
    plain, spare = SpectralLearning(n_clusters=3).fit(X), SpectralLearning(n_clusters=3, n_extra=4)
    np.testing.assert_array_equal(plain.labels_, spare.fit(X).labels_)
    assert spare.eigenvectors_.shape == (90, 7)
    assert SpectralLearning(n_clusters=3, n_extra=10).fit(X[:5]).eigenvectors_.shape == (5, 5)


def test_a_start_from_an_earlier_fit_gives_the_same_groups() -> None:
    X, truth = blobs(300)
    must, cannot = links_among(truth, np.arange(40))
    model = SpectralLearning(n_clusters=3, n_extra=10)
    earlier = clone(model).fit(X)
    cold = clone(model).fit(X, must_link=must, cannot_link=cannot)
    warm = clone(model).fit(X, must_link=must, cannot_link=cannot, start=earlier)
    np.testing.assert_array_equal(warm.labels_, cold.labels_)
    other = clone(model).fit(X[::-1].copy(), start=earlier)  # of other items: no help, no harm
    assert adjusted_rand_score(truth[::-1], other.labels_) == 1.0


@pytest.mark.parametrize("n_clusters", [0, -1, 91])
def test_a_number_of_clusters_out_of_range_is_refused(n_clusters: int) -> None:
    with pytest.raises(MethodError, match=f"between 1 and .*90, but got {n_clusters}"):
        SpectralLearning(n_clusters=n_clusters).fit(blobs()[0])


@pytest.mark.parametrize("n_clusters", [1, 90])
def test_the_ends_of_the_range_are_allowed(n_clusters: int) -> None:
    assert SpectralLearning(n_clusters=n_clusters).fit(blobs()[0]).n_clusters_ == n_clusters


@pytest.mark.parametrize(
    ("settings_", "links", "error"),
    [
        ({"affinity": "cosine"}, {}, MethodError),
        ({"normalisation": "rows"}, {}, MethodError),
        ({}, {"must_link": [(0, 1)], "cannot_link": [(1, 0)]}, DataError),
        ({}, {"must_link": [(0, 90)]}, DataError),
    ],
)
def test_settings_and_links_that_make_no_sense_are_refused(
    settings_: dict[str, Any], links: dict[str, Any], error: type[LikewiseError]
) -> None:
    with pytest.raises(error):
        SpectralLearning(**settings_).fit(blobs()[0], **links)


def test_sparse_features_are_clustered_too() -> None:
    X, truth = blobs()
    labels = SpectralLearning(n_clusters=3).fit_predict(sp.csr_matrix(X))
    assert adjusted_rand_score(truth, labels) == 1.0
