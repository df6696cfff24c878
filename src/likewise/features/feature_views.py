"""Several views of the same items: blocks of features by name, and the mixture of some of them."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from likewise.features.scaling import weighted_blocks

Floats = npt.NDArray[np.float64]

_KEPT = 8  # mixtures of which something is remembered
MOST_COLUMNS = 64  # of a mixture; chosen beside the weights of the views, see docs/results


@dataclass(frozen=True)
class FeatureViews:
    """What items can be compared by, one aspect at a time, and by all of them together.

    Parameters
    ----------
    whole : ndarray of shape (n, d)
        The features of all views together.
    blocks : mapping of str to ndarray of shape (n, any)
        The features of each view, by its name.
    weights : mapping of str to float
        The share of variance that each view has in a mixture. One of weight 0 is in no mixture
        with others: answers alone can give it a say.
    unit_rows : bool
        Whether the rows of a mixture are of length one.
    kept : dict
        What was computed of mixtures of late, by whatever tells them apart.

    Examples
    --------
    >>> colour, edges = np.array([[0.0], [1.0], [5.0]]), np.array([[3.0], [1.0], [2.0]])
    >>> views = FeatureViews.of({"colour": colour, "edges": edges})
    >>> views.mixture({"edges"}) is colour
    True
    """

    whole: Floats
    blocks: Mapping[str, Floats]
    weights: Mapping[str, float]
    unit_rows: bool = False
    kept: dict[Any, Any] = field(default_factory=dict, compare=False, repr=False)

    @classmethod
    def of(
        cls,
        blocks: Mapping[str, Floats],
        weights: Mapping[str, float] | None = None,
        *,
        unit_rows: bool = False,
    ) -> FeatureViews:
        """Mix views, with equal weights unless others are given."""
        weights = dict.fromkeys(blocks, 1.0) | dict(weights or {})
        return cls(_mixed(blocks, weights, unit_rows), blocks, weights, unit_rows)

    def beside(self, blocks: Mapping[str, Floats]) -> FeatureViews:
        """Return these views and others beside them, to which answers alone can give a say."""
        weights = {**self.weights, **dict.fromkeys(blocks, 0.0)}
        return FeatureViews(self.whole, {**self.blocks, **blocks}, weights, self.unit_rows)

    @property
    def several(self) -> FeatureViews | None:
        """These, if there are several; one alone is no different from plain features."""
        return self if len(self.blocks) > 1 else None

    def mixture(self, off: Collection[str] = ()) -> Floats:  # (n, d)
        """Return the features of all views but some; without any left, of all."""
        left = {name: block for name, block in self.blocks.items() if name not in off}
        if not left or len(left) == len(self.blocks):
            return self.whole
        return _mixed(left, self.weights, self.unit_rows)

    def weighted(self, weights: Mapping[str, float]) -> Floats:  # (n, d)
        """Return the features of some views, with other weights than their own."""
        return _mixed({name: self.blocks[name] for name in weights}, weights, self.unit_rows)

    def keep(self, key: Any, value: Any) -> None:
        """Remember what was computed of a mixture; the oldest of many is forgotten."""
        self.kept[key] = value
        if len(self.kept) > _KEPT:
            self.kept.pop(next(iter(self.kept)))

    def take(self, positions: npt.NDArray[np.int64]) -> FeatureViews:
        """Return the views of some of the items."""
        blocks = {name: block[positions] for name, block in self.blocks.items()}
        return FeatureViews(self.whole[positions], blocks, self.weights, self.unit_rows)


def _mixed(blocks: Mapping[str, Floats], weights: Mapping[str, float], unit_rows: bool) -> Floats:
    """Put blocks side by side, and turn them onto their main directions; one stays as it is."""
    weighty = {name: block for name, block in blocks.items() if weights[name] > 0}
    weights = weights if weighty else dict.fromkeys(blocks, 1.0)
    blocks = weighty or blocks
    if len(blocks) == 1:
        return next(iter(blocks.values()))
    turned = weighted_blocks(
        np.hstack(list(blocks.values())).astype(np.float32),
        [block.shape[1] for block in blocks.values()],
        [weights[name] for name in blocks],
        most_columns=MOST_COLUMNS,
    )
    if not unit_rows:
        return turned
    lengths = np.linalg.norm(turned, axis=1, keepdims=True)
    return np.asarray(turned / np.where(lengths > 0, lengths, 1))
