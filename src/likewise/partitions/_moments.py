"""What has to be known of all rows before they can be compared: the units of their columns."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import reduce

import numpy as np
import numpy.typing as npt

from likewise.errors import DataError
from likewise.items import Units
from likewise.items.digests import digest
from likewise.partitions.partition import Partition, checked_features

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Moments:
    """Number, mean, sum of squared deviations and range of every column, over some rows.

    `check` tells these rows from others, in whatever order and parts they come.
    """

    n: int
    mean: Floats
    squares: Floats
    low: Floats
    high: Floats
    unit_rows: bool  # whether every row has length one
    check: npt.NDArray[np.uint64]  # (2,), the digests of the rows added up, as far as they fit

    @classmethod
    def of(cls, part: Partition) -> Moments:
        """Compute the moments of a part."""
        X = checked_features(part)
        mean = X.mean(axis=0)
        unit_rows = bool(np.allclose(np.linalg.norm(X, axis=1), 1.0, atol=1e-3))
        squares = ((X - mean) ** 2).sum(axis=0)
        check = part.digests(X).view(np.uint64).sum(axis=0, dtype=np.uint64)
        return cls(len(X), mean, squares, X.min(axis=0), X.max(axis=0), unit_rows, check)

    def merged_with(self, other: Moments) -> Moments:
        """Combine the moments of two sets of rows (Chan, Golub, LeVeque 1979)."""
        if len(other.mean) != len(self.mean):
            raise DataError(
                f"parts must be alike, but one has {len(self.mean)} columns "
                f"and another {len(other.mean)}"
            )
        n = self.n + other.n
        gap = other.mean - self.mean
        return Moments(
            n,
            self.mean + gap * (other.n / n),
            self.squares + other.squares + gap**2 * (self.n * other.n / n),
            np.minimum(self.low, other.low),
            np.maximum(self.high, other.high),
            self.unit_rows and other.unit_rows,
            self.check + other.check,
        )

    def rows_digest(self) -> bytes:
        """Return a short name for the rows."""
        return digest(self.n.to_bytes(8, "little"), self.check.tobytes())

    def units(self) -> Units:
        """Return the units that suit the rows."""
        spread = np.sqrt(self.squares / self.n)
        return Units.fitting(self.low, self.high, self.mean, spread, unit_rows=self.unit_rows)


def merge_moments(parts: Iterable[Moments]) -> Moments:
    """Compute the moments of all parts together, added in their order."""
    return reduce(Moments.merged_with, parts)
