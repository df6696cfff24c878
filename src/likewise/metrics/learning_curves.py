"""How good a ranking is, and how good it was on the way there: AUC, and the area under its curve.

The measures of the Active Learning Challenge of 2010, as the paper of Bodó, Minier and Csató uses
them: a learner is judged by the AUC of its scores on items held back, at every number of labels it
had bought, on a logarithmic axis.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from likewise.errors import DataError


def auc(truth: npt.ArrayLike, scores: npt.ArrayLike) -> float:
    """Compute the area under the ROC curve: the chance that a positive outscores a negative.

    Ties count half.

    Parameters
    ----------
    truth : sequence of n labels
        Two kinds; the larger of them (True, 1, "yes") is positive.
    scores : sequence of n numbers
        The larger, the likelier positive.

    Raises
    ------
    DataError
        If there are not exactly two kinds, or not a score for each item.

    Examples
    --------
    >>> auc([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
    0.75
    """
    from sklearn.metrics import roc_auc_score

    kinds, positive = np.unique(np.asarray(truth), return_inverse=True)
    values = np.asarray(scores, dtype=np.float64)
    if len(kinds) != 2 or values.shape != positive.shape:
        raise DataError(
            f"the AUC needs items of two kinds with a score each but got {len(kinds)} kinds, "
            f"labels of shape {positive.shape} and scores of shape {values.shape}"
        )
    return float(roc_auc_score(positive, values))


def alc(n_labels: npt.ArrayLike, aucs: npt.ArrayLike, n_items: int) -> float:
    """Compute the area under the learning curve, (ALC − A_rand) / (A_max − A_rand).

    The curve joins the points (log₂ labels, AUC) by straight lines, from the first label to all
    `n_items`; a learner that stopped earlier keeps its last AUC.

    Parameters
    ----------
    n_labels : sequence of numbers, growing, from 1 to `n_items`
        How many labels had been bought.
    aucs : sequence of numbers
        The AUC at each of them.
    n_items : int
        How many labels could be bought.

    Returns
    -------
    float
        1.0 is an AUC of 1 from the first label on, 0.0 guessing; worse than guessing is negative.

    References
    ----------
    Bodó, Minier and Csató, "Active learning with clustering", 2011, equation 11; the measure of the
    Active Learning Challenge of 2010.

    Examples
    --------
    >>> alc([1, 1024], [0.5, 1.0], 1024)
    0.5
    >>> round(alc([1, 8767], [0.1922, 0.8496], 8767), 4)  # ALG1 on data set A of the challenge
    0.0418
    """
    counts = np.atleast_1d(np.asarray(n_labels, dtype=np.float64))
    heights = np.atleast_1d(np.asarray(aucs, dtype=np.float64))
    if counts.shape != heights.shape or not len(counts):
        raise DataError(f"a curve needs as many AUCs as numbers of labels; got {counts.shape}")
    if (np.diff(counts) <= 0).any() or counts[0] < 1 or counts[-1] > n_items or n_items < 2:
        raise DataError(
            f"numbers of labels must grow and lie between 1 and the number of items, {n_items}"
        )
    # Before its first point a curve is as high as there.
    at = np.log2(np.concatenate([[1.0], counts, [n_items]]))
    height = np.concatenate([heights[:1], heights, heights[-1:]])
    area = float(np.trapezoid(height, at))
    lazy, ideal = 0.5 * float(at[-1]), float(at[-1])
    return (area - lazy) / (ideal - lazy)
