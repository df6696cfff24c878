"""The centres of one part, and the centre nearest to each row."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from likewise.clusterers.representatives import kmeans_representatives
from likewise.items import Units
from likewise.partitions.partition import Partition, checked_features

Singles = npt.NDArray[np.float32]

ROUNDS = 8  # of k-means: each costs as much as looking up all rows, and later ones move little
_BLOCK = 2_000_000  # distances held at a time


@dataclass(frozen=True)
class CentredUnits:
    """Units and an origin: rows as small numbers around zero, so that single precision will do."""

    units: Units
    origin: npt.NDArray[np.float64]  # (d,), in those units

    def rows(self, part: Partition) -> Singles:
        """Return the rows of a part."""
        return self.centred(checked_features(part))

    def centred(self, X: npt.NDArray[np.float64]) -> Singles:
        """Return rows that have been read."""
        return (self.units(X) - self.origin).astype(np.float32)


@dataclass(frozen=True)
class KMeansJob:
    """A part and how many centres it is to have."""

    part: Partition
    frame: CentredUnits
    n_centres: int
    seed: tuple[int, int]


@dataclass(frozen=True)
class LocalCentres:
    """Centres of a part, and how many rows each has."""

    centres: Singles  # (m, d)
    sizes: npt.NDArray[np.int64]  # (m,)


def local_kmeans(job: KMeansJob) -> LocalCentres:
    """Run k-means on a part alone; the result is the same wherever it is done."""
    rng = np.random.default_rng(job.seed)
    found = kmeans_representatives(job.frame.rows(job.part), job.n_centres, rng, rounds=ROUNDS)
    return LocalCentres(np.asarray(found.points, dtype=np.float32), np.bincount(found.of_item))


def nearest_centres(X: Singles, centres: Singles) -> npt.NDArray[np.int64]:  # (len(X),)
    """Return the centre nearest to every row."""
    squares = (centres**2).sum(axis=1)
    size = max(1, _BLOCK // len(centres))
    return np.concatenate(
        [
            (squares - 2.0 * (X[start : start + size] @ centres.T)).argmin(axis=1)
            for start in range(0, len(X), size)
        ]
    )
