"""Each expert against its formula written out, and what all of them do alike."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from scipy import sparse
from sklearn.datasets import make_blobs, make_circles

import likewise as lw
from likewise.affinities import Gaussian
from likewise.auto.experts import (
    Expert,
    Forest,
    Opinion,
    PersonalisedPageRank,
    Seeds,
    SharedCovarianceGaussians,
    WardTree,
    _kernels,
)
from likewise.auto.experts import pagerank as walks
from likewise.auto.experts import ward_tree as merging
from likewise.auto.experts._kernels import grow
from likewise.auto.stacking import stacked_weights
from likewise.auto.structure import PileStructure

Array = npt.NDArray[np.float64]
POINTS, KINDS = make_blobs(60, centers=3, n_features=4, cluster_std=2.0, random_state=3)
GRAPH = Gaussian(n_neighbours=6).fit(POINTS).affinity_
ITEMS = np.array([0, 3, 7, 12, 20, 21, 33, 40, 47, 55])
SEEDS = Seeds(ITEMS, KINDS[ITEMS].astype(np.int64), 3)


def all_experts() -> dict[str, Expert]:
    land = PileStructure(POINTS, GRAPH, 0)
    return {**land.quick, **land.slow}


@pytest.mark.parametrize("name", sorted(all_experts()))
def test_an_opinion_is_a_distribution_and_the_same_every_time(name: str) -> None:
    first, again = (all_experts()[name].opinion(SEEDS) for _ in range(2))
    for chances, shape in ((first.everyone, (60, 3)), (first.held_out, (10, 3))):
        assert chances.shape == shape
        assert (chances >= 0).all()
        assert np.allclose(chances.sum(axis=1), 1.0)
    assert np.array_equal(first.everyone, again.everyone)
    assert np.array_equal(first.held_out, again.held_out)


@pytest.mark.parametrize("name", sorted(all_experts()))
def test_an_expert_is_right_about_most_items(name: str) -> None:
    opinion = all_experts()[name].opinion(SEEDS)
    assert (opinion.everyone.argmax(axis=1) == KINDS).mean() > 0.8


@pytest.mark.parametrize("name", ["walks", "neighbours", "tree", "clouds", "features"])
def test_names_of_groups_do_not_matter(name: str) -> None:
    turned = Seeds(SEEDS.items, (SEEDS.groups + 1) % 3, 3)
    one, other = (all_experts()[name].opinion(seeds).everyone for seeds in (SEEDS, turned))
    assert np.allclose(one, other[:, [1, 2, 0]])


@pytest.mark.parametrize("name", ["walks", "neighbours", "tree"])
def test_held_out_is_what_would_be_said_without_the_seed(name: str) -> None:
    expert = all_experts()[name]
    held_out = expert.opinion(SEEDS).held_out
    for k, item in enumerate(ITEMS):
        without = SEEDS.only(item != ITEMS)
        assert np.allclose(expert.opinion(without).everyone[item], held_out[k])


def literal_walks(going_on: float) -> Array:
    W = GRAPH.toarray()
    steps = W / W.sum(axis=1, keepdims=True)
    return np.asarray((1 - going_on) * np.linalg.inv(np.eye(60) - going_on * steps))


@pytest.mark.parametrize("dense", [True, False])
def test_walks_end_where_the_inverse_says(dense: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(walks, "_DENSE", 1000 if dense else 0)
    walk, expected = PersonalisedPageRank(GRAPH, going_on=0.9), literal_walks(0.9)
    assert np.allclose(walk.ends_at(ITEMS), expected[:, ITEMS], atol=1e-4)
    amount = np.linspace(0, 1, 60)
    assert np.allclose(walk.gathered(amount), expected.T @ amount, atol=1e-3)
    assert np.allclose(expected.sum(axis=1), 1.0)


def smallest_common_part(merges: Array, i: int, j: int, n: int) -> int:
    parts = {leaf: {leaf} for leaf in range(n)}
    for node, (a, b, *_) in enumerate(merges, start=n):
        parts[node] = parts[int(a)] | parts[int(b)]
    return min(len(part) for part in parts.values() if {i, j} <= part)


def test_likeness_in_the_tree_is_by_the_smallest_part_that_holds_both() -> None:
    few = POINTS[:15]
    tree = WardTree(few, 0)
    likeness = tree.likeness(np.arange(15))
    for i, j in product(range(15), repeat=2):
        part = smallest_common_part(tree._merges, i, j, 15)
        assert likeness[i, j] == pytest.approx((part / 15) ** -2.0)


def test_a_large_pile_is_cut_into_parts_first(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(merging, "_LEAVES", 20)
    tree = WardTree(POINTS, 0)
    cells = tree.cells(3)
    assert np.array_equal(np.unique(cells), np.arange(3))
    opinion = tree.opinion(SEEDS)
    assert (opinion.everyone.argmax(axis=1) == KINDS).mean() > 0.8


def test_items_move_to_the_cell_they_are_likelier_of() -> None:
    points, kinds = lw.datasets.load("wine")
    points = (points - points.mean(axis=0)) / points.std(axis=0)
    land = PileStructure(points, Gaussian(n_neighbours=15).fit(points).affinity_, 0)
    moved, joined = land.cells(3), land.tree.cells(3)
    assert lw.metrics.ari(kinds, moved.of_item) > lw.metrics.ari(kinds, joined)
    assert len(moved.sizes) == 3


def test_cells_are_as_many_as_stand_out() -> None:
    points, kinds = make_blobs(80, centers=4, cluster_std=0.2, random_state=0)
    cells = WardTree(points, 0).cells(None)
    assert len(set(zip(cells.tolist(), kinds.tolist(), strict=True))) == 4


def test_where_nothing_stands_out_there_are_a_few_cells() -> None:
    noise = np.random.default_rng(0).normal(size=(200, 40))
    assert len(np.unique(WardTree(noise, 0).cells(None))) == 10
    assert len(np.unique(WardTree(np.zeros((30, 2)), 0).cells(None))) == 1
    assert len(np.unique(WardTree(noise[:2], 0).cells(None))) == 1


@pytest.mark.parametrize("seed", range(3))
def test_rings_are_islands_whatever_the_number_of_cells(seed: int) -> None:
    points, ring = make_circles(200, factor=0.5, noise=0.04, random_state=seed)
    land = PileStructure(points, Gaussian(n_neighbours=10).fit(points).affinity_, 0)
    assert len(np.unique(land.tree.cells(None))) > 10
    for cells in (land.cells(None), land.cells(2)):
        assert len(set(zip(cells.of_item.tolist(), ring.tolist(), strict=True))) == 2
    items = np.array([int(np.flatnonzero(ring == 0)[0]), int(np.flatnonzero(ring == 1)[0])])
    opinion = land.quick["islands"].opinion(Seeds(items, np.array([0, 1]), 2))
    assert np.array_equal(opinion.everyone.argmax(axis=1), ring)
    assert np.allclose(opinion.held_out, 0.5)


def test_clouds_that_touch_are_no_islands() -> None:
    land = PileStructure(POINTS, GRAPH, 0)
    assert "islands" not in land.quick
    assert len(land.cells(3).sizes) == 3


def test_connections_are_those_of_single_walks() -> None:
    points, _ = make_blobs(60, centers=3, random_state=1)
    land = PileStructure(points, Gaussian(n_neighbours=8).fit(points).affinity_, 0)
    cells = land.cells(4)
    walk = land.walks.ends_at(np.arange(60))
    inside = np.eye(4)[cells.of_item] / cells.sizes[cells.of_item, None]
    mean = inside.T @ ((walk + walk.T) / 2) @ inside
    expected = mean / np.sqrt(np.outer(np.diag(mean), np.diag(mean)))
    np.testing.assert_allclose(cells.connections, expected)


def tree_of(seed: int, X: Array, groups: npt.NDArray[np.int64], compiled: bool) -> Any:
    state = np.array([seed], dtype=np.uint64)
    function = grow if compiled else grow.py_func
    with np.errstate(over="ignore"):
        return function(X, groups, np.arange(len(X)), 3, 2, state)


@pytest.mark.parametrize("seed", [1, 17])
def test_a_compiled_tree_is_the_one_written_down(seed: int) -> None:
    X, groups = POINTS[ITEMS], SEEDS.groups
    both = zip(tree_of(seed, X, groups, True), tree_of(seed, X, groups, False), strict=True)
    for compiled, written in both:
        assert np.array_equal(compiled, written)


@pytest.mark.parametrize("seed", range(1, 6))
def test_a_tree_parts_all_that_can_be_parted(seed: int) -> None:
    X = np.vstack([POINTS[:12], POINTS[:1]])  # the last two cannot
    groups = np.append(np.arange(12) % 3, 1).astype(np.int64)
    tree = tree_of(seed, X, groups, True)
    votes = np.zeros((13, 3))
    add_votes: Any = _kernels.add_votes
    add: Any = add_votes  # numba's functions take what they are given
    add(X, np.arange(13), *tree, votes)
    assert np.array_equal(votes[1:12], np.eye(3)[groups[1:12]])
    assert np.array_equal(votes[[0, 12]], [[0.5, 0.5, 0.0]] * 2)


def test_a_forest_of_few_seeds_says_nothing() -> None:
    few = SEEDS.only(np.arange(10) < 4)
    assert (Forest(POINTS, 0).opinion(few).everyone == 1 / 3).all()


@pytest.mark.parametrize("upright", [False, True])
def test_clouds_without_other_items_are_shrunk_discriminant_analysis(upright: bool) -> None:
    points, worth = POINTS - POINTS.mean(axis=0), 4
    own, groups = points[ITEMS], SEEDS.groups
    means = np.array([own[groups == g].mean(axis=0) for g in range(3)])
    within = sum(np.outer(x - means[g], x - means[g]) for x, g in zip(own, groups, strict=True))
    covariance = (within + worth * 0.5 * np.diag(points.var(axis=0))) / (10 - 3 + worth)
    if upright:
        covariance *= np.eye(4)
    inverse = np.linalg.inv(covariance)
    for item in range(0, 60, 7):
        score = []
        for g in range(3):
            size = int((groups == g).sum())
            away = points[item] - means[g]
            score.append(np.log(size + 1) - 0.5 * away @ inverse @ away / (1 + 1 / size))
        chances = np.exp(score) / np.exp(score).sum()
        found = (
            SharedCovarianceGaussians(points, upright=upright, share=0.0)
            .opinion(SEEDS)
            .everyone[item]
        )
        assert np.allclose(found, 0.95 * chances + 0.05 / 3)


def test_clouds_learn_from_items_that_are_not_placed() -> None:
    rng = np.random.default_rng(0)
    kinds = np.repeat([0, 1], 60)
    noise = rng.normal(size=(120, 8)) * 3
    points = np.column_stack([kinds * 6 + rng.normal(size=120), noise])
    items = np.array([0, 1, 2, 60, 61, 62])
    seeds = Seeds(items, kinds[items].astype(np.int64), 2)
    right = [
        (
            SharedCovarianceGaussians(points, share=share).opinion(seeds).everyone.argmax(axis=1)
            == kinds
        ).mean()
        for share in (0.0, 0.3)
    ]
    assert right[1] > right[0]


@pytest.mark.parametrize("seed", range(3))
def test_upright_clouds_find_the_few_features_that_matter(seed: int) -> None:
    points, kinds = lw.datasets.load("aqm-simulation", random_state=seed)
    items = np.sort(np.random.default_rng(seed).choice(len(kinds), 25, replace=False))
    seeds = Seeds(items, kinds[items].astype(np.int64), 5)
    right = [
        (
            SharedCovarianceGaussians(points, upright=upright)
            .opinion(seeds)
            .everyone.argmax(axis=1)
            == kinds
        ).mean()
        for upright in (False, True)
    ]
    assert right[1] > right[0] + 0.05


@pytest.mark.parametrize("seed", range(3))
def test_weights_are_the_likeliest(seed: int) -> None:
    rng = np.random.default_rng(seed)
    chances, prior = rng.uniform(0.05, 1.0, size=(2, 30)), np.array([2.0, 1.0])

    def likelihood(weight: float) -> float:
        w = np.array([weight, 1 - weight])
        return float(np.log(w @ chances).sum() + prior @ np.log(w))

    found = float(stacked_weights(chances, prior)[0])
    best = max(np.linspace(0.001, 0.999, 999), key=likelihood)
    assert found == pytest.approx(best, abs=0.02)
    assert np.allclose(stacked_weights(chances[:, :0], prior), [2 / 3, 1 / 3])


@pytest.mark.parametrize("kind", ["dense", "wide", "sparse", "none", "constant"])
def test_any_pile_has_coordinates(kind: str) -> None:
    features: dict[str, object] = {
        "dense": POINTS,
        "wide": np.hstack([POINTS] * 20),
        "sparse": sparse.csr_matrix(np.maximum(POINTS, 0)),
        "none": None,
        "constant": np.ones((60, 3)),
    }
    land = PileStructure(features[kind], GRAPH, 0)
    assert land.points.shape[0] == 60
    assert 1 <= land.points.shape[1] <= 50
    assert np.isfinite(land.points).all()
    cells = land.cells(None)
    assert np.array_equal(cells.of_item[cells.centres], np.arange(len(cells.sizes)))


def test_no_opinion_is_even() -> None:
    assert np.array_equal(Opinion.none(2, SEEDS).everyone, np.full((2, 3), 1 / 3))
