"""A decision function from scores of a few points: kernels on the points, weighted."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import scipy.linalg
import scipy.sparse as sp
from sklearn.metrics.pairwise import rbf_kernel

from likewise.items import Matrix

Floats = npt.NDArray[np.float64]

_BLOCK = 2000  # rows whose kernels to all points are held at a time


@dataclass(frozen=True)
class KernelExpansion:
    """f(x) = Σᵢ αᵢ k(xᵢ, x) with k the Gaussian kernel (Bodó, Minier and Csató 2011, eq. 4 and 6).

    Its width is the paper's, the mean norm of the points.
    """

    points: Matrix  # (m, d)
    coefficients: Floats  # (m, classes)
    gamma: float

    @classmethod
    def of(cls, points: Matrix, scores: Floats, ridge: float) -> KernelExpansion:
        """Return the function that has these scores at the points, α = (K + ridge I)⁻¹ y.

        Without a ridge this is eq. 6 to the letter, and where points are many and the kernel wide
        it is beyond what can be computed: K has hardly a rank. The larger the ridge, the smoother
        the function; in the limit α is in proportion to y, as in eq. 4.
        """
        squares = points.multiply(points) if sp.issparse(points) else points**2
        width = float(np.sqrt(np.asarray(squares.sum(axis=1))).mean()) or 1.0
        gamma = 1.0 / (2.0 * width**2)
        kernel = rbf_kernel(points, gamma=gamma)
        kernel[np.diag_indices_from(kernel)] += ridge
        # By least squares where the ridge is too small to make up for what K lacks in rank.
        return cls(points, np.asarray(scipy.linalg.lstsq(kernel, scores)[0]), gamma)

    def __call__(self, X: Matrix) -> Floats:  # (n, classes)
        """Return the scores of rows, at a cost of rows × points."""
        blocks = [
            rbf_kernel(X[start : start + _BLOCK], self.points, gamma=self.gamma) @ self.coefficients
            for start in range(0, X.shape[0], _BLOCK)
        ]
        return np.vstack(blocks)
