from __future__ import annotations

from collections.abc import Callable
from typing import Any, Self

import numpy as np
import pytest
from sklearn.cluster import KMeans

from likewise import clusterers as cl
from likewise.clusterers import Clusterer, LinkedGroups, labels_respecting_links
from likewise.methods import METHODS
from likewise.testing import ClustererContract

BUILDERS: dict[str, Callable[..., Clusterer]] = {
    "COPRF": lambda **settings: cl.COPRF(n_trees=10, error_rate=0.0, **settings),
    "E2CP": cl.E2CP,
    "KASP": cl.KASP,
    "LinkedAffinityPropagation": cl.LinkedAffinityPropagation,
    "RASP": cl.RASP,
    "SpectralGraphTransducer": cl.SpectralGraphTransducer,
    "SpectralLearning of features": cl.SpectralLearning,
    "Xing": cl.Xing,
}
# Those of the methods, each once, by the last method that has it.
BUILDERS |= {
    name: METHODS[name].clusterer
    for name in {recipe.clusterer: name for name, recipe in METHODS.items()}.values()
    if METHODS[name].most_groups is None
}


class TestOurClusterers(ClustererContract):
    @pytest.fixture(params=BUILDERS)
    def build(self, request: pytest.FixtureRequest) -> Callable[..., Clusterer]:
        return BUILDERS[str(request.param)]


class TestTheCutInTwo(ClustererContract):
    n_clusters = 2

    @pytest.fixture
    def build(self) -> Callable[..., Clusterer]:
        return METHODS["asc"].clusterer


class PlainClusterer:
    """A class of nobody's, as somebody else would write it: k-means, then the links."""

    def __init__(self, n_clusters: int, random_state: int) -> None:
        self.n_clusters = n_clusters
        self.random_state = random_state

    def fit(
        self,
        X: Any,
        y: Any = None,
        *,
        must_link: Any = None,
        cannot_link: Any = None,
        start: Self | None = None,
    ) -> Self:
        """Find `labels_`."""
        means = KMeans(self.n_clusters, random_state=self.random_state, n_init=1)
        links = LinkedGroups.of(len(X), must_link, cannot_link)
        self.labels_ = labels_respecting_links(means.fit(X).labels_.astype(np.int64), links)
        self.n_clusters_ = int(self.labels_.max()) + 1
        return self


class TestPlainClusterer(ClustererContract):
    @pytest.fixture
    def build(self) -> Callable[..., Clusterer]:
        return PlainClusterer
