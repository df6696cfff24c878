"""What every affinity must do, as tests; pytest is needed.

An affinity of your own keeps the contract when this passes:

    class TestMyAffinity(AffinityContract):
        @pytest.fixture
        def build(self):
            return lambda items: MyAffinity()
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt
import pytest
import scipy.sparse as sp

from likewise.affinities import Affinity
from likewise.items import Items, Matrix
from likewise.methods import Recipe
from likewise.strategies import Placing, RandomItems
from likewise.study import Study
from likewise.testing._blobs import blobs

Build = Callable[[Items], Affinity]


class AffinityContract:
    """What every affinity must do.

    Provide the fixture `build`, a function that takes `Items` and returns a new affinity for them,
    as `Recipe.affinity` does. The fixture `items` may be overridden for affinities of something
    else than dense features.
    """

    @pytest.fixture
    def items(self) -> Items:
        """Return thirty items of three kinds, by dense features."""
        return Items.of(blobs().X)

    @pytest.fixture
    def fitted(self, build: Build, items: Items) -> Affinity:
        """Return the affinity fitted to the items, without links."""
        return build(items).fit(items.data)

    def test_fit_returns_the_affinity_itself(self, build: Build, items: Items) -> None:
        affinity = build(items)
        assert affinity.fit(items.data) is affinity
        assert isinstance(affinity.learns, bool)

    def test_the_matrix_is_symmetric_and_never_negative(
        self, fitted: Affinity, items: Items
    ) -> None:
        matrix = _dense(fitted.affinity_)
        assert matrix.shape == (len(items), len(items))
        assert np.isfinite(matrix).all()
        assert (matrix >= 0).all()
        assert matrix.any()
        np.testing.assert_allclose(matrix, matrix.T, atol=1e-12)
        assert (np.diag(matrix) == 0).all()

    def test_distances_are_known_between_any_two_items(
        self, fitted: Affinity, items: Items
    ) -> None:
        everybody = np.arange(len(items))
        away = fitted.distances(everybody, everybody)
        assert away.shape == (len(items), len(items))
        assert np.isfinite(away).all()
        assert (away >= 0).all()
        np.testing.assert_allclose(away, away.T, atol=1e-9)
        np.testing.assert_allclose(np.diag(away), 0, atol=1e-6)
        some, others = np.array([3, 0, 7]), np.array([5, 3])
        np.testing.assert_allclose(
            fitted.distances(some, others), away[np.ix_(some, others)], atol=1e-6
        )

    def test_items_of_one_kind_are_nearer_than_items_of_two(
        self, fitted: Affinity, items: Items
    ) -> None:
        everybody = np.arange(len(items))
        away = fitted.distances(everybody, everybody)
        alike = blobs().kinds[:, None] == blobs().kinds[None, :]
        assert away[alike].mean() < away[~alike].mean()

    def test_equal_items_give_equal_matrices(
        self, build: Build, items: Items, fitted: Affinity
    ) -> None:
        again = build(items).fit(items.data)
        np.testing.assert_array_equal(_dense(again.affinity_), _dense(fitted.affinity_))

    def test_links_change_only_an_affinity_that_learns(
        self, build: Build, items: Items, fitted: Affinity
    ) -> None:
        linked = build(items).fit(items.data, **blobs().links())
        assert linked.affinity_.shape == (len(items), len(items))
        if not fitted.learns:
            np.testing.assert_array_equal(_dense(linked.affinity_), _dense(fitted.affinity_))

    def test_the_data_given_are_not_changed(self, build: Build, items: Items) -> None:
        before = _dense(items.data).copy()
        build(items).fit(items.data, **blobs().links())
        np.testing.assert_array_equal(_dense(items.data), before)

    def test_it_serves_in_a_study(self, build: Build, items: Items) -> None:
        recipe = Recipe("", lambda: Placing(RandomItems()), affinity=build)
        study = Study(items, method=recipe, n_clusters=3)
        for _ in range(5):
            question = study.ask()
            assert question is not None
            study.tell(question, blobs().are_same(*question.pair))
        assert study.labels_.shape == (len(items),)


def _dense(matrix: Matrix) -> npt.NDArray[np.float64]:
    return np.asarray(matrix.todense() if sp.issparse(matrix) else matrix, dtype=np.float64)
