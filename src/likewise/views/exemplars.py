"""Which members stand for a group."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp

from likewise.journal.pairs import Answer
from likewise.study import Study

_MOST_CONSIDERED = 500  # members among which the centre of a group is sought
_RECENT = 2000  # answers that tell which members somebody has looked at lately


def latest_answers(answers: Sequence[Answer], n_items: int) -> npt.NDArray[np.int64]:  # (n_items,)
    """Return when each item was last asked about: the larger the later, -1 for not lately."""
    latest = np.full(n_items, -1)
    pairs = np.array([answer.pair for answer in answers[-_RECENT:]], dtype=np.int64).reshape(-1, 2)
    # Of a pair, the item that was being placed counts as the later. Written in their order, the
    # latest of each stays.
    latest[pairs[:, ::-1].ravel()] = np.arange(pairs.size)
    return latest


def _lately_asked_about(
    answers: Sequence[Answer], members: npt.NDArray[np.int64], n: int
) -> list[int]:
    """Return up to `n` members, those first that were asked about last; as by `latest_answers`."""
    sought = set(members.tolist())
    if len(sought) == 1:  # an item of which nothing is known yet: their order is clear
        return list(sought)
    found: dict[int, None] = {}
    # For a single group: as a rule its members are soon met with.
    for answer in reversed(answers[-_RECENT:]):
        i, j = answer.pair
        if i in sought:
            found.setdefault(i)
        if j in sought:
            found.setdefault(j)
        if len(found) >= min(n, len(sought)):
            break
    return list(found)[:n]


def exemplars(
    study: Study,
    members: npt.NDArray[np.int64],
    n: int = 5,
    *,
    latest: npt.NDArray[np.int64] | None = None,
) -> list[int]:
    """Return up to `n` members that show what a group is like: its centre, its edge, the latest.

    Parameters
    ----------
    study
        The study; its answers tell which members somebody has looked at lately.
    members
        The items of the group. Where answers do not decide, earlier ones are preferred.
    n
        How many are wanted; 1 gives the centre, fewer come of a smaller group.
    latest
        What `latest_answers` returns; for many groups it is found once. With it nothing but the
        study's items is looked at.

    Returns
    -------
    list of int
        The member nearest to the mean of the features, the one farthest from it, then members
        by their latest answer among the last 2000, then the first ones. Without features it
        begins with answers.

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
    if latest is None:
        chosen.update(dict.fromkeys(_lately_asked_about(study.answers, members, n)))
    else:
        asked = members[latest[members] >= 0]
        chosen.update(dict.fromkeys(asked[np.argsort(-latest[asked])][:n].tolist()))
    chosen.update(dict.fromkeys(considered[:n].tolist()))
    return list(chosen)[:n]


def known_members(study: Study, item: int) -> npt.NDArray[np.int64]:
    """Return all items known to be the same as this one, itself included."""
    known = study.constraints
    return np.flatnonzero(known.components() == known.component(item))


def nearer_than_centre(study: Study, members: npt.NDArray[np.int64], item: int) -> list[int]:
    """Return the members that are nearer to an item than to the mean of all; the item itself too.

    Examples
    --------
    >>> study = Study([[0.0], [1.0], [2.0], [9.0], [9.5]])
    >>> nearer_than_centre(study, np.arange(5), 4)
    [3, 4]
    """
    if study.items.features is None:
        return [item]
    X = study.items.features[members]
    X = X.toarray() if sp.issparse(X) else X
    wanted = study.items.features[[item]]
    wanted = wanted.toarray() if sp.issparse(wanted) else wanted
    from_item = ((X - wanted) ** 2).sum(axis=1)
    from_centre = ((X - X.mean(axis=0)) ** 2).sum(axis=1)
    return sorted({item, *members[from_item < from_centre].tolist()})
