"""Uncertainty sampling: the item nearest to a boundary between groups."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from likewise.errors import MethodError
from likewise.strategies.base import View
from likewise.strategies.ranking import unlike_each_other


class NearestBoundary:
    """The chooser that takes the item of smallest margin.

    The clusterer must have `margin_`, as `SpectralGraphTransducer`, `StagedTransducer` and
    `LinearSVM` do.

    References
    ----------
    Tong and Koller, "Support vector machine active learning with applications to text
    classification", 2001 (simple margin). Bodó, Minier and Csató, "Active learning with
    clustering", 2011, section 3.
    """

    def rank(
        self, view: View, candidates: npt.NDArray[np.int64], n: int, rng: np.random.Generator
    ) -> list[int]:
        """Return the candidates of smallest margin, unlike one another."""
        margin = getattr(view.clustering, "margin_", None)
        if margin is None:
            raise MethodError(
                "the strategy NearestBoundary needs a clusterer with margins, such as "
                f"SpectralGraphTransducer, not {type(view.clustering).__name__}"
            )
        away = margin[candidates]
        return unlike_each_other(view, candidates, away.max() - away, n)
