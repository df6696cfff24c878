"""Leading the dialogue of a clusterer that asks, for tests."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn.datasets import make_blobs
from sklearn.metrics import adjusted_rand_score

from likewise.clusterers import DialogueClusterer

Array = npt.NDArray[np.float64]
Link = tuple[int, int]
Truth = list[int] | npt.NDArray[np.int64]


class Interview:
    """Asks a clusterer what it wants to know and answers it truthfully."""

    def __init__(self, make: Callable[[], DialogueClusterer], X: Any, truth: Truth) -> None:
        self.make, self.X, self.truth = make, np.asarray(X, dtype=float), truth
        self.must: list[Link] = []
        self.cannot: list[Link] = []
        self.said = ""  # S for same and D for different
        self.model = make().fit(self.X)

    def answer(self, most: int = 10_000) -> Interview:
        while most and (pair := self.model.question_) is not None:
            same = self.truth[pair[0]] == self.truth[pair[1]]
            (self.must if same else self.cannot).append(pair)
            self.said += "S" if same else "D"
            links = {"must_link": self.must, "cannot_link": self.cannot}
            self.model = self.make().fit(self.X, **links, start=self.model)
            most -= 1
        return self

    @property
    def score(self) -> float:
        return float(adjusted_rand_score(self.truth, self.model.labels_))


def blobs(n: int = 60, seed: int = 0) -> tuple[Array, npt.NDArray[np.int64]]:
    X, truth = make_blobs(n, centers=[[0, 0], [12, 0], [0, 12]], random_state=seed)
    return X, truth
