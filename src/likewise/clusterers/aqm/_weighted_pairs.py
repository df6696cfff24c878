"""The pairs a metric is learned from: who is similar, who is not, and how much each pair counts.

Deng, Yuan, Fu and Qu, "Query-Augmented Active Metric Learning", the sums and weights of eq. 4.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from likewise.clusterers.aqm._augmentation import Memberships
from likewise.clusterers.links import LinkedGroups

Array = npt.NDArray[np.float64]

_MOST_PAIRS = 4096  # dissimilar pairs of items; of more, so many are drawn
_RANDOM_PAIRS = 512
CHEAPEST = 1e-9  # of what the dearest direction costs
_MOST_GROUPS = 1000  # linked groups that take part; of more, the largest


@dataclass(frozen=True)
class WeightedPairs:
    """All that eq. 4 has to know of the items."""

    similar: Array  # (p, p), the mean of (xᵢ - xⱼ)(xᵢ - xⱼ)ᵀ over similar pairs; or its diagonal
    differences: Array  # (pairs, p), xᵢ - xⱼ of dissimilar pairs
    weight: Array  # (pairs,)
    certainty: float  # how many independent similar pairs there are

    @classmethod
    def of(
        cls,
        X: Array,  # (n, p)
        links: LinkedGroups,
        memberships: list[Memberships],  # (groups, K) each; none: only what is known counts
        prior: float,
        rng: np.random.Generator,
        *,
        diagonal: bool = False,
        most_pairs: int = _MOST_PAIRS,
    ) -> WeightedPairs:
        """Sum similar pairs up by groups; list dissimilar ones or, if they are many, draw some.

        A few pairs say little about p features, so `prior` pairs of random items are counted both
        among the similar and among the dissimilar ones; they are all there is of a kind of which
        nothing is known. `diagonal` leaves out what only a full metric asks for.
        """
        links, memberships = _largest_groups(links, memberships)
        placed = np.flatnonzero(links.group >= 0)
        order = placed[np.argsort(links.group[placed], kind="stable")]
        size = np.bincount(links.group[placed], minlength=links.n_groups)
        similar, dissimilar = pair_weights(links, memberships)
        known_alike = float((size - 1).sum())
        mean = 2 * X.var(axis=0)
        mean = mean if diagonal else np.diag(mean)
        if known_alike:
            share = known_alike / (known_alike + prior)
            mean = share * _scatter(X[order], size, similar, diagonal) + (1 - share) * mean
        pairs, weight = _dissimilar_pairs(order, size, dissimilar, rng, most_pairs)
        known_apart = float(len(order) - 1) if len(pairs) else 0.0
        share = prior / (prior + known_apart) if known_apart else 1.0
        anybody = rng.integers(len(X), size=(_RANDOM_PAIRS, 2))
        pairs = np.concatenate([pairs, anybody])
        weight = np.concatenate(
            [weight * (1 - share), np.full(_RANDOM_PAIRS, share / _RANDOM_PAIRS)]
        )
        return cls(mean, X[pairs[:, 0]] - X[pairs[:, 1]], weight, known_alike + prior)

    @property
    def costs(self) -> Array:  # (p,)
        """The mean squared difference of similar pairs in each feature."""
        return self.similar if self.similar.ndim == 1 else np.diag(self.similar)

    def turned(self, basis: Array) -> WeightedPairs:  # (p, r), orthonormal columns
        """Return the same pairs in other coordinates.

        Those in which similar pairs differ in nothing cost next to nothing still beside the dearest
        of all, which need not be among them: rounding errors are no costs.
        """
        similar = basis.T @ self.similar @ basis
        least = CHEAPEST * max(float(np.linalg.eigvalsh(self.similar)[-1]), 0.0)
        np.fill_diagonal(similar, np.maximum(np.diag(similar), least))
        return WeightedPairs(similar, self.differences @ basis, self.weight, self.certainty)


def pair_weights(links: LinkedGroups, memberships: list[Memberships]) -> tuple[Array, Array]:
    """Return how much a pair of items counts as similar and as dissimilar, by its groups.

    1 / |S| if it is known to be similar and w / |S̃| more if the memberships make it so, where
    w = K / (K - 1) (hᵢ·hⱼ - 1/K) above 1/K; 1 / |D| if it is known to be dissimilar and w / |D̃|
    more if the memberships do, where w = 1 - K hᵢ·hⱼ below 1/K. Of several memberships the one that
    is least sure counts, so that what they do not agree in counts nothing.
    """
    n = links.n_groups
    size = np.bincount(links.group[links.group >= 0], minlength=n).astype(float)
    n_pairs = np.outer(size, size)
    n_pairs[np.diag_indices(n)] = size * (size - 1)

    def shared(weight: Array) -> Array:
        return np.asarray(weight / max(n_pairs[weight > 0].sum() / 2, 1.0))

    similar, dissimilar = shared(np.eye(n)), shared(links.differ.toarray())
    if memberships and (K := memberships[0].shape[1]) > 1:
        concordance = np.round([H @ H.T for H in memberships], 9)
        at_least, at_most = concordance.min(axis=0) - 1 / K, concordance.max(axis=0) - 1 / K
        similar = similar + shared(K / (K - 1) * np.maximum(at_least, 0))
        dissimilar = dissimilar + shared(K * np.maximum(-at_most, 0))
    return similar, dissimilar


def _largest_groups(
    links: LinkedGroups, memberships: list[Memberships]
) -> tuple[LinkedGroups, list[Memberships]]:
    """Keep the links among the largest groups, so that a table of pairs of groups stays small."""
    if links.n_groups <= _MOST_GROUPS:
        return links, memberships
    size = np.bincount(links.group[links.group >= 0])
    kept = np.sort(np.argsort(-size, kind="stable")[:_MOST_GROUPS])
    number = np.full(links.n_groups + 1, -1, dtype=np.int64)  # the last one for items without
    number[kept] = np.arange(len(kept))
    differing = number[links.differing]
    fewer = LinkedGroups(number[links.group], differing[(differing >= 0).all(axis=1)])
    return fewer, [H[kept] for H in memberships]


def _scatter(
    X: Array, size: npt.NDArray[np.int64], weight: Array, diagonal: bool = False
) -> Array:  # (p, p) or (p,)
    """Return the weighted mean of (xᵢ - xⱼ)(xᵢ - xⱼ)ᵀ; rows of X lie group by group."""
    group = np.repeat(np.arange(len(size)), size)
    sums = np.add.reduceat(X, np.cumsum(size) - size, axis=0)  # no group is empty
    of_item = (weight @ size)[group]
    if diagonal:
        total = of_item @ X**2 - (sums * (weight @ sums)).sum(axis=0)
    else:
        total = (X.T * of_item) @ X - sums.T @ weight @ sums
    n_pairs = np.outer(size, size) - np.diag(size)
    return np.asarray(total / ((weight * n_pairs).sum() / 2))


def _dissimilar_pairs(
    order: npt.NDArray[np.int64],  # items, group by group
    size: npt.NDArray[np.int64],
    weight: Array,  # (groups, groups)
    rng: np.random.Generator,
    most: int,
) -> tuple[npt.NDArray[np.int64], Array]:  # (pairs, 2), (pairs,) that sums to one
    """Return the pairs of items whose groups have a weight, pairs within a group included."""
    one, other = np.nonzero(np.triu(weight))
    count = size[one] * size[other]
    total = int(count.sum())
    if total <= most:
        chosen = np.repeat(np.arange(len(one)), count)
        position = np.arange(total) - np.repeat(np.cumsum(count) - count, count)
        share = weight[one, other][chosen]
    else:
        chance = weight[one, other] * count
        chosen = rng.choice(len(one), size=most, p=chance / chance.sum())
        position = rng.integers(count[chosen])
        share = np.ones(most)
    first = np.cumsum(size) - size
    one, other = one[chosen], other[chosen]
    i = order[first[one] + position // size[other]]
    j = order[first[other] + position % size[other]]
    return np.stack([i, j], axis=1), share / max(float(share.sum()), 1e-300)
