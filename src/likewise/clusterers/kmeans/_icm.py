"""Moving items between clusters one after the other, each only if the objective falls (ICM).

Besides single items whole linked groups are moved: an item alone can often not leave its group
although all of it would be better off elsewhere. Who gains most moves first, so that neither
chance nor the order of the items has a part in it. Costs of all are computed at once; only those
that want to move are looked at again, one by one, because others have moved before them.
"""

from __future__ import annotations

from typing import Protocol

import numpy as np
import numpy.typing as npt

from likewise.clusterers.kmeans.centres import sums_by
from likewise.clusterers.links import Labels, LinkedGroups

Table = npt.NDArray[np.float64]

# What a move must gain, relative to the costs, to be more than a rounding error.
LEAST_GAIN = 1e-10


class LinkCosts(Protocol):
    """What the violated links of a labelling cost, and would cost after a move."""

    weight: float  # of one violated link
    links: LinkedGroups
    labels: Labels  # (n,), changed by `move`

    @property
    def counts(self) -> Table:  # (groups, clusters)
        """How many items of a group have a label."""

    def of_items(self, items: Labels) -> Table:  # (items, clusters)
        """Return the cost of all links of an item if it had each label, the others as they are."""

    def of_whole(self, groups: Labels) -> Table:  # (groups, clusters)
        """Return the cost of all links of a group if all of it had each label."""

    def of_now(self, groups: Labels) -> npt.NDArray[np.float64]:  # (groups,)
        """Return the cost of all links of a group as things are."""

    def move(self, items: Labels, label: int) -> Labels:
        """Give items of one group a label; the groups whose costs that changes, but its own."""


def improve(cost: Table, links: LinkCosts) -> bool:
    """Return one sweep over all items and groups; whether anything has moved.

    `cost`, (n, clusters), is what an item costs apart from its links.
    """
    least = LEAST_GAIN * max(links.weight, float(np.abs(cost).max()))
    free = _move_free(cost, links, least)
    whole = _move_groups(cost, links, least)
    single = _move_items(cost, links, least)
    return free or whole or single


def _move_free(cost: Table, links: LinkCosts, least: float) -> bool:
    free = np.flatnonzero(links.links.group < 0)
    best = cost[free].argmin(axis=1)
    gain = cost[free, links.labels[free]] - cost[free, best]
    moving = gain > least
    links.labels[free[moving]] = best[moving]
    return bool(moving.any())


def _move_groups(cost: Table, links: LinkCosts, least: float) -> bool:
    groups = np.arange(links.links.n_groups)
    if not len(groups):
        return False
    shared, own = group_costs(cost, links)
    rows, now = shared + links.of_whole(groups), own + links.of_now(groups)
    gain = now - rows.min(axis=1)
    stale = np.zeros(len(groups), dtype=bool)  # a rival has moved since the costs were computed
    moved = False
    for group in _most_first(gain, least):
        if stale[group]:
            one = groups[group : group + 1]
            rows[group] = shared[group] + links.of_whole(one)[0]
            now[group] = own[group] + links.of_now(one)[0]
        best = int(rows[group].argmin())
        if rows[group, best] < now[group] - least:
            stale[links.move(links.links.members[group], best)] = True
            moved = True
    return moved


def _move_items(cost: Table, links: LinkCosts, least: float) -> bool:
    group = links.links.group
    sizes = links.counts.sum(axis=1)
    # A group of one has had its chance; one of two or more may be better off apart.
    items = np.flatnonzero((group >= 0) & (sizes[group] > 1)) if len(sizes) else group[:0]
    if not len(items):
        return False
    rows = cost[items] + links.of_items(items)
    gain = rows[np.arange(len(items)), links.labels[items]] - rows.min(axis=1)
    moved = False
    for place in _most_first(gain, least):
        one = items[place : place + 1]
        row = cost[one[0]] + links.of_items(one)[0]
        best = int(row.argmin())
        if row[best] < row[links.labels[one[0]]] - least:
            links.move(one, best)
            moved = True
    return moved


def _most_first(gain: npt.NDArray[np.float64], least: float) -> list[int]:
    order = np.argsort(-gain, kind="stable")
    return [int(place) for place in order if gain[place] > least]


def group_costs(cost: Table, links: LinkCosts) -> tuple[Table, npt.NDArray[np.float64]]:
    """Return what the items of each group cost under each label, and what they cost now."""
    tied = np.flatnonzero(links.links.group >= 0)
    group = links.links.group[tied]
    n_groups = links.links.n_groups
    own: npt.NDArray[np.float64] = np.bincount(
        group, cost[tied, links.labels[tied]], n_groups
    ).astype(np.float64)
    return sums_by(group, cost[tied], n_groups), own


def nearest(cost: Table, links: LinkedGroups) -> Labels:
    """Return the cheapest cluster for each free item and, as a whole, for each group."""
    labels: Labels = cost.argmin(axis=1)
    tied = np.flatnonzero(links.group >= 0)
    if len(tied):
        group = links.group[tied]
        labels[tied] = sums_by(group, cost[tied], links.n_groups).argmin(axis=1)[group]
    return labels


def fill_empty(cost: Table, spread: npt.NDArray[np.float64], links: LinkCosts) -> None:
    """Give every empty cluster the free item or the whole group that gains most by it.

    `spread` is what a group costs when its own mean is the centre. A cluster stays empty when
    nothing can be moved without leaving another one empty.
    """
    labels, groups = links.labels, np.arange(links.links.n_groups)
    free = links.links.group < 0
    for cluster in range(cost.shape[1]):
        sizes = np.bincount(labels, minlength=cost.shape[1])
        if sizes[cluster]:
            continue
        lonely = ~free | (sizes[labels] == 1)
        of_item = np.where(lonely, -np.inf, cost[np.arange(len(labels)), labels])
        best = int(of_item.argmax())
        gain = of_item[best]
        if len(groups):
            leaves_none = ((sizes > 0) & (sizes == links.counts)).any(axis=1)
            of_group = group_costs(cost, links)[1] + links.of_now(groups) - spread
            of_group[leaves_none] = -np.inf
            if of_group.max() > gain:
                links.move(links.links.members[int(of_group.argmax())], cluster)
                continue
        if gain > -np.inf:
            labels[best] = cluster
