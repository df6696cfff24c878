"""Which members stand for a group."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp

from likewise.study import Study

_MOST_CONSIDERED = 500  # members among which the centre of a group is sought


def exemplars(study: Study, members: npt.NDArray[np.int64], n: int = 5) -> list[int]:
    """Return up to `n` members that show what a group is like: its centre, its edge, the latest.

    Parameters
    ----------
    study
        The study; its answers tell which members somebody has looked at lately.
    members
        The items of the group. Where answers do not decide, earlier ones are preferred.
    n
        How many are wanted; 1 gives the centre, fewer come of a smaller group.

    Returns
    -------
    list of int
        The member nearest to the mean of the features, the one farthest from it, then members
        by their latest answer, then the first ones. Without features it begins with answers.

    Examples
    --------
    >>> study = Study([[0.0], [1.0], [2.0], [3.0], [9.0]])
    >>> exemplars(study, np.array([0, 1, 2, 3, 4]), n=2)
    [3, 4]
    """
    considered = members[:_MOST_CONSIDERED]
    chosen: dict[int, None] = {}
    if study.items.features is not None and len(considered):
        X = study.items.features[considered]
        X = X.toarray() if sp.issparse(X) else X
        from_mean = ((X - X.mean(axis=0)) ** 2).sum(axis=1)
        # The centre first; then what lies farthest out shows how wide the group is.
        chosen[int(considered[from_mean.argmin()])] = None
        chosen[int(considered[from_mean.argmax()])] = None
    inside = set(members.tolist())
    for answer in reversed(study.answers):
        if len(chosen) >= min(n, len(members)):
            break
        chosen.update(dict.fromkeys(item for item in answer.pair if item in inside))
    chosen.update(dict.fromkeys(considered[:n].tolist()))
    return list(chosen)[:n]


def known_members(study: Study, item: int) -> npt.NDArray[np.int64]:
    """Return all items known to be the same as this one, itself included."""
    known = study.constraints
    return np.flatnonzero(known.components() == known.component(item))
