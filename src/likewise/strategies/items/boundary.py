"""Uncertainty sampling: the item nearest to a boundary between groups."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from likewise.errors import MethodError
from likewise.strategies.base import View
from likewise.strategies.ranking import unlike_each_other


class NearestBoundary:
    """The chooser of Tong and Koller (2001) and of Bodó, Minier and Csató (2011).

    It takes the item that is least clearly in its group by the `margin_` of the clusterer, which
    must have one: `SpectralGraphTransducer`, `StagedTransducer` and `LinearSVM` do.
    """

    def rank(
        self, view: View, candidates: npt.NDArray[np.int64], n: int, rng: np.random.Generator
    ) -> list[int]:
        """The candidates of the smallest margin, unlike one another."""
        margin = getattr(view.clustering, "margin_", None)
        if margin is None:
            raise MethodError(
                "the strategy NearestBoundary needs a clusterer with margins, such as "
                f"SpectralGraphTransducer, not {type(view.clustering).__name__}"
            )
        away = margin[candidates]
        return unlike_each_other(view, candidates, away.max() - away, n)
