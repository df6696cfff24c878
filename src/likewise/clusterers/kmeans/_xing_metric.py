"""The metric that keeps similar pairs close and dissimilar ones apart (Xing, Ng, Jordan, Russell).

The paper's problem, to maximise Σ_D ‖d‖_A subject to Σ_S ‖d‖²_A ≤ 1 and A ⪰ 0 (eq. 3–5), becomes
that of maximising f(B) = Σ_D √(eᵀBe) over B ⪰ 0 of trace 1 when all is measured by the scatter of
the similar pairs, M: e = M^-½ d and B = M^½ A M^½. With B = CCᵀ, f is convex in C and is bounded
from below by its tangent, whose maximum on the unit ball is C ∝ GC, where G = Σ_D eeᵀ / √(eᵀBe):
so B ← GBG / tr(GBG) never lowers f, without a step size to choose and without projections. As f is
concave in B, λ_max(G)/2 − f/2 bounds what is still missing. The diagonal problem (eq. 6–8) is the
same with B and G diagonal: f is homogeneous, so that the best A of its penalty form is that of the
constrained form divided by two.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from likewise.clusterers.kmeans.centres import Points, sums_by
from likewise.clusterers.links import LinkedGroups

Array = npt.NDArray[np.float64]

_TOLERANCE = 1e-4  # what may be missing of the best f, relative to it
_ROUNDS = 2000


def diagonal_metric(similar: Array, dissimilar: Points) -> Array:
    """Find feature weights a ≥ 0 of least Σ_S Σ_i a_i d_i² − log Σ_D √(Σ_i a_i d_i²).

    `similar` is Σ_S d², (d,), above 0; `dissimilar` holds the differences of the pairs of D.

    >>> diagonal_metric(np.array([1.0, 2.0]), np.array([[1.0, 1.0]])).round(3)
    array([0.5, 0. ])
    """
    squares = dissimilar**2 / similar
    share = np.full(len(similar), 1.0 / len(similar))
    for _ in range(_ROUNDS):
        lengths = np.sqrt(squares @ share)
        gradient = (squares / _positive(lengths)[:, None]).sum(axis=0)
        if gradient.max() <= (1 + 2 * _TOLERANCE) * lengths.sum():
            break
        share = share * gradient**2
        share /= share.sum()
    return np.asarray(share / similar / 2)


def full_metric(similar: Array, dissimilar: Points) -> Array:
    """Return the matrix A ⪰ 0 of most Σ_D √(dᵀAd) with Σ_S dᵀAd ≤ 1.

    `similar` is M = Σ_S ddᵀ, positive definite; `dissimilar` holds the differences of D.

    >>> full_metric(np.array([[2.0, 1.0], [1.0, 2.0]]), np.array([[1.0, -1.0]])).round(3)
    array([[ 0.5, -0.5],
           [-0.5,  0.5]])
    """
    values, vectors = np.linalg.eigh(similar)
    whiten = vectors / np.sqrt(values)  # (d, d): M^-½ up to a rotation
    pairs = dissimilar @ whiten
    root = np.eye(len(values)) / np.sqrt(len(values))  # C
    for _ in range(_ROUNDS):
        lengths = np.linalg.norm(pairs @ root, axis=1)
        gradient = (pairs / _positive(lengths)[:, None]).T @ pairs
        if np.linalg.eigvalsh(gradient)[-1] <= (1 + 2 * _TOLERANCE) * lengths.sum():
            break
        root = gradient @ root
        root /= np.linalg.norm(root)
    turned = whiten @ root
    return np.asarray(turned @ turned.T)


def _positive(lengths: Array) -> Array:
    """Return lengths that one can divide by: a pair that has none pulls hard, but not endlessly."""
    return np.maximum(lengths, 1e-9 * max(float(lengths.max()), 1e-300))


def similar_scatter(points: Points, links: LinkedGroups, full: bool) -> Array:  # (d,) or (d, d)
    """Compute Σ ddᵀ, or its diagonal, over all pairs within groups, from their moments."""
    tied = np.flatnonzero(links.group >= 0)
    group, theirs = links.group[tied], points[tied]
    sizes = np.bincount(group, minlength=links.n_groups).astype(np.float64)
    sums = sums_by(group, theirs, links.n_groups) if links.n_groups else points[:0]
    weighted = theirs * sizes[group][:, None]
    if full:
        return np.asarray(weighted.T @ theirs - sums.T @ sums)
    return np.asarray((weighted * theirs).sum(axis=0) - (sums**2).sum(axis=0))


def dissimilar_pairs(
    points: Points, links: LinkedGroups, most: int, rng: np.random.Generator
) -> Points:  # (pairs, d)
    """Return differences of all pairs of items of differing groups, or of a sample of `most`."""
    members = links.members
    sizes = np.array([len(items) for items in members], dtype=np.int64)
    first, second = links.differing.T
    n_pairs = sizes[first] * sizes[second]
    total = int(n_pairs.sum())
    chosen = np.arange(total)
    if total > most:
        chosen = np.sort(rng.choice(total, most, replace=False))
    # Pairs are numbered through: which two groups, then which item of each.
    which = np.searchsorted(np.cumsum(n_pairs), chosen, side="right")
    within = chosen - (np.cumsum(n_pairs) - n_pairs)[which]
    begins = np.cumsum(sizes) - sizes
    order = np.concatenate(members) if members else np.empty(0, dtype=np.int64)
    width = sizes[second[which]]
    left = order[begins[first[which]] + within // np.maximum(width, 1)]
    right = order[begins[second[which]] + within % np.maximum(width, 1)]
    differences = points[left] - points[right]
    return np.asarray(differences[(differences != 0).any(axis=1)])
