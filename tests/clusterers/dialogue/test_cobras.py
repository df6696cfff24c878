from __future__ import annotations

from collections.abc import Callable
from itertools import combinations
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.datasets import load_iris
from sklearn.metrics import adjusted_rand_score

from interviews import Array, Interview, Link, Truth, blobs
from likewise.clusterers import COBRA, COBRAS, DialogueClusterer
from likewise.clusterers.dialogue._super_instances import SuperInstances
from likewise.clusterers.dialogue.cobras import closest_first
from likewise.errors import DataError, LikewiseError, MethodError

# -- the worked examples -------------------------------------------------------------------------


def test_cobra_merges_four_super_instances_of_two_kinds_with_three_questions() -> None:
    talk = Interview(lambda: COBRA(n_super_instances=4), [[0], [1], [5], [6]], [0, 0, 1, 1])
    assert talk.answer().said == "SSD"
    assert talk.score == 1.0


def test_cobra_compares_every_two_of_four_kinds() -> None:
    talk = Interview(lambda: COBRA(n_super_instances=4), [[0], [1], [5], [6]], [0, 1, 2, 3])
    assert talk.answer().said == "DDDDDD"


def levels(n: int, answers: str) -> int:
    """Into how many parts COBRAS splits n items after these answers."""
    instances = SuperInstances(np.arange(n, dtype=float)[:, None] ** 2, 0)
    wanted = COBRAS()._n_parts(instances, instances.whole)
    try:
        next(wanted)
        for answer in answers:
            wanted.send(np.array([answer == "S"]))
    except StopIteration as end:
        return int(end.value)
    raise AssertionError("more answers are wanted")


@pytest.mark.parametrize(
    ("n", "answers", "parts"),
    [(64, "S", 2), (64, "DS", 2), (64, "DDS", 4), (64, "DDDS", 8), (3, "DD", 3), (2, "D", 2)],
)
def test_the_more_halves_differ_the_finer_the_split(n: int, answers: str, parts: int) -> None:
    assert levels(n, answers) == parts


def test_cobras_goes_into_the_smaller_half() -> None:
    X = [[0.0], [0.1], [0.2], [0.3], [9.0], [9.1], [9.2]]
    first = COBRAS().fit(X).question_
    assert first == (1, 5)
    second = COBRAS().fit(X, cannot_link=[first]).question_
    assert second is not None
    assert set(second) <= {4, 5, 6}


# -- the merge pass beside the letter of the paper -----------------------------------------------


def merged_literally(X: Array, truth: Truth) -> list[Link]:
    """Each item a super-instance: the closest clusters first, and over again after each merge."""
    clusters = [[i] for i in range(len(X))]
    different: list[Link] = []
    asked: list[Link] = []

    def closest(a: list[int], b: list[int]) -> tuple[float, int, int]:
        ends = [(min(i, j), max(i, j)) for i in a for j in b]
        return min((float(np.float32(np.linalg.norm(X[i] - X[j]))), i, j) for i, j in ends)

    merged = True
    while merged:
        merged = False
        ranked = sorted(
            (*closest(clusters[a], clusters[b]), a, b)
            for a, b in combinations(range(len(clusters)), 2)
        )
        for _, i, j, a, b in ranked:
            sides = clusters[a], clusters[b]
            if any({k, m} & set(sides[0]) and {k, m} & set(sides[1]) for k, m in different):
                continue
            asked.append((i, j))
            if truth[i] == truth[j]:
                rest = [cluster for c, cluster in enumerate(clusters) if c not in (a, b)]
                clusters = [sides[0] + sides[1], *rest]
                merged = True
                break
            different.append((i, j))
    return asked


@settings(max_examples=60)
@given(st.data())
def test_one_walk_over_the_pairs_asks_what_merging_over_and_over_asks(data: st.DataObject) -> None:
    n = data.draw(st.integers(2, 9))
    truth = data.draw(st.lists(st.integers(0, 3), min_size=n, max_size=n))
    cell = st.integers(0, 30)
    points = data.draw(st.lists(st.tuples(cell, cell), min_size=n, max_size=n, unique=True))
    X = np.array(points, dtype=float)
    talk = Interview(lambda: COBRA(n_super_instances=n), X, truth).answer()
    asked = {(min(pair), max(pair)) for pair in talk.must + talk.cannot}
    literal = merged_literally(X, truth)
    assert asked == set(literal)
    assert len(talk.said) == len(literal)


@given(st.lists(st.floats(-1e3, 1e3), min_size=2, max_size=12), st.integers(1, 11))
def test_pairs_come_closest_first_and_each_once(values: list[float], n_new: int) -> None:
    X = np.array(values)[:, None]
    new, old = np.split(np.arange(len(values)), [min(n_new, len(values))])
    pairs = closest_first(X, new, old)
    wanted = {p for p in combinations(range(len(values)), 2) if p[0] in new or p[1] in new}
    assert {(min(p), max(p)) for p in pairs.tolist()} == wanted
    assert len(pairs) == len(wanted)
    gaps = np.abs(X[pairs[:, 0], 0] - X[pairs[:, 1], 0]).astype(np.float32)
    assert (np.diff(gaps) >= 0).all()


# -- invariants ----------------------------------------------------------------------------------


@pytest.mark.parametrize("make", [COBRA, COBRAS])
@settings(max_examples=6)
@given(order=st.permutations(range(60)))
def test_items_in_another_order_get_the_same_groups(
    make: type[DialogueClusterer], order: list[int]
) -> None:
    X, truth = blobs()
    # The labels that COBRA needs 22 + 3 answers for, a merge of all but three parts.
    talk = Interview(make, X[order], truth[order]).answer(25 if make is COBRA else 12)
    assert talk.score == 1.0


# -- what counts as the clustering ---------------------------------------------------------------


def test_before_the_first_round_is_over_the_labels_are_those_of_k_means() -> None:
    X, truth = blobs()
    assert adjusted_rand_score(truth, COBRAS(n_clusters=3).fit(X).labels_) == 1.0
    assert COBRAS(n_clusters=1).fit(X).n_clusters_ == 1


def test_a_clustering_in_the_middle_of_a_round_does_not_count() -> None:
    X, truth = load_iris(return_X_y=True)
    talk = Interview(COBRAS, X, truth)
    changes, rounds = set(), set()
    settled = talk.model.labels_
    for _ in range(60):
        before = talk.model._resume_from[0]
        labels = talk.answer(1).model.labels_
        over = talk.model._resume_from[0] is not before
        if not over and before is not None:
            # Only items that an answer was about may have moved since the round was over.
            moved = np.flatnonzero(labels != settled)
            changes.add(
                set(moved.tolist()) <= {i for pair in talk.must + talk.cannot for i in pair}
            )
        settled = labels
        rounds.add(over)
    assert changes == {True}
    assert rounds == {True, False}


def test_a_question_left_open_does_not_hold_the_clustering_up() -> None:
    X, truth = blobs()
    must: list[Link] = []
    cannot: list[Link] = []
    model: DialogueClusterer = COBRAS(n_clusters=1).fit(X)
    never = model.question_
    for _ in range(25):
        pair = next(p for p in model.open_pairs() if p != never)
        (must if truth[pair.i] == truth[pair.j] else cannot).append((pair.i, pair.j))
        model = COBRAS(n_clusters=1).fit(X, must_link=must, cannot_link=cannot, start=model)
        if model.question_ != never:
            break
    assert adjusted_rand_score(truth, model.labels_) > 0.9


def test_passing_open_pairs_ends_and_names_no_pair_twice() -> None:
    X, _ = blobs(20)
    for make in (COBRA, COBRAS):
        model = make().fit(X, must_link=[(0, 1)])
        passed = [pair.unordered for pair in model.open_pairs()]
        assert passed[0] == tuple(sorted(model.question_ or ()))
        assert len(passed) == len(set(passed))
        # Every two of the 19 groups are compared, the two items known to be the same but once.
        assert len(passed) == 19 * 18 // 2


# -- refusals ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("make", "links", "error"),
    [
        (lambda: COBRAS(n_clusters=0), {}, MethodError),
        (lambda: COBRAS(n_clusters=61), {}, MethodError),
        (lambda: COBRA(n_super_instances=1), {}, MethodError),
        (COBRAS, {"must_link": [(0, 1)], "cannot_link": [(1, 0)]}, DataError),
        (COBRAS, {"must_link": [(0, 90)]}, DataError),
    ],
)
def test_settings_and_links_that_make_no_sense_are_refused(
    make: Callable[[], DialogueClusterer], links: dict[str, Any], error: type[LikewiseError]
) -> None:
    with pytest.raises(error):
        make().fit(blobs()[0], **links)


def test_items_far_from_the_origin_are_split_as_well_as_near_ones() -> None:
    X, truth = blobs()
    talk = Interview(COBRAS, X + 1e7, truth).answer(12)
    assert talk.score == 1.0
