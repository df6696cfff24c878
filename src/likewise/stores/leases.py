"""Leases: who is looking at which pair, so that no two people are asked the same at once.

A lease ends by itself when its time is over, unless it is extended before: whoever closes the
window without a word blocks nobody.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from threading import Lock
from typing import Protocol

from likewise.errors import AnswerError
from likewise.journal.pairs import Pair, Question


@dataclass(frozen=True, slots=True)
class Lease:
    """`who` has `pair` (smaller position first) alone `until` then, in seconds since 1970."""

    pair: Pair
    who: str
    until: float


class Leases(Protocol):
    """What a store can do about pairs that were handed out; the order within a pair is ignored."""

    def take(self, asked: Pair | Question, who: str, seconds: float) -> Lease | None:
        """The pair for `who`, None if somebody else has it; who has it already keeps it longer."""

    def extend(self, asked: Pair | Question, who: str, seconds: float) -> bool:
        """Keep a pair for `seconds` from now; False when `who` no longer has it."""

    def release(self, asked: Pair | Question, who: str) -> None:
        """Give a pair back; nothing happens if `who` does not have it."""

    def held(self) -> list[Lease]:
        """All that run, smallest pair first; with `ask(pending=...)` their pairs are left alone."""


class MemoryLeases:
    """Leases among those who share one program.

    >>> leases = MemoryLeases()
    >>> leases.take(Pair(4, 2), "Ada", seconds=60).pair
    Pair(i=2, j=4)
    >>> leases.take(Pair(2, 4), "Bob", seconds=60) is None
    True
    >>> leases.release(Pair(4, 2), "Ada")
    >>> leases.take(Pair(2, 4), "Bob", seconds=60).who
    'Bob'
    """

    def __init__(self, *, clock: Callable[[], float] = time.time) -> None:
        self._clock = clock
        self._held: dict[Pair, Lease] = {}
        self._lock = Lock()

    def take(self, asked: Pair | Question, who: str, seconds: float) -> Lease | None:
        """The pair for `who`, None if somebody else has it."""
        pair, now = pair_of(asked), self._clock()
        lease = Lease(pair, who, now + lasting(seconds))
        with self._lock:
            found = self._held.get(pair)
            if found is not None and found.who != who and found.until > now:
                return None
            self._held[pair] = lease
        return lease

    def extend(self, asked: Pair | Question, who: str, seconds: float) -> bool:
        """Keep a pair for `seconds` from now; False when `who` no longer has it."""
        pair, now = pair_of(asked), self._clock()
        lease = Lease(pair, who, now + lasting(seconds))
        with self._lock:
            found = self._held.get(pair)
            if found is None or found.who != who or found.until <= now:
                return False
            self._held[pair] = lease
        return True

    def release(self, asked: Pair | Question, who: str) -> None:
        """Give a pair back."""
        pair = pair_of(asked)
        with self._lock:
            if pair in self._held and self._held[pair].who == who:
                del self._held[pair]

    def held(self) -> list[Lease]:
        """All that are running, smallest pair first."""
        now = self._clock()
        with self._lock:
            running = [lease for lease in self._held.values() if lease.until > now]
        return sorted(running, key=lambda lease: lease.pair)


def pair_of(asked: Pair | Question) -> Pair:
    pair = asked.pair if isinstance(asked, Question) else asked
    return Pair(int(pair[0]), int(pair[1])).unordered


def lasting(seconds: float) -> float:
    if not 0 < seconds < float("inf"):
        raise AnswerError(f"a lease must last longer than 0 seconds but got {seconds}")
    return float(seconds)
