"""The audit: which pairs are drawn, and what their answers prove."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binom

import likewise as lw
from likewise.errors import AnswerError, MethodError
from likewise.quality import Audit, error_upper, pairs_needed
from likewise.quality.audit import draw_pairs


def test_without_an_error_the_bound_is_the_closed_form() -> None:
    for m in (1, 5, 59, 100, 299):
        assert error_upper(0, m) == pytest.approx(1 - 0.05 ** (1 / m))
    assert round(error_upper(0, 59), 6) == 0.049508
    assert round(error_upper(0, 100), 6) == 0.029513


def test_as_many_pairs_as_the_card_says_are_needed() -> None:
    assert (pairs_needed(0.05), pairs_needed(0.01)) == (59, 299)
    assert error_upper(0, 59) <= 0.05 < error_upper(0, 58)
    assert error_upper(0, 299) <= 0.01 < error_upper(0, 298)


@given(st.integers(0, 30), st.integers(1, 60), st.sampled_from([0.01, 0.05, 0.2]))
def test_at_the_bound_so_few_errors_come_with_probability_delta(
    errors: int, pairs: int, delta: float
) -> None:
    if errors >= pairs:
        assert error_upper(pairs, pairs, delta) == 1.0
    else:
        assert binom.cdf(errors, pairs, error_upper(errors, pairs, delta)) == pytest.approx(delta)


@given(st.lists(st.integers(0, 3), min_size=2, max_size=12), st.integers(1, 66), st.integers(0, 9))
def test_pairs_differ_and_are_half_within_half_across_as_far_as_there_are(
    groups: list[int], wanted: int, seed: int
) -> None:
    labels = np.unique(groups, return_inverse=True)[1].astype(np.int64)
    every = list(combinations(range(len(labels)), 2))
    n_within = sum(labels[i] == labels[j] for i, j in every)
    rng = np.random.default_rng(seed)
    if wanted > len(every):
        with pytest.raises(MethodError, match=f"only {len(every)} pairs"):
            draw_pairs(labels, wanted, rng)
        return
    pairs = draw_pairs(labels, wanted, rng)
    assert len(set(pairs)) == wanted
    assert set(pairs) <= set(every)
    within = sum(labels[i] == labels[j] for i, j in pairs)
    half = wanted - wanted // 2
    assert within == min(n_within, max(half, wanted - (len(every) - n_within)))


def test_every_pair_is_drawn_equally_often() -> None:
    labels = np.array([0, 1, 0, 1, 0, 2])
    rng = np.random.default_rng(0)
    n = 4000
    seen: dict[lw.Pair, int] = {}
    for _ in range(n):
        for pair in draw_pairs(labels, 2, rng):
            seen[pair] = seen.get(pair, 0) + 1
    within = [pair for pair in seen if labels[pair.i] == labels[pair.j]]
    assert (len(within), len(seen) - len(within)) == (4, 11)
    for pair, times in seen.items():
        share = 1 / 4 if pair in within else 1 / 11
        assert abs(times / n - share) < 5 * np.sqrt(share / n)


def study() -> lw.Study:
    X, _ = lw.datasets.load("blobs", n=60, n_clusters=3, spread=0.5, random_state=0)
    return lw.Study(X, method="ffqs", n_clusters=3)


def test_an_audit_counts_what_the_groups_have_wrong() -> None:
    audit = Audit.of(study(), 20)
    assert audit == Audit.of(study(), 20)  # drawn from the seed
    assert audit.n_judged == 0
    assert audit.error_upper_ == 1.0
    for k, (pair, expected) in enumerate(zip(audit.pairs, audit.expected, strict=True)):
        same = expected is lw.Verdict.SAME
        audit = audit.with_answer(pair, "unsure" if k == 0 else same == (k not in (3, 4)))
    assert (audit.n_judged, audit.n_errors) == (19, 2)
    assert audit.open == []
    assert audit.error_upper_ == error_upper(2, 19)
    assert audit.sentence.startswith("2 of 19 random pairs were wrong: at most 29.6% of such pairs")


def test_what_answers_have_settled_is_not_asked() -> None:
    pile = study()
    labels = pile.labels_
    first = np.flatnonzero(labels == 0)
    for item in first[1:]:
        pile.tell((int(item), int(first[0])), "same")
    audit = Audit.of(pile, 40)
    known = [pile.constraints.implied(*pair) for pair in audit.pairs]
    assert audit.answers == tuple(known)
    assert audit.n_judged == sum(verdict is not None for verdict in known) > 0
    assert all(pile.constraints.implied(*pair) is None for pair in audit.open)


def test_the_error_of_answers_is_taken_off_and_said() -> None:
    audit = Audit.of(study(), 59, answer_error=0.02)
    for pair, expected in zip(audit.pairs, audit.expected, strict=True):
        audit = audit.with_answer(pair, expected)
    assert audit.error_upper_ == pytest.approx(0.049508 - 0.02, abs=1e-6)
    assert "less the 2.0% by which answers are wrong" in audit.sentence


def test_wrong_settings_are_explained() -> None:
    pile = study()
    for settings in ({"delta": 0.0}, {"delta": 1.0}, {"answer_error": 0.5}):
        with pytest.raises(MethodError, match="but got"):
            Audit.of(pile, 5, **settings)
    with pytest.raises(MethodError, match="at least 1 pair"):
        Audit.of(pile, 0)
    with pytest.raises(MethodError, match="3 errors among 2"):
        error_upper(3, 2)
    audit = Audit.of(pile, 1)
    other = next(p for p in combinations(range(60), 2) if p not in audit.pairs)
    with pytest.raises(AnswerError, match="not part"):
        audit.with_answer(other, "same")
