from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
import scipy.sparse as sp
from scipy.spatial.distance import cdist

from likewise.affinities import (
    Affinity,
    ChiSquared,
    ConstraintForest,
    Cosine,
    Gaussian,
    GaussianOfDistances,
    PrecomputedAffinity,
)
from likewise.items import Items
from likewise.testing import AffinityContract
from likewise.testing._blobs import blobs

BLOBS = blobs().X

BUILDERS: dict[str, Callable[[Items], Affinity]] = {
    "gaussian": lambda items: Gaussian(),
    "gaussian, few neighbours": lambda items: Gaussian(n_neighbours=3),
    "cosine": lambda items: Cosine(),
    "chi-squared": lambda items: ChiSquared(),
    "forest": lambda items: ConstraintForest(n_trees=10, n_neighbours=10),
}


class TestAffinitiesOfFeatures(AffinityContract):
    @pytest.fixture
    def items(self) -> Items:
        return Items(features=BLOBS - BLOBS.min() + 0.1)  # chi-squared takes no negative ones

    @pytest.fixture(params=BUILDERS)
    def build(self, request: pytest.FixtureRequest) -> Callable[[Items], Affinity]:
        return BUILDERS[str(request.param)]


class TestCosineOfSparseFeatures(AffinityContract):
    @pytest.fixture
    def items(self) -> Items:
        return Items.of(sp.csr_matrix(BLOBS - BLOBS.min() + 0.1))

    @pytest.fixture
    def build(self) -> Callable[[Items], Affinity]:
        return lambda items: Cosine()


class TestPrecomputedAffinity(AffinityContract):
    @pytest.fixture
    def items(self) -> Items:
        return Items.from_affinity(np.exp(-cdist(BLOBS, BLOBS)))

    @pytest.fixture
    def build(self) -> Callable[[Items], Affinity]:
        return lambda items: PrecomputedAffinity()


class TestGaussianOfDistances(AffinityContract):
    @pytest.fixture
    def items(self) -> Items:
        return Items.from_distances(cdist(BLOBS, BLOBS))

    @pytest.fixture
    def build(self) -> Callable[[Items], Affinity]:
        return lambda items: GaussianOfDistances()
