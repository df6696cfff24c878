"""How items scatter within their groups: what a linear discriminant and a learned map rest on."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[np.float64]


def scatter_within(
    X: Array, groups: npt.NDArray[np.int64]
) -> tuple[Array, Array]:  # (groups, features), (features, features)
    """Return the mean of every group, and one covariance of all items around these.

    It is shrunk as far as their number needs (Ledoit and Wolf), and never singular.

    Parameters
    ----------
    X : ndarray of shape (n, features)
        The items.
    groups : ndarray of shape (n,)
        Their groups, numbered from 0 without a gap.

    Examples
    --------
    >>> X = np.array([[0.0, 1.0], [0.0, 3.0], [5.0, 1.0], [5.0, 3.0]])
    >>> means, covariance = scatter_within(X, np.array([0, 0, 1, 1]))
    >>> means.tolist(), bool(covariance[0, 0] < covariance[1, 1])
    ([[0.0, 2.0], [5.0, 2.0]], True)
    """
    from sklearn.covariance import ledoit_wolf

    sizes = np.bincount(groups)
    means = np.zeros((len(sizes), X.shape[1]))
    np.add.at(means, groups, X)
    means /= sizes[:, None]
    covariance = np.asarray(ledoit_wolf(X - means[groups], assume_centered=True)[0])
    covariance[np.diag_indices_from(covariance)] += 1e-6
    return means, covariance
