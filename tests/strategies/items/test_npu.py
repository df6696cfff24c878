"""Uncertainty per question, on the worked numbers of the method and on its formulas."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from likewise.strategies.group_membership import entropy, expected_questions


def test_the_worked_example_with_groups_still_to_be_found() -> None:
    p = np.array([[0.5, 0.3, 0.2]])
    assert entropy(p)[0] == pytest.approx(1.485475, abs=1e-6)
    assert expected_questions(p, all_found=False)[0] == pytest.approx(1.7)
    score = entropy(p) / expected_questions(p, all_found=False)
    assert score[0] == pytest.approx(0.873809, abs=1e-6)


def test_the_last_group_costs_no_question_when_all_are_found() -> None:
    p = np.array([[0.5, 0.3, 0.2]])
    assert expected_questions(p, all_found=True)[0] == pytest.approx(1.5)
    score = entropy(p) / expected_questions(p, all_found=True)
    assert score[0] == pytest.approx(0.990317, abs=1e-6)


@given(st.integers(0, 2**32 - 1), st.permutations(range(4)), st.booleans())
def test_the_order_in_which_groups_are_stored_does_not_matter(
    seed: int, groups: list[int], all_found: bool
) -> None:
    p = np.random.default_rng(seed).dirichlet(np.ones(4), size=5)
    np.testing.assert_allclose(entropy(p[:, groups]), entropy(p))
    np.testing.assert_allclose(
        expected_questions(p[:, groups], all_found=all_found),
        expected_questions(p, all_found=all_found),
    )


@given(st.integers(0, 2**32 - 1), st.integers(1, 4), st.booleans())
def test_expected_questions_are_the_mean_of_asking_the_likeliest_first(
    seed: int, n_groups: int, all_found: bool
) -> None:
    p = np.random.default_rng(seed).dirichlet(np.ones(n_groups))
    cost = 0.0
    for rank, m in enumerate(np.argsort(-p)):
        questions = rank + 1
        if all_found and rank == n_groups - 1 and n_groups > 1:
            questions -= 1
        cost += p[m] * questions
    assert expected_questions(p[None], all_found=all_found)[0] == pytest.approx(cost)
