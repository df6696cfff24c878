"""Disputes: answers that contradict earlier ones, each with the shortest chain that says otherwise.

What an answer contradicts was decided before it came, so an explanation holds for as long as the
answer stands: it is found once, when it is asked for.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from likewise.journal._proofs import LinkGraph
from likewise.journal.pairs import Answer, Verdict


@dataclass(frozen=True, slots=True)
class Dispute:
    """An answer that contradicts others, with the shortest chain of answers it contradicts.

    Parameters
    ----------
    answer : Answer
        The later one; it has no effect.
    chain : tuple of Answer
        Those from which the opposite follows.
    by_elimination : bool
        Whether the chain rests on the given number of groups: then that number may be wrong.
    """

    answer: Answer
    chain: tuple[Answer, ...]
    by_elimination: bool

    def describe(self, ids: Sequence[str]) -> str:
        """Return the contradiction in a sentence, by the ids of the items."""
        return self._sentence(
            self.answer.describe(ids), [answer.describe(ids) for answer in self.chain]
        )

    def __str__(self) -> str:
        return self._sentence(str(self.answer), [str(answer) for answer in self.chain])

    def _sentence(self, answer: str, chain: list[str]) -> str:
        known = " and the given number of groups" if self.by_elimination else ""
        return f"{answer} contradicts {', '.join(chain)}{known}; take one of them back"


@dataclass(frozen=True, slots=True)
class Elimination:
    """An item that belongs to a group because it differs from all the others.

    Parameters
    ----------
    item, representative : int
        The item, and the one that represents the group.
    position : int
        Of the answer that decided it, among all answers.
    """

    item: int
    representative: int
    position: int


class Explanations:
    """The disputed answers among others, and what each contradicts, found when it is asked for.

    Attributes
    ----------
    disputed : list of Answer
        Those that contradict earlier ones, oldest first.
    eliminations : list of Elimination
        What was concluded by elimination, oldest first.
    n_explained, n_looked_at : int
        How many disputes were ever explained, and how many links were looked at for that.
    """

    def __init__(self) -> None:
        self.disputed: list[Answer] = []
        self.eliminations: list[Elimination] = []
        self.n_explained = self.n_looked_at = 0
        self._positions = array("q")  # of the disputed, among all answers
        # By position, those that were asked for; the overruled apart.
        self._found: dict[int, Dispute] = {}
        self._found_overruled: dict[int, Dispute] = {}
        self._overruled: set[int] = set()  # positions of those that later answers contradict, too
        # The links of the first answers. Most studies are never asked to explain anything: until
        # then there are none.
        self._ends = array("q")
        self._differ = array("b")
        self._decided_by = array("q")  # the position of the answer
        self._rests_on = array("q")  # the same, or for an elimination -1 - its number
        self._n_answers_linked = 0
        self._n_eliminations_linked = 0

    def add(self, disputed: Answer, position: int, *, overruled: bool = False) -> None:
        """Take in a disputed answer; `position` is its place among all answers.

        One that is `overruled` contradicts what all the others say, not only those before it.
        """
        self.disputed.append(disputed)
        self._positions.append(position)
        if overruled:
            self._overruled.add(position)

    def truncate(self, n_answers: int) -> None:
        """Forget what came with answers after the first `n_answers`, eliminations excepted."""
        while self._positions and self._positions[-1] >= n_answers:
            position = self._positions.pop()
            self._overruled.discard(position)
            self._found.pop(position, None)
            self.disputed.pop()
        # What an overruled answer contradicts may be among those that go.
        self._found_overruled.clear()
        while self._decided_by and self._decided_by[-1] >= n_answers:
            self._decided_by.pop()
            self._n_eliminations_linked -= self._rests_on.pop() < 0
            self._differ.pop()
            del self._ends[-2:]
        self._n_answers_linked = min(self._n_answers_linked, n_answers)

    def disputes(
        self,
        answers: Sequence[Answer],
        n_items: int,
        representatives: Sequence[int],
        which: slice = slice(None),
    ) -> list[Dispute]:
        """Return `which` of the disputed among all `answers`, with what they contradict.

        `representatives` are items of the groups among which elimination chooses.
        """
        positions = self._positions[which]
        known = self._found | self._found_overruled
        new = [position for position in positions if position not in known]
        if new:
            self._link(answers)
            ends = np.array(self._ends, dtype=np.int64).reshape(-1, 2)
            graph = LinkGraph(n_items, ends, np.array(self._differ, dtype=bool))
            explain = _Explainer(graph, answers, self._rests_on, representatives)
            for position in new:
                overruled = position in self._overruled
                before = bisect_left(self._decided_by, position)
                one = explain(answers[position], len(self._decided_by) if overruled else before)
                (self._found_overruled if overruled else self._found)[position] = one
                known[position] = one
            self.n_explained += len(new)
            self.n_looked_at += graph.n_looked_at
        return [known[position] for position in positions]

    def _link(self, answers: Sequence[Answer]) -> None:
        """Tie the items of answers that came since the last time."""
        disputed = set(self._positions)
        waiting = self.eliminations[self._n_eliminations_linked :][::-1]
        for position in range(self._n_answers_linked, len(answers)):
            answer = answers[position]
            if answer.verdict is not Verdict.UNSURE and position not in disputed:
                differ = answer.verdict is Verdict.DIFFERENT
                self._tie(*answer.pair, differ, position, position)
            while waiting and waiting[-1].position == position:
                one = waiting.pop()
                self._n_eliminations_linked += 1
                number = -self._n_eliminations_linked
                self._tie(one.item, one.representative, False, position, number)
        self._n_answers_linked = len(answers)

    def _tie(self, a: int, b: int, differ: bool, position: int, rests_on: int) -> None:
        self._ends.extend((a, b))
        self._differ.append(differ)
        self._decided_by.append(position)
        self._rests_on.append(rests_on)


class _Explainer:
    """Finds out from which answers it follows that a disputed one is wrong."""

    def __init__(
        self,
        graph: LinkGraph,
        answers: Sequence[Answer],
        rests_on: Sequence[int],
        representatives: Sequence[int],
    ) -> None:
        self._graph, self._answers = graph, answers
        self._rests_on, self._representatives = rests_on, representatives

    def __call__(self, disputed: Answer, before: int) -> Dispute:
        """Return the dispute of an answer that came before the link with this number."""
        differ = disputed.verdict is Verdict.SAME
        proof = self._graph.shortest_proof(*disputed.pair, differ, before)
        answers = [answer for link in proof for answer in self._behind(link)]
        eliminated = any(self._rests_on[link] < 0 for link in proof)
        chain = {answer.id: answer for answer in answers}
        return Dispute(disputed, tuple(chain.values()), eliminated)

    def _behind(self, link: int) -> Iterator[Answer]:
        """Yield the answers a link rests on: its own, or those that rule out all other groups."""
        position = self._rests_on[link]
        if position >= 0:
            yield self._answers[position]
            return
        item, last = self._graph.ends_of(link)
        for representative in self._representatives:
            if representative != last:
                for step in self._graph.shortest_proof(item, representative, True, link):
                    yield from self._behind(step)
