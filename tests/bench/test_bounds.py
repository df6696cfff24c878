"""What is possible: proofs are counted right, and one who knows gets far with few questions."""

from __future__ import annotations

from itertools import combinations, pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import likewise as lw
from likewise.bench.bounds import (
    answers_for_bits,
    fewest_proving_questions,
    label_bits,
    omniscient_curve,
    placing_questions,
    proving_questions,
    worst_case_questions,
)
from likewise.bench.statistics import area
from likewise.errors import DataError, MethodError
from likewise.journal.constraints import Constraints
from likewise.journal.pairs import Answer, Pair, Verdict

GROUPINGS = st.lists(st.integers(0, 3), min_size=1, max_size=9)


def proof(labels: list[int]) -> list[tuple[Pair, Verdict]]:
    """A chain through every group, and one pair between any two of them."""
    members = [[i for i, c in enumerate(labels) if c == group] for group in sorted(set(labels))]
    chains = [Pair(a, b) for group in members for a, b in pairwise(group)]
    apart = [Pair(a[0], b[0]) for a, b in combinations(members, 2)]
    return [(p, Verdict.SAME) for p in chains] + [(p, Verdict.DIFFERENT) for p in apart]


def is_proof(labels: list[int], answers: list[tuple[Pair, Verdict]]) -> bool:
    known = Constraints(len(labels))
    for k, (pair, verdict) in enumerate(answers):
        known.add(Answer(k, pair, verdict))
    return all(known.implied(i, j) is not None for i, j in combinations(range(len(labels)), 2))


@given(GROUPINGS)
def test_a_proof_of_that_many_answers_exists_and_none_of_them_can_be_spared(
    labels: list[int],
) -> None:
    answers = proof(labels)
    assert len(answers) == fewest_proving_questions(labels)
    assert is_proof(labels, answers)
    assert not any(is_proof(labels, answers[:k] + answers[k + 1 :]) for k in range(len(answers)))


@pytest.mark.parametrize("labels", [[0, 0, 1, 1], [0, 1, 2, 2], [0, 0, 0, 0], [0, 1, 2, 3]])
def test_no_smaller_set_of_answers_proves_a_grouping(labels: list[int]) -> None:
    pairs = list(combinations(range(len(labels)), 2))
    said = {p: Verdict.SAME if labels[p[0]] == labels[p[1]] else Verdict.DIFFERENT for p in pairs}
    fewer = fewest_proving_questions(labels) - 1
    assert not any(
        is_proof(labels, [(Pair(*p), said[p]) for p in chosen])
        for chosen in combinations(pairs, fewer)
    )


def test_names_of_groups_do_not_matter_and_nonsense_is_refused() -> None:
    assert fewest_proving_questions(["b", "a", "b"]) == proving_questions(3, 2) == 2
    with pytest.raises(DataError, match="one per item"):
        fewest_proving_questions([])
    with pytest.raises(DataError, match="k must be"):
        proving_questions(3, 4)


def test_one_who_knows_is_far_better_than_chance(seed: int) -> None:
    X, y = lw.datasets.load("wine")
    curve = omniscient_curve(y, X, budget=30, random_state=seed)
    by_chance = lw.run(
        X, lw.oracles.FromLabels(y), method="random-items", budget=30, random_state=seed
    ).curve
    assert curve["questions"].iloc[0] == 0
    assert curve["questions"].is_monotonic_increasing
    assert curve["questions"].max() <= 30
    assert area(curve, budget=30) > area(by_chance, budget=30)


def test_the_omniscient_curve_depends_on_its_seed_alone(seed: int) -> None:
    X, y = lw.datasets.load("blobs", n=60, n_clusters=4, spread=3.0, random_state=seed)
    first, again = (omniscient_curve(y, X, budget=15, random_state=seed) for _ in range(2))
    assert first.equals(again)


def test_with_enough_questions_it_gets_everything_right(seed: int) -> None:
    X, y = lw.datasets.load("blobs", n=40, n_clusters=4, spread=4.0, random_state=seed)
    curve = omniscient_curve(y, X, budget=200, random_state=seed)
    assert curve["ari"].iloc[-1] == 1.0
    assert curve["questions"].iloc[-1] <= fewest_proving_questions(y)


def test_the_first_of_a_group_costs_as_many_questions_as_there_are_groups() -> None:
    # Three far groups: the third opens after 1 + 2 "different" answers, and all is right.
    X = np.repeat([[0.0, 0.0], [50.0, 0.0], [0.0, 50.0]], 6, axis=0)
    X += np.random.default_rng(0).normal(size=X.shape)
    curve = omniscient_curve(np.repeat([0, 1, 2], 6), X, budget=10)
    assert curve["ari"].iloc[-1] == 1.0
    assert curve["questions"].iloc[-1] <= 3


def test_what_cannot_be_asked_is_refused() -> None:
    with pytest.raises(DataError, match="truth has shape"):
        omniscient_curve([0, 1], [[0.0], [1.0], [2.0]])
    with pytest.raises(MethodError, match="at least 1"):
        omniscient_curve([0, 0, 1], [[0.0], [1.0], [2.0]], budget=0)


def test_labels_by_lot_hold_a_bit_each_and_clear_ones_hold_none() -> None:
    rng = np.random.default_rng(0)
    X, by_lot = rng.normal(size=(200, 3)), rng.integers(2, size=200)
    assert label_bits(X, by_lot) == pytest.approx(200, rel=0.03)
    clear = np.repeat([0, 1], 100)
    assert label_bits(X + 50.0 * clear[:, None], clear) < 1
    with pytest.raises(DataError, match="200 items"):
        label_bits(X, clear[:-1])
    with pytest.raises(DataError, match="at least 2 items"):
        label_bits(X[:1], clear[:1])
    with pytest.raises(DataError, match="n_neighbours must be at least 1"):
        label_bits(X, clear, n_neighbours=0)


def placed(labels: list[int], order: list[int]) -> int:
    """Place items one by one, each asked against the groups found so far in a given order."""
    found: list[int] = []
    asked = 0
    for group in labels:
        known = [g for g in order if g in found]
        if group not in found:
            asked += len(known)
            found.append(group)
        else:
            asked += known.index(group) + 1 - (group == known[-1] and len(known) == len(order))
    return asked


@given(GROUPINGS)
def test_placing_takes_what_asking_large_groups_first_takes(labels: list[int]) -> None:
    sizes = sorted(set(labels), key=lambda g: (-labels.count(g), g))
    by_size = sorted(labels, key=lambda g: sizes.index(g))
    assert placing_questions(labels) == placed(by_size, sizes)


@given(GROUPINGS)
def test_placing_is_never_worse_than_the_worst_case(labels: list[int]) -> None:
    assert placing_questions(labels) <= worst_case_questions(len(labels), len(set(labels)))


def test_the_worst_case_is_reached_by_items_of_the_last_group() -> None:
    # One item of each group, then only items of the group that is asked last but one.
    labels = [0, 1, 2] + [1] * 7
    assert placed(labels, [0, 1, 2]) == worst_case_questions(10, 3)


def test_an_answer_that_may_be_wrong_tells_less_than_a_bit() -> None:
    assert answers_for_bits(12.0) == 12.0
    assert answers_for_bits(12.0, noise=1.0) == 12.0  # always wrong tells as much as always right
    assert answers_for_bits(1.0, noise=0.5) == np.inf
    capacity = 1 + 0.1 * np.log2(0.1) + 0.9 * np.log2(0.9)
    assert answers_for_bits(10.0, noise=0.1) == pytest.approx(10 / capacity)
    for wrong in ((-1.0, 0.0), (1.0, 1.5)):
        with pytest.raises(DataError, match="bits must be at least 0"):
            answers_for_bits(*wrong)
    with pytest.raises(DataError, match="between 1 and the number"):
        worst_case_questions(2, 3)
    with pytest.raises(DataError, match="labels must be one per item"):
        placing_questions([])
