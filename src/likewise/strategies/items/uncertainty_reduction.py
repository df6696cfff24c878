"""URASC: the item whose answer is expected to reduce the clustering's uncertainty most."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.special import entr

from likewise.affinities.neighbour_votes import neighbour_votes, strongest_edges
from likewise.errors import MethodError
from likewise.strategies.base import View
from likewise.strategies.group_membership import expected_questions
from likewise.strategies.group_posterior import group_posterior
from likewise.strategies.ranking import rounded, unlike_each_other, unlike_in_effect

# Eigenvalues closer than this (relative to the largest) count as one: inside their common
# eigenspace a derivative is not defined.
_SAME_EIGENVALUE = 1e-9
# So many more items compete for each question beyond the first that is asked at the same time.
_PER_QUESTION = 4


class UncertaintyReduction:
    """The chooser of largest gradient × step scale, eq. 4.

    The clusterer must be spectral: it needs `eigenvectors_` and `eigenvalues_`.

    Parameters
    ----------
    step : {"neighbours", "mixture"} or None
        How the step scale, an item's ambiguity, is estimated: by the entropy of its neighbours'
        clusters (eq. 9, the paper's URASC+N), by a Gaussian mixture in the embedding (eq. 10-11,
        URASC+P), or not at all (URASC-GO).
    gradient : bool
        Whether items are compared by how far the eigenvectors would move (eq. 7). Without it the
        step alone decides (URASC-NO, URASC-PO).
    derivative : {"unnormalised", "own"}
        Of which Laplacian the gradient is taken: of D - W, as the paper prints it, whatever the
        clusterer's is, or of the clusterer's own. The second is what the eigenvectors really do
        under the symmetric normalisation; it favours items of few neighbours, and on most tables
        tried its questions teach less.
    n_candidates : int
        Only so many of the most ambiguous items are compared by gradient, as in section 5; a few
        more where several questions are asked at once.
    n_neighbours : int
        How many nearest neighbours vote; the paper takes 20.

    Notes
    -----
    The paper leaves open how several items are chosen at once (section 8): the most uncertain ones
    tell much the same. Here each further item is the one whose change of the eigenvectors is
    largest in what the changes of those already chosen leave over, per question that placing it is
    expected to take; see `unlike_in_effect`.

    References
    ----------
    Xiong, Johnson and Corso, "Active clustering with model-based uncertainty reduction", 2014.
    """

    def __init__(
        self,
        *,
        step: str | None = "neighbours",
        gradient: bool = True,
        derivative: str = "unnormalised",
        n_candidates: int = 50,
        n_neighbours: int = 15,
    ) -> None:
        if step not in ("neighbours", "mixture", None) or (step is None and not gradient):
            raise MethodError(
                f"step must be 'neighbours' or 'mixture' (or None with a gradient), not {step!r}"
            )
        if derivative not in ("unnormalised", "own"):
            raise MethodError(f"derivative must be 'unnormalised' or 'own', not {derivative!r}")
        for name, value in (("n_candidates", n_candidates), ("n_neighbours", n_neighbours)):
            if not value >= 1:
                raise MethodError(f"{name} must be at least 1 but got {value}")
        self.step = step
        self.gradient = gradient
        self.derivative = derivative
        self.n_candidates = n_candidates
        self.n_neighbours = n_neighbours
        self._voters: tuple[Any, Any] = (None, None)  # a graph and its strongest edges

    def rank(
        self, view: View, candidates: npt.NDArray[np.int64], n: int, rng: np.random.Generator
    ) -> list[int]:
        """Return the candidates of largest expected uncertainty reduction, unlike one another."""
        if not hasattr(view.clustering, "eigenvectors_"):
            raise MethodError("this strategy needs a spectral clusterer, which has eigenvectors")
        if self.step is None:
            return self._unlike(view, candidates, self._gradient(view, candidates), n)
        ambiguity = rounded(self._step_scale(view, rng)[candidates])
        # Only the most ambiguous compete, with all that tie with the last of them; for several
        # questions at once there must be some to choose from.
        competitors = min(self.n_candidates + _PER_QUESTION * (n - 1), len(candidates))
        competing = ambiguity >= np.partition(ambiguity, -competitors)[-competitors]
        candidates, score = candidates[competing], ambiguity[competing]
        if self.gradient:
            moved = self._gradient(view, candidates)
            score = score * moved if score.max() > 0 else moved
        return self._unlike(view, candidates, score, n)

    def _unlike(
        self,
        view: View,
        candidates: npt.NDArray[np.int64],
        score: npt.NDArray[np.float64],
        n: int,
    ) -> list[int]:
        """Choose the best candidates, several by what they change together per question."""
        if n == 1 or not self.gradient:
            return unlike_each_other(view, candidates, score, n)
        most = min(self.n_candidates + _PER_QUESTION * n, len(candidates))
        some = np.sort(np.argsort(-rounded(score), kind="stable")[:most])
        candidates, score = candidates[some], score[some]
        price = np.array([_price(view, int(item)) for item in candidates])
        changes = eigenvector_changes(**self._spectrum(view), candidates=candidates)
        best = unlike_in_effect(changes.reshape(len(candidates), -1), score / price, n)
        return [int(item) for item in candidates[best]]

    def _step_scale(self, view: View, rng: np.random.Generator) -> npt.NDArray[np.float64]:
        """Compute H(x) of every item, eq. 12."""
        if self.step == "neighbours":
            probabilities = neighbour_votes(self._graph(view), view.clustering.labels_)
        else:
            probabilities = _mixture(view.clustering, int(rng.integers(2**31)))
        entropy: npt.NDArray[np.float64] = entr(probabilities).sum(axis=1)
        return entropy

    def _graph(self, view: View) -> Any:
        """Return the graph of voters, computed once for as long as the affinity stays the same."""
        affinity = view.affinity.affinity_
        if self._voters[0] is not affinity:
            self._voters = (affinity, strongest_edges(affinity, self.n_neighbours))
        return self._voters[1]

    def _gradient(self, view: View, candidates: npt.NDArray[np.int64]) -> npt.NDArray[np.float64]:
        """Compute the gradient of some candidates from the fitted spectrum."""
        return eigenvector_gradient(**self._spectrum(view), candidates=candidates)

    def _spectrum(self, view: View) -> dict[str, Any]:
        """Return what the gradient is computed from, all but the candidates."""
        fitted: Any = view.clustering
        return {
            "vectors": fitted.eigenvectors_,
            "values": fitted.eigenvalues_,
            "n_leading": min(fitted.n_clusters, len(fitted.eigenvalues_)),
            "representatives": np.array(view.representatives),
            "degrees": fitted.degrees_ if self._is_symmetric(fitted) else None,
        }

    def _is_symmetric(self, fitted: Any) -> bool:
        return self.derivative == "own" and fitted.normalisation == "symmetric"


def eigenvector_gradient(
    vectors: npt.NDArray[np.float64],  # (n, m)
    values: npt.NDArray[np.float64],  # (m,)
    *,
    n_leading: int,
    candidates: npt.NDArray[np.int64],
    representatives: npt.NDArray[np.int64],
    degrees: npt.NDArray[np.float64] | None = None,  # (n,)
) -> npt.NDArray[np.float64]:  # (candidates,)
    """Compute how far the leading eigenvectors move when a candidate's similarities change, eq. 7.

    Parameters
    ----------
    vectors : ndarray of shape (n, m)
        Orthonormal eigenvectors of the Laplacian, as columns: all, or the first of them, which
        leaves out what the leading vectors would take from the others.
    values : ndarray of shape (m,)
        Their eigenvalues. Those that coincide do not contribute: inside a common eigenspace the
        derivative is not defined.
    n_leading : int
        How many of the first vectors count.
    candidates, representatives : ndarray of int
        Items that may be asked about, and the items they would be asked against.
    degrees : ndarray of shape (n,), optional
        Where the Laplacian is I − D^-½WD^-½: the diagonal of D. Without, it is D − W, or a multiple
        of that, as in the paper.

    Returns
    -------
    ndarray of shape (candidates,)

    Notes
    -----
    The paper's triple sum, for candidate j and representatives k,

        Σᵢ ‖ Σ_k Σ_{p≠i} vᵢᵀ(e_j−e_k)(e_j−e_k)ᵀv_p / (λᵢ−λ_p) · v_p ‖,

    is Σᵢ ‖ uᵢ / (λᵢ − λ) ‖ with uᵢ = Σ_k (vᵢ(j) − vᵢ(k)) (V[j] − V[k]), since the v_p are
    orthonormal; multiplied out, the sum over k is done once for all candidates.

    For the symmetric Laplacian the change of w_jk also changes the degrees of j and k. With
    S = D^-½V the entry p of uᵢ is

        Σ_k (1 − (λᵢ+λ_p)/2) (sᵢ(j) s_p(j) + sᵢ(k) s_p(k)) − sᵢ(j) s_p(k) − sᵢ(k) s_p(j);

    where the factor is 1 and S is V, that is the paper's.
    """
    moved = np.zeros(len(candidates))
    for change in _changes(vectors, values, n_leading, candidates, representatives, degrees):
        moved += np.linalg.norm(change, axis=1)
    return moved


def eigenvector_changes(
    vectors: npt.NDArray[np.float64],  # (n, m)
    values: npt.NDArray[np.float64],  # (m,)
    *,
    n_leading: int,
    candidates: npt.NDArray[np.int64],
    representatives: npt.NDArray[np.int64],
    degrees: npt.NDArray[np.float64] | None = None,  # (n,)
) -> npt.NDArray[np.float64]:  # (candidates, n_leading, m)
    """Compute where each leading eigenvector goes, in terms of the eigenvectors.

    The lengths of these, summed over the leading vectors, are `eigenvector_gradient`, which has
    the parameters.
    """
    parts = _changes(vectors, values, n_leading, candidates, representatives, degrees)
    return np.stack(list(parts), axis=1)


def _changes(
    vectors: npt.NDArray[np.float64],
    values: npt.NDArray[np.float64],
    n_leading: int,
    candidates: npt.NDArray[np.int64],
    representatives: npt.NDArray[np.int64],
    degrees: npt.NDArray[np.float64] | None,
) -> Iterator[npt.NDArray[np.float64]]:
    """Yield uᵢ / (λᵢ − λ) of all candidates, one leading eigenvector after the other."""
    own = np.ones((n_leading, len(values)))  # of what an item has to do with itself
    if degrees is not None:
        vectors = vectors * _inverse_root(degrees)[:, None]
        own -= (values[:n_leading, None] + values) / 2
    at, here = vectors[candidates], vectors[representatives]
    total, products = here.sum(axis=0), here.T @ here
    gaps = values[:n_leading, None] - values[None, :]
    distinct = np.abs(gaps) > _SAME_EIGENVALUE * max(1.0, float(np.abs(values).max()))
    inverse = np.divide(1.0, gaps, out=np.zeros_like(gaps), where=distinct)
    for i in range(n_leading):
        itself = len(representatives) * at[:, i : i + 1] * at + products[i]
        u = own[i] * itself - at[:, i : i + 1] * total - at * total[i]
        yield u * inverse[i]


def _price(view: View, item: int) -> float:
    """Estimate how many questions placing an item takes."""
    posterior = group_posterior(view, item)
    chances = np.append(posterior.probability, posterior.new)[None, :]
    return float(expected_questions(chances, all_found=True)[0])


def _inverse_root(degrees: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Return D^-½; an item without edges has an empty row there and counts for nothing."""
    return np.where(degrees > 1e-12, 1.0 / np.sqrt(np.maximum(degrees, 1e-12)), 0.0)


def _mixture(fitted: Any, seed: int) -> npt.NDArray[np.float64]:
    """Return the responsibilities of a Gaussian mixture in the embedding, eq. 10-11."""
    from sklearn.mixture import GaussianMixture

    points = fitted.embedding_
    labels = np.unique(fitted.labels_, return_inverse=True)[1]
    inside = [points[labels == c] for c in range(labels.max() + 1)]
    ridge = 1e-4 * np.eye(points.shape[1])
    spread = [np.cov(part.T, bias=True).reshape(ridge.shape) + ridge for part in inside]
    mixture = GaussianMixture(
        n_components=len(inside),
        # Initialised by the present clusters; `init_params` is the cheapest and not used.
        weights_init=np.bincount(labels) / len(labels),
        means_init=np.array([part.mean(axis=0) for part in inside]),
        precisions_init=np.linalg.inv(spread),
        init_params="random_from_data",
        reg_covar=1e-4,
        max_iter=200,
        tol=1e-2,
        random_state=seed,
    )
    responsibilities: npt.NDArray[np.float64] = mixture.fit(points).predict_proba(points)
    return responsibilities
