"""No more groups than were given: none with two items that differ, the large ones kept."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from likewise.auto import _fewer_groups
from likewise.auto._fewer_groups import at_most_groups
from likewise.clusterers.links import LinkedGroups

# Four groups, and two odd items between the first two.
POINTS = np.concatenate([np.repeat([[0.0], [10.0], [20.0], [30.0]], 8, axis=0), [[1.0], [2.0]]])
LABELS = np.concatenate([np.repeat([0, 1, 2, 3], 8), [4, 5]])
ODD = [(0, 32), (8, 32), (0, 33), (8, 33), (32, 33)]


def test_odd_items_do_not_cost_a_large_group_its_label() -> None:
    # They differ from the first two groups and from one another: they have the fewest choices.
    labels = at_most_groups(LABELS, 4, LinkedGroups.of(34, [], ODD), POINTS)
    assert labels.tolist() == [*LABELS[:32].tolist(), 2, 3]


def test_one_that_differs_from_all_that_stay_stays_instead_of_the_smallest() -> None:
    links = LinkedGroups.of(34, [], [*ODD, (16, 33), (24, 33)])
    labels = at_most_groups(LABELS, 4, links, POINTS)
    assert labels.max() == 3
    assert (labels == labels[33]).sum() == 1
    # Of equally large groups the last one goes without.
    assert len(np.unique(labels[[0, 8, 16]])) == 3
    assert labels[24] == labels[16]


@settings(max_examples=80, deadline=None)
@given(st.integers(2, 6), st.integers(0, 2**16), st.integers(1, 5), st.booleans())
def test_there_are_no_more_wherever_the_answers_leave_such_a_grouping(
    n: int, seed: int, most: int, searched: bool
) -> None:
    rng = np.random.default_rng(seed)
    points = rng.normal(size=(n, 2))
    apart = [pair for pair in itertools.combinations(range(n), 2) if rng.random() < 0.4]
    links = LinkedGroups.of(n, [], apart)
    with pytest.MonkeyPatch.context() as patch:
        if searched:  # as where the short way leads nowhere
            patch.setattr(_fewer_groups, "_around_largest", lambda *_: None)
        labels = at_most_groups(np.arange(n), most, links, points)
    assert all(labels[i] != labels[j] for i, j in apart)
    possible = any(
        all(colours[i] != colours[j] for i, j in apart)
        for colours in itertools.product(range(most), repeat=n)
    )
    assert (labels.max() < most) == (possible or n <= most)
