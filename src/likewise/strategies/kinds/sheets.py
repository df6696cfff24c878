"""The question which of many items belong together: whom to show."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from likewise.journal.pairs import Pair
from likewise.journal.questions import SheetQuestion
from likewise.strategies.kinds.beliefs import Array, GroupBeliefs
from likewise.strategies.kinds.pace import Pace
from likewise.strategies.kinds.places import Candidates, candidate_groups

MOST = 24  # items on a sheet
_FEWEST = 4
# Below that most of a sheet is unticked: that takes longer than placing items, and so many that
# differ from one they lie close to say that the groups are finer than they are.
_LIKELY = 0.5  # how likely its items belong, on average

Positions = npt.NDArray[np.int64]


@dataclass(frozen=True)
class _Draft:
    """A sheet that could be asked: the first item, the others, what it brings and costs."""

    first: int
    others: Positions
    probabilities: Array  # (others,)
    gain: float
    seconds: float
    is_placed: bool


class SheetChooser:
    """Chooses the sheet from which most items are expected to be put right, per second.

    Every group that is believed in is a candidate. Its sheet shows items that are believed to
    belong to it, those that are worth most for their time: with p the probability that an item
    belongs to the group and q that of its likeliest other one, the chance that its label is right
    rises to p + q; to look at it takes its look, and a click where it is not as believed.

    Parameters
    ----------
    beliefs : GroupBeliefs
        What is believed of the items.
    chance : callable
        Returns how likely the two items of a pair are the same.
    pace : Pace
        Of whoever is asked.
    looks : ndarray of shape (n,)
        Seconds to take each item in.
    """

    def __init__(
        self, beliefs: GroupBeliefs, chance: Callable[[Pair], float], pace: Pace, looks: Array
    ) -> None:
        self.beliefs, self.chance, self.pace, self.looks = beliefs, chance, pace, looks
        self.view = beliefs.view

    def best(self, *, found: bool = False) -> tuple[SheetQuestion, float] | None:
        """Return the sheet of largest gain per second, with its gain; None if there is none.

        With `found` only groups that answers have found count: of others nobody knows how far
        what is believed of them can be trusted.
        """
        drafts = [draft for draft in self._drafts() if draft.is_placed or not found]
        if not drafts:
            return None
        rates = np.round([draft.gain / draft.seconds for draft in drafts], 6)
        chosen = drafts[int(rates.argmax())]
        return self._sheet(chosen), chosen.gain

    def _drafts(self) -> Iterator[_Draft]:
        for group in range(self.beliefs.memberships.shape[1]):
            draft = self._draft(group)
            if draft is not None:
                yield draft

    def _draft(self, group: int) -> _Draft | None:
        """Return the best sheet about a group, None if too few items likely belong to it."""
        member = self.beliefs.memberships
        first, is_placed = self._first(group)
        items = self._eligible(group, first)
        if len(items) < _FEWEST - 1:
            return None
        p = member[items, group]
        others = np.where(p >= self._top[items], self._second[items], self._top[items])
        gain = np.maximum(p + others - self._top[items], 0.0)
        cost = self.looks[items] + self.pace.click * np.minimum(p, 1 - p)
        order = np.argsort(-np.round(gain / cost, 6), kind="stable")[: MOST - 1]
        # Items of one sheet lie together: they teach little about others that one would not.
        gains = np.cumsum(gain[order])
        asked = 0.0 if is_placed else self.pace.think + self.pace.key + self._usual_search
        seconds = self.pace.sheet * (
            np.cumsum(cost[order]) + self.pace.think + self.pace.key + self.looks[first] + asked
        )
        n_shown = max(int((gains / seconds).argmax()) + 1, _FEWEST - 1)
        shown = order[:n_shown]
        at = n_shown - 1
        if p[shown].mean() < _LIKELY:
            return None
        return _Draft(
            first, items[shown], p[shown], float(gains[at]), float(seconds[at]), is_placed
        )

    def _first(self, group: int) -> tuple[int, bool]:
        """Return the item that shows what a group is, and whether it is placed.

        A placed one, of those the nearest to the others; else one of the largest known part, the
        surest.
        """
        inside = self._inside(group)
        placed = inside[self.view.placed[inside]]
        if len(placed):
            return int(placed[0]), True
        sizes = self._sizes[self.view.components[inside]]
        sure = np.round(self.beliefs.memberships[inside, group], 6)
        return int(inside[np.lexsort((inside, -sure, -sizes))[0]]), False

    def _eligible(self, group: int, first: int) -> Positions:
        """Return items believed to be in a group: one of each known part, none that is placed."""
        view = self.view
        known, inside = view.constraints, self._inside(group)
        components = view.components[inside]
        settled = [known.component(first), *known.different_from(first)]
        left = self._open[inside] & ~np.isin(components, settled)
        items, components = inside[left], components[left]
        return items[np.sort(np.unique(components, return_index=True)[1])]

    def _inside(self, group: int) -> Positions:
        """Return the items of a group, ascending."""
        order, ends = self._by_group
        return order[ends[group] : ends[group + 1]]

    @cached_property
    def _by_group(self) -> tuple[Positions, Positions]:
        """The items in the order of their groups, and where each group begins."""
        labels = self.beliefs.labels
        order = np.argsort(labels, kind="stable")
        n_groups = self.beliefs.memberships.shape[1]
        return order, np.searchsorted(labels[order], np.arange(n_groups + 1))

    @cached_property
    def _open(self) -> npt.NDArray[np.bool_]:  # (n,)
        """Which items are not placed, and nobody is at."""
        return ~self.view.placed & ~self._busy

    @cached_property
    def _busy(self) -> npt.NDArray[np.bool_]:  # (n,)
        """Which items somebody is looking at, or could not be told just now."""
        deferred = [item for pair in self.view.deferred for item in pair]
        busy = self.view.pending_items
        busy[deferred] = True
        return busy

    @cached_property
    def _sizes(self) -> Positions:
        """How many items each component has, by its name."""
        return np.bincount(self.view.components, minlength=len(self.beliefs.labels))

    @cached_property
    def _top(self) -> Array:
        return np.asarray(self.beliefs.memberships.max(axis=1))

    @cached_property
    def _second(self) -> Array:
        member = self.beliefs.memberships
        if member.shape[1] < 2:
            return np.zeros(len(member))
        return np.asarray(np.partition(member, -2, axis=1)[:, -2])

    @property
    def _usual_search(self) -> float:
        """Seconds to find the group of a new part, before it is known how likely each is."""
        return self.pace.glance * len(self.view.constraints.representatives) / 2

    def _sheet(self, draft: _Draft) -> SheetQuestion:
        """Return the sheet, the doubtful items first."""
        doubtful = np.argsort(np.round(np.abs(draft.probabilities - 0.5), 6), kind="stable")
        others = draft.others[doubtful].tolist()
        chances = [1.0, *draft.probabilities[doubtful].tolist()]
        to_ask = Candidates([], np.empty(0), 1.0)
        if not draft.is_placed:
            to_ask = candidate_groups(self.view, draft.first, self.chance)
        items = (draft.first, *others)
        changed = sum(min(p, 1 - p) for p in chances)
        search = to_ask.expected_rank if to_ask.members else None
        labels = self.beliefs.labels
        return SheetQuestion(
            items,
            tuple(p >= 0.5 for p in chances),
            tuple(chances),
            int(labels[draft.first]) if draft.is_placed else None,
            tuple(labels[to_ask.members].tolist()) if to_ask.members else (),
            tuple(to_ask.members),
            self.pace.of_sheet(float(self.looks[list(items)].sum()), changed, search),
        )
