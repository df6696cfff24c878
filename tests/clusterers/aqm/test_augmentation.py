from __future__ import annotations

from itertools import combinations, pairwise

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import minimize

from likewise.clusterers import LinkedGroups
from likewise.clusterers.aqm import _augmentation as augmentation
from likewise.clusterers.aqm._augmentation import (
    Augmentation,
    augmented_memberships,
    cross_validated_penalty,
    determined_by_links,
    item_memberships,
    penalised_projection,
    simplex_projection,
    uncommitted_memberships,
)

Array = npt.NDArray[np.float64]
Link = tuple[int, int]


def random_links(rng: np.random.Generator, n: int, kinds: int, n_links: int) -> list[list[Link]]:
    """Truthful answers about random pairs: [same, different]."""
    truth = rng.integers(kinds, size=n)
    found: list[list[Link]] = [[], []]
    for i, j in rng.permutation(list(combinations(range(n), 2)))[:n_links].tolist():
        found[int(truth[i] != truth[j])].append((i, j))
    return found


def literal_objective(H: Array, links: LinkedGroups, penalty: float) -> float:
    """Eq. 3, item by item and pair by pair."""
    differ = {tuple(pair) for pair in links.differing.tolist()}
    total = 0.0
    items = np.flatnonzero(links.group >= 0)
    for i, j in combinations(items, 2):
        a, b = sorted((int(links.group[i]), int(links.group[j])))
        if a == b or (a, b) in differ:
            total += (float(a == b) - H[i] @ H[j]) ** 2
    return float(total + penalty * np.minimum(H[items], 1 - H[items]).sum())


@pytest.mark.parametrize("seed", range(5))
def test_groups_have_the_objective_of_their_items(seed: int) -> None:
    rng = np.random.default_rng(seed)
    links = LinkedGroups.of(9, *random_links(rng, 9, 3, 12))
    H = rng.dirichlet(np.ones(3), size=links.n_groups)
    expected = literal_objective(item_memberships(H, links, 3), links, 0.3)
    assert Augmentation.of(links).objective(H, 0.3) == pytest.approx(expected)


@pytest.mark.parametrize("penalty", [0.0, 0.5])
@pytest.mark.parametrize("n_clusters", [2, 3])  # two clusters are too few for three kinds
@pytest.mark.parametrize("seed", range(3))
def test_the_minimum_is_as_low_as_that_of_a_general_solver_over_items(
    seed: int, n_clusters: int, penalty: float
) -> None:
    rng = np.random.default_rng(seed)
    n, K = 6, n_clusters
    links = LinkedGroups.of(n, *random_links(rng, n, 3, 10))
    H = augmented_memberships(links, K, penalty, 10, np.random.default_rng(0))[0]
    ours = Augmentation.of(links).objective(H, penalty)
    rows_sum_to_one = {"type": "eq", "fun": lambda h: h.reshape(n, K).sum(axis=1) - 1}
    peers = [
        minimize(
            lambda h: literal_objective(h.reshape(n, K), links, penalty),
            rng.dirichlet(np.ones(K), size=n).ravel(),
            method="SLSQP",
            bounds=[(0, 1)] * (n * K),
            constraints=[rows_sum_to_one],
        ).fun
        for _ in range(12)
    ]
    assert ours <= 1.01 * min(peers) + 1e-3


@pytest.mark.parametrize("seed", range(4))
def test_every_step_lowers_the_objective(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(seed)
    problem = Augmentation.of(LinkedGroups.of(20, *random_links(rng, 20, 4, 40)))
    start = rng.dirichlet(np.ones(3), size=len(problem.size))
    values = [problem.objective(start, 0.2)]
    for rounds in range(1, 25):
        monkeypatch.setattr(augmentation, "_ROUNDS", rounds)
        value, H = problem.minimise(start, 0.2)
        assert problem.objective(H, 0.2) == value
        np.testing.assert_allclose(H.sum(axis=1), 1)
        assert H.min() >= 0
        values.append(value)
    assert all(later <= earlier for earlier, later in pairwise(values))
    assert values[-1] < 0.8 * values[0]


@settings(max_examples=50)
@given(st.lists(st.floats(-2, 2), min_size=3, max_size=3), st.floats(0, 1.5))
def test_the_proximal_step_is_the_best_point_of_a_fine_grid(row: list[float], t: float) -> None:
    v = np.array([row])
    grid = np.array([(a, b, 60 - a - b) for a in range(61) for b in range(61 - a)]) / 60

    def cost(h: Array) -> Array:
        return np.asarray(((h - v) ** 2).sum(axis=1) / 2 + t * np.minimum(h, 1 - h).sum(axis=1))

    found = penalised_projection(v, np.array([t]))
    assert found.min() >= 0
    assert found.sum() == pytest.approx(1)
    assert cost(found)[0] <= cost(grid).min() + 1e-9
    plain = simplex_projection(v)
    assert ((plain - v) ** 2).sum() <= ((grid - v) ** 2).sum(axis=1).min() + 1e-9


def test_items_placed_in_their_groups_are_one_hot() -> None:
    links = LinkedGroups.of(9, [(0, 3), (1, 4), (3, 6)], [(0, 1), (1, 2), (2, 0)])
    assert determined_by_links(links, 3)
    assert not determined_by_links(links, 2)
    H = item_memberships(
        augmented_memberships(links, 3, 0.5, 3, np.random.default_rng(0))[0], links, 3
    )
    np.testing.assert_array_equal(H[[0, 3, 6]], [[1, 0, 0]] * 3)
    np.testing.assert_array_equal(H[1] @ H[2], 0)
    np.testing.assert_allclose(H[[5, 7, 8]], 1 / 3)  # no answer about them


def test_an_item_in_the_middle_of_its_placing_is_split_over_what_is_left() -> None:
    apart = list(combinations(range(4), 2))
    same = [(0, 5), (1, 6), (2, 7), (3, 8)]
    links = LinkedGroups.of(9, same, [*apart, (4, 0), (4, 1)])
    assert determined_by_links(links, 4)
    H = item_memberships(
        augmented_memberships(links, 4, 0.0, 3, np.random.default_rng(0))[0], links, 4
    )
    np.testing.assert_allclose(H[4] @ H[[0, 1, 2, 3]].T, [0, 0, 0.5, 0.5])


@settings(max_examples=20)
@given(st.permutations(range(8)), st.integers(0, 3))
def test_items_in_another_order_have_the_same_concordance(order: list[int], seed: int) -> None:
    rng = np.random.default_rng(seed)
    must, cannot = random_links(rng, 8, 3, 9)
    place = np.argsort(order)
    links = LinkedGroups.of(8, must, cannot)
    moved = LinkedGroups.of(
        8, *([(int(place[i]), int(place[j])) for i, j in some] for some in (must, cannot))
    )
    problem = Augmentation.of(links)
    draw = rng.dirichlet(np.ones(3), size=links.n_groups)
    number = np.zeros(links.n_groups, dtype=int)  # of each group after the move
    touched = np.flatnonzero(links.group >= 0)
    number[links.group[touched]] = moved.group[place[touched]]
    value, H = problem.minimise(draw, 0.1)
    other_value, other = Augmentation.of(moved).minimise(draw[np.argsort(number)], 0.1)
    assert other_value == pytest.approx(value)
    np.testing.assert_allclose(other[number], H, atol=1e-6)


def test_renamed_clusters_change_nothing_but_the_order_of_columns() -> None:
    rng = np.random.default_rng(1)
    problem = Augmentation.of(LinkedGroups.of(12, *random_links(rng, 12, 3, 20)))
    start = rng.dirichlet(np.ones(3), size=len(problem.size))
    value, H = problem.minimise(start, 0.2)
    renamed_value, renamed = problem.minimise(start[:, [2, 0, 1]], 0.2)
    assert renamed_value == pytest.approx(value)
    np.testing.assert_allclose(renamed, H[:, [2, 0, 1]], atol=1e-9)


def test_the_start_commits_to_no_more_than_the_answers_do() -> None:
    links = LinkedGroups.of(6, [], [(0, 1), (2, 3), (4, 0)])
    H = uncommitted_memberships(links, 2)
    np.testing.assert_allclose(H.sum(axis=1), 1)
    assert H[links.group[0]] @ H[links.group[4]] == 0
    np.testing.assert_allclose(H[links.group[[2, 3]]], 0.5)


def test_cross_validation_finds_the_penalty_that_foretells_answers_best() -> None:
    rng = np.random.default_rng(0)
    must, cannot = (np.array(some) for some in random_links(rng, 30, 4, 60))
    chosen = cross_validated_penalty(must, cannot, 30, 4, np.random.default_rng(0))
    # The same folds, one λ at a time.
    pairs = np.concatenate([must, cannot])
    fold = np.random.default_rng(0).permutation(np.arange(len(pairs)) % 5)
    errors = {}
    for penalty in (0.0, 0.1, 0.5, 1.0):
        squares = []
        for held_out in range(5):
            kept = np.flatnonzero(fold != held_out)
            links = LinkedGroups.of(
                30, pairs[kept[kept < len(must)]], pairs[kept[kept >= len(must)]]
            )
            rows = Augmentation.of(links).minimise(uncommitted_memberships(links, 4), penalty)[1]
            h = item_memberships(rows, links, 4)
            for k in np.flatnonzero(fold == held_out):
                squares.append((float(k < len(must)) - h[pairs[k, 0]] @ h[pairs[k, 1]]) ** 2)
        errors[penalty] = sum(squares)
    assert errors[chosen] == pytest.approx(min(errors.values()))
    assert max(errors.values()) > 1.01 * min(errors.values())


def test_a_single_answer_is_enough_for_cross_validation() -> None:
    one, none = np.array([(0, 1)]), np.empty((0, 2), dtype=np.int64)
    assert cross_validated_penalty(one, none, 5, 2, np.random.default_rng(0)) == 0.0
