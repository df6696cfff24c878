"""Groups that agree best with evidence about pairs: by hand, against enumeration, at any size."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from likewise.beliefs import consistent_groups
from likewise.beliefs._local_repairs import repaired_groups
from likewise.beliefs._partitions import enumerate_groups, partitions
from likewise.beliefs.consistency import _by_local_repairs
from likewise.beliefs.votes import Flags, Floats, Ints

NINE = float(np.log(9))  # the evidence of somebody who is right nine times in ten
TRIANGLE = np.array([[0, 1], [1, 2], [0, 2]])


def evidence(n: int, seed: int, wrong: float = 0.1) -> tuple[Ints, Floats]:
    """Answers about some pairs of three groups, each wrong now and then."""
    rng = np.random.default_rng(seed)
    pairs = np.array([(i, j) for i in range(n) for j in range(i + 1, n)])
    ends = pairs[rng.permutation(len(pairs))[: rng.integers(n - 1, len(pairs) + 1)]]
    groups = rng.integers(0, 3, n)
    same = (groups[ends[:, 0]] == groups[ends[:, 1]]) ^ (rng.random(len(ends)) < wrong)
    return ends, np.where(same, NINE, -NINE) + rng.normal(0, 0.01, len(ends))


def inside(labels: Ints, ends: Ints) -> Flags:
    found: Flags = labels[ends[:, 0]] == labels[ends[:, 1]]
    return found


def test_a_triangle_by_hand() -> None:
    # All five partitions of three items, weighed by 0.9 per right and 0.1 per wrong answer.
    same = consistent_groups(3, TRIANGLE, NINE * np.array([1, 1, -1]))[1]
    np.testing.assert_allclose(same, [0.640316, 0.640316, 0.324111], atol=1e-6)
    labels, same = enumerate_groups(3, TRIANGLE, NINE * np.array([1, 1, 1]))
    np.testing.assert_allclose(same, 0.974901, atol=1e-6)
    assert len(set(labels)) == 1
    same = enumerate_groups(3, TRIANGLE, NINE * np.array([1, -1, -1]))[1]
    assert same[0] == pytest.approx(0.881720, abs=1e-6)


def test_there_are_as_many_partitions_as_bell_says() -> None:
    assert [len(partitions(n)) for n in range(1, 8)] == [1, 2, 5, 15, 52, 203, 877]


def test_in_a_tree_of_answers_each_is_as_sure_as_it_was_given() -> None:
    ends = np.array([[0, 1], [1, 2], [2, 3], [3, 4], [2, 5], [6, 0]])
    odds = np.array([2.0, 1.0, 3.0, 1.5, -2.0, -0.5])
    same = consistent_groups(7, ends, odds)[1]
    np.testing.assert_allclose(same, 1 / (1 + np.exp(-odds)), atol=1e-12)


@pytest.mark.parametrize("n", [4, 5, 6, 7])
def test_local_repairs_come_near_enumeration(n: int) -> None:
    off = []
    for seed in range(40):
        ends, odds = evidence(n, seed)
        labels, exact = enumerate_groups(n, ends, odds)
        off.append(np.abs(_by_local_repairs(labels, ends, odds) - exact))
    assert np.mean(np.concatenate(off)) < 0.04
    assert np.median([one.max() for one in off]) < 0.05


@pytest.mark.parametrize("n", [5, 6, 7])
def test_repaired_groups_are_mostly_the_likeliest(n: int) -> None:
    best = 0
    for seed in range(60):
        ends, odds = evidence(n, seed, wrong=0.2)
        exact = inside(enumerate_groups(n, ends, odds)[0], ends)
        found = inside(repaired_groups(n, ends, odds), ends)
        assert odds[found].sum() <= odds[exact].sum() + 1e-9
        best += odds[found].sum() > odds[exact].sum() - 1e-9
    assert best >= 51


@given(st.integers(3, 25), st.integers(0, 10_000))
@settings(max_examples=40, deadline=None)
def test_what_is_overruled_is_proved_wrong_by_what_is_not(n: int, seed: int) -> None:
    ends, odds = evidence(n, seed, wrong=0.25)
    labels, same = consistent_groups(n, ends, odds)
    assert ((same >= 0) & (same <= 1)).all()
    together = inside(labels, ends)
    linked = np.arange(n)  # items tied by answers that are believed
    for a, b in ends[together & (odds > 0)].tolist():
        linked[linked == linked[b]] = linked[a]
    # Every group is held together by answers that say so, ...
    assert len(np.unique(linked)) == len(np.unique(labels))
    # ... and an answer "same" between two groups stands against one that says "different".
    for a, b in ends[~together & (odds > 0)].tolist():
        sides = {labels[a], labels[b]}
        between = np.array([{labels[i], labels[j]} == sides for i, j in ends])
        assert (odds[between] < 0).any()


def test_one_wrong_answer_loses_against_many_that_it_contradicts() -> None:
    # Two groups of four, all pairs inside answered "same", and one link between them that is
    # stronger than any: four answers "different" that each contradict it outweigh it.
    cliques = [(i, j) for g in (0, 4) for i in range(g, g + 4) for j in range(i + 1, g + 4)]
    across = [(0, 4), (1, 5), (2, 6), (3, 7), (1, 4)]
    ends = np.array(cliques + across)
    odds = np.array([2.0] * len(cliques) + [3.0, -2.0, -2.0, -2.0, -2.0])
    labels, same = consistent_groups(8, ends, odds)
    assert labels.tolist() == [0] * 4 + [1] * 4
    assert same[len(cliques)] < 0.1
