"""The spectral graph transducer against a generic optimiser, and how it uses answers."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import minimize
from sklearn.base import clone
from sklearn.datasets import make_blobs, make_moons
from sklearn.utils.estimator_checks import parametrize_with_checks

from likewise.affinities import Gaussian
from likewise.clusterers import SpectralGraphTransducer
from likewise.clusterers.transduction import transducer
from likewise.clusterers.transduction._secular_equation import smallest_on_sphere
from likewise.clusterers.transduction.transducer import Basis, transduce
from likewise.errors import MethodError
from likewise.metrics import ari

Floats = npt.NDArray[np.float64]
Labels = npt.NDArray[np.int64]
LAPLACIANS = ["normalised", "ratio"]
both_laplacians = pytest.mark.parametrize("laplacian", LAPLACIANS)


@parametrize_with_checks([SpectralGraphTransducer()])  # type: ignore[untyped-decorator]
def test_the_transducer_is_an_estimator_as_scikit_learn_wants_it(
    estimator: Any, check: Any
) -> None:
    check(estimator)


# -- the problem, literally ------------------------------------------------------------------


def random_graph(n: int, seed: int) -> Floats:
    half = np.triu(np.random.default_rng(seed).uniform(size=(n, n)), 1)
    half[half < 0.4] = 0.0
    half[np.arange(n - 1), np.arange(1, n)] = 0.3  # in one piece
    return np.asarray(half + half.T)


def targets(classes: Labels, own: int, balanced: bool) -> Floats:
    """γ of Joachims (2003), section 4.4, or ±1."""
    plus, minus = (classes == own).sum(), ((classes >= 0) & (classes != own)).sum()
    high, low = (np.sqrt(minus / plus), -np.sqrt(plus / minus)) if balanced else (1.0, -1.0)
    return np.where(classes == own, high, np.where(classes >= 0, low, 0.0))


class Literal:
    """zᵀ(L + c P C P)z − 2c zᵀ P C γ on ‖z‖² = Σ dᵢ, zᵀD^½1 = 0; P = D^-½, or I and dᵢ = 1."""

    def __init__(self, W: Floats, classes: Labels, own: int, laplacian: str, **how: Any) -> None:
        degree = W.sum(axis=1)
        L = np.diag(degree) - W
        self.root = np.sqrt(degree) if laplacian == "normalised" else np.ones(len(W))
        if laplacian == "normalised":
            L = np.eye(len(W)) - W / np.sqrt(np.outer(degree, degree))
        C, P = np.diag((classes >= 0).astype(float)), np.diag(1 / self.root)
        gamma = targets(classes, own, how["balanced"])
        self.quadratic = L + how["cost"] * P @ C @ P
        self.linear = how["cost"] * P @ C @ gamma
        self.radius = float(np.linalg.norm(self.root))

    def value(self, z: Floats) -> float:
        return float(z @ self.quadratic @ z - 2 * z @ self.linear)

    def optimum(self, seed: int) -> tuple[Floats, float]:
        """The best of many local optima of a generic solver with general constraints."""
        rng = np.random.default_rng(seed)
        constraints = [
            {"type": "eq", "fun": lambda z: z @ z - self.radius**2, "jac": lambda z: 2 * z},
            {"type": "eq", "fun": lambda z: z @ self.root, "jac": lambda z: self.root},
        ]
        found = [
            minimize(
                self.value, rng.normal(size=len(self.root)), constraints=constraints,
                jac=lambda z: 2 * (self.quadratic @ z - self.linear),
                method="SLSQP", options={"maxiter": 2000, "ftol": 1e-14},
            )
            for _ in range(8)
        ]  # fmt: skip
        best = min((one for one in found if one.success), key=lambda one: float(one.fun))
        return np.asarray(best.x), float(best.fun)


def ours(W: Floats, classes: Labels, laplacian: str, **how: Any) -> Floats:
    """The indicators z of our solution, in the space of all eigenvectors, (n, classes)."""
    basis = Basis.of(W, len(W) - 1, laplacian)
    scores = transduce(basis, classes, **how)
    root = np.sqrt(W.sum(axis=1)) if laplacian == "normalised" else np.ones(len(W))
    z = np.empty_like(scores)
    for c in range(scores.shape[1]):
        gamma = targets(classes, c, how["balanced"])
        high, low = gamma.max(), gamma.min()
        z[:, c] = root * (scores[:, c] * (high - low) / 2 + (high + low) / 2)
    return z


@both_laplacians
@pytest.mark.parametrize("balanced", [True, False])
@pytest.mark.parametrize("cost", [0.1, 1000.0])
@pytest.mark.parametrize("shares", ["even", "95:5"])
def test_the_optimum_of_a_generic_solver_is_found(
    laplacian: str, balanced: bool, cost: float, shares: str
) -> None:
    n = 21
    W = random_graph(n, seed=3)
    classes = np.full(n, -1)
    if shares == "even":
        classes[[0, 5, 9, 2, 7, 11]] = [0, 0, 0, 1, 1, 1]
    else:
        classes[:19] = 0
        classes[20] = 1
    how = {"cost": cost, "balanced": balanced}
    z = ours(W, classes, laplacian, **how)
    problem = Literal(W, classes, 1, laplacian, **how)
    best, value = problem.optimum(seed=1)
    assert z[:, 1] @ z[:, 1] == pytest.approx(problem.radius**2)
    assert z[:, 1] @ problem.root == pytest.approx(0.0, abs=1e-8)
    assert problem.value(z[:, 1]) <= value + 1e-6 * abs(value)
    np.testing.assert_allclose(z[:, 1], best, atol=2e-3 * problem.radius / np.sqrt(n))
    np.testing.assert_allclose(z[:, 0], -z[:, 1], atol=1e-6)  # two classes are one problem


@both_laplacians
def test_any_length_of_the_solution_can_be_asked_for(laplacian: str) -> None:
    W = random_graph(15, seed=6)
    classes = np.array([0, 1, 0, 1] + [-1] * 11)
    how: dict[str, Any] = {"cost": 2.0, "balanced": False}
    z = ours(W, classes, laplacian, length=1.0, **how)[:, 1]
    problem = Literal(W, classes, 1, laplacian, **how)
    problem.radius = 1.0
    assert z @ z == pytest.approx(1.0)
    assert problem.value(z) <= problem.optimum(seed=4)[1] + 1e-7


@both_laplacians
def test_each_of_several_classes_is_held_against_the_rest(laplacian: str) -> None:
    W = random_graph(18, seed=5)
    classes = np.array([0, 1, 2, 0, 1, 2] + [-1] * 12)
    how = {"cost": 5.0, "balanced": True}
    z = ours(W, classes, laplacian, **how)
    for c in range(3):
        problem = Literal(W, classes, c, laplacian, **how)
        assert problem.value(z[:, c]) <= problem.optimum(seed=2)[1] + 1e-7


@settings(max_examples=60)
@given(
    st.lists(st.floats(0.0, 5.0), min_size=2, max_size=6),
    st.integers(0, 10_000),
    st.floats(0.1, 10.0),
    st.sampled_from([1.0, 1e-6, 1e6, 0.0]),
)
def test_no_other_point_of_the_sphere_is_better(
    values: list[float], seed: int, radius: float, size: float
) -> None:
    t = np.sort(np.array(values))
    rng = np.random.default_rng(seed)
    b = size * rng.normal(size=len(t)) * (rng.uniform(size=len(t)) < 0.7)
    w = smallest_on_sphere(t, b, radius)
    assert np.linalg.norm(w) == pytest.approx(radius)
    others = rng.normal(size=(200, len(t)))
    others *= radius / np.linalg.norm(others, axis=1, keepdims=True)
    others = np.vstack([others, radius * np.eye(len(t)), -radius * np.eye(len(t))])
    value = (t * w**2 - 2 * b * w).sum()
    scale = t.max() * radius**2 + 2 * np.linalg.norm(b) * radius
    assert value <= (t * others**2 - 2 * b * others).sum(axis=1).min() + 1e-9 * scale + 1e-300


def test_the_hard_case_takes_the_missing_length_from_the_first_eigenvector() -> None:
    t, b = np.array([1.0, 1.0, 3.0, 4.0]), np.array([0.0, 0.0, 1.0, -1.5])
    # With λ = 1 the others have length √(0.5² + 0.5²); what is missing to 2 is along the first.
    w = smallest_on_sphere(t, b, 2.0)
    np.testing.assert_allclose(w, [np.sqrt(4 - 0.5), 0.0, 0.5, -0.5])
    # On a smaller sphere there is a root left of the first eigenvalue although b₁ = 0.
    small = smallest_on_sphere(t, b, 0.1)
    assert small[0] == pytest.approx(0.0, abs=1e-12)
    assert np.linalg.norm(small) == pytest.approx(0.1)
    # Almost no hint of the first direction is a hint all the same, and says which way.
    for sign in (1.0, -1.0):
        hinted = smallest_on_sphere(t, b + sign * 1e-13 * np.eye(4)[1], 2.0)
        np.testing.assert_allclose(hinted, [0.0, sign * np.sqrt(3.5), 0.5, -0.5], atol=1e-6)


@both_laplacians
def test_the_hard_case_occurs_on_graphs_and_is_optimal(laplacian: str) -> None:
    """A path with mirror symmetry, labelled alike at both ends: nothing says left or right."""
    n = 12
    W = np.diag(np.ones(n - 1), 1) + np.diag(np.ones(n - 1), -1)
    classes = np.full(n, -1)
    classes[[0, n - 1]], classes[[n // 2 - 1, n // 2]] = 0, 1
    how = {"cost": 1e-4, "balanced": True}
    z = ours(W, classes, laplacian, **how)[:, 1]
    problem = Literal(W, classes, 1, laplacian, **how)
    assert abs(z @ z[::-1]) < 0.99 * problem.radius**2 or z @ z[::-1] < 0  # not symmetric
    assert problem.value(z) <= problem.optimum(seed=0)[1] + 1e-8


def test_fewer_eigenvectors_solve_the_problem_within_their_space() -> None:
    W, classes = random_graph(20, seed=8), np.array([0, 1, 0, 1] + [-1] * 16)
    basis = Basis.of(W, 5, "normalised")
    assert basis.vectors.shape == (20, 5)
    degree = W.sum(axis=1)
    np.testing.assert_allclose(basis.vectors.T * degree @ basis.vectors, np.eye(5), atol=1e-9)
    np.testing.assert_allclose(basis.vectors.T @ degree, 0.0, atol=1e-9)
    scores = transduce(basis, classes, cost=10.0, balanced=False)[:, 1]
    within = np.linalg.lstsq(basis.vectors, scores, rcond=None)[0]
    np.testing.assert_allclose(basis.vectors @ within, scores, atol=1e-9)
    assert scores**2 @ degree == pytest.approx(degree.sum())


# -- the clusterer ---------------------------------------------------------------------------


def links_of(truth: Labels, items: Any) -> tuple[list[tuple[int, int]], list[tuple[int, int]]]:
    first = {int(truth[i]): int(i) for i in reversed(items)}
    must = [(first[int(truth[i])], int(i)) for i in items if first[int(truth[i])] != i]
    names = sorted(first)
    return must, [(first[a], first[b]) for k, a in enumerate(names) for b in names[k + 1 :]]


def moons(n: int = 300) -> tuple[Floats, Labels]:
    X, truth = make_moons(n, noise=0.1, random_state=2)
    return X, truth


@both_laplacians
def test_labels_straighten_out_what_clusters_get_wrong(laplacian: str) -> None:
    X, truth = moons()
    order = np.random.default_rng(0).permutation(len(X))
    scores = []
    for n in (0, 20):
        must, cannot = links_of(truth, order[:n])
        model = SpectralGraphTransducer(laplacian=laplacian)
        scores.append(ari(truth, model.fit(X, must_link=must, cannot_link=cannot).labels_))
    assert scores[0] < 0.6
    assert scores[1] > 0.85


def test_five_labels_of_a_hundred_find_the_small_class_when_balanced() -> None:
    X, truth = make_blobs([285, 15], centers=[[0, 0], [5, 0]], random_state=0)
    items = [*np.flatnonzero(truth == 0)[:19], np.flatnonzero(truth == 1)[0]]
    must, cannot = links_of(truth, items)
    fit: dict[str, Any] = {"must_link": must, "cannot_link": cannot}
    assert ari(truth, SpectralGraphTransducer().fit(X, **fit).labels_) > 0.9


@pytest.mark.parametrize("k", [2, 4])
def test_until_every_class_is_known_it_is_spectral_clustering(k: int) -> None:
    centres = 8 * np.array([[0, 0], [1, 0.2], [0.1, 1.1], [1.3, 1.2]])[:k]
    X, truth = make_blobs(200, centers=centres, random_state=0)
    tied = np.flatnonzero(truth == 0)[:2]
    model = SpectralGraphTransducer(n_clusters=k).fit(X, must_link=[tuple(tied)])
    assert ari(truth, model.labels_) == 1.0
    assert model.scores_.shape == (200, k)
    np.testing.assert_array_equal(model.scores_.argmax(axis=1), model.labels_)


def test_warm_answers_equal_cold_ones_and_need_no_eigenproblem(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    X, truth = moons()
    order = np.random.default_rng(0).permutation(len(X))
    model = SpectralGraphTransducer(n_clusters=2)
    warm = clone(model).fit(X)
    cold = {}
    for n in (2, 5, 20, 60):
        must, cannot = links_of(truth, order[:n])
        cold[n] = clone(model).fit(X, must_link=must, cannot_link=cannot)

    def refuse(*_: Any, **__: Any) -> None:
        raise AssertionError("an eigenproblem of the graph")

    monkeypatch.setattr(transducer, "laplacian_eigenpairs", refuse)
    for n, expected in cold.items():
        must, cannot = links_of(truth, order[:n])
        warm = clone(model).fit(X, must_link=must, cannot_link=cannot, start=warm)
        np.testing.assert_array_equal(warm.labels_, expected.labels_)
        np.testing.assert_array_equal(warm.scores_, expected.scores_)


@settings(max_examples=15)
@given(st.permutations(range(40)), st.integers(2, 20))
def test_neither_the_order_of_items_nor_the_names_of_classes_matter(
    order: list[int], n_known: int
) -> None:
    X, truth = make_blobs(40, centers=[[0, 0], [4, 0], [0, 4]], random_state=4)
    must, cannot = links_of(truth, range(n_known))
    place = np.argsort(order)
    model = SpectralGraphTransducer(n_clusters=3)
    here = model.fit(X, must_link=must, cannot_link=cannot).labels_.copy()
    there = model.fit(
        X[order],
        must_link=[(int(place[i]), int(place[j])) for i, j in must],
        cannot_link=[(int(place[j]), int(place[i])) for i, j in cannot],
    ).labels_
    assert ari(here[order], there) == 1.0


@settings(max_examples=30)
@given(st.data())
def test_labels_never_contradict_a_link(data: st.DataObject) -> None:
    n = data.draw(st.integers(2, 14))
    hidden = data.draw(st.lists(st.integers(0, 3), min_size=n, max_size=n))
    item = st.integers(0, n - 1)
    linked = data.draw(st.lists(st.tuples(item, item).filter(lambda p: p[0] != p[1]), max_size=20))
    must = [(i, j) for i, j in linked if hidden[i] == hidden[j]]
    cannot = [(i, j) for i, j in linked if hidden[i] != hidden[j]]
    X = np.random.default_rng(n).normal(size=(n, 2))
    k = data.draw(st.integers(1, n))
    model = SpectralGraphTransducer(n_clusters=k).fit(X, must_link=must, cannot_link=cannot)
    assert all(model.labels_[i] == model.labels_[j] for i, j in must)
    assert all(model.labels_[i] != model.labels_[j] for i, j in cannot)
    assert (model.margin_ >= 0).all()


def test_a_graph_given_as_it_is_gives_what_the_features_give() -> None:
    X, truth = moons()
    links: dict[str, Any] = {"cannot_link": [(0, int(np.flatnonzero(truth != truth[0])[0]))]}
    W = Gaussian().fit(X).affinity_
    given_graph = SpectralGraphTransducer(affinity="precomputed").fit(W, **links)
    np.testing.assert_array_equal(
        given_graph.labels_, SpectralGraphTransducer().fit(X, **links).labels_
    )


@pytest.mark.parametrize(
    ("setting", "message"),
    [
        ({"laplacian": "rows"}, "laplacian must be 'normalised' or 'ratio'"),
        ({"n_vectors": 0}, "n_vectors must be at least 1"),
        ({"cost": -1.0}, "cost must be at least 0"),
        ({"length": 0.0}, "length must be a number above 0"),
        ({"length": float("nan")}, "length must be a number above 0"),
        ({"n_clusters": 7}, "n_clusters must be between 1"),
    ],
)
def test_settings_that_make_no_sense_are_refused(setting: dict[str, Any], message: str) -> None:
    with pytest.raises(MethodError, match=message):
        SpectralGraphTransducer(**setting).fit(np.random.default_rng(0).normal(size=(6, 2)))


def test_the_spectrum_of_squares_is_the_graph_with_eigenvalues_1_4_9(seed: int) -> None:
    W, classes = random_graph(12, seed), np.array([0, 1, 1, 0] + [-1] * 8)
    basis = Basis.of(W, 11, "normalised")
    squared = Basis(np.arange(1.0, 12.0) ** 2, basis.vectors, basis.radius)
    how = {"cost": 10.0, "balanced": True}
    np.testing.assert_allclose(
        transduce(basis, classes, **how, spectrum="squares"),  # type: ignore[arg-type]
        transduce(squared, classes, **how),  # type: ignore[arg-type]
    )


def test_a_few_labels_do_not_spoil_the_moons_when_later_vectors_are_dear() -> None:
    X, y = make_moons(300, noise=0.05, random_state=0)
    links: Any = {"must_link": [(2, 5), (2, 9)], "cannot_link": [(2, 0)]}
    found = {
        spectrum: ari(y, SpectralGraphTransducer(spectrum=spectrum).fit(X, **links).labels_)
        for spectrum in ("graph", "squares")
    }
    assert found["squares"] > 0.95
    assert found["graph"] < 0.6
