"""ASC's choice of pairs against a loop over all pairs."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import likewise as lw
from likewise.errors import MethodError
from likewise.strategies import ExpectedError, PairSelection
from likewise.strategies.pairs.expected_error import rank_one


def literal_error(study: lw.Study, i: int, j: int) -> float:
    """(x − 1)² P + (x + 1)² (1 − P): x from the cut, P from the best matrix of rank one."""
    cut = study.clustering_.cut_
    n = len(cut)
    Q = np.eye(n)
    for pairs, value in (
        (study.constraints.must_link, 1.0),
        (study.constraints.cannot_link, -1.0),
    ):
        for a, b in pairs.tolist():
            Q[a, b] = Q[b, a] = value
    U, S, V = np.linalg.svd(Q)
    rank_one = np.clip(S[0] * np.outer(U[:, 0], V[0]), -1, 1)
    P = (1 + rank_one[i, j]) / 2 if study.n_answers else 0.5
    x = float(np.clip(cut[i] * cut[j], -1, 1))
    return float((x - 1) ** 2 * P + (x + 1) ** 2 * (1 - P))


@given(st.integers(0, 2**32 - 1), st.integers(4, 25), st.integers(0, 8))
def test_the_pair_of_largest_expected_error_is_asked(seed: int, n: int, n_answers: int) -> None:
    rng = np.random.default_rng(seed)
    X, kinds = rng.random((n, 2)), rng.integers(2, size=n)
    study = lw.Study(X, method="asc", random_state=1)
    # A star: then the largest singular value is the only such.
    for item in range(1, min(n, n_answers + 1)):
        study.tell((0, item), bool(kinds[0] == kinds[item]))
    question = study.ask()
    if question is None:
        return
    undecided = [
        pair for pair in combinations(range(n), 2) if study.constraints.implied(*pair) is None
    ]
    best = max(literal_error(study, i, j) for i, j in undecided)
    assert literal_error(study, *question.pair) == pytest.approx(best, abs=1e-4)


@given(st.integers(0, 2**32 - 1), st.integers(3, 40), st.booleans())
def test_the_approximation_of_rank_one_is_the_best(seed: int, n: int, closed: bool) -> None:
    rng = np.random.default_rng(seed)
    kinds = rng.integers(2, size=n)
    must = [(0, j) for j in range(1, n // 2 + 1) if kinds[j] == kinds[0]]
    cannot = [(0, j) for j in range(1, n // 2 + 1) if kinds[j] != kinds[0]]
    model = lw.clusterers.FlexibleSpectral(closed=closed)
    model.fit(rng.random((n, 2)), must_link=must, cannot_link=cannot)
    Q = np.eye(n) + model.relations_.times(np.eye(n))
    U, S, V = np.linalg.svd(Q)
    a = rank_one(model.relations_)
    np.testing.assert_allclose(np.outer(a, a), S[0] * np.outer(U[:, 0], V[0]), atol=1e-7)


def test_asc_is_for_two_groups() -> None:
    X = [[0.0], [1.0], [5.0], [6.0]]
    with pytest.raises(MethodError, match=r"tells 2 groups apart, not 3; use 'urasc', 'quire'"):
        lw.Study(X, method="asc", n_clusters=3)
    assert lw.Study(X, method="asc").n_clusters == 2


def test_another_clusterer_is_refused() -> None:
    misfit = lw.Recipe("", lambda: PairSelection(ExpectedError()))
    with pytest.raises(MethodError, match="needs the clusterer FlexibleSpectral, not Spectral"):
        lw.Study([[0.0], [1.0], [2.0]], method=misfit).ask()
