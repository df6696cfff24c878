"""Flexible constrained spectral clustering against the eigenproblem as it was published."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
import scipy.linalg
import scipy.sparse as sp
from hypothesis import assume, given
from hypothesis import strategies as st
from sklearn.utils.estimator_checks import parametrize_with_checks

from likewise.clusterers import FlexibleSpectral
from likewise.clusterers.spectral._constrained_cut import Cuts, agreements
from likewise.errors import MethodError

Array = npt.NDArray[np.float64]
Pairs = list[tuple[int, int]]


def for_two_groups_only(estimator: Any) -> dict[str, str]:
    return {"check_clustering": "it asks for three groups"}


@parametrize_with_checks(  # type: ignore[untyped-decorator]
    [FlexibleSpectral()], expected_failed_checks=for_two_groups_only
)
def test_it_is_an_estimator_as_scikit_learn_wants_it(estimator: Any, check: Any) -> None:
    check(estimator)


def literal_cut(W: Array, Q: Array, agreement: float) -> tuple[Array | None, float]:
    """Of all generalised eigenvectors with λ > 0 the one of least vᵀLv, as u = D^-½ v; and β."""
    d = W.sum(axis=1)
    scale, volume = 1 / np.sqrt(d), d.sum()
    L = np.eye(len(W)) - scale[:, None] * W * scale
    normal = scale[:, None] * Q * scale
    beta = agreement * np.linalg.eigvalsh(normal)[-1] * volume
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)  # the null vector has an infinite λ
        values, vectors = scipy.linalg.eig(L, normal - beta / volume * np.eye(len(W)))
    wanted = (abs(values.imag) < 1e-8) & (values.real > 1e-7) & np.isfinite(values)
    if not wanted.any():
        return None, beta
    v = vectors[:, wanted].real
    v = v / np.linalg.norm(v, axis=0) * np.sqrt(volume)
    return scale * v[:, (v * (L @ v)).sum(axis=0).argmin()], beta


def problem(seed: int, n: int) -> tuple[Array, Pairs, Pairs, Array]:
    """A random graph with truthful links between items of two kinds."""
    rng = np.random.default_rng(seed)
    X, kinds = rng.normal(size=(n, 2)), rng.integers(2, size=n)
    W = np.exp(-((X[:, None] - X[None]) ** 2).sum(axis=2))
    np.fill_diagonal(W, 0.0)
    drawn = [rng.choice(n, 2, replace=False).tolist() for _ in range(rng.integers(1, n))]
    must = [(i, j) for i, j in drawn if kinds[i] == kinds[j]]
    cannot = [(i, j) for i, j in drawn if kinds[i] != kinds[j]]
    Q = np.zeros((n, n))
    for pairs, value in ((must, 1.0), (cannot, -1.0)):
        for i, j in pairs:
            Q[i, j] = Q[j, i] = value
    return W, must, cannot, Q


@given(st.integers(0, 2**32 - 1), st.integers(5, 20), st.booleans())
def test_the_cut_is_that_of_the_published_eigenproblem(seed: int, n: int, sparse: bool) -> None:
    W, must, cannot, Q = problem(seed, n)
    expected, beta = literal_cut(W, Q, 0.5)
    model = FlexibleSpectral(affinity="precomputed")
    model.fit(sp.csr_matrix(W) if sparse else W, must_link=must, cannot_link=cannot)
    if expected is None:
        assert model.wanted_ < beta
    else:
        assert model.wanted_ == pytest.approx(beta)
        assert model.agreement_ >= beta - 1e-6
        away = min(abs(model.cut_ - expected).max(), abs(model.cut_ + expected).max())
        assert away < 1e-5


@given(st.integers(0, 2**32 - 1), st.integers(13, 25), st.booleans())
def test_lanczos_finds_what_the_dense_solver_finds(seed: int, n: int, sparse: bool) -> None:
    W, must, cannot, _ = problem(seed, n)
    model = FlexibleSpectral(affinity="precomputed").fit(W, must_link=must, cannot_link=cannot)
    assume(model.wanted_ > 0)
    cuts = Cuts(sp.csr_matrix(W) if sparse else W)
    normal = model.relations_.scaled(cuts.scale)
    c = model.wanted_ / cuts.volume
    image = normal.times(cuts.trivial) - c * cuts.trivial
    share = float(cuts.trivial @ image)
    n_wanted = int((agreements(normal) > c).sum()) - (share > 0)
    assume(n_wanted < n // 2)  # where Lanczos is of use
    both = [solve(normal, c, image, share, n_wanted) for solve in (cuts._dense, cuts._lanczos)]
    costs = [np.sort(cuts.cost(found / np.linalg.norm(found, axis=0))) for found in both]
    np.testing.assert_allclose(costs[0], costs[1], rtol=1e-4)


def test_the_worked_example() -> None:
    W = np.zeros((4, 4))
    for i, j, weight in [(0, 1, 1.0), (0, 2, 0.3), (1, 2, 0.3), (1, 3, 0.1), (2, 3, 1.0)]:
        W[i, j] = W[j, i] = weight
    model = FlexibleSpectral(affinity="precomputed")
    model.fit(W, must_link=[(0, 2)], cannot_link=[(0, 1)])
    assert model.wanted_ == pytest.approx(2.740493, abs=1e-6)
    assert model.agreement_ == pytest.approx(4.852639, abs=1e-6)
    assert np.sign(model.cut_).tolist() == [1, -1, 1, 1]


@given(st.integers(0, 2**32 - 1), st.integers(5, 20), st.booleans())
def test_labels_contradict_no_link(seed: int, n: int, closed: bool) -> None:
    W, must, cannot, _ = problem(seed, n)
    model = FlexibleSpectral(affinity="precomputed", closed=closed)
    labels = model.fit(W, must_link=must, cannot_link=cannot).labels_
    assert all(labels[i] == labels[j] for i, j in must)
    assert all(labels[i] != labels[j] for i, j in cannot)


@given(st.integers(0, 2**32 - 1), st.integers(6, 15))
def test_the_order_of_items_does_not_matter(seed: int, n: int) -> None:
    W, must, cannot, _ = problem(seed, n)
    order = np.random.default_rng(seed).permutation(n)
    place = np.argsort(order)
    one = FlexibleSpectral(affinity="precomputed").fit(W, must_link=must, cannot_link=cannot)
    moved = [[(int(place[i]), int(place[j])) for i, j in pairs] for pairs in (must, cannot)]
    other = FlexibleSpectral(affinity="precomputed").fit(
        W[np.ix_(order, order)], must_link=moved[0], cannot_link=moved[1]
    )
    assume(one.wanted_ > 0)
    away = [abs(one.cut_[order] - sign * other.cut_).max() for sign in (1, -1)]
    assert min(away) < 1e-5


def test_an_earlier_fit_saves_work_and_changes_nothing() -> None:
    W, must, cannot, _ = problem(3, 15)
    first = FlexibleSpectral(affinity="precomputed").fit(W)
    again = FlexibleSpectral(affinity="precomputed")
    again.fit(W, must_link=must, cannot_link=cannot, start=first)
    assert again._cuts is first._cuts
    alone = FlexibleSpectral(affinity="precomputed").fit(W, must_link=must, cannot_link=cannot)
    np.testing.assert_allclose(again.cut_, alone.cut_)


def test_more_than_two_groups_and_odd_agreements_are_refused() -> None:
    X = [[0.0], [1.0], [5.0], [6.0]]
    with pytest.raises(MethodError, match="a cut makes two groups, not 3; use SpectralLearning"):
        FlexibleSpectral(n_clusters=3).fit(X)
    with pytest.raises(MethodError, match="agreement must be between 0 and 1"):
        FlexibleSpectral(agreement=1.0).fit(X)
