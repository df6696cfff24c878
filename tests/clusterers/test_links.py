from __future__ import annotations

from collections import Counter
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from likewise.clusterers import LinkedGroups, labels_respecting_links
from likewise.errors import DataError

Link = tuple[int, int]
Labels = npt.NDArray[np.int64]


class Case(NamedTuple):
    n: int
    must: list[Link]
    cannot: list[Link]
    labels: Labels


def pairs(n: int) -> st.SearchStrategy[list[Link]]:
    two = st.tuples(st.integers(0, n - 1), st.integers(0, n - 1)).filter(lambda p: p[0] != p[1])
    return st.lists(two, max_size=2 * n)


@st.composite
def consistent_cases(draw: st.DrawFn) -> Case:
    """Links that some hidden grouping answers truthfully, and labels that know nothing of it."""
    n = draw(st.integers(2, 10))
    truth = draw(st.lists(st.integers(0, 3), min_size=n, max_size=n))
    linked = draw(pairs(n))
    must = [(i, j) for i, j in linked if truth[i] == truth[j]]
    cannot = [(i, j) for i, j in linked if truth[i] != truth[j]]
    labels = draw(st.lists(st.sampled_from([0, 1, 2, 7, -1]), min_size=n, max_size=n))
    return Case(n, must, cannot, np.array(labels))


def closure(
    n: int, must: list[Link], cannot: list[Link]
) -> tuple[npt.NDArray[np.bool_], npt.NDArray[np.bool_]]:
    """Which pairs are the same and which differ, by trying every middle item until it settles."""
    same = np.eye(n, dtype=bool)
    for i, j in must:
        same[i, j] = same[j, i] = True
    for k in range(n):
        for i in range(n):
            for j in range(n):
                same[i, j] |= same[i, k] and same[k, j]
    differ = np.zeros((n, n), dtype=bool)
    for i, j in cannot:
        differ |= np.outer(same[i], same[j]) | np.outer(same[j], same[i])
    return same, differ


@given(consistent_cases())
def test_groups_are_the_closure_of_the_links(case: Case) -> None:
    same, differ = closure(case.n, case.must, case.cannot)
    links = LinkedGroups.of(case.n, case.must, case.cannot)
    touched = {item for link in [*case.must, *case.cannot] for item in link}
    assert set(np.flatnonzero(links.group >= 0)) == touched
    known = {tuple(pair) for pair in links.differing.tolist()}
    for i in touched:
        for j in touched:
            a, b = sorted((int(links.group[i]), int(links.group[j])))
            assert (a == b) == same[i, j]
            assert ((a, b) in known) == differ[i, j]


@given(consistent_cases())
def test_groups_are_numbered_by_their_first_item_and_differences_are_listed_once(
    case: Case,
) -> None:
    links = LinkedGroups.of(case.n, case.must, case.cannot)
    first_seen = list(dict.fromkeys(int(g) for g in links.group if g >= 0))
    assert first_seen == list(range(links.n_groups))
    listed = [tuple(pair) for pair in links.differing.tolist()]
    assert len(set(listed)) == len(listed)
    assert all(a < b for a, b in listed)
    matrix = links.differ.toarray()
    np.testing.assert_array_equal(matrix, matrix.T)
    assert {(int(a), int(b)) for a, b in np.argwhere(matrix) if a < b} == set(listed)


@given(st.integers(2, 6).flatmap(lambda n: st.tuples(st.just(n), pairs(n), pairs(n))))
def test_links_are_refused_exactly_when_they_contradict_each_other(
    drawn: tuple[int, list[Link], list[Link]],
) -> None:
    n, must, cannot = drawn
    same, _ = closure(n, must, cannot)
    clashing = [(i, j) for i, j in cannot if same[i, j]]
    if not clashing:
        LinkedGroups.of(n, must, cannot)
        return
    with pytest.raises(DataError, match="may not be linked, but must_link ties them") as caught:
        LinkedGroups.of(n, must, cannot)
    assert any(f"items {i} and {j} " in str(caught.value) for i, j in clashing)


@pytest.mark.parametrize("nothing", [None, [], np.empty((0, 2), dtype=np.int64)])
def test_no_links_make_no_groups(nothing: Any) -> None:
    links = LinkedGroups.of(3, nothing, nothing)
    assert links.n_groups == 0
    np.testing.assert_array_equal(links.group, [-1, -1, -1])
    assert links.differing.shape == (0, 2)
    np.testing.assert_array_equal(labels_respecting_links(np.array([5, 2, 5]), links), [1, 0, 1])


@pytest.mark.parametrize(
    ("links", "complaint"),
    [
        ([(0, 4)], "must name items between 0 and 3"),
        ([(-1, 2)], "must name items between 0 and 3"),
        ([(1, 2), (2, 2)], "links an item to itself"),
        ([(0.0, 1.0)], "pairs of item positions"),
        ([0, 1], "pairs of item positions"),
        ([(0, 1, 2)], "pairs of item positions"),
        ([("a", "b")], "pairs of item positions"),
    ],
)
@pytest.mark.parametrize("name", ["must_link", "cannot_link"])
def test_links_must_name_two_different_items(name: str, links: Any, complaint: str) -> None:
    given_links = {"must_link": None, "cannot_link": None, name: links}
    with pytest.raises(DataError, match=f"{name} {complaint}|{name} must be {complaint}"):
        LinkedGroups.of(4, **given_links)


@settings(max_examples=200)
@given(consistent_cases())
def test_answers_win_over_any_labels(case: Case) -> None:
    links = LinkedGroups.of(case.n, case.must, case.cannot)
    before = case.labels.copy()
    labels = labels_respecting_links(case.labels, links)
    np.testing.assert_array_equal(case.labels, before)
    assert all(labels[i] == labels[j] for i, j in case.must)
    assert all(labels[i] != labels[j] for i, j in case.cannot)
    assert set(labels.tolist()) == set(range(labels.max() + 1))


@settings(max_examples=200)
@given(consistent_cases())
def test_letting_answers_win_twice_changes_nothing_more(case: Case) -> None:
    links = LinkedGroups.of(case.n, case.must, case.cannot)
    once = labels_respecting_links(case.labels, links)
    np.testing.assert_array_equal(labels_respecting_links(once, links), once)


@settings(max_examples=200)
@given(consistent_cases())
def test_items_without_links_stay_with_the_items_they_were_with(case: Case) -> None:
    links = LinkedGroups.of(case.n, case.must, case.cannot)
    labels = labels_respecting_links(case.labels, links)
    free = np.flatnonzero(links.group < 0)
    for i in free:
        for j in free:
            assert (labels[i] == labels[j]) == (case.labels[i] == case.labels[j])


@given(consistent_cases(), st.lists(st.integers(0, 3), min_size=10, max_size=10))
def test_labels_that_contradict_no_link_are_kept(case: Case, truth: list[int]) -> None:
    linked = [*case.must, *case.cannot]
    must = [(i, j) for i, j in linked if truth[i] == truth[j]]
    cannot = [(i, j) for i, j in linked if truth[i] != truth[j]]
    kept = np.array(truth[: case.n])
    labels = labels_respecting_links(kept, LinkedGroups.of(case.n, must, cannot))
    np.testing.assert_array_equal(labels, np.unique(kept, return_inverse=True)[1])


def by_the_book(labels: Labels, links: LinkedGroups) -> list[int]:
    """Let every group choose in its turn, the largest majority first; return their labels."""
    votes = [Counter(labels[members].tolist()) for members in links.members]
    differing = {frozenset(pair) for pair in links.differing.tolist()}
    chosen: dict[int, int] = {}
    n_labels = int(labels.max()) + 1
    for group in sorted(range(links.n_groups), key=lambda g: -max(votes[g].values())):
        taken = {chosen[g] for g in chosen if {g, group} in differing}
        wanted = sorted(votes[group], key=lambda label: (-votes[group][label], label))
        free = [label for label in (*wanted, *range(n_labels)) if label not in taken]
        chosen[group] = free[0] if free else n_labels
        n_labels = max(n_labels, chosen[group] + 1)
    return [chosen[g] if g >= 0 else int(labels[i]) for i, g in enumerate(links.group.tolist())]


@settings(max_examples=200)
@given(consistent_cases())
def test_groups_choose_in_the_order_of_their_majorities(case: Case) -> None:
    links = LinkedGroups.of(case.n, case.must, case.cannot)
    labels = np.unique(case.labels, return_inverse=True)[1]
    expected = np.unique(by_the_book(labels, links), return_inverse=True)[1]
    np.testing.assert_array_equal(labels_respecting_links(case.labels, links), expected)


def test_a_linked_group_takes_the_label_most_of_it_has() -> None:
    links = LinkedGroups.of(5, [(0, 1), (1, 2)], None)
    np.testing.assert_array_equal(
        labels_respecting_links(np.array([0, 1, 1, 0, 1]), links), [1, 1, 1, 0, 1]
    )


def test_of_two_groups_that_differ_the_larger_majority_keeps_the_label() -> None:
    links = LinkedGroups.of(6, [(0, 1), (2, 3), (3, 4)], [(0, 2)])
    labels = labels_respecting_links(np.array([0, 0, 0, 0, 0, 1]), links)
    np.testing.assert_array_equal(labels, [1, 1, 0, 0, 0, 1])


def test_a_group_for_which_no_label_is_left_gets_a_new_one() -> None:
    links = LinkedGroups.of(4, None, [(0, 1), (0, 2), (1, 2)])
    labels = labels_respecting_links(np.array([0, 0, 0, 1]), links)
    assert len(set(labels[:3].tolist())) == 3
    assert labels.max() == 2
