from __future__ import annotations

from itertools import combinations, pairwise
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from scipy.optimize import minimize

from likewise.clusterers import LinkedGroups
from likewise.clusterers.aqm import _metric_learning as metric_learning
from likewise.clusterers.aqm import _weighted_pairs as weighted_pairs
from likewise.clusterers.aqm._augmentation import item_memberships
from likewise.clusterers.aqm._metric_history import (
    below_elbow,
    clearest_basis,
    least_relevant,
    weights_along,
)
from likewise.clusterers.aqm._metric_learning import diagonal_metric, feature_metric, full_metric
from likewise.clusterers.aqm._weighted_pairs import WeightedPairs, pair_weights

Array = npt.NDArray[np.float64]


def random_pairs(seed: int, p: int = 4) -> WeightedPairs:
    rng = np.random.default_rng(seed)
    scales = rng.uniform(0.5, 2.0, size=p)
    within = rng.normal(size=(3 * p, p)) * scales
    apart = rng.normal(size=(40, p)) * scales * rng.uniform(1.0, 2.0, size=p)
    weight = rng.dirichlet(np.ones(40))
    return WeightedPairs(within.T @ within / len(within), apart, weight, 3.0 * p)


def of_full(pairs: WeightedPairs, metric: Array, ridge: float = 0.0) -> float:
    """The mean distance of dissimilar pairs once the bound on similar pairs is met."""
    distance = np.sqrt(np.einsum("ij,jk,ik->i", pairs.differences, metric, pairs.differences))
    root = np.linalg.cholesky(pairs.similar)
    bound = np.sum(metric * pairs.similar) + ridge * np.linalg.norm(root.T @ metric @ root)
    return float(pairs.weight @ distance / np.sqrt(bound))


def of_diagonal(pairs: WeightedPairs, a: Array, ridge: float = 0.0) -> float:
    s = np.diag(pairs.similar)
    distance = np.sqrt(pairs.differences**2 @ a)
    return float(pairs.weight @ distance / np.sqrt(s @ a + ridge * np.linalg.norm(s * a)))


@pytest.mark.parametrize("seed", range(4))
def test_weights_of_features_solve_the_problem_of_the_published_code(seed: int) -> None:
    pairs = random_pairs(seed)
    cost, gain = np.diag(pairs.similar), pairs.weight @ np.abs(pairs.differences)
    peer = minimize(
        lambda root: cost @ root**2 - np.log(gain @ np.abs(root)), np.ones(len(cost)), tol=1e-12
    )
    expected = peer.x**2 / (cost @ peer.x**2)
    np.testing.assert_allclose(feature_metric(pairs), expected, rtol=1e-4)
    dearer = feature_metric(pairs, np.array([cost[0], 0, 0, 0]))  # twice the cost, a fourth of it
    assert dearer[0] / dearer[1] == pytest.approx(expected[0] / expected[1] / 4)


@pytest.mark.parametrize("ridge", [0.0, 0.5, 4.0])
@pytest.mark.parametrize("seed", range(4))
def test_diagonal_weights_solve_the_constrained_problem(seed: int, ridge: float) -> None:
    pairs = random_pairs(seed)
    s = np.diag(pairs.similar)

    def room(a: Array) -> Any:
        return 1 - s @ a - ridge * np.linalg.norm(s * a)

    peer = minimize(
        lambda a: -(pairs.weight @ np.sqrt(np.maximum(pairs.differences**2 @ a, 1e-12))),
        np.full(4, 0.05),
        method="SLSQP",
        bounds=[(1e-9, None)] * 4,
        constraints=[{"type": "ineq", "fun": room}],
    )
    assert peer.success
    ours = of_diagonal(pairs, diagonal_metric(pairs, ridge), ridge)
    assert ours >= 0.99 * -peer.fun
    assert ours <= 1.001 * -peer.fun


@pytest.mark.parametrize("seed", range(4))
def test_the_two_forms_of_the_problem_have_one_solution_up_to_scale(seed: int) -> None:
    pairs = random_pairs(seed)
    s = np.diag(pairs.similar)

    def beyond_one(a: Array) -> Any:
        return pairs.weight @ np.sqrt(np.maximum(pairs.differences**2 @ a, 1e-12)) - 1

    form_4 = minimize(
        lambda a: s @ a,
        np.ones(4),
        method="SLSQP",
        bounds=[(0, None)] * 4,
        constraints=[{"type": "ineq", "fun": beyond_one}],
        options={"ftol": 1e-12},
    )
    assert form_4.success
    form_10 = diagonal_metric(pairs, 0.0)
    assert of_diagonal(pairs, form_10) == pytest.approx(of_diagonal(pairs, form_4.x), rel=0.01)
    np.testing.assert_allclose(
        form_10 * s / (form_10 @ s), form_4.x * s / (form_4.x @ s), atol=0.12
    )


@pytest.mark.parametrize("ridge", [0.0, 2.0])
@pytest.mark.parametrize("seed", range(3))
def test_a_full_metric_solves_the_constrained_problem(seed: int, ridge: float) -> None:
    pairs = random_pairs(seed, p=3)
    metric = full_metric(pairs, ridge)
    rng = np.random.default_rng(seed)

    def loss(flat: Array) -> float:
        L = flat.reshape(3, 3)
        return -of_full(pairs, L @ L.T + 1e-12 * np.eye(3), ridge)

    peers = [minimize(loss, rng.normal(size=9), method="BFGS").fun for _ in range(5)]
    assert of_full(pairs, metric, ridge) == pytest.approx(-min(peers), rel=0.01)
    np.testing.assert_allclose(metric, metric.T)
    assert np.linalg.eigvalsh(metric)[0] > -1e-12
    assert np.sum(metric * pairs.similar) == pytest.approx(1)
    assert of_full(pairs, metric) >= 0.99 * of_diagonal(pairs, diagonal_metric(pairs, ridge))


@pytest.mark.parametrize("learn", [diagonal_metric, full_metric])
@pytest.mark.parametrize("ridge", [0.0, 3.0])
def test_every_step_raises_the_objective(
    learn: Any, ridge: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    pairs = random_pairs(5)
    values = []
    for rounds in range(12):
        monkeypatch.setattr(metric_learning, "_ROUNDS", rounds)
        metric = learn(pairs, ridge)
        values.append((of_full if metric.ndim == 2 else of_diagonal)(pairs, metric, ridge))
    assert all(b >= a - 1e-12 for a, b in pairwise(values))
    assert values[-1] > values[0]


def test_a_rank_is_kept() -> None:
    metric = full_metric(random_pairs(0), 1.0, rank=2)
    assert np.linalg.matrix_rank(metric) == 2


def test_ridge_spreads_the_weight() -> None:
    pairs = random_pairs(1)
    s = np.diag(pairs.similar)
    shares = [np.sort(s * diagonal_metric(pairs, ridge)) for ridge in (0.0, 1.0, 10.0, 1e6)]
    largest = [share[-1] for share in shares]
    assert largest == sorted(largest, reverse=True)
    assert largest[-1] < 0.8 * largest[0]


def test_dearer_features_get_less_and_constant_ones_nothing() -> None:
    pairs = random_pairs(2)
    plain, dear = (diagonal_metric(pairs, 2.0, np.array([x, 0, 0, 0])) for x in (0.0, 50.0))
    assert dear[0] / dear.sum() < 0.2 * plain[0] / plain.sum()
    differences = np.column_stack([pairs.differences, np.zeros(40)])
    similar = np.pad(pairs.similar, (0, 1))
    constant = WeightedPairs(similar, differences, pairs.weight, 1.0)
    np.testing.assert_allclose(diagonal_metric(constant, 2.0), [*plain, 0], rtol=1e-9)
    assert abs(full_metric(constant, 2.0)[4]).max() == 0


# -- pairs ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(4))
def test_pairs_have_the_sums_of_the_double_loop(seed: int) -> None:
    rng = np.random.default_rng(seed)
    n, K = 10, 3
    X = rng.normal(size=(n, 3))
    links = LinkedGroups.of(n, [(0, 1), (1, 2), (3, 4)], [(0, 3), (5, 0), (6, 7)])
    H = rng.dirichlet(np.ones(K) * 0.3, size=links.n_groups)
    turned = rng.dirichlet(np.ones(K) * 0.3, size=links.n_groups)
    h, t = item_memberships(H, links, K), item_memberships(turned, links, K)
    differ = links.differ.toarray()
    known = [
        (i, j) for i, j in combinations(range(n), 2) if min(links.group[i], links.group[j]) >= 0
    ]
    kinds: dict[str, list[tuple[float, Array]]] = {"S": [], "S~": [], "D": [], "D~": []}
    for i, j in known:
        a, b = links.group[i], links.group[j]
        excess = sorted((h[i] @ h[j] - 1 / K, t[i] @ t[j] - 1 / K))
        if a == b:
            kinds["S"].append((1.0, X[i] - X[j]))
        if differ[a, b]:
            kinds["D"].append((1.0, X[i] - X[j]))
        if excess[0] > 0:
            kinds["S~"].append((K / (K - 1) * excess[0], X[i] - X[j]))
        if excess[1] < 0:
            kinds["D~"].append((-K * excess[1], X[i] - X[j]))

    def loss(metric: Array, *names: str, power: float) -> float:
        terms = [
            sum(w * (d @ metric @ d) ** power for w, d in kinds[name]) / len(kinds[name])
            for name in names
        ]
        return float(sum(terms) / sum(np.mean([w for w, _ in kinds[name]]) for name in names))

    pairs = WeightedPairs.of(X, links, [H, turned], 0.0, rng)
    for _ in range(3):
        root = rng.normal(size=(3, 3))
        metric = root @ root.T
        assert np.sum(metric * pairs.similar) == pytest.approx(loss(metric, "S", "S~", power=1))
        distance = np.sqrt(((pairs.differences @ root) ** 2).sum(axis=1))
        assert pairs.weight @ distance == pytest.approx(loss(metric, "D", "D~", power=0.5))


def test_without_memberships_only_answers_count() -> None:
    links = LinkedGroups.of(6, [(0, 1)], [(2, 0), (3, 4)])
    similar, dissimilar = pair_weights(links, [])
    np.testing.assert_array_equal(similar, np.eye(4))
    # (2, 0), (2, 1) and (3, 4) are known to differ.
    np.testing.assert_allclose(dissimilar, links.differ.toarray() / 3)


def test_many_pairs_are_drawn_in_proportion_to_their_weight() -> None:
    rng = np.random.default_rng(0)
    kind = np.arange(200) % 3
    X = np.column_stack([kind.astype(float), rng.normal(size=200)])
    must = [(i, i + 3) for i in range(197)]
    links = LinkedGroups.of(200, must, [(0, 1), (1, 2), (2, 0)])
    drawn = WeightedPairs.of(X, links, [], 0.0, rng)
    listed = WeightedPairs.of(X, links, [], 0.0, rng, most_pairs=10**6)
    assert len(drawn.weight) < len(listed.weight)
    np.testing.assert_array_equal(drawn.similar, listed.similar)
    expected = listed.weight @ np.abs(listed.differences)
    np.testing.assert_allclose(drawn.weight @ np.abs(drawn.differences), expected, rtol=0.05)


def test_costs_by_themselves_are_those_of_all_similar_pairs() -> None:
    X = np.random.default_rng(1).normal(size=(12, 5))
    links = LinkedGroups.of(12, [(0, 1), (1, 2), (4, 5)], [(0, 4), (7, 8)])
    H = np.random.default_rng(2).dirichlet(np.ones(3), links.n_groups)
    whole, alone = (
        WeightedPairs.of(X, links, [H], 2.0, np.random.default_rng(0), diagonal=diagonal)
        for diagonal in (False, True)
    )
    assert alone.similar.shape == (5,)
    np.testing.assert_allclose(alone.costs, np.diag(whole.similar))
    np.testing.assert_allclose(alone.costs, whole.costs)
    np.testing.assert_array_equal(alone.differences, whole.differences)


def test_only_the_largest_of_very_many_groups_take_part(monkeypatch: pytest.MonkeyPatch) -> None:
    X = np.random.default_rng(0).normal(size=(12, 2))
    must = [(0, 1), (1, 2), (3, 4), (4, 5)]
    most = LinkedGroups.of(12, must, [(0, 3)])
    links = LinkedGroups.of(12, must, [(0, 3), (6, 7), (8, 0)])
    monkeypatch.setattr(weighted_pairs, "_MOST_GROUPS", 2)
    few, all_of_them = (
        WeightedPairs.of(X, some, [], 1.0, np.random.default_rng(0)) for some in (links, most)
    )
    np.testing.assert_array_equal(few.similar, all_of_them.similar)
    np.testing.assert_array_equal(few.differences, all_of_them.differences)


# -- history -------------------------------------------------------------------------------------


def test_ranks_are_averaged_and_the_lowest_are_penalised() -> None:
    history = np.array([[1.0, 2.0, 30.0, 4.0], [100.0, 2.0, 3.0, 4.0], [1.0, 2.0, 30.0, 4.0]])
    # Average ranks 2, 5/3, 10/3, 3: one outlier does not save the first feature.
    np.testing.assert_array_equal(least_relevant(history, 2), [True, True, False, False])
    np.testing.assert_array_equal(least_relevant(history, 0), [False] * 4)


def test_the_elbow_parts_small_weights_from_large_ones_but_takes_at_most_half() -> None:
    weights = np.array([0.1, 9.0, 0.2, 0.3, 10.0, 0.2])
    assert below_elbow(weights) == 4
    assert least_relevant(weights[None], None).sum() == 3
    assert below_elbow(np.ones(5)) == 0
    assert below_elbow(np.array([1.0, 2.0])) == 0


def test_full_metrics_are_compared_along_the_clearest_one() -> None:
    turn = np.linalg.qr(np.random.default_rng(0).normal(size=(3, 3)))[0]
    clear = turn @ np.diag([5.0, 0.1, 0.05]) @ turn.T
    history = [np.diag([3.0, 2.0, 1.0]), clear]
    basis = clearest_basis(history)
    np.testing.assert_allclose(np.abs(turn.T @ basis), np.eye(3), atol=1e-9)
    weights = weights_along(history, basis)
    np.testing.assert_allclose(weights[1], [5.0, 0.1, 0.05], atol=1e-9)
    np.testing.assert_allclose(weights[0], np.diag(basis.T @ history[0] @ basis))
