"""Query augmentation: fuzzy memberships of the answered items, from the answers alone.

Deng, Yuan, Fu and Qu, "Query-Augmented Active Metric Learning", eq. 3. Rows h on the simplex
minimise Σ over answered pairs (y_ij - h_i·h_j)² + λ Σ min(|h_ik|, |h_ik - 1|).

Two things make it small. Items known to be the same share a row: where the answers fit into K
groups this is exact, for one-hot rows then reach 0. And at most one entry of a row exceeds ½, so
that the penalty of a row is λ min(1, 2 - 2 max h): its proximal step has a closed form, and plain
proximal gradient steps, each of which lowers the objective, take the place of the paper's ADMM.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp

from likewise.clusterers.kmeans.centres import differing_groups
from likewise.clusterers.links import LinkedGroups

Memberships = npt.NDArray[np.float64]  # (rows, n_clusters), every row on the simplex

_PENALTIES = (0.0, 0.1, 0.5, 1.0)
_FOLDS = 5
_ROUNDS = 500
_TOLERANCE = 1e-7  # of the number of answered pairs
_AS_GOOD = 1e-2  # of the number of answered pairs


@dataclass(frozen=True)
class Augmentation:
    """Eq. 3 over groups of linked items instead of items."""

    size: npt.NDArray[np.float64]  # (groups,)
    differ: sp.csr_matrix  # (groups, groups), how many pairs of items are known to differ

    @classmethod
    def of(cls, links: LinkedGroups) -> Augmentation:
        """Return the problem that links, closed under transitivity, pose."""
        size = np.bincount(links.group[links.group >= 0], minlength=links.n_groups).astype(float)
        differ = links.differ
        rows = np.repeat(np.arange(len(size)), np.diff(differ.indptr))
        n_pairs = size[rows] * size[differ.indices]
        return cls(size, sp.csr_matrix((n_pairs, differ.indices, differ.indptr), differ.shape))

    @property
    def same(self) -> npt.NDArray[np.float64]:  # (groups,)
        """How many pairs of items within each group are known to be the same."""
        return self.size * (self.size - 1) / 2

    @property
    def n_pairs(self) -> float:
        """How many pairs of items are answered, directly or by transitivity."""
        return float(self.same.sum() + self.differ.data.sum() / 2)

    def objective(self, H: Memberships, penalty: float) -> float:
        """Return what eq. 3 minimises."""
        loss = (self.differ.data * self._concordance(H) ** 2).sum() / 2
        loss += (self.same * (1 - (H**2).sum(axis=1)) ** 2).sum()
        return float(loss + penalty * (self.size * np.minimum(1, 2 - 2 * H.max(axis=1))).sum())

    def minimise(self, start: Memberships, penalty: float) -> tuple[float, Memberships]:
        """Return a local minimum below the start: its objective and its rows."""
        # The curvature of a row's terms is at most this, so steps of 1 / curvature never fail;
        # longer ones are tried first, as they mostly succeed.
        curvature = 6 * np.asarray(self.differ.sum(axis=1)).ravel() + 8 * self.same
        H, value, stride = start, self.objective(start, penalty), 1.0
        for _ in range(_ROUNDS):
            step = (stride / curvature)[:, None]
            moved = penalised_projection(
                H - step * self._gradient(H), step.ravel() * self.size * penalty
            )
            lower = self.objective(moved, penalty)
            if lower > value:
                if stride <= 1.0:
                    break
                stride = max(1.0, stride / 4)
                continue
            settled = value - lower <= _TOLERANCE * self.n_pairs
            H, value, stride = moved, lower, stride * 2
            if settled:
                break
        return value, H

    def _concordance(self, H: Memberships) -> npt.NDArray[np.float64]:  # as differ.data
        rows = np.repeat(np.arange(len(H)), np.diff(self.differ.indptr))
        return np.asarray((H[rows] * H[self.differ.indices]).sum(axis=1))

    def _gradient(self, H: Memberships) -> Memberships:
        data = 2 * self.differ.data * self._concordance(H)
        pull = sp.csr_matrix((data, self.differ.indices, self.differ.indptr), self.differ.shape)
        push = 4 * self.same * (1 - (H**2).sum(axis=1))
        return np.asarray(pull @ H - push[:, None] * H)


def penalised_projection(V: Memberships, strength: npt.NDArray[np.float64]) -> Memberships:
    """Return for every row v the h on the simplex with the least ½|h - v|² + t min(1, 2 - 2 max h).

    The minimum of the penalty over its K + 1 linear pieces is the least of K + 1 projections; by
    symmetry only the piece of the largest entry can win against the flat one.
    """
    flat = simplex_projection(V)
    best = V.argmax(axis=1)
    rows = np.arange(len(V))
    pushed = V.copy()
    pushed[rows, best] += 2 * strength
    pushed = simplex_projection(pushed)
    cost_flat = ((flat - V) ** 2).sum(axis=1) / 2 + strength
    cost_pushed = ((pushed - V) ** 2).sum(axis=1) / 2 + strength * (2 - 2 * pushed[rows, best])
    return np.where((cost_pushed < cost_flat)[:, None], pushed, flat)


def simplex_projection(V: Memberships) -> Memberships:
    """Return the nearest row of non-negative numbers that sum to one, for every row of V."""
    falling = -np.sort(-V, axis=1)
    excess = (np.cumsum(falling, axis=1) - 1) / np.arange(1, V.shape[1] + 1)
    last = (falling > excess).sum(axis=1) - 1
    return np.asarray(np.maximum(V - excess[np.arange(len(V)), last][:, None], 0.0))


def augmented_memberships(
    links: LinkedGroups, n_clusters: int, penalty: float, n_starts: int, rng: np.random.Generator
) -> list[Memberships]:
    """Return memberships of every linked group: of several starts, all that end equally well.

    The first start commits to no more than the answers do; random ones follow unless it explains
    all of them. Few answers leave many solutions, each of which takes guesses for facts: what
    counts is what they agree in.
    """
    problem = Augmentation.of(links)
    found = [problem.minimise(uncommitted_memberships(links, n_clusters), penalty)]
    if found[0][0] > _TOLERANCE * problem.n_pairs:
        for _ in range(n_starts - 1):
            draw = rng.dirichlet(np.ones(n_clusters), size=links.n_groups)
            found.append(problem.minimise(draw, penalty))
    best = min(value for value, _ in found)
    found.sort(key=lambda result: result[0])
    return [H for value, H in found if value <= best + _AS_GOOD * problem.n_pairs]


def uncommitted_memberships(links: LinkedGroups, n_clusters: int) -> Memberships:
    """Return one-hot rows for groups known to differ; others are even over what is left to them."""
    anchors = differing_groups(links, n_clusters)
    H = np.zeros((links.n_groups, n_clusters))
    H[anchors, np.arange(len(anchors))] = 1.0
    others = np.setdiff1d(np.arange(links.n_groups), anchors)
    if len(others):
        free = (links.differ[others] @ H == 0).astype(float)
        free[free.sum(axis=1) == 0] = 1.0
        H[others] = free / free.sum(axis=1, keepdims=True)
    return H


def determined_by_links(links: LinkedGroups, n_clusters: int) -> bool:
    """Return whether rows that commit to no more than the answers do explain all of them.

    They do whenever items are placed one after the other. Then λ has nothing to decide but at which
    corner to guess an item that is not placed yet.
    """
    problem = Augmentation.of(links)
    return (
        problem.objective(uncommitted_memberships(links, n_clusters), 0.0)
        <= _TOLERANCE * problem.n_pairs
    )


def cross_validated_penalty(
    must: npt.NDArray[np.int64],  # (m, 2) as answered
    cannot: npt.NDArray[np.int64],
    n_items: int,
    n_clusters: int,
    rng: np.random.Generator,
) -> float:
    """Return the λ that predicts held-out answers best; the smallest of equally good ones."""
    pairs = np.concatenate([must, cannot])
    same = np.arange(len(pairs)) < len(must)
    fold = rng.permutation(np.arange(len(pairs)) % _FOLDS)
    errors = np.zeros(len(_PENALTIES))
    for held_out in range(min(_FOLDS, len(pairs))):
        kept, tested = fold != held_out, pairs[fold == held_out]
        links = LinkedGroups.of(n_items, pairs[kept & same], pairs[kept & ~same])
        problem, start = Augmentation.of(links), uncommitted_memberships(links, n_clusters)
        for k, penalty in enumerate(_PENALTIES):
            H = problem.minimise(start, penalty)[1]
            h = item_memberships(H, links, n_clusters)[tested]
            errors[k] += ((same[fold == held_out] - (h[:, 0] * h[:, 1]).sum(axis=1)) ** 2).sum()
    return _PENALTIES[int(np.argmin(np.round(errors, 6)))]


def item_memberships(H: Memberships, links: LinkedGroups, n_clusters: int) -> Memberships:  # (n, K)
    """Return the rows of all items: those of their groups, 1 / K for items without any answer."""
    rows = np.vstack([H.reshape(-1, n_clusters), np.full(n_clusters, 1 / n_clusters)])
    return np.asarray(rows[links.group])
