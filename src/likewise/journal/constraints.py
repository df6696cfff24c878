"""What follows from the answers: groups of same items, and which groups differ.

Two rules are applied and no others: *transitivity* (a = b and b = c give a = c; a = b and b ≠ c
give a ≠ c) and, when the number of groups is known, *elimination* (an item that differs from all
groups but one belongs to that one).

The answers are kept on a stack. Taking one back unwinds the stack to it and lays the others on
again, so that any state is exactly what the remaining answers alone would have given.
"""

from __future__ import annotations

from array import array
from bisect import bisect_right
from collections import Counter, deque
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np
import numpy.typing as npt

from likewise.errors import AnswerError
from likewise.journal.disputes import Dispute, Elimination, Explanations
from likewise.journal.pairs import Answer, Pair, Verdict, require_pair

_NOTHING: frozenset[int] = frozenset()
_ASSUMED = -1  # the id of an answer that nobody gave
# The method of `Constraints` that takes a step back, by name, and its arguments. Names and numbers
# are nothing the garbage collector has to walk: with a million answers that is half the time.
_Step = tuple[Any, ...]


class Constraints:
    """Components of same items and the edges between different ones, kept up to date by answers.

    An answer that contradicts what the earlier ones imply is kept as a dispute and changes nothing
    else. `implied`, `add` and `pop` take O(log n) steps (a union–find by size, without path
    compression so that it can be unwound); memory is linear in items and answers.

    Parameters
    ----------
    n_items : int
        How many items there are.
    n_groups : int, optional
        How many groups there are; None switches elimination off.

    Attributes
    ----------
    answers : list of Answer
        Those taken in and not taken back, disputed ones too.
    representatives : list of int
        One item of each group that is known to differ from all the others, in the order in which
        they were found.
    found_at : list of int
        How many answers there were when each was found.
    overruled : frozenset of int
        Ids of answers that have no effect when they are added, because they are believed to be
        wrong; what the others say, later ones too, contradicts them, and they are disputes.
    n_changes : int
        How often an answer was taken in or back.
    n_untrusted : int
        How many answers weigh less than 1: whoever gave them is known to err.

    Examples
    --------
    >>> from likewise.journal.pairs import Answer, Pair, Verdict, require_pair
    >>> known = Constraints(4)
    >>> known.add(Answer(0, Pair(0, 1), Verdict.SAME))
    True
    >>> known.add(Answer(1, Pair(1, 2), Verdict.DIFFERENT))
    True
    >>> known.implied(0, 2)
    <Verdict.DIFFERENT: 'different'>
    >>> known.add(Answer(2, Pair(0, 2), Verdict.SAME))
    False
    >>> print(known.disputes()[0])
    #2: 0 = 2 contradicts #0: 0 = 1, #1: 1 ≠ 2; take one of them back
    """

    def __init__(self, n_items: int, n_groups: int | None = None) -> None:
        self.n_items = n_items
        self.n_groups = n_groups
        self.answers: list[Answer] = []
        self._parent = array("q", range(n_items))
        self._size = array("q", [1]) * n_items
        # A component is named by one of its items; names, unlike roots, are chosen so that the side
        # with fewer "different" edges is renamed when two groups merge.
        self._component = array("q", range(n_items))
        self._edges: dict[int, set[int]] = {}
        # Groups known to differ pairwise, in the order they were found: one item of each, and
        # the same by component.
        self.representatives: list[int] = []
        self.found_at: list[int] = []  # how many answers there were when each was found
        self._representative_of_component: dict[int, int] = {}
        self.overruled: frozenset[int] = frozenset()
        self.n_changes = 0
        self.n_untrusted = 0
        self._people: Counter[str] = Counter()  # votes by person
        self._explanations = Explanations()
        self._same = array("q")
        self._different = array("q")
        # Every step taken, and per answer how many steps there were before it.
        self._steps: list[_Step] = []
        self._steps_before = array("q")
        # Per answer, how long `_same` and `_different` were before it.
        self._same_before = array("q")
        self._different_before = array("q")

    @classmethod
    def of(
        cls, n_items: int, answers: Iterable[Answer], n_groups: int | None = None
    ) -> Constraints:
        """Return what follows from these answers."""
        known = cls(n_items, n_groups)
        for answer in answers:
            known.add(answer)
        return known

    def grow(self, n_items: int) -> None:
        """Take in more items, after those that are known."""
        if n_items < self.n_items:
            raise AnswerError(f"there are {self.n_items} items already; they cannot become fewer")
        new = range(self.n_items, n_items)
        self._parent.extend(new)
        self._component.extend(new)
        self._size.extend([1] * len(new))
        self.n_items = n_items

    # -- what is known -----------------------------------------------------------------------

    def component(self, item: int) -> int:
        """Return the name of the item's component: equal for items known to be the same."""
        parent = self._parent
        while parent[item] != item:
            item = parent[item]
        return self._component[item]

    def implied(self, i: int, j: int) -> Verdict | None:
        """Return what the answers say about a pair, directly or by inference; None if nothing."""
        a, b = self.component(i), self.component(j)
        if a == b:
            return Verdict.SAME
        return Verdict.DIFFERENT if b in self._edges.get(a, _NOTHING) else None

    def different_from(self, item: int) -> frozenset[int] | set[int]:
        """Return the components that the item is known to differ from (not to be modified)."""
        return self._edges.get(self.component(item), _NOTHING)

    def representative_of(self, item: int) -> int | None:
        """Return the representative of the item's group; None while the item is not placed."""
        return self._representative_of_component.get(self.component(item))

    def open_representatives(self, item: int) -> list[int]:
        """Return the representatives of groups an unplaced item may still belong to, in order."""
        different = self.different_from(item)
        return [
            representative
            for representative in self.representatives
            if self.component(representative) not in different
        ]

    def components(self) -> npt.NDArray[np.int64]:  # (n_items,)
        """Return the component of every item at once."""
        root = np.frombuffer(self._parent, dtype=np.int64).copy()
        while True:
            jumped = root[root]
            if np.array_equal(jumped, root):
                break
            root = jumped
        return np.frombuffer(self._component, dtype=np.int64)[root]

    def members(self, items: Sequence[int]) -> npt.NDArray[np.bool_]:  # (n_items,)
        """Return which items are known to be the same as one of `items`."""
        return np.isin(self.components(), [self.component(item) for item in items])

    def placed(self) -> npt.NDArray[np.bool_]:  # (n_items,)
        """Return which items are known to belong to one of the groups that answers have found."""
        return self.members(self.representatives)

    @property
    def must_link(self) -> npt.NDArray[np.int64]:  # (m, 2)
        """Pairs known to be the same, from which all others follow by transitivity."""
        return np.array(self._same, dtype=np.int64).reshape(-1, 2)

    @property
    def cannot_link(self) -> npt.NDArray[np.int64]:  # (m, 2)
        """Pairs answered "different", disputes left out."""
        return np.array(self._different, dtype=np.int64).reshape(-1, 2)

    def links_after(
        self, n_answers: int
    ) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:  # (m, 2) each
        """Return `must_link` and `cannot_link` as they were after the first `n_answers`."""
        if n_answers >= len(self.answers):
            return self.must_link, self.cannot_link
        n_same, n_different = self._same_before[n_answers], self._different_before[n_answers]
        return self.must_link[: n_same // 2], self.cannot_link[: n_different // 2]

    def n_representatives_after(self, n_answers: int) -> int:
        """Return how many groups the first `n_answers` had found."""
        return bisect_right(self.found_at, n_answers)

    @property
    def n_people(self) -> int:
        """How many people have said "same" or "different" about something."""
        return len(self._people)

    @property
    def disputed(self) -> tuple[Answer, ...]:
        """The answers that contradict earlier ones, oldest first."""
        return tuple(self._explanations.disputed)

    @property
    def n_disputes(self) -> int:
        """How many answers contradict earlier ones; to count them explains none."""
        return len(self._explanations.disputed)

    def disputes(self, offset: int = 0, limit: int | None = None) -> list[Dispute]:
        """Return every answer that contradicts earlier ones, oldest first, and what it contradicts.

        Each is explained once; later answers do not change what it contradicts. All of them, or
        `limit` after the first `offset`: the others are not explained.
        """
        groups = self.representatives[: self.n_groups]
        which = slice(offset, None if limit is None else offset + limit)
        return self._explanations.disputes(self.answers, self.n_items, groups, which)

    # -- answers come and go -----------------------------------------------------------------

    def add(self, answer: Answer) -> bool:
        """Take an answer in; False when it contradicts the others and became a dispute."""
        i, j = answer.pair
        require_pair(i, j, self.n_items)
        self.answers.append(answer)
        self._count(answer, 1)
        self._steps_before.append(len(self._steps))
        self._same_before.append(len(self._same))
        self._different_before.append(len(self._different))
        if answer.verdict is Verdict.UNSURE:
            return True
        if answer.id in self.overruled:
            self._explanations.add(answer, len(self.answers) - 1, overruled=True)
            return False
        known = self.implied(i, j)
        if known is not None and known is not answer.verdict:
            self._explanations.add(answer, len(self.answers) - 1)
            return False
        if answer.verdict is Verdict.SAME:
            self._same.extend((i, j))
            if known is None:
                self._infer([j, i, *self._unite(i, j)])
        else:
            self._different.extend((i, j))
            if known is None:
                self._separate(i, j)
                self._infer([j, i])
        return True

    def pop(self) -> Answer:
        """Take back the latest answer and all that followed from it."""
        if not self.answers:
            raise AnswerError("there is no answer to take back")
        before = self._steps_before.pop()
        while len(self._steps) > before:
            undo, *what = self._steps.pop()
            getattr(self, undo)(*what)
        answer = self.answers.pop()
        self._count(answer, -1)
        del self._same[self._same_before.pop() :]
        del self._different[self._different_before.pop() :]
        self._explanations.truncate(len(self.answers))
        return answer

    def remove(self, answer_id: int) -> Answer:
        """Take back any answer; disputes that it alone caused are resolved."""
        if not any(answer.id == answer_id for answer in self.answers):
            raise AnswerError(f"there is no answer {answer_id} to take back")
        later = []
        while (answer := self.pop()).id != answer_id:
            later.append(answer)
        for kept in reversed(later):
            self.add(kept)
        return answer

    def insert(self, answer: Answer) -> None:
        """Take in an answer that was taken back, where it once stood: in the order of ids."""
        later = []
        while self.answers and self.answers[-1].id > answer.id:
            later.append(self.pop())
        for kept in (answer, *reversed(later)):
            self.add(kept)

    @contextmanager
    def assuming(self, pair: Pair, verdict: Verdict) -> Iterator[None]:
        """Take it inside the with-block that this had been answered too."""
        self.add(Answer(_ASSUMED, pair, verdict))
        try:
            yield
        finally:
            self.pop()

    def _count(self, answer: Answer, by: int) -> None:
        self.n_changes += 1
        if answer.verdict is not Verdict.UNSURE and answer.id >= 0:  # nobody gave an assumed one
            self.n_untrusted += by * (answer.weight < 1)
            self._people[answer.who] += by
            if not self._people[answer.who]:
                del self._people[answer.who]

    # -- the two rules -----------------------------------------------------------------------

    def _unite(self, i: int, j: int) -> tuple[int, ...]:
        """Merge two groups; return the neighbours that gained a "different" edge."""
        small, large = self._root(i), self._root(j)
        if self._size[small] > self._size[large]:
            small, large = large, small
        kept, gone = self._component[large], self._component[small]
        if len(self._edges.get(gone, _NOTHING)) > len(self._edges.get(kept, _NOTHING)):
            kept, gone = gone, kept
        before = self._component[large]
        self._parent[small] = large
        self._size[large] += self._size[small]
        self._component[large] = kept

        gone_edges = self._edges.pop(gone, None)
        kept_edges = self._edges.get(kept, _NOTHING)
        # Sorted: what follows must not depend on the order in which a set is walked.
        gained = tuple(sorted(c for c in gone_edges or () if c not in kept_edges))
        for c in gone_edges or ():
            self._edges[c].remove(gone)
        for c in gained:
            self._connect(kept, c)
        if gone in self._representative_of_component:
            self._representative_of_component[kept] = self._representative_of_component.pop(gone)
            representative_moved = True
        else:
            representative_moved = False
        self._steps.append(
            ("_part", small, large, before, kept, gone, gained, gone_edges, representative_moved)
        )
        return gained

    def _part(
        self,
        small: int,
        large: int,
        before: int,
        kept: int,
        gone: int,
        gained: tuple[int, ...],
        gone_edges: set[int] | None,
        representative_moved: bool,
    ) -> None:
        """Undo `_unite`."""
        if representative_moved:
            self._representative_of_component[gone] = self._representative_of_component.pop(kept)
        for c in gained:
            self._disconnect(kept, c)
        if gone_edges is not None:
            self._edges[gone] = gone_edges
            for c in gone_edges:
                self._edges.setdefault(c, set()).add(gone)
        self._component[large] = before
        self._size[large] -= self._size[small]
        self._parent[small] = small

    def _separate(self, i: int, j: int) -> None:
        """Draw a "different" edge between two groups."""
        a, b = self.component(i), self.component(j)
        self._connect(a, b)
        self._steps.append(("_disconnect", a, b))

    def _infer(self, touched: list[int]) -> None:
        """Add representatives and apply elimination, as far as the touched items are concerned."""
        queue = deque(touched)
        while queue:
            item = queue.popleft()
            component = self.component(item)
            if component in self._representative_of_component:
                continue
            known = self._edges.get(component, _NOTHING) & self._representative_of_component.keys()
            if len(known) == len(self.representatives):
                self._add_representative(item, component)
                if len(self.representatives) == self.n_groups:
                    # From now on elimination applies: look at every group that has an edge.
                    queue.extend(sorted(self._edges))
            elif len(self.representatives) == self.n_groups and len(known) == self.n_groups - 1:
                (last,) = self.open_representatives(item)
                one = Elimination(item, last, len(self.answers) - 1)
                self._explanations.eliminations.append(one)
                self._same.extend((item, last))
                self._steps.append(("_forget_elimination",))
                queue.extend(self._unite(item, last))

    def _forget_elimination(self) -> None:
        self._explanations.eliminations.pop()

    def _add_representative(self, item: int, component: int) -> None:
        self.representatives.append(item)
        self.found_at.append(len(self.answers))
        self._representative_of_component[component] = item
        self._steps.append(("_remove_representative", component))

    def _remove_representative(self, component: int) -> None:
        del self._representative_of_component[component]
        self.representatives.pop()
        self.found_at.pop()

    def _root(self, item: int) -> int:
        while self._parent[item] != item:
            item = self._parent[item]
        return item

    def _connect(self, a: int, b: int) -> None:
        self._edges.setdefault(a, set()).add(b)
        self._edges.setdefault(b, set()).add(a)

    def _disconnect(self, a: int, b: int) -> None:
        for here, there in ((a, b), (b, a)):
            self._edges[here].remove(there)
            if not self._edges[here]:
                del self._edges[here]
