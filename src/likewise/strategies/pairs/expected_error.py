"""ASC: the pair about which the present cut has the largest expected error."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt
from scipy.sparse.linalg import LinearOperator, eigsh

from likewise.clusterers.spectral.eigenvectors import LinkedGraph
from likewise.clusterers.spectral.flexible import FlexibleSpectral
from likewise.errors import MethodError
from likewise.strategies.base import View
from likewise.strategies.pairs.selection import OpenPairs, PairArray

_BLOCK = 500  # items whose pairs with all others are scored at a time


class ExpectedError:
    """The pair scorer of largest expected squared error of a cut in two.

    A cut u predicts uᵢuⱼ for a pair, between -1 (different) and 1 (same). The answers so far, by
    the best approximation of rank one, give "same" the probability (1 + q)/2; so the squared error
    is expected to be 1 + x² − 2xq with x = uᵢuⱼ, both x and q clipped to ±1. Ties, which are many,
    are broken at random. The clusterer must be a `FlexibleSpectral`.

    References
    ----------
    Wang and Davidson, "Active spectral clustering", 2010.
    """

    def pairs(self, view: View, rng: np.random.Generator) -> Iterator[PairArray]:
        """Yield for every item its worst pair, the worst of these first."""
        fitted = view.clustering
        if not isinstance(fitted, FlexibleSpectral):
            raise MethodError(
                f"the pair scorer ExpectedError needs the clusterer FlexibleSpectral, not "
                f"{type(fitted).__name__}"
            )
        cut, known = fitted.cut_, rank_one(fitted.relations_)
        open_pairs, shuffled = OpenPairs(view), rng.permutation(len(cut))
        bound = _largest_possible(cut, known)
        # Items that may have the worst pairs first, ties in random order.
        items = shuffled[np.argsort(-bound[shuffled], kind="stable")]
        found, errors = np.empty((0, 2), dtype=np.int64), np.empty(0)
        for start in range(0, len(items), _BLOCK):
            rows = items[start : start + _BLOCK]
            error = np.round(expected_errors(cut, known, rows), 6)
            error = np.where(open_pairs.with_all(rows), error, -1.0)[:, shuffled]
            best = error.argmax(axis=1)
            found = np.concatenate([found, np.column_stack([rows, shuffled[best]])])
            errors = np.concatenate([errors, error[np.arange(len(rows)), best]])
            following = items[start + _BLOCK : start + _BLOCK + 1]
            if not len(following) or errors.max() >= bound[following[0]]:
                order = np.argsort(-errors, kind="stable")
                yield found[order[errors[order] >= 0]]
                found, errors = found[:0], errors[:0]


def _largest_possible(
    cut: npt.NDArray[np.float64], known: npt.NDArray[np.float64]
) -> npt.NDArray[np.float64]:  # (n,)
    """Return a bound that the expected error of an item's pairs cannot exceed."""
    x = np.minimum(1.0, np.abs(cut) * np.abs(cut).max())
    q = np.minimum(1.0, np.abs(known) * np.abs(known).max())
    return np.asarray(np.round(1.0 + x * (x + 2.0 * q), 6))


def expected_errors(
    cut: npt.NDArray[np.float64], known: npt.NDArray[np.float64], rows: npt.NDArray[np.int64]
) -> npt.NDArray[np.float64]:  # (rows, n)
    """Compute P (x − 1)² + (1 − P) (x + 1)² of some items with all others; P = (1 + q) / 2."""
    x = np.clip(np.multiply.outer(cut[rows], cut), -1.0, 1.0)
    q = np.clip(np.multiply.outer(known[rows], known), -1.0, 1.0)
    return np.asarray(1.0 + x * (x - 2.0 * q))


def rank_one(relations: LinkedGraph) -> npt.NDArray[np.float64]:  # (n,)
    """Return a, with aaᵀ the best rank-one approximation of I + Q.

    Q holds the answers, I says that an item is the same as itself. Without answers a is zero.
    """
    n = relations.edges.shape[0]
    touched = relations.absolute_degrees() > 0
    if not touched.any():
        return np.zeros(n)

    def multiply(v: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
        return np.asarray(np.ravel(v) + relations.times(np.ravel(v)))

    start = np.random.default_rng(n).uniform(0.5, 1.5, n)
    # Two vectors' space would do, but Lanczos wants a little more room in a small pile.
    if n <= 20:
        values, vectors = np.linalg.eigh(np.eye(n) + relations.times(np.eye(n)))
    else:
        operator = LinearOperator((n, n), matvec=multiply, dtype=np.float64)
        values, vectors = eigsh(operator, k=1, which="LA", v0=start)
    return np.asarray(np.sqrt(values[-1]) * vectors[:, -1])
