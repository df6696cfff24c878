"""Which answered pairs are asked of somebody else: to settle doubts, and to check people."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator

import numpy as np

from likewise.journal.pairs import Pair
from likewise.quality.unsettled import unknown_programs
from likewise.study import Study
from likewise.web.people.opinions import Opinions
from likewise.web.people.routing import Routing

WORTH_IT = 0  # in place of a fixed number of people for each pair
_COMPARED = 5  # answers of everybody that are compared with others' before anything else
_MOST = 50  # doubtful pairs, the worst ones, that are looked at
_SHARE = 20  # of the answers, that must be new before doubts are judged again


class Checks:
    """Chooses answered pairs that somebody else should see.

    What only programs have answered people see where that is worth it, whatever the overlap:
    otherwise nobody would know how often a program errs.

    Parameters
    ----------
    overlap
        How many people are asked about each pair; `WORTH_IT` asks another where what is
        believed is doubtful, and until a few answers of everybody were compared.
    gold_every
        Among so many questions of a person is one whose answer is known; 0: none.
    routing
        Whose opinion settles what.
    """

    def __init__(self, *, overlap: int, gold_every: int, routing: Routing) -> None:
        self.overlap, self.gold_every, self._routing = overlap, gold_every, routing
        self._version = self._n_judged = -1
        self._doubtful: dict[Pair, None] = {}
        self._gold: frozenset[Pair] = frozenset()
        self._programs: frozenset[str] = frozenset()
        self._unknown_programs: frozenset[str] = frozenset()

    def follow(self, study: Study, version: int) -> None:
        """Take in the answers of a version of the dispatcher."""
        if version == self._version:
            return
        self._version = version
        n = study.n_answers
        # Many people answer while one looks: what is doubtful changes little with each answer.
        if self._n_judged <= n < self._n_judged + n // _SHARE:
            return
        self._n_judged = n
        answers = study.answers
        self._gold = frozenset(one.pair.unordered for one in answers if one.is_gold)
        self._programs = frozenset(one.who for one in answers if one.by_program and not one.is_gold)
        self._unknown_programs = frozenset(unknown_programs(study))
        self._doubtful = {}
        wanted = self.overlap == WORTH_IT or self._programs
        if wanted and len({one.who for one in answers}) > 1:
            doubts = study.doubts()
            self._routing.follow(doubts)
            self._doubtful = {doubts.pairs[k].unordered: None for k in doubts.doubtful[:_MOST]}

    def is_gold(self, pair: Pair) -> bool:
        """Return whether the answer about this pair is known; nobody is told."""
        return pair.unordered in self._gold

    def pairs_for(self, who: str, opinions: Opinions, seed: int) -> Iterator[Pair]:
        """Yield the answered pairs that this person is to see before anything new."""
        if self._gold and self.gold_every:
            yield from self._gold_for(who, opinions, seed)
        if self.overlap == WORTH_IT or self._programs:
            yield from self._second_opinions(who, opinions)
        if self.overlap > 1:
            yield from self._unseen(who, opinions, fewer_than=self.overlap)

    def is_wanted(self, pair: Pair, who: str, opinions: Opinions) -> bool:
        """Return whether it makes sense to ask this person about an answered pair."""
        said = opinions.about(pair)
        if who in said or not said:
            return False
        if len(said) < self.overlap or self.is_gold(pair):
            return True
        if pair.unordered in self._doubtful and self._may_check(who, said):
            return True
        compared = self._compared_by(who, opinions)
        return compared is None or compared.issuperset(said)

    def _may_check(self, who: str, said: Iterable[str]) -> bool:
        """Return whether this person gives second opinions on what these have said."""
        if self.overlap == WORTH_IT:
            return True
        return who not in self._programs and self._programs.issuperset(said)

    def _compared_by(self, who: str, opinions: Opinions) -> frozenset[str] | None:
        """Return whose answers this person is to be compared with; None for everybody's.

        Everybody is while too little is known of them, where opinions are asked for; and people
        answer what a program has, while too little is known of that.
        """
        if self.overlap == WORTH_IT and self._is_unknown(who, opinions):
            return None
        return frozenset() if who in self._programs else self._unknown_programs

    def _gold_for(self, who: str, opinions: Opinions, seed: int) -> Iterator[Pair]:
        """Yield a known pair where it is due: at a place that changes from block to block."""
        mine = opinions.n_pairs(who)
        seen = sum(who in opinions.about(pair) for pair in self._gold)
        block, place = divmod(mine, self.gold_every)
        rng = np.random.default_rng([seed, block, *who.encode()])
        if seen > block or place < rng.integers(self.gold_every):
            return
        left = sorted(pair for pair in self._gold if who not in opinions.about(pair))
        for k in rng.permutation(len(left)).tolist():
            # The order of the two must not tell a known pair from another.
            i, j = left[k]
            yield Pair(i, j) if rng.random() < 0.5 else Pair(j, i)

    def _second_opinions(self, who: str, opinions: Opinions) -> Iterator[Pair]:
        """Yield what is doubtful; and others' pairs while somebody is to be compared."""
        # Every other question, so that what is new goes on meanwhile.
        if opinions.n_pairs(who) % 2 == 0:
            yield from self._unseen(who, opinions, only_by=self._compared_by(who, opinions))
        for pair in self._doubtful:
            said = opinions.about(pair)
            if who in said or not self._may_check(who, said):
                continue
            if self._routing.settles(who, len(said)):
                yield pair

    def _unseen(
        self,
        who: str,
        opinions: Opinions,
        *,
        fewer_than: int | None = None,
        only_by: Collection[str] | None = None,
    ) -> Iterator[Pair]:
        """Yield what others have answered; known answers come in their own time."""
        for pair in opinions.unseen_by(who, fewer_than=fewer_than, only_by=only_by):
            if not (self.gold_every and self.is_gold(pair)):
                yield pair

    def _is_unknown(self, who: str, opinions: Opinions) -> bool:
        """Return whether too few of somebody's answers can be compared with others'."""
        return opinions.n_compared(who) < _COMPARED
