"""What A3S does with clusters, one task at a time: merge, test, purify, check, settle.

A task asks a few questions and changes the clusters by the verdicts. It may call for others that
are to be carried out before all else.
"""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from likewise.clusterers.dialogue._led_clusters import LedClusters
from likewise.clusterers.dialogue._pair_probabilities import PairProbabilities
from likewise.clusterers.dialogue.base import Step
from likewise.clusterers.dialogue.cobras import closest_first
from likewise.clusterers.links import Labels

_DOUBTFUL = 0.6  # how far down the ranking, by likeness to the leader, the member asked about is
_MOST_EJECTED = 2  # members that differ from their leader: then the cluster is taken for mixed
_MOST_PARTS = 3  # of a mixed cluster
_MOST_LOCAL = 20  # questions by which a cluster is purified
_MOST_ELSEWHERE = 3  # other clusters that an item is asked about when it differs from its own

Verdicts = npt.NDArray[np.bool_]
Parts = dict[int, list[int]]  # leaders, and who is known to be the same
Comparison = Generator[Step, Verdicts, bool]


@dataclass(frozen=True)
class Repair:
    """Clusters under repair; tasks change them."""

    pairs: PairProbabilities
    clusters: LedClusters
    min_compactness: float  # from which a cluster needs no test

    def same(self, i: int, j: int) -> Comparison:
        """Ask whether two items are the same; remember if not."""
        verdict = bool((yield Step(np.array([[i, j]])))[0])
        if not verdict:
            self.clusters.note_different(i, j)
        return verdict

    def by_likeness(self, leader: int) -> Labels:
        """Return the other members of a cluster, the likeliest the same as its leader first."""
        others = self.clusters.members(leader)
        others = others[others != leader]
        chance = self.pairs.between(others, np.array([leader]))[:, 0]
        return np.asarray(others[np.argsort(-chance, kind="stable")])


Talk = Generator[Step, Verdicts, "tuple[Task, ...]"]


class Merge(NamedTuple):
    """Ask whether two clusters are one, once both are known to be pure."""

    a: int  # leaders, when the task was planned
    b: int

    def carry_out(self, repair: Repair) -> Talk:
        """Test what is untested, then compare the leaders."""
        clusters = repair.clusters
        a, b = clusters.leader_of[[self.a, self.b]].tolist()
        if a == b:
            return ()
        if untested := {a, b} - clusters.pure:
            return (*map(ProvePurity, sorted(untested)), self)
        if (yield from repair.same(a, b)):
            clusters.merge(a, b)
        return ()


class Attach(NamedTuple):
    """Ask whether a cluster, too small for a test, belongs to another one."""

    a: int
    b: int

    def carry_out(self, repair: Repair) -> Talk:
        """Compare the leaders."""
        a, b = repair.clusters.leader_of[[self.a, self.b]].tolist()
        if a != b and (yield from repair.same(b, a)):
            repair.clusters.merge(b, a)
        return ()


class ProvePurity(NamedTuple):
    """Find out whether a cluster is of one kind."""

    leader: int

    def carry_out(self, repair: Repair) -> Talk:
        """Ask about doubtful members unless the cluster is compact."""
        clusters, leader = repair.clusters, self.leader
        clusters.mark_pure(leader)
        if repair.pairs.compactness(clusters.members(leader)) > repair.min_compactness:
            return ()
        ejected: list[int] = []
        while len(ejected) < _MOST_EJECTED:
            others = repair.by_likeness(leader)
            if not len(others):
                return ()
            member = int(others[int(_DOUBTFUL * len(others))])
            if (yield from repair.same(leader, member)):
                clusters.move([member], leader, confirmed=True)
                return ()
            clusters.move([member], member, confirmed=True)
            ejected.append(member)
        return (Purify(leader, tuple(ejected)),)


class Purify(NamedTuple):
    """Take a mixed cluster apart."""

    leader: int
    ejected: tuple[int, ...]  # members that differ from the leader

    def carry_out(self, repair: Repair) -> Talk:
        """Place some members by asking, the others by their likeness to those.

        Members to ask about are taken evenly from the whole ranking by likeness to the leader.
        """
        others = repair.by_likeness(self.leader)
        some = np.linspace(len(others) - 1, 0, min(_MOST_LOCAL, len(others))).astype(np.int64)
        parts = {self.leader: [self.leader], self.ejected[0]: [self.ejected[0]]}
        n_asked = 0
        for item in (*self.ejected[1:], *others[some].tolist()):
            if n_asked >= _MOST_LOCAL:
                break
            n_asked += yield from self._place(repair, item, parts)
        self._place_by_likeness(repair, parts)
        repair.clusters.mark_pure(*parts)
        return ()

    def _place(self, repair: Repair, item: int, parts: Parts) -> Generator[Step, Verdicts, int]:
        """Ask where an item belongs, likeliest part first; return how often that was."""
        alone = np.array([item])
        odds = {
            leader: float(repair.pairs.odds_between(alone, np.array(part))[0])
            for leader, part in parts.items()
        }
        order = sorted(parts, key=lambda leader: -round(odds[leader], 6))
        for n_asked, leader in enumerate(order, start=1):
            if (yield from repair.same(leader, item)):
                parts[leader].append(item)
                repair.clusters.move([item], leader, confirmed=True)
                return n_asked
        if len(parts) < _MOST_PARTS:
            parts[item] = [item]
        repair.clusters.move([item], item, confirmed=True)
        return len(order)

    def _place_by_likeness(self, repair: Repair, parts: Parts) -> None:
        """Put everybody who was not asked about where the log odds are best."""
        rest = repair.clusters.members(self.leader)
        rest = rest[~repair.clusters.confirmed[rest]]
        odds = [repair.pairs.odds_between(rest, np.array(part)) for part in parts.values()]
        best = np.argmax(np.round(odds, 6), axis=0)
        for number, leader in enumerate(parts):
            repair.clusters.move(rest[best == number], leader, confirmed=False)


class Check(NamedTuple):
    """Find out whether an item is in the right cluster, and if not in which."""

    item: int

    def carry_out(self, repair: Repair) -> Talk:
        """Ask about its own leader, then about those of the likeliest other clusters."""
        clusters, item = repair.clusters, self.item
        own = int(clusters.leader_of[item])
        if clusters.confirmed[item]:
            return ()
        others = repair.pairs.likeliest(item, clusters.leader_of)
        elsewhere = [leader for leader in others.tolist() if leader != own][:_MOST_ELSEWHERE]
        for leader in (own, *elsewhere):
            if (yield from repair.same(leader, item)):
                clusters.move([item], leader, confirmed=True)
                return ()
        clusters.move([item], item, confirmed=True)
        return ()


class Settle(NamedTuple):
    """Compare a leader with all others, the nearest first."""

    leader: int

    def carry_out(self, repair: Repair) -> Talk:
        """Ask whatever is still open; what is the same has the same name from then on."""
        leaders = np.unique(repair.clusters.leader_of)
        alone = np.array([self.leader])
        yield Step(closest_first(repair.pairs.X, alone, leaders[leaders != self.leader]))
        return ()


Task = Merge | Attach | ProvePurity | Purify | Check | Settle
