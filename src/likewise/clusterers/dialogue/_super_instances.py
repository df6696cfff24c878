"""Super-instances: parts of the items that are taken to be of one kind until they are split."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar, cast

import numpy as np
import numpy.typing as npt

from likewise.clusterers.links import Labels

# Beginnings of k-means: the more the fewer parts there are, because how a part falls in two decides
# what is asked next. On the digits one beginning in three finds the best halves.
_FEWEST_DRAWS, _CENTRES_DRAWN = 10, 40
Computed = TypeVar("Computed")

_MOST_ROUNDS = 300  # mostly far fewer, until nothing moves: then the last bit decides nothing


@dataclass(frozen=True, eq=False)
class SuperInstance:
    """Some items and the one that represents all of them."""

    members: Labels  # ascending
    representative: int  # the member nearest to the mean, the first of several
    uniform: bool  # whether all members have the same features
    digest: bytes  # of the members: by it a split is recognised and seeded

    def __len__(self) -> int:
        return len(self.members)


class SuperInstances:
    """All items, and every split of a part of them that was ever asked for.

    A split depends on the members, the number of parts and `random_state` and on nothing else, so
    that the cache can be handed on from fit to fit without changing what comes out.
    """

    def __init__(self, X: npt.NDArray[np.float64], random_state: int) -> None:
        self.X = X
        self.random_state = random_state
        self.whole = self._of(np.arange(len(X)))
        self._splits: dict[tuple[bytes, int], list[SuperInstance]] = {}
        self._computed: dict[str, Any] = {}

    def split(self, part: SuperInstance, n_parts: int) -> list[SuperInstance]:
        """Return the part divided by k-means, in the order of first members; no piece is empty."""
        key = (part.digest, n_parts)
        if key not in self._splits:
            self._splits[key] = [self._of(members) for members in self._divide(part, n_parts)]
        return self._splits[key]

    def once(self, name: str, compute: Callable[[], Computed]) -> Computed:
        """Return what `compute` does, which must depend on the items and settings alone."""
        if name not in self._computed:
            self._computed[name] = compute()
        return cast(Computed, self._computed[name])

    def _divide(self, part: SuperInstance, n_parts: int) -> list[Labels]:
        if n_parts == 1:
            return [part.members]
        if n_parts >= len(part):
            return list(part.members[:, None])
        one_by_one = [part.members[:1], part.members[1:]]
        if part.uniform:
            return one_by_one
        from likewise.clusterers.dialogue._kmeans_kernels import best_kmeans

        seed = [self.random_state, n_parts, int.from_bytes(part.digest, "big")]
        state = np.random.default_rng(seed).integers(1, 2**63, size=1).astype(np.uint64)
        points = self.X[part.members]
        # Distances are differences of squares: least is lost when they are small.
        points = np.ascontiguousarray(points - points.mean(axis=0))
        n_draws = max(_FEWEST_DRAWS, _CENTRES_DRAWN // n_parts)
        labels = best_kmeans(points, n_parts, n_draws, _MOST_ROUNDS, state)
        if (labels == labels[0]).all():  # differences too small for k-means to see
            return one_by_one
        pieces = (part.members[labels == label] for label in range(n_parts))
        return sorted((piece for piece in pieces if len(piece)), key=lambda piece: int(piece[0]))

    def _of(self, members: Labels) -> SuperInstance:
        points = self.X[members]
        away = np.linalg.norm(points - points.mean(axis=0), axis=1)
        # Of two members one is as near as the other, whatever the last bit says.
        nearest = np.flatnonzero(away <= away.min() * (1 + 1e-9))[0]
        return SuperInstance(
            members=members,
            representative=int(members[nearest]),
            uniform=bool((points == points[0]).all()),
            digest=hashlib.blake2b(members.astype("<i8").tobytes(), digest_size=16).digest(),
        )
