"""What is possible: proofs are counted right, and one who knows gets far with few questions."""

from __future__ import annotations

from itertools import combinations, pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import likewise as lw
from likewise.bench.bounds import (
    fewest_proving_questions,
    label_bits,
    omniscient_curve,
    proving_questions,
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
