"""Groups that may be one: many items lie between them, and nobody has said that they differ."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from likewise.journal.pairs import Verdict
from likewise.strategies.kinds import GroupBeliefs
from likewise.study import Study

_FEW = 0.1  # of the beliefs in both groups that must go to the other one


@dataclass(frozen=True)
class MergeHint:
    """Two groups that may be one.

    Parameters
    ----------
    groups : tuple of int
        Their labels, the larger first.
    share : float
        How much of what is believed of their items speaks for the other group.
    reason : str
        Why, in words.
    """

    groups: tuple[int, int]
    share: float
    reason: str


def merge_hints(study: Study, most: int = 3) -> list[MergeHint]:
    """Return groups that may be one, the likeliest first.

    Groups are left out that answers say to differ, by whatever follows from them.

    Parameters
    ----------
    study : Study
        The study; it stays as it is.
    most : int
        How many are returned at most.

    Examples
    --------
    >>> merge_hints(Study([[0.0], [0.1], [5.0], [5.1]]))
    []
    """
    if study.n_answers == 0:
        return []
    stands_for, study = study.stands_for(), study.reduced
    beliefs = GroupBeliefs(study.view)
    labels, member = beliefs.labels, beliefs.memberships
    n_groups = member.shape[1]
    sizes = np.bincount(labels, stands_for, minlength=n_groups).astype(np.int64)
    across = np.zeros((n_groups, n_groups))
    np.add.at(across, labels, member * stands_for[:, None])
    both = (across + across.T) / np.maximum(sizes[:, None] + sizes[None, :], 1)
    hints = []
    for one, other in zip(*np.nonzero(np.triu(both >= _FEW, 1)), strict=True):
        if not sizes[one] or not sizes[other] or _are_apart(study, beliefs, one, other):
            continue
        between = _between(beliefs, stands_for, int(one), int(other))
        larger, smaller = sorted((int(one), int(other)), key=lambda label: -sizes[label])
        share = float(both[one, other])
        reason = (
            f"{between} of their {sizes[one] + sizes[other]} items could be in either, and no "
            "answer says that they differ"
        )
        hints.append(MergeHint((larger, smaller), share, reason))
    return sorted(hints, key=lambda hint: (-round(hint.share, 6), hint.groups))[:most]


def _between(beliefs: GroupBeliefs, stands_for: npt.NDArray[np.int64], one: int, other: int) -> int:
    """Return how many items of two groups could belong to either, by more than one in five."""
    inside = np.isin(beliefs.labels, [one, other])
    least = beliefs.memberships[inside][:, [one, other]].min(axis=1)
    return int(stands_for[inside][least > 0.2].sum())


def _are_apart(study: Study, beliefs: GroupBeliefs, one: int, other: int) -> bool:
    """Return whether answers say that two groups differ."""
    placed = beliefs.view.placed
    firsts = []
    for label in (one, other):
        inside = np.flatnonzero(beliefs.labels == label)
        known = inside[placed[inside]]
        firsts.append(int(known[0] if len(known) else inside[0]))
    return study.constraints.implied(*firsts) is Verdict.DIFFERENT
