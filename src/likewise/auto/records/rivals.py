"""How much speaks against a pair because one of the two goes better with something else."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp

Floats = npt.NDArray[np.float64]
Pairs = npt.NDArray[np.int64]  # (m, 2)

# Log odds beyond which no partner is preferred to another: two sure ones are both right.
_SURE = 6.0


class Rivals:
    """The partners that records have beside each other, as far as these are not the same thing.

    What record i has with others than j counts against the pair of i and j: the sum over k of
    odds(i, k) · (1 - P(j, k)). Three copies of a thing are no rivals of each other.

    Parameters
    ----------
    n : int
        How many records there are.
    pairs : ndarray of shape (m, 2)
        The pairs that may be matches.
    log_odds : ndarray of shape (m,)
        How likely each is, rivals left aside.
    same : ndarray of shape (m,)
        How likely each is, rivals considered.

    Examples
    --------
    >>> pairs = np.array([[0, 1], [0, 2]])
    >>> rivals = Rivals(3, pairs, np.array([4.0, 1.0]), np.array([0.9, 0.1]))
    >>> rivals.against(pairs).round(1)
    array([1.3, 4. ])
    """

    def __init__(self, n: int, pairs: Pairs, log_odds: Floats, same: Floats) -> None:
        self._odds = _symmetric(n, pairs, np.exp(np.minimum(log_odds, _SURE)))
        self._shared = sp.csr_matrix(self._odds @ _symmetric(n, pairs, same))
        self._all = np.asarray(self._odds.sum(axis=1)).ravel()

    def against(self, pairs: Pairs) -> Floats:  # (m,)
        """Return log(1 + the odds of rivals) of the record that has more of them."""
        if not len(pairs):
            return np.zeros(0)
        i, j = pairs.T
        own = _entries(self._odds, i, j)
        of_i = self._all[i] - own - _entries(self._shared, i, j)
        of_j = self._all[j] - own - _entries(self._shared, j, i)
        return np.asarray(np.log1p(np.maximum(np.maximum(of_i, of_j), 0.0)))


def _symmetric(n: int, pairs: Pairs, values: Floats) -> sp.csr_matrix:
    half = sp.csr_matrix((values, (pairs[:, 0], pairs[:, 1])), shape=(n, n))
    return sp.csr_matrix(half + half.T)


def _entries(matrix: sp.csr_matrix, i: Pairs, j: Pairs) -> Floats:
    return np.asarray(matrix[i, j]).ravel()
