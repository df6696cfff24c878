"""Parts by average link against scikit-learn's, and how they are refined and joined."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.cluster import AgglomerativeClustering
from sklearn.utils.estimator_checks import parametrize_with_checks

from likewise.clusterers import AverageLinkParts, LinkedGroups
from likewise.clusterers.linkage.average_link import Refinement, _differing, _join
from likewise.errors import MethodError

Array = npt.NDArray[np.float64]


@parametrize_with_checks([AverageLinkParts()])  # type: ignore[untyped-decorator]
def test_it_is_an_estimator_as_scikit_learn_wants_it(estimator: Any, check: Any) -> None:
    check(estimator)


@given(st.integers(0, 2**32 - 1), st.integers(2, 20))
def test_parts_are_those_of_average_link(seed: int, n: int) -> None:
    X = np.random.default_rng(seed).random((n, 2))
    refinement = Refinement.of(X)
    assert sorted(refinement.representatives.tolist()) == list(range(n))
    for m in range(1, n + 1):
        parts = refinement.parts(m)
        expected = AgglomerativeClustering(m, linkage="average").fit_predict(X)
        assert len(set(zip(parts.tolist(), expected.tolist(), strict=True))) == m
        assert set(parts.tolist()) == set(refinement.representatives[:m].tolist())
        assert (parts[refinement.representatives[:m]] == refinement.representatives[:m]).all()


@given(st.integers(0, 2**32 - 1), st.integers(2, 20))
def test_a_part_is_represented_by_the_member_nearest_its_mean(seed: int, n: int) -> None:
    X = np.random.default_rng(seed).random((n, 2))
    refinement = Refinement.of(X)
    for m in range(1, n + 1):
        newest = refinement.representatives[m - 1]
        members = np.flatnonzero(refinement.parts(m) == newest)
        away = np.linalg.norm(X[members] - X[members].mean(axis=0), axis=1)
        here = away[members.tolist().index(newest)]
        assert here == pytest.approx(away.min())


def literal_join(X: Array, name: list[int], apart: set[frozenset[int]], k: int) -> list[set[int]]:
    """Join the two clusters of least mean square distance that no link keeps apart."""
    clusters = [{i for i, here in enumerate(name) if here == one} for one in sorted(set(name))]

    def distance(a: set[int], b: set[int]) -> float:
        if any(frozenset((name[i], name[j])) in apart for i in a for j in b):
            return np.inf
        return float(np.mean([((X[i] - X[j]) ** 2).sum() for i in a for j in b]))

    while len(clusters) > k:
        pairs = [(a, b) for x, a in enumerate(clusters) for b in clusters[x + 1 :]]
        a, b = min(pairs, key=lambda pair: distance(*pair))
        if distance(a, b) == np.inf:
            break
        clusters.remove(b)
        a |= b
    return clusters


@given(st.integers(0, 2**32 - 1), st.integers(3, 12), st.integers(1, 4), st.sampled_from([2, 20]))
def test_clusters_are_joined_by_mean_square_distance(seed: int, n: int, k: int, d: int) -> None:
    rng = np.random.default_rng(seed)
    X, kinds = rng.random((n, d)), rng.integers(3, size=n)
    cannot = [(0, j) for j in range(1, n) if kinds[0] != kinds[j]][:3]
    links = LinkedGroups.of(n, None, cannot)
    name = np.where(links.group >= 0, links.group, links.n_groups + np.arange(n))
    points = Refinement.of(X).points
    assert points.shape[1] == min(n, d)
    found = _join(points, name, _differing(links), k)
    apart = {frozenset((int(name[i]), int(name[j]))) for i, j in cannot}
    clusters = literal_join(X, name.tolist(), apart, k)
    assert {frozenset(np.flatnonzero(found == c).tolist()) for c in np.unique(found)} == {
        frozenset(c) for c in clusters
    }


@given(st.integers(0, 2**32 - 1), st.integers(4, 15), st.integers(0, 20))
def test_parts_are_refined_once_all_is_known_about_them(seed: int, n: int, n_links: int) -> None:
    rng = np.random.default_rng(seed)
    X, kinds = rng.random((n, 2)), rng.integers(2, size=n)
    drawn = [rng.choice(n, 2, replace=False).tolist() for _ in range(n_links)]
    model = AverageLinkParts(parts_per_cluster=1).fit(
        X,
        must_link=[(i, j) for i, j in drawn if kinds[i] == kinds[j]],
        cannot_link=[(i, j) for i, j in drawn if kinds[i] != kinds[j]],
    )
    known = LinkedGroups.of(
        n,
        [(i, j) for i, j in drawn if kinds[i] == kinds[j]],
        [(i, j) for i, j in drawn if kinds[i] != kinds[j]],
    )
    m = len(np.unique(model.parts_))
    stands = model.refinement_.representatives

    def all_known(count: int) -> bool:
        return all(
            known.group[a] >= 0
            and known.group[b] >= 0
            and known.decide(known.group[[a]], known.group[[b]])[0]
            for x, a in enumerate(stands[:count])
            for b in stands[x + 1 : count]
        )

    assert m == 2 or all_known(m - 1)
    assert m == n or not all_known(m)


def test_what_cannot_be_used_is_refused() -> None:
    with pytest.raises(MethodError, match="parts_per_cluster must be at least 1"):
        AverageLinkParts(parts_per_cluster=0).fit([[0.0], [1.0]])
    with pytest.raises(MethodError, match="too many of 20001; use 'cobra'"):
        AverageLinkParts().fit(np.zeros((20_001, 1)))
