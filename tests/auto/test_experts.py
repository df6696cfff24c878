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
from likewise.auto.cells import Cells
from likewise.auto.experts import (
    Expert,
    ExtraTrees,
    PersonalisedPageRank,
    Prediction,
    Seeds,
    SharedCovarianceGaussians,
    WardTree,
    _kernels,
    pagerank,
    ward_tree,
)
from likewise.auto.experts._kernels import grow
from likewise.auto.experts.base import predict_by_similarity
from likewise.auto.stacking import stacked_weights
from likewise.auto.structure import PileStructure

Array = npt.NDArray[np.float64]
POINTS, KINDS = make_blobs(60, centers=3, n_features=4, cluster_std=2.0, random_state=3)
GRAPH = Gaussian(n_neighbours=6).fit(POINTS).affinity_
ITEMS = np.array([0, 3, 7, 12, 20, 21, 33, 40, 47, 55])
SEEDS = Seeds(ITEMS, KINDS[ITEMS].astype(np.int64), 3)


def all_experts() -> dict[str, Expert]:
    structure = PileStructure(POINTS, GRAPH, 0)
    return {**structure.incremental, **structure.periodic}


@pytest.mark.parametrize("name", sorted(all_experts()))
def test_a_prediction_is_a_distribution_and_the_same_every_time(name: str) -> None:
    first, again = (all_experts()[name].predict(SEEDS) for _ in range(2))
    for chances, shape in ((first.probabilities, (60, 3)), (first.held_out, (10, 3))):
        assert chances.shape == shape
        assert (chances >= 0).all()
        assert np.allclose(chances.sum(axis=1), 1.0)
    assert np.array_equal(first.probabilities, again.probabilities)
    assert np.array_equal(first.held_out, again.held_out)


@pytest.mark.parametrize("name", sorted(all_experts()))
def test_an_expert_is_right_about_most_items(name: str) -> None:
    prediction = all_experts()[name].predict(SEEDS)
    assert (prediction.probabilities.argmax(axis=1) == KINDS).mean() > 0.8


@pytest.mark.parametrize("name", ["pagerank", "neighbours", "ward", "gaussian", "diagonal"])
def test_names_of_groups_do_not_matter(name: str) -> None:
    turned = Seeds(SEEDS.items, (SEEDS.groups + 1) % 3, 3)
    one, other = (all_experts()[name].predict(seeds).probabilities for seeds in (SEEDS, turned))
    assert np.allclose(one, other[:, [1, 2, 0]])


@pytest.mark.parametrize("name", ["pagerank", "neighbours", "ward"])
def test_held_out_is_the_prediction_without_the_seed(name: str) -> None:
    expert = all_experts()[name]
    held_out = expert.predict(SEEDS).held_out
    for k, item in enumerate(ITEMS):
        without = SEEDS.only(item != ITEMS)
        assert np.allclose(expert.predict(without).probabilities[item], held_out[k])


def literal_pagerank(damping: float) -> Array:
    W = GRAPH.toarray()
    steps = W / W.sum(axis=1, keepdims=True)
    return np.asarray((1 - damping) * np.linalg.inv(np.eye(60) - damping * steps))


@pytest.mark.parametrize("dense", [True, False])
def test_pagerank_is_what_the_inverse_says(dense: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pagerank, "_DENSE", 1000 if dense else 0)
    rank, expected = PersonalisedPageRank(GRAPH, damping=0.9), literal_pagerank(0.9)
    assert np.allclose(rank.pagerank_of(ITEMS), expected[:, ITEMS].T, atol=1e-4)
    amount = np.linspace(0, 1, 60)
    assert np.allclose(rank.pagerank_from(amount), expected.T @ amount, atol=1e-3)
    assert np.allclose(expected.sum(axis=1), 1.0)


def smallest_common_part(merges: Array, i: int, j: int, n: int) -> int:
    parts = {leaf: {leaf} for leaf in range(n)}
    for node, (a, b, *_) in enumerate(merges, start=n):
        parts[node] = parts[int(a)] | parts[int(b)]
    return min(len(part) for part in parts.values() if {i, j} <= part)


def test_similarity_in_the_tree_is_by_the_smallest_subtree_with_both() -> None:
    few = POINTS[:15]
    tree = WardTree(few, 0)
    for i, j in product(range(15), repeat=2):
        part = smallest_common_part(tree._merges, i, j, 15)
        similarity = tree.similarity(i)[tree.begin[tree.leaf[j]]]
        assert similarity == pytest.approx((part / 15) ** -2.0)


def test_sums_that_were_kept_are_those_that_would_be_made() -> None:
    rng = np.random.default_rng(0)
    kept, tree = PersonalisedPageRank(GRAPH, damping=0.9), WardTree(POINTS, 0)
    for n_seeds in (3, 4, 20, 21, 5):
        items = np.sort(rng.choice(60, n_seeds, replace=False))
        seeds = Seeds(items, rng.integers(0, 4, n_seeds), 5)  # one group at least is without seeds
        for used, new in (
            (kept, PersonalisedPageRank(GRAPH, damping=0.9)),
            (tree, WardTree(POINTS, 0)),
        ):
            assert np.array_equal(
                used.predict(seeds).probabilities, new.predict(seeds).probabilities
            )
        by_similarity = predict_by_similarity(kept.pagerank_of(items), seeds, 1 / 60)
        assert np.allclose(kept.predict(seeds).probabilities, by_similarity.probabilities)
        assert np.allclose(kept.predict(seeds).held_out, by_similarity.held_out)


def test_a_large_pile_is_cut_into_parts_first(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ward_tree, "_LEAVES", 20)
    tree = WardTree(POINTS, 0)
    assert tree.n_leaves == 20
    cells = tree.cells()
    assert np.array_equal(np.unique(cells), np.arange(cells.max() + 1))
    prediction = tree.predict(SEEDS)
    assert (prediction.probabilities.argmax(axis=1) == KINDS).mean() > 0.8


def test_items_move_to_the_cell_they_are_likelier_of() -> None:
    points, kinds = lw.datasets.load("wine")
    points = (points - points.mean(axis=0)) / points.std(axis=0)
    structure = PileStructure(points, Gaussian(n_neighbours=15).fit(points).affinity_, 0)
    moved, joined = structure.clear_cells, structure.ward_tree.cells(structure.graph)
    assert lw.metrics.ari(kinds, moved.labels) > lw.metrics.ari(kinds, joined)
    assert len(moved.sizes) == 3


def test_cells_are_as_many_as_are_clearly_separate() -> None:
    points, kinds = make_blobs(80, centers=4, cluster_std=0.2, random_state=0)
    cells = WardTree(points, 0).cells()
    assert len(set(zip(cells.tolist(), kinds.tolist(), strict=True))) == 4


def test_many_dimensions_do_not_make_cells_ever_smaller(seed: int) -> None:
    rng = np.random.default_rng(seed)
    # Kinds of ten clumps: the clumps have the larger silhouette, walks stay in the kinds.
    kinds = 2 * np.repeat(rng.normal(size=(8, 40)), 30, axis=0)
    clumps = 2 * np.repeat(rng.normal(size=(80, 40)), 3, axis=0)
    points = kinds + clumps + rng.normal(size=(240, 40))
    tree, graph = WardTree(points, 0), Gaussian(n_neighbours=15).fit(points).affinity_
    assert len(np.unique(tree.cells(graph))) == 8 < len(np.unique(tree.cells()))


def test_where_nothing_is_separate_there_are_ten_cells() -> None:
    noise = np.random.default_rng(0).normal(size=(200, 40))
    assert len(np.unique(WardTree(noise, 0).cells())) == 10
    assert len(np.unique(WardTree(np.zeros((30, 2)), 0).cells())) == 1
    assert len(np.unique(WardTree(noise[:2], 0).cells())) == 1


@pytest.mark.parametrize("seed", range(3))
def test_rings_are_components(seed: int) -> None:
    points, ring = make_circles(200, factor=0.5, noise=0.04, random_state=seed)
    structure = PileStructure(points, Gaussian(n_neighbours=10).fit(points).affinity_, 0)
    assert len(np.unique(structure.ward_tree.cells())) > 10
    cells = structure.clear_cells
    assert len(set(zip(cells.labels.tolist(), ring.tolist(), strict=True))) == 2
    items = np.array([int(np.flatnonzero(ring == 0)[0]), int(np.flatnonzero(ring == 1)[0])])
    prediction = structure.incremental["components"].predict(Seeds(items, np.array([0, 1]), 2))
    assert np.array_equal(prediction.probabilities.argmax(axis=1), ring)
    assert np.allclose(prediction.held_out, 0.5)


def test_groups_that_touch_are_no_components() -> None:
    structure = PileStructure(POINTS, GRAPH, 0)
    assert "components" not in structure.incremental
    cells = structure.ward_tree.cells(structure.graph)
    assert len(structure.clear_cells.sizes) == len(np.unique(cells))


def test_connectivity_is_the_mean_pagerank_of_items() -> None:
    points, _ = make_blobs(60, centers=3, random_state=1)
    structure = PileStructure(points, Gaussian(n_neighbours=8).fit(points).affinity_, 0)
    cells = Cells(np.arange(60) % 4, structure.pagerank)
    rank = structure.pagerank.pagerank_of(np.arange(60))
    inside = np.eye(4)[cells.labels] / cells.sizes[cells.labels, None]
    mean = inside.T @ ((rank + rank.T) / 2) @ inside
    expected = mean / np.sqrt(np.outer(np.diag(mean), np.diag(mean)))
    np.testing.assert_allclose(cells.connectivity, expected)


def tree_of(seed: int, X: Array, groups: npt.NDArray[np.int64], compiled: bool) -> Any:
    state = np.array([seed], dtype=np.uint64)
    kernel: Any = grow
    function = kernel if compiled else kernel.py_func
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


def test_a_forest_of_few_seeds_is_uniform() -> None:
    few = SEEDS.only(np.arange(10) < 4)
    assert (ExtraTrees(POINTS, 0).predict(few).probabilities == 1 / 3).all()


@pytest.mark.parametrize("diagonal", [False, True])
def test_gaussians_without_other_items_are_shrunk_discriminant_analysis(diagonal: bool) -> None:
    points, worth = POINTS - POINTS.mean(axis=0), 4
    own, groups = points[ITEMS], SEEDS.groups
    means = np.array([own[groups == g].mean(axis=0) for g in range(3)])
    within = sum(np.outer(x - means[g], x - means[g]) for x, g in zip(own, groups, strict=True))
    covariance = (within + worth * 0.5 * np.diag(points.var(axis=0))) / (10 - 3 + worth)
    if diagonal:
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
            SharedCovarianceGaussians(points, diagonal=diagonal, unlabelled_weight=0.0)
            .predict(SEEDS)
            .probabilities[item]
        )
        assert np.allclose(found, 0.95 * chances + 0.05 / 3)


def test_gaussians_learn_from_items_that_are_not_placed() -> None:
    rng = np.random.default_rng(0)
    kinds = np.repeat([0, 1], 60)
    noise = rng.normal(size=(120, 8)) * 3
    points = np.column_stack([kinds * 6 + rng.normal(size=120), noise])
    items = np.array([0, 1, 2, 60, 61, 62])
    seeds = Seeds(items, kinds[items].astype(np.int64), 2)
    right = [
        (
            SharedCovarianceGaussians(points, unlabelled_weight=share)
            .predict(seeds)
            .probabilities.argmax(axis=1)
            == kinds
        ).mean()
        for share in (0.0, 0.3)
    ]
    assert right[1] > right[0]


@pytest.mark.parametrize("seed", range(3))
def test_diagonal_gaussians_find_the_few_features_that_matter(seed: int) -> None:
    points, kinds = lw.datasets.load("aqm-simulation", random_state=seed)
    items = np.sort(np.random.default_rng(seed).choice(len(kinds), 25, replace=False))
    seeds = Seeds(items, kinds[items].astype(np.int64), 5)
    right = [
        (
            SharedCovarianceGaussians(points, diagonal=diagonal)
            .predict(seeds)
            .probabilities.argmax(axis=1)
            == kinds
        ).mean()
        for diagonal in (False, True)
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
    structure = PileStructure(features[kind], GRAPH, 0)
    assert structure.points.shape[0] == 60
    assert 1 <= structure.points.shape[1] <= 50
    assert np.isfinite(structure.points).all()
    assert structure.clear_cells.sizes.sum() == 60


def test_no_knowledge_is_uniform() -> None:
    assert np.array_equal(Prediction.uniform(2, SEEDS).probabilities, np.full((2, 3), 1 / 3))
