"""Leases: who was handed which pair, so that no two people are asked the same at once.

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


class SteadyClock:
    """Seconds since 1970 that never go back: a clock set back must not prolong leases.

    While the machine's clock is behind what it has been, time goes on by the monotonic one.

    Parameters
    ----------
    wall, monotonic : callable
        The machine's two clocks; replaced in tests.

    Examples
    --------
    >>> hours = iter([7200.0, 3600.0])
    >>> clock = SteadyClock(wall=lambda: next(hours), monotonic=lambda: 0.0)
    >>> clock(), clock()
    (7200.0, 7200.0)
    """

    def __init__(
        self,
        *,
        wall: Callable[[], float] = time.time,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self._wall, self._monotonic = wall, monotonic
        self._ahead = -float("inf")  # of the monotonic clock

    def __call__(self) -> float:
        """Return the time."""
        passed = self._monotonic()
        self._ahead = max(self._ahead, self._wall() - passed)
        return self._ahead + passed


steady_time = SteadyClock()


@dataclass(frozen=True, slots=True)
class Lease:
    """A pair that is reserved for one person for a while.

    Parameters
    ----------
    pair : Pair
        The pair, smaller position first.
    who : str
        The person who has it alone.
    until : float
        When the lease ends, in seconds since 1970.
    """

    pair: Pair
    who: str
    until: float


class Leases(Protocol):
    """What a store can do about pairs that were handed out; the order within a pair is ignored.

    `seconds` must be above 0 and finite, else `AnswerError` is raised; `checked_pair` and
    `checked_seconds` are there for implementations.
    """

    def take(self, asked: Pair | Question, who: str, seconds: float) -> Lease | None:
        """Lease the pair to `who`; None if somebody else has it. Its holder keeps it longer."""

    def extend(self, asked: Pair | Question, who: str, seconds: float) -> bool:
        """Keep a pair for `seconds` from now; False when `who` no longer has it."""

    def release(self, asked: Pair | Question, who: str) -> None:
        """Give a pair back; nothing happens if `who` does not have it."""

    def held(self) -> list[Lease]:
        """Return all that run, smallest pair first; `ask(pending=...)` then leaves them alone."""


class MemoryLeases:
    """Leases among those who share one program.

    Parameters
    ----------
    clock : callable
        Returns the time in seconds since 1970, and never goes back.

    Examples
    --------
    >>> leases = MemoryLeases()
    >>> leases.take(Pair(4, 2), "Ada", seconds=60).pair
    Pair(i=2, j=4)
    >>> leases.take(Pair(2, 4), "Bob", seconds=60) is None
    True
    >>> leases.release(Pair(4, 2), "Ada")
    >>> leases.take(Pair(2, 4), "Bob", seconds=60).who
    'Bob'
    """

    def __init__(self, *, clock: Callable[[], float] = steady_time) -> None:
        self._clock = clock
        self._held: dict[Pair, Lease] = {}
        self._lock = Lock()

    def take(self, asked: Pair | Question, who: str, seconds: float) -> Lease | None:
        """Lease the pair to `who`; None if somebody else has it."""
        return self._lease(asked, who, seconds, free=True)

    def extend(self, asked: Pair | Question, who: str, seconds: float) -> bool:
        """Keep a pair for `seconds` from now; False when `who` no longer has it."""
        return self._lease(asked, who, seconds, free=False) is not None

    def release(self, asked: Pair | Question, who: str) -> None:
        """Give a pair back."""
        pair = checked_pair(asked)
        with self._lock:
            if pair in self._held and self._held[pair].who == who:
                del self._held[pair]

    def held(self) -> list[Lease]:
        """Return all that are running, smallest pair first."""
        now = self._clock()
        with self._lock:
            running = [lease for lease in self._held.values() if lease.until > now]
        return sorted(running, key=lambda lease: lease.pair)

    def _lease(
        self, asked: Pair | Question, who: str, seconds: float, *, free: bool
    ) -> Lease | None:
        """Lease a pair that `who` holds already or, with `free`, that nobody holds; else None."""
        pair, now = checked_pair(asked), self._clock()
        lease = Lease(pair, who, now + checked_seconds(seconds))
        with self._lock:
            found = self._held.get(pair)
            allowed = free if found is None or found.until <= now else found.who == who
            if not allowed:
                return None
            self._held[pair] = lease
        return lease


def checked_pair(asked: Pair | Question) -> Pair:
    """Return the pair that is asked about, smaller position first."""
    pair = asked.pair if isinstance(asked, Question) else asked
    return Pair(int(pair[0]), int(pair[1])).unordered


def checked_seconds(seconds: float) -> float:
    """Return how long a lease lasts, or raise `AnswerError` if it would not end or not begin."""
    if not 0 < seconds < float("inf"):
        raise AnswerError(f"a lease must last longer than 0 seconds but got {seconds}")
    return float(seconds)
