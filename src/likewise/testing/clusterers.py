"""What every clusterer must do, as tests; pytest is needed.

A clusterer of your own keeps the contract when this passes; no base class is needed:

    class TestMyClusterer(ClustererContract):
        @pytest.fixture
        def build(self):
            return MyClusterer
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

import numpy as np
import pytest
import scipy.sparse as sp

from likewise.affinities import Gaussian
from likewise.clusterers import Clusterer, Requirements
from likewise.methods import Recipe
from likewise.strategies import Placing, RandomItems
from likewise.study import Study
from likewise.testing._blobs import Blobs, blobs

Build = Callable[..., Clusterer]


class ClustererContract:
    """What every clusterer must do, whatever it fits on.

    Provide the fixture `build`, a function that takes `n_clusters` and `random_state` by name and
    returns a new clusterer, as `Recipe.clusterer` does; the class itself will mostly do. What the
    clusterer declares (`likewise.clusterers.Requirements`) decides what it is given here.
    `n_clusters` is 2 for a clusterer that cannot tell more groups apart.
    """

    n_clusters: ClassVar[int] = 3

    @property
    def pile(self) -> Blobs:
        """The items, of as many kinds as there are clusters."""
        return blobs(self.n_clusters)

    def test_every_item_gets_a_label_and_every_label_an_item(self, build: Build) -> None:
        clusterer = self._new(build)
        assert self._fit(clusterer) is clusterer
        assert isinstance(clusterer.labels_, np.ndarray)
        assert np.issubdtype(clusterer.labels_.dtype, np.integer)
        assert clusterer.labels_.shape == self.pile.kinds.shape
        assert set(clusterer.labels_.tolist()) == set(range(clusterer.n_clusters_))

    @pytest.mark.parametrize("kind", ["array", "list"])
    def test_no_link_is_contradicted(self, build: Build, kind: str) -> None:
        links = self.pile.links()
        given = {name: pairs.tolist() for name, pairs in links.items()} if kind == "list" else links
        _assert_respected(self._fit(self._new(build), **given), links)

    def test_links_imply_further_links(self, build: Build) -> None:
        first, second = (np.flatnonzero(self.pile.kinds == kind)[:3].tolist() for kind in (0, 1))
        must = [(first[0], first[1]), (first[1], first[2])]
        links = {"must_link": must, "cannot_link": [(first[0], second[0])]}
        labels = self._fit(self._new(build), **links).labels_
        assert len(set(labels[first])) == 1
        assert labels[first[2]] != labels[second[0]]

    def test_links_may_be_missing_or_empty(self, build: Build) -> None:
        nothing = {"must_link": [], "cannot_link": np.empty((0, 2), dtype=int)}
        without = self._fit(self._new(build), must_link=None, cannot_link=None).labels_
        np.testing.assert_array_equal(without, self._fit(self._new(build), **nothing).labels_)

    def test_equal_seeds_and_links_give_equal_labels(self, build: Build) -> None:
        one, two = (self._fit(self._new(build), **self.pile.links()).labels_ for _ in range(2))
        np.testing.assert_array_equal(one, two)

    def test_an_earlier_fit_may_be_given_and_is_left_as_it_was(self, build: Build) -> None:
        earlier, links = self._fit(self._new(build), **self.pile.links(2)), self.pile.links()
        before = earlier.labels_.copy()
        one, two = (self._fit(self._new(build), **links, start=earlier) for _ in range(2))
        _assert_respected(one, links)
        np.testing.assert_array_equal(one.labels_, two.labels_)
        np.testing.assert_array_equal(earlier.labels_, before)

    def test_an_earlier_fit_only_saves_work_unless_the_clusterer_says_so(
        self, build: Build
    ) -> None:
        if Requirements.of(self._new(build)).start_changes_labels:
            pytest.skip("its labels may depend on where it starts")
        earlier, links = self._fit(self._new(build), **self.pile.links(2)), self.pile.links()
        resumed = self._fit(self._new(build), **links, start=earlier).labels_
        np.testing.assert_array_equal(resumed, self._fit(self._new(build), **links).labels_)

    def test_what_it_is_given_is_not_changed(self, build: Build) -> None:
        links, data = self.pile.links(), self._data(build)
        before = {name: given.copy() for name, given in data.items()}
        self._new(build).fit(**data, **links)
        for name, given in data.items():
            assert abs(given - before[name]).max() == 0
        for name, pairs in self.pile.links().items():
            np.testing.assert_array_equal(links[name], pairs)

    def test_sparse_features_are_taken_where_it_says_so(self, build: Build) -> None:
        required = Requirements.of(self._new(build))
        if required.fits_on == "affinity" or not required.accepts_sparse:
            pytest.skip("it takes no sparse features")
        data, links = {**self._data(build), "X": sp.csr_matrix(self.pile.X)}, self.pile.links()
        _assert_respected(self._new(build).fit(**data, **links), links)

    @pytest.mark.parametrize("known", [True, False], ids=["groups known", "groups unknown"])
    def test_it_serves_in_a_study(self, build: Build, known: bool) -> None:
        recipe = Recipe("", lambda: Placing(RandomItems()), build)
        n_clusters = self.n_clusters if known else None
        study = Study(self.pile.X, method=recipe, n_clusters=n_clusters)
        for _ in range(6):
            question = study.ask()
            assert question is not None
            i, j = question.pair
            study.tell(question, self.pile.are_same(i, j))
            assert (study.labels_[i] == study.labels_[j]) == self.pile.are_same(i, j)

    def _new(self, build: Build) -> Clusterer:
        return build(n_clusters=self.n_clusters, random_state=5)

    def _fit(self, clusterer: Clusterer, **settings: Any) -> Clusterer:
        return clusterer.fit(**self._data(lambda **_: clusterer), **settings)

    def _data(self, build: Build) -> dict[str, Any]:
        """Return what the clusterer fits on, as arguments of `fit`."""
        fits_on = Requirements.of(self._new(build)).fits_on
        features = {"X": self.pile.X.copy()}
        if fits_on == "features":
            return features
        graph = Gaussian().fit(self.pile.X).affinity_
        return {"X": graph} if fits_on == "affinity" else {**features, "affinity": graph}


def _assert_respected(clusterer: Clusterer, links: dict[str, Any]) -> None:
    labels = clusterer.labels_
    for i, j in links["must_link"]:
        assert labels[i] == labels[j], f"{i} and {j} must be together"
    for i, j in links["cannot_link"]:
        assert labels[i] != labels[j], f"{i} and {j} must not be together"
