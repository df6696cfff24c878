"""Active-HACC against a clustering of its own for every pair of items."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import likewise as lw
from likewise.clusterers import SingleLink
from likewise.clusterers.links import Labels
from likewise.errors import MethodError
from likewise.metrics import jaccard
from likewise.strategies import ExpectedChange, PairSelection, View
from likewise.strategies.pairs.expected_change import random_clusterings


def literal_worth(view: View, together: Labels, i: int, j: int) -> float:
    """P(opposite) (1 − Jaccard), with everything clustered again for this pair."""
    fitted = view.clustering
    assert isinstance(fitted, SingleLink)
    must, cannot = view.constraints.must_link, view.constraints.cannot_link
    same = float((together[i] == together[j]).mean())
    again = SingleLink(n_clusters=fitted.n_clusters, affinity="precomputed")
    if fitted.labels_[i] == fitted.labels_[j]:
        chance, cannot = 1 - same, np.concatenate([cannot, [[i, j]]])
    else:
        chance, must = same, np.concatenate([must, [[i, j]]])
    again.fit(view.affinity.affinity_, must_link=must, cannot_link=cannot)
    return chance * (1 - jaccard(fitted.labels_, again.labels_))


@settings(max_examples=25)
@given(st.integers(0, 2**32 - 1), st.integers(5, 14), st.integers(0, 6))
@example(439450694, 12, 1)  # which items are assumed the same decides what the last edge joins
def test_the_best_of_all_pairs_is_asked(seed: int, n: int, n_answers: int) -> None:
    rng = np.random.default_rng(seed)
    X, kinds = rng.random((n, 2)), rng.integers(2, size=n)
    exact = lw.Recipe(
        "",
        lambda: PairSelection(ExpectedChange(n_simulated=None)),
        lw.METHODS["active-hacc"].clusterer,
    )
    study = lw.Study(X, method=exact, n_clusters=2)
    for _ in range(n_answers):
        i, j = rng.choice(n, 2, replace=False)
        study.tell((int(i), int(j)), bool(kinds[i] == kinds[j]))
    question = study.ask()
    if question is None:
        return
    view = study._view(frozenset())
    together = random_clusterings(view.affinity.affinity_, 2, 20)
    undecided = [p for p in combinations(range(n), 2) if study.constraints.implied(*p) is None]
    worth = {pair: literal_worth(view, together, *pair) for pair in undecided}
    i, j = question.pair
    assert worth[min(i, j), max(i, j)] == pytest.approx(max(worth.values()), rel=1e-5, abs=1e-9)


def test_the_worked_example() -> None:
    x = np.array([0.0, 1.0, 2.5, 5.2, 6.2])
    W = 1 / (1 + np.abs(np.subtract.outer(x, x)))
    np.fill_diagonal(W, 0.0)
    model = SingleLink(affinity="precomputed")
    now = model.fit(W).labels_
    apart = SingleLink(affinity="precomputed").fit(W, cannot_link=[(0, 1)]).labels_
    together = SingleLink(affinity="precomputed").fit(W, must_link=[(0, 4)]).labels_
    assert jaccard(now, apart) == pytest.approx(0.25)
    assert jaccard(now, together) == pytest.approx(0.25)
    assert 0.2 * (1 - jaccard(now, apart)) == pytest.approx(0.15)


def test_few_simulations_ask_about_as_much_as_all() -> None:
    X, y = lw.datasets.load("iris")
    study = lw.Study(X, method="active-hacc", n_clusters=3)
    for _ in range(5):
        question = study.ask()
        assert question is not None
        study.tell(question, bool(y[question.pair.i] == y[question.pair.j]))
    view = study._view(frozenset())
    together = random_clusterings(view.affinity.affinity_, 3, 20)
    worth = []
    for n_simulated in (50, None):
        pairs = next(ExpectedChange(n_simulated=n_simulated).pairs(view, np.random.default_rng(0)))
        worth.append(literal_worth(view, together, *pairs[0].tolist()))
    assert worth[0] >= 0.9 * worth[1]


def test_random_clusterings_differ_and_repeat() -> None:
    X, _ = lw.datasets.load("iris")
    affinity = lw.affinities.Gaussian().fit(X).affinity_
    labels = random_clusterings(affinity, 3, 5)
    assert labels.shape == (150, 5)
    assert len({tuple(column) for column in labels.T.tolist()}) > 1
    np.testing.assert_array_equal(labels, random_clusterings(affinity, 3, 5))


def test_another_clusterer_is_refused() -> None:
    misfit = lw.Recipe("", lambda: PairSelection(ExpectedChange()))
    with pytest.raises(MethodError, match="needs the clusterer SingleLink, not Spectral"):
        lw.Study([[0.0], [1.0], [2.0]], method=misfit).ask()
