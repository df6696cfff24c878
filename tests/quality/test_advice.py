"""Stopping advice: its formulas, what it may and may not say, and that it leaves no trace."""

from __future__ import annotations

from math import exp, log
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st

import likewise as lw
from likewise.affinities.neighbour_votes import neighbour_votes
from likewise.quality import advise
from likewise.quality.advice import (
    ENOUGH_RIGHT,
    FORESEEN,
    SMALL_GAIN,
    Coefficients,
    coefficients_of,
    estimated,
    expected_gain,
    questions_left,
)
from likewise.quality.evidence import Evidence, nearest_group

shares = st.floats(0, 1)
evidence = st.builds(
    lambda n, answers, placed, *rest: Evidence(n, answers, max(1, round(placed * n)), *rest),
    st.integers(2, 10**6),
    st.integers(10, 10**5),
    shares,
    shares,
    shares,
    shares,
    shares,
    st.integers(1, 10**4),
)


def blobs(n: int = 80, k: int = 3) -> tuple[Any, npt.NDArray[np.int64]]:
    return lw.datasets.load("blobs", n=n, n_clusters=k, spread=1.0, random_state=1)


def answer(study: lw.Study, y: npt.NDArray[np.int64], n: int) -> None:
    for _ in range(n):
        question = study.ask()
        if question is None:
            return
        i, j = question.pair
        study.tell(question, bool(y[i] == y[j]))


def test_evidence_counts_what_the_slow_count_counts(seed: int) -> None:
    X, y = blobs()
    study = lw.Study(X, method="ffqs", random_state=seed)
    answer(study, y, 30)
    seen, labels, known = Evidence.of(study), study.labels_, study.constraints
    votes = neighbour_votes(study.view.affinity.affinity_, labels)
    placed = [k for k in range(len(X)) if known.representative_of(k) is not None]
    right = [votes[k].argmax() == labels[k] for k in placed]
    agree = []
    for k in set(range(len(X))) - set(placed):
        away = study.view.distances(np.array([k]), np.array(placed)).ravel()
        order = np.argsort(away)[:7]
        tally: dict[int, float] = {}
        for at in order:
            label = int(labels[placed[at]])
            weight = exp(-0.5 * (away[at] / away[order[0]]) ** 2)
            tally[label] = tally.get(label, 0.0) + weight
        agree.append(max(tally, key=lambda label: tally[label]) == labels[k])
    assert (seen.n_items, seen.n_answers, seen.n_placed) == (80, 30, len(placed))
    assert seen.neighbours == pytest.approx((sum(right) + 1) / (len(right) + 2))
    assert seen.agreement == pytest.approx((sum(agree) + 1) / (len(agree) + 2))
    assert seen.pace == len({i for a in study.answers for i in a.pair} & set(placed)) / 30


@pytest.mark.parametrize("method", ["auto", "urasc"])
def test_the_estimate_is_the_formula(method: str) -> None:
    seen = Evidence(100, 40, 20, 0.8, 0.9, 0.5, 0.7, 5)
    by = coefficients_of(method)
    odds = by.constant + by.neighbours * log(4) + by.agreement * log(9) + by.pace * 0.5
    odds += by.confidence * log(7 / 3) + by.per_group * log(40 / 5)
    right = 1 - 0.8 / (1 + exp(odds))
    found = estimated(seen, by)
    assert found is not None
    assert found.right == pytest.approx(right)
    assert found.low == pytest.approx(1 - 0.8 / (1 + exp(odds + by.low)))
    most = odds + by.high
    assert found.high == pytest.approx(1.0 if most > log(99) else 1 - 0.8 / (1 + exp(most)))
    gain = (1 - right) * min(1, by.placing * 50 * 0.5 / 80 + by.learning / 40)
    assert expected_gain(seen, right, by) == pytest.approx(gain)


coefficients = st.sampled_from([coefficients_of("auto"), coefficients_of("urasc")])


@given(evidence, coefficients)
def test_estimates_are_shares_in_order(seen: Evidence, by: Coefficients) -> None:
    found = estimated(seen, by)
    assert found is not None
    assert 0 <= found.low <= found.right <= found.high <= 1
    # What answers have placed is right whatever the rest is.
    assert found.low >= seen.n_placed / seen.n_items - 1e-9
    assert 0 <= expected_gain(seen, found.right, by) <= 1 - found.right + 1e-9


@given(evidence, st.integers(1, 50), coefficients)
def test_no_question_is_left_exactly_when_little_can_be_gained(
    seen: Evidence, k: int, by: Coefficients
) -> None:
    found = estimated(seen, by)
    assert found is not None
    left = questions_left(seen, found.right, k, by)
    assert left >= 0
    if seen.n_placed == seen.n_items:
        assert left == 0
    elif seen.n_answers >= max(20, 2 * k):
        gain = expected_gain(seen, found.right, by)
        small = gain < SMALL_GAIN and found.right >= ENOUGH_RIGHT
        assert (left == 0) == small


def test_advice_changes_nothing_and_is_the_same_again(seed: int) -> None:
    X, y = blobs()
    quiet, watched = (lw.Study(X, method="ffqs", random_state=seed) for _ in range(2))
    for _ in range(25):
        first = advise(watched)
        assert advise(watched) == first
        assert watched.ask() == quiet.ask()
        answer(quiet, y, 1)
        answer(watched, y, 1)


def test_the_order_of_items_does_not_matter_much(seed: int) -> None:
    X, y = blobs()
    order = np.random.default_rng(seed).permutation(len(X))
    one, other = lw.Study(X, method="random"), lw.Study(X[order], method="random")
    place = np.argsort(order)
    answer(one, y, 40)
    for given_answer in one.answers:
        i, j = given_answer.pair
        other.tell((int(place[i]), int(place[j])), given_answer.verdict)
    first, second = advise(one), advise(other)
    assert first.settled_pairs == second.settled_pairs
    assert first.right == pytest.approx(second.right, abs=0.1)


def test_a_complete_study_may_stop_and_a_young_one_may_not() -> None:
    X, y = blobs(30)
    study = lw.Study(X, method="ffqs")
    early = advise(study)
    assert (early.right, early.may_stop, early.questions_left) == (None, False, None)
    assert early.as_predicted is None
    answer(study, y, 12)
    assert advise(study).right is not None
    answer(study, y, 10_000)
    done = advise(study)
    assert (done.right, done.low, done.high, done.gain) == (1.0, 1.0, 1.0, 0.0)
    assert done.may_stop
    assert done.questions_left == 0
    assert done.groups == 3


def test_who_contradicts_himself_is_sent_to_the_disputes() -> None:
    X, y = blobs(30)
    study = lw.Study(X, method="ffqs")
    answer(study, y, 10_000)
    last = study.answers[-1]
    study.tell(last.pair, last.verdict is not lw.Verdict.SAME)
    advice = advise(study)
    assert not advice.may_stop
    assert advice.sentence.startswith("Answers contradict each other in 1 place")


def test_clear_groups_are_soon_said_to_be_clear_and_noise_is_not() -> None:
    X, y = lw.datasets.load("blobs", n=300, n_clusters=3, spread=0.5, random_state=0)
    clear, vague = (lw.Study(X, method="urasc", n_clusters=3) for _ in range(2))
    shuffled = np.random.default_rng(0).permutation(y)
    answer(clear, y, 60)
    answer(vague, shuffled, 60)
    good, bad = advise(clear), advise(vague)
    assert good.right is not None
    assert bad.right is not None
    assert good.right > 0.9 > bad.right
    assert bad.low is not None
    assert bad.low < 0.6
    assert good.may_stop
    assert good.sentence.startswith("You may stop. About ")
    assert not bad.may_stop


@pytest.mark.parametrize(
    ("kinds", "n_answers", "said"),
    [
        (np.repeat(np.arange(3), 20), 10, "a few large groups: about 3"),
        (np.repeat(np.arange(20), 4), 15, "many groups: about 20"),
        (np.repeat(np.arange(3), [60, 4, 4]), 10, "groups of very unequal size: about 3"),
        (np.repeat(np.arange(30), 2), 45, "things of which most occur once or twice: about 30"),
    ],
)
def test_from_ten_answers_on_the_kind_of_pile_is_told(
    kinds: npt.NDArray[np.int64], n_answers: int, said: str
) -> None:
    rng = np.random.default_rng(3)
    X = 6 * rng.normal(size=(kinds.max() + 1, 8))[kinds] + 0.5 * rng.normal(size=(len(kinds), 8))
    study = lw.Study(X)
    answer(study, kinds, 9)
    assert "These look like" not in advise(study).sentence
    answer(study, kinds, n_answers - 9)
    assert advise(study).sentence.startswith(f"These look like {said}")


def test_sparse_and_precomputed_items_are_advised_about() -> None:
    import scipy.sparse as sp

    X, y = blobs(40)
    alike = np.exp(-((X[:, None] - X[None]) ** 2).sum(axis=2) / 20)
    for items in (sp.csr_matrix(X), lw.Items.from_affinity(alike)):
        study = lw.Study(items, method="ffqs")
        answer(study, y, 15)
        assert advise(study).right is not None


def test_the_nearest_are_heard_most() -> None:
    away = np.array([[1.0, 2.0, 2.0, 2.0], [5.0, 1.0, 1.0, 1.0]])
    assert nearest_group(away, np.array([0, 1, 1, 1])).tolist() == [0, 1]


def test_places_where_likeness_says_nothing_do_not_look_like_progress(seed: int) -> None:
    rng = np.random.default_rng(seed)
    X, truth = rng.normal(size=(90, 3)), rng.integers(3, size=90)
    study = lw.Study(X, random_state=seed)
    for _ in range(25):
        place = study.ask(kind="place")
        assert place is not None
        offered = zip(place.groups, place.members, strict=True)
        study.tell(place, next((g for g, one in offered if truth[one] == truth[place.item]), "new"))
    told = advise(study)
    assert told.right is not None
    assert told.right < ENOUGH_RIGHT
    assert not told.may_stop


def test_how_many_answers_are_left_is_told_as_far_as_it_can_be_foreseen() -> None:
    X, y = lw.datasets.load("blobs", n=1_000, n_clusters=20, d=8, spread=4.0, random_state=1)
    study = lw.Study(X, method="ffqs")
    answer(study, y, 80)
    found = advise(study)
    assert found.questions_left is not None
    assert found.questions_left > FORESEEN
    assert found.sentence.endswith(f"more than {FORESEEN} answers may be worth giving.")


def test_how_large_groups_are_is_said_of_all_items_of_a_large_pile() -> None:
    X, truth = lw.datasets.load("blobs", n=20_400, n_clusters=4, d=4, random_state=0)
    study = lw.Study(X)
    for _ in range(12):
        question = study.ask()
        assert question is not None
        study.tell(question, bool(truth[question.pair.i] == truth[question.pair.j]))
    usual = int(np.median(np.bincount(study.labels_)))
    assert usual > 4000
    assert f"the usual one of {usual:,} items" in advise(study).sentence
