"""What calls to a paid program cost: noted before each is made, so that no limit is exceeded."""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass
from math import inf, isfinite
from threading import Lock

from likewise.errors import CostLimit, MethodError

_MILLION = 1e6
_TABLE = (
    "calls (id INTEGER PRIMARY KEY, study TEXT, who TEXT, cost REAL, sent INTEGER, "
    "received INTEGER)"
)


@dataclass(frozen=True)
class TokenPrice:
    """What a language model costs.

    Parameters
    ----------
    sent, received : float
        Money per million tokens that are sent, and that come back.
    answer : float
        Money per answer; where this is given tokens cost nothing.

    Examples
    --------
    >>> TokenPrice.of((0.15, 0.6)).cost(1_000_000, 500_000, 20)
    0.45
    >>> TokenPrice.of(0.01).cost(1_000_000, 500_000, 20)
    0.2
    """

    sent: float = 0.0
    received: float = 0.0
    answer: float = 0.0

    def __post_init__(self) -> None:
        for amount in (self.sent, self.received, self.answer):
            if not (amount >= 0 and isfinite(amount)):
                raise MethodError(f"a price must be at least 0 but got {amount}")

    @classmethod
    def of(cls, price: float | tuple[float, float] | TokenPrice) -> TokenPrice:
        """Return what is meant: money per answer, or per million tokens sent and received."""
        if isinstance(price, TokenPrice):
            return price
        amounts = price if isinstance(price, tuple | list) else (price,)
        try:
            each = [float(one) for one in amounts]
        except (TypeError, ValueError):
            each = []
        match each:
            case [answer] if amounts is not price:
                return cls(answer=answer)
            case [sent, received]:
                return cls(sent=sent, received=received)
        raise MethodError(
            f"a price is one amount per answer, or two per million tokens sent and received, but "
            f"got {price!r}"
        )

    @property
    def is_free(self) -> bool:
        """Whether nothing costs anything."""
        return not (self.sent or self.received or self.answer)

    def cost(self, sent: float, received: float, answers: int) -> float:
        """Return what a call costs, by its tokens and the answers asked for."""
        tokens = (sent * self.sent + received * self.received) / _MILLION
        return tokens + answers * self.answer


class Ledger:
    """The calls that one answerer has made for one study, kept on the disk as they are made.

    A call is noted at the most it can cost before it is made, and at what it did cost afterwards.
    Whatever kills the program in between, the limit holds: a call of which nobody knows what became
    counts in full.

    Parameters
    ----------
    database : sqlite3.Connection
        Where calls are kept; used by one thread at a time.
    study, who : str
        Whose calls these are.
    limit : float, optional
        The money that all of them together may cost.

    Examples
    --------
    >>> ledger = Ledger(sqlite3.connect(":memory:"), "s", "m", limit=1.0)
    >>> call = ledger.reserve(0.9)
    >>> ledger.settle(call, 0.4, 100, 10)
    >>> ledger.spent
    0.4
    """

    def __init__(
        self, database: sqlite3.Connection, study: str, who: str, limit: float | None = None
    ) -> None:
        self.study, self.who, self.limit = study, who, limit
        self._database, self._lock = database, Lock()
        with database:
            database.execute(f"CREATE TABLE IF NOT EXISTS {_TABLE}")
        self._spent = self._summed()

    @property
    def spent(self) -> float:
        """What the calls so far have cost, those of earlier days too."""
        return self._spent

    def read(self) -> float:
        """Return what the calls have cost by now, also those that others have noted."""
        with self._lock:
            self._spent = self._summed()
        return self._spent

    @property
    def left(self) -> float:
        """What may still be spent; infinite without a limit."""
        return inf if self.limit is None else max(0.0, round(self.limit - self.spent, 9))

    def reserve(self, most: float) -> int:
        """Note a call that is about to be made and may cost so much; return its number.

        Raises
        ------
        CostLimit
            If the limit could be exceeded; then it must not be made.
        """
        with self._lock:
            if self.limit is not None and self.spent + most > self.limit + 1e-9:
                raise CostLimit(
                    f"the next call may cost up to {most:.4g}, and of {self.limit:g} there "
                    f"are {self.left:.4g} left; allow more to go on"
                )
            row = (self.study, self.who, most, 0, 0)
            with self._database:
                made = self._database.execute(
                    "INSERT INTO calls (study, who, cost, sent, received) VALUES (?, ?, ?, ?, ?)",
                    row,
                )
            self._spent += most
            assert made.lastrowid is not None
            return made.lastrowid

    def settle(self, call: int, cost: float, sent: int, received: int) -> None:
        """Note what a call has cost, and its tokens."""
        with self._lock, self._database:
            self._database.execute(
                "UPDATE calls SET cost = ?, sent = ?, received = ? WHERE id = ?",
                (cost, sent, received, call),
            )
            self._spent = self._summed()

    def release(self, call: int) -> None:
        """Forget a call that was refused, and so was not paid."""
        with self._lock, self._database:
            self._database.execute("DELETE FROM calls WHERE id = ?", (call,))
            self._spent = self._summed()

    def _summed(self) -> float:
        query = "SELECT TOTAL(cost) FROM calls WHERE study = ? AND who = ?"
        return float(self._database.execute(query, (self.study, self.who)).fetchone()[0])
