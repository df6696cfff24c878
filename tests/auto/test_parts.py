"""Parts: no contradiction inside, as fine as the answers show; heights and model by definition."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.cluster.hierarchy import linkage
from scipy.special import expit
from sklearn.datasets import make_blobs

import likewise as lw
from likewise.affinities import Gaussian
from likewise.auto._kernels import climbed
from likewise.auto.connections import Connections
from likewise.auto.experts.base import Array
from likewise.auto.experts.ward_tree import WardTree
from likewise.auto.merge_model import MergeModel, scatter_share
from likewise.auto.parts import Parts, learned_parts, log_height
from likewise.clusterers.links import LinkedGroups
from likewise.metrics import ari

POINTS, KINDS = make_blobs(40, centers=5, n_features=3, cluster_std=1.0, random_state=2)
TREE = WardTree(POINTS, 0)


@settings(max_examples=40, deadline=None)
@given(
    st.lists(st.tuples(st.integers(0, 39), st.integers(0, 39)), max_size=20),
    st.floats(-3.0, 4.0),
    st.integers(0, 5),
)
def test_a_part_is_the_largest_subtree_without_contradiction(
    pairs: list[tuple[int, int]], threshold: float, seed: int
) -> None:
    kinds = np.random.default_rng(seed).integers(3, size=40)
    apart = [(i, j) for i, j in pairs if i != j]
    links = LinkedGroups.of(
        40,
        [(i, j) for i, j in apart if kinds[i] == kinds[j]],
        [(i, j) for i, j in apart if kinds[i] != kinds[j]],
    )
    parts = Parts(TREE, links, threshold)
    position = TREE.begin[TREE.leaf]

    def may_be_whole(node: int) -> bool:
        inside = np.flatnonzero((position >= TREE.begin[node]) & (position < TREE.end[node]))
        groups = {int(g) for g in links.group[inside] if g >= 0}
        clash = any(links.differ[a, b] for a, b in combinations(sorted(groups), 2))
        return len(inside) == 1 or (TREE.log_heights[node] <= threshold and not clash)

    assert all(may_be_whole(int(node)) for node in parts.nodes)
    for node in parts.nodes.tolist():
        assert TREE.parent[node] < 0 or not may_be_whole(int(TREE.parent[node]))
    assert np.array_equal(np.bincount(parts.of_item), parts.sizes)
    for number in range(len(parts.nodes)):
        mean = POINTS[parts.of_item == number].mean(axis=0)
        assert np.allclose(parts.means[number], mean)


def test_heights_are_those_of_wards_linkage() -> None:
    heights = linkage(POINTS, "ward")[:, 2]
    assert np.allclose(np.exp(TREE.log_heights[40:]), heights)
    a, b = TREE.children[-1]
    joined = log_height(TREE.means[a], TREE.sizes[a], TREE.means[b], TREE.sizes[b])
    assert np.exp(joined) == pytest.approx(heights[-1])


def test_common_ancestors_are_the_smallest_intervals_with_both() -> None:
    position = TREE.begin[TREE.leaf]
    for i, j in combinations(range(0, 40, 5), 2):
        holding = [
            node
            for node in range(len(TREE.parent))
            if all(TREE.begin[node] <= position[k] < TREE.end[node] for k in (i, j))
        ]
        assert TREE.common_ancestor(i, j) == min(holding, key=lambda node: TREE.sizes[node])


def test_the_model_is_the_most_probable_one() -> None:
    heights = np.array([-0.5, 0.2, 0.3, 0.8, 1.5])
    same = np.array([True, True, False, True, False])
    model = MergeModel(0.1).fit(heights, same)

    def log_posterior(intercept: float, slope: float) -> float:
        # One in ten is a lapse; parts that are not of one piece may be one group all the same.
        lowest = 0.05 * (1 - model.scatter) + 0.95 * model.scatter
        chance = lowest + (0.95 - lowest) * expit(intercept + slope * (heights - 0.1))
        fit = np.log(np.where(same, chance, 1 - chance)).sum()
        first = (intercept - np.log(0.35 / 0.65)) / 2.0
        return float(fit - 0.5 * first**2 - 0.5 * ((slope + 4) / 2.0) ** 2)

    best = log_posterior(model.intercept, model.slope)
    for a, b in [(0.01, 0), (-0.01, 0), (0, 0.01), (0, -0.01)]:
        assert log_posterior(model.intercept + a, model.slope + b) < best


def climbed_plainly(
    design: Array, same: Array, prior: Array, precision: Array, start: Array, ends: Array
) -> tuple[Array, float]:
    """Climb as the kernel does, with a line for each formula."""
    least, between = ends[0], ends[1] - ends[0]

    def log_posterior(weights: Array) -> float:
        chance = least + between * expit(design @ weights)
        fit = np.log(np.where(same, chance, 1 - chance)).sum()
        return float(fit - 0.5 * (precision * (weights - prior) ** 2).sum())

    weights = start
    for _ in range(25):
        one = expit(design @ weights)
        chance, slope = least + between * one, between * one * (1 - one)
        told = slope / (chance * (1 - chance))
        gradient = design.T @ (told * (same - chance)) - precision * (weights - prior)
        step = np.linalg.solve(
            (design * (told * slope)[:, None]).T @ design + np.diag(precision), gradient
        )
        while abs(step).max() > 1e-9 and log_posterior(weights + step) < log_posterior(weights):
            step = step / 2
        weights = weights + step
    return weights, log_posterior(weights)


@pytest.mark.parametrize("ends", [(0.0, 1.0), (0.05, 0.95), (0.2, 0.95)])
def test_the_kernel_climbs_as_the_formulas_say(ends: tuple[float, float], seed: int) -> None:
    rng = np.random.default_rng(seed)
    design = np.column_stack([np.ones(30), rng.normal(size=(30, 2))])
    same = rng.random(30) < expit(design @ [0.5, -2.0, 1.0])
    prior, precision = np.array([-0.6, -4.0, 1.0]), np.array([0.25, 0.25, 2.0])
    weights, value = climbed(design, same, prior, precision, prior, *ends)
    expected, best = climbed_plainly(design, same, prior, precision, prior, np.array(ends))
    assert weights == pytest.approx(expected, abs=1e-5)
    assert value == pytest.approx(best, abs=1e-8)


def test_the_kernel_is_finite_however_far_the_answers_are_from_the_model() -> None:
    design = np.column_stack([np.ones(4), [900.0, -900.0, 400.0, -400.0], np.zeros(4)])
    prior = np.array([0.0, -4.0, 1.0])
    for same in ([True, False, True, False], [False, True, False, True]):
        weights, value = climbed(design, np.array(same), prior, np.ones(3), prior, 0.05, 0.95)
        assert np.isfinite(weights).all()
        assert np.isfinite(value)


def test_how_scattered_groups_are_is_the_most_probable_share() -> None:
    one_piece = np.array([0.9, 0.3, 0.02, 0.01, 0.01, 0.02])
    same = np.array([True, False, True, False, False, True])
    r = np.linspace(0.001, 0.999, 999)
    otherwise = 0.05 + 0.9 * one_piece  # P(same) of parts that are not scattered
    chance = r[:, None] * 0.95 + (1 - r[:, None]) * otherwise
    log_posterior = 0.15 * np.log(r) + 5.0 * np.log(1 - r)
    log_posterior += np.log(np.where(same, chance, 1 - chance)).sum(axis=1)
    found = scatter_share(one_piece, same, before=0.03)
    assert found == pytest.approx(r[log_posterior.argmax()], abs=0.02)


def test_same_far_apart_is_evidence_of_scattered_groups_and_different_against_it() -> None:
    far, near = np.full(6, 2.0), np.full(6, -1.0)
    before = MergeModel(0.0)
    mixed = before.fit(np.concatenate([far, near]), np.array([True, False, False] * 2 + [True] * 6))
    none = before.fit(np.concatenate([far, near]), np.array([False] * 6 + [True] * 6))
    assert mixed.scatter > 0.1 > before.scatter > none.scatter
    assert mixed.threshold == pytest.approx(none.threshold, abs=0.6)  # no coarser for it


@pytest.mark.parametrize("seed", range(2))
def test_kinds_that_lie_in_several_places_are_found(seed: int) -> None:
    """Twelve clear clumps of three kinds: nothing in the features says which belong together."""
    points, clumps = make_blobs(
        180, centers=12, n_features=8, cluster_std=0.4, center_box=(-8, 8), random_state=seed
    )
    kinds = clumps % 3
    study = lw.Study(points, random_state=seed)
    for _ in range(50):
        question = study.ask()
        assert question is not None
        i, j = question.pair
        study.tell(question, bool(kinds[i] == kinds[j]))
    assert ari(kinds, study.labels_) > 0.95


def test_a_slip_about_things_that_lie_together_does_not_make_groups_finer() -> None:
    heights = np.array([-1.5, -1.2, -1.0, -0.8, 1.5, 1.8, -14.0])  # the last are as good as copies
    same = np.array([True, True, True, True, False, False, False])
    without, with_slip = (
        MergeModel(0.0).fit(heights[:-1], same[:-1]),
        MergeModel(0.0).fit(heights, same),
    )
    assert with_slip.threshold == pytest.approx(without.threshold, abs=0.1)
    # Where all say so, it is so, however far that is from what was expected.
    many = MergeModel(0.0).fit(np.full(8, -3.0), np.zeros(8, dtype=bool))
    assert many.threshold < -2.5


def test_the_cut_is_where_height_alone_says_so() -> None:
    heights = np.array([-0.5, 0.2, 0.3, 0.8, 1.5])
    same = np.array([True, True, False, True, False])
    by_height = MergeModel(0.1).fit(heights, same)
    with_excess = MergeModel(0.1).fit(heights, same, np.array([0.0, 1.0, -1.0, 2.0, -1.0]))
    assert with_excess.threshold == by_height.threshold
    assert by_height.probability(np.array([by_height.threshold]))[0] == pytest.approx(0.35)
    closer, looser = with_excess.probability(np.array([0.5, 0.5]), np.array([1.0, -1.0]))
    assert closer > looser


def test_connections_are_what_edges_between_the_sides_weigh() -> None:
    graph = Gaussian(n_neighbours=6).fit(POINTS).affinity_
    dense = graph.toarray() * 10 * 40 / graph.sum()
    connections = Connections(graph, TREE)
    position = TREE.begin[TREE.leaf]
    found = []
    for a, b in TREE.children:
        one, other = (
            (position >= TREE.begin[side]) & (position < TREE.end[side]) for side in (a, b)
        )
        least = min(dense[one].sum(), dense[other].sum())
        found.append(np.log((dense[np.ix_(one, other)].sum() + 0.5) / (least + 1)))
    level, slope = np.polynomial.Polynomial.fit(TREE.log_heights[40:], found, 1).convert().coef
    usual = level + slope * TREE.log_heights[40:]
    assert np.allclose(connections.of_joins, np.array(found) - usual)
    sums = connections.weights(KINDS, 5)
    assert sums[1, 2] == pytest.approx(dense[np.ix_(KINDS == 1, KINDS == 2)].sum())


def test_an_answer_within_a_pair_is_about_the_pair() -> None:
    """Both items of a part of two stand for its sides; in a large part borders do not count."""
    points = np.array([[0.0], [0.1], [5.0], [5.1], [9.0]])
    pairs = Parts(WardTree(points, 0), LinkedGroups.none(5), threshold=-1.0)
    assert pairs.central(np.array([[0, 1], [2, 3], [1, 4]])).all()
    crowd = np.concatenate([np.linspace(-1, 1, 21), [9.0, 9.1]])[:, None]
    whole = Parts(WardTree(crowd, 0), LinkedGroups.none(23), threshold=1.0)
    assert not whole.central(np.array([[0, 1]]))[0]


@pytest.mark.parametrize("seed", range(2))
def test_right_answers_never_spoil_a_pile_of_pairs(seed: int) -> None:
    rng = np.random.default_rng(seed)
    kinds = np.repeat(np.arange(60), 2)
    points = rng.normal(size=(60, 6))[kinds] + 0.1 * rng.normal(size=(120, 6))
    study = lw.Study(points, random_state=seed)
    best = ari(kinds, study.labels_)
    for _ in range(60):
        question = study.ask()
        assert question is not None
        i, j = question.pair
        study.tell(question, bool(kinds[i] == kinds[j]))
        now = ari(kinds, study.labels_)
        assert now > best - 0.25
        best = max(best, now)
    assert best > 0.95


@pytest.mark.parametrize(("same", "finer"), [(True, False), (False, True)])
def test_answers_about_some_parts_move_the_cut_of_all(same: bool, finer: bool) -> None:
    points, _ = make_blobs(300, centers=30, n_features=4, cluster_std=0.5, random_state=1)
    tree = WardTree(points, 0)
    reference = float(np.sort(tree.log_heights)[-20])
    before = Parts(tree, LinkedGroups.none(300), reference)
    near = np.argsort(np.abs(tree.log_heights - reference), kind="stable")[:6]
    pairs = tree.centres[tree.children[near[near >= tree.n_leaves] - tree.n_leaves]]
    nothing = np.empty((0, 2), dtype=np.int64)
    alike, apart = (pairs, nothing) if same else (nothing, pairs)
    links = LinkedGroups.of(300, alike, apart)
    connections = Connections(Gaussian(n_neighbours=15).fit(points).affinity_, tree)
    parts, model = learned_parts(
        connections, links, alike, apart, MergeModel(reference), told=False
    )
    assert (model.threshold < reference) == finer
    assert (len(parts.nodes) > len(before.nodes)) == finer


def test_what_is_different_where_it_was_expected_the_same_founds_a_group() -> None:
    """Two groups known, a third within what looked like one of them: answers find it."""
    rng = np.random.default_rng(1)
    kinds = np.repeat([0, 1, 2], [160, 26, 14])
    centres = np.array([[0.0, 0.0, 0.0], [3.0, 0.0, 0.0], [0.0, 8.0, 8.0]])
    points = centres[kinds] + rng.normal(size=(200, 3))
    study = lw.Study(points, random_state=1)
    curve = []
    for _ in range(60):
        question = study.ask()
        if question is None:
            break
        i, j = question.pair
        study.tell(question, bool(kinds[i] == kinds[j]))
        curve.append(ari(kinds, study.labels_))
    assert curve[-1] > 0.9
