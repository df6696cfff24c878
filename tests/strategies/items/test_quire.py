"""QUIRE against the score as it was published, with its sums over all unlabelled items."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import likewise as lw
from likewise.errors import MethodError
from likewise.strategies import InformativeRepresentative
from likewise.strategies.items.quire import KernelRidge, kernel_width

Array = npt.NDArray[np.float64]


def published_score(K: Array, placed: list[int], y: Array, s: int, smoothing: float) -> float:
    """L_ss + max over y_s of yᵀL_ll y + 2 y_s L_sl y − rᵀ L_uu⁻¹ r, r = L_ul y + L_us y_s."""
    L = np.linalg.inv(K + smoothing * np.eye(len(K)))
    labelled = np.array(placed)
    u = np.setdiff1d(np.arange(len(K)), [*placed, s])
    values = []
    for y_s in (-1.0, 1.0):
        r = L[np.ix_(u, labelled)] @ y + L[u, s] * y_s
        value = y @ L[np.ix_(labelled, labelled)] @ y + 2 * y_s * L[s, labelled] @ y
        values.append(value - (r @ np.linalg.solve(L[np.ix_(u, u)], r) if len(u) else 0.0))
    return float(L[s, s] + max(values))


def random_kernel(rng: np.random.Generator, n: int) -> Array:
    X = rng.normal(size=(n, 2))
    return np.asarray(np.exp(-0.5 * ((X[:, None] - X[None]) ** 2).sum(axis=2)))


@given(st.integers(0, 2**32 - 1), st.integers(3, 12), st.floats(0.1, 3.0))
def test_the_short_form_is_the_published_score(seed: int, n: int, smoothing: float) -> None:
    rng = np.random.default_rng(seed)
    K = random_kernel(rng, n)
    labelled = rng.permutation(n)[: rng.integers(1, n)].tolist()
    y = rng.choice([-1.0, 1.0], len(labelled))
    model = KernelRidge(n, smoothing)
    for item in labelled:
        model.add(item, K[item])
    scores = model.scores(y[:, None])
    for s in np.setdiff1d(np.arange(n), labelled):
        expected = published_score(K, labelled, y, int(s), smoothing)
        assert scores[s] == pytest.approx(expected, rel=1e-8)


def test_the_worked_example() -> None:
    x = np.array([0.0, 1.0, 3.0])
    K = np.exp(-0.5 * np.subtract.outer(x, x) ** 2)
    model = KernelRidge(3, 1.0)
    model.add(0, K[0])
    scores = model.scores(np.array([[1.0]]))
    assert model.variance[1] == pytest.approx(1.816060, abs=1e-6)
    assert scores[1:] == pytest.approx([1.435267, 1.005586], abs=1e-6)


@given(st.integers(0, 2**32 - 1), st.integers(5, 14))
def test_the_item_of_smallest_score_is_placed_next(seed: int, n: int) -> None:
    rng = np.random.default_rng(seed)
    study = lw.Study(rng.random((n, 3)), method="quire")
    kinds = rng.integers(3, size=n)
    for i in range(1, int(rng.integers(2, n - 1))):
        study.tell((0, i), bool(kinds[0] == kinds[i]))
    view = study._view(frozenset())
    placed = np.flatnonzero(view.placed).tolist()
    rest = np.flatnonzero(~view.placed)
    assume(len(rest) > 0)
    everyone = np.arange(n)
    K = np.exp(-kernel_width(view) * view.affinity.distances(everyone, everyone) ** 2)
    np.fill_diagonal(K, 1.0)
    groups = [view.constraints.component(representative) for representative in view.representatives]
    of_item = [
        max(
            published_score(
                K, placed, np.where(view.components[placed] == g, 1.0, -1.0), int(s), 1.0
            )
            for g in groups
        )
        for s in rest
    ]
    (chosen,) = InformativeRepresentative().rank(view, rest, 1, rng)
    assert of_item[rest.tolist().index(chosen)] == pytest.approx(min(of_item), rel=1e-5)


def test_what_was_kept_from_the_last_question_changes_nothing(seed: int) -> None:
    rng = np.random.default_rng(seed)
    X, y = lw.datasets.load("wine")
    study = lw.Study(X, method="quire", random_state=seed)
    for _ in range(25):
        question = study.ask()
        assert question is not None
        study.tell(question, bool(y[question.pair.i] == y[question.pair.j]))
        view = study._view(frozenset())
        candidates = np.flatnonzero(~view.placed)
        fresh = InformativeRepresentative().rank(view, candidates, 3, rng)
        kept = study._strategy.chooser.rank(view, candidates, 3, rng)  # type: ignore[attr-defined]
        assert fresh == kept


def test_an_item_taken_back_is_forgotten() -> None:
    X, y = lw.datasets.load("iris")
    study = lw.Study(X, method="quire")
    for _ in range(10):
        question = study.ask()
        assert question is not None
        study.tell(question, bool(y[question.pair.i] == y[question.pair.j]))
    for _ in range(5):
        study.undo()
    again = lw.Study(X, method="quire")
    for answer in study.answers:
        again.tell(answer.pair, answer.verdict)
    assert study.ask() == again.ask()


def test_smoothing_must_be_positive() -> None:
    unsmoothed = lw.Recipe(
        "", lambda: lw.strategies.Placing(InformativeRepresentative(smoothing=0.0))
    )
    with pytest.raises(MethodError, match="smoothing must be above 0"):
        lw.Study([[0.0], [1.0], [2.0]], method=unsmoothed).ask()
