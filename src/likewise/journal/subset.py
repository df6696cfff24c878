"""What the answers about all items of a journal say about those that are at hand.

A pile loses items, and another program may have found new ones. Answers about an item that is not
at hand still count as far as they link items that are: as long as it is known to be the same as
one of those, that one stands in for it.
"""

from __future__ import annotations

from dataclasses import replace

from likewise.journal.constraints import Constraints
from likewise.journal.pairs import Answer, Pair, Verdict


class Subset:
    """Constraints among the first items of a study, kept in step with those among all.

    What they are depends on the answers that stand and on nothing else. To take one in or back
    costs what it costs `Constraints`; only when another item is to stand in for one that is not
    at hand, all answers are gone through again.

    Parameters
    ----------
    whole : Constraints
        What follows from the answers about all items.
    n_items : int
        How many of them are at hand; they come first.

    Attributes
    ----------
    constraints : Constraints
        What follows for these items.

    Examples
    --------
    >>> whole = Constraints.of(4, [Answer(0, Pair(0, 3), Verdict.SAME)])
    >>> at_hand = Subset(whole, 3)
    >>> linking = Answer(1, Pair(3, 1), Verdict.DIFFERENT)
    >>> _ = whole.add(linking)
    >>> at_hand.added(linking)
    >>> at_hand.constraints.implied(0, 1)
    <Verdict.DIFFERENT: 'different'>
    """

    def __init__(self, whole: Constraints, n_items: int) -> None:
        self.whole = whole
        self.n_items = n_items
        self._about_absent = [answer for answer in whole.answers if self._is_about_absent(answer)]
        self._rebuild(self._find_stand_ins())

    def place(self, item: int) -> int | None:
        """Return the item itself, or the one that stands in for it; None if none does."""
        return item if item < self.n_items else self._stand_ins.get(item)

    def added(self, answer: Answer) -> None:
        """Take in an answer that the whole has taken in."""
        if self._is_about_absent(answer):
            self._about_absent.append(answer)
            if self._stand_ins_changed():
                return
        if (seen := self._seen(answer)) is not None:
            self.constraints.add(seen)

    def removed(self, answer: Answer) -> None:
        """Take back an answer that was taken back from the whole."""
        seen = self._seen(answer)
        if self._is_about_absent(answer):
            self._about_absent = [one for one in self._about_absent if one.id != answer.id]
        # Whatever was taken back may have disputed an answer about an absent item.
        if not self._stand_ins_changed() and seen is not None:
            self.constraints.remove(answer.id)

    def _is_about_absent(self, answer: Answer) -> bool:
        return max(answer.pair) >= self.n_items

    def _seen(self, answer: Answer) -> Answer | None:
        """Return an answer as one about items at hand; None if it says nothing about them."""
        if not self._is_about_absent(answer):
            return answer
        i, j = (self.place(item) for item in answer.pair)
        # To be unsure about an item says nothing about those that it is like.
        if i is None or j is None or i == j or answer.verdict is Verdict.UNSURE:
            return None
        return replace(answer, pair=Pair(i, j))

    def _stand_ins_changed(self) -> bool:
        """Look who stands in for whom by now, and go through all answers if that is new."""
        found = self._find_stand_ins()
        if found == self._stand_ins:
            return False
        self._rebuild(found)
        return True

    def _rebuild(self, stand_ins: dict[int, int]) -> None:
        self._stand_ins = stand_ins
        self.constraints = Constraints(self.n_items, self.whole.n_groups)
        for answer in self.whole.answers:
            if (seen := self._seen(answer)) is not None:
                self.constraints.add(seen)

    def _find_stand_ins(self) -> dict[int, int]:
        """Return for absent items the first item at hand that each was linked to.

        The first, so that a later answer does not change what the earlier ones have decided.
        """
        found: dict[int, int] = {}
        linked: dict[int, list[int]] = {}  # absent items that are the same, but as none at hand
        if not self._about_absent:
            return found
        disputed = {answer.id for answer in self.whole.disputed}
        for answer in self._about_absent:
            if answer.verdict is not Verdict.SAME or answer.id in disputed:
                continue
            a, b = answer.pair
            here, there = (x if x < self.n_items else found.get(x) for x in (a, b))
            if here is None and there is None:
                _join(linked, a, b)
            elif here is None and there is not None:
                found |= dict.fromkeys(linked.get(a, [a]), there)
            elif there is None and here is not None:
                found |= dict.fromkeys(linked.get(b, [b]), here)
        return found


def _join(linked: dict[int, list[int]], a: int, b: int) -> None:
    """Make one list of the two in which `a` and `b` are; every member leads to its list."""
    small, large = linked.get(a, [a]), linked.get(b, [b])
    if small is large:
        return
    if len(small) > len(large):
        small, large = large, small
    large += small
    for item in (*small, large[0]):
        linked[item] = large
