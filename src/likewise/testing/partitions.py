"""A part of a pile that costs whoever reads it first his life: for tests of lost workers."""

from __future__ import annotations

import os
import signal
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from likewise.partitions.partition import Partition


@dataclass(frozen=True)
class DoomedPartition:
    """Another part, but the process that first reads it is killed; `grave` tells that it was."""

    part: Partition
    grave: str  # a file that is not there yet

    @property
    def n_rows(self) -> int:
        """Rows of the part."""
        return self.part.n_rows

    def features(self) -> npt.NDArray[np.float64]:
        """Return those of the partition, to all readers but the first."""
        try:
            Path(self.grave).touch(exist_ok=False)
        except FileExistsError:
            return self.part.features()
        os.kill(os.getpid(), signal.SIGKILL)
        raise AssertionError("still alive")

    def digests(self, X: npt.NDArray[np.float64]) -> npt.NDArray[np.uint8]:
        """Return those of the partition."""
        return self.part.digests(X)

    def ids(self) -> list[str] | None:
        """Return those of the partition."""
        return self.part.ids()

    def rows(self, positions: list[int]) -> list[Mapping[str, Any]] | None:
        """Return those of the partition."""
        return self.part.rows(positions)
