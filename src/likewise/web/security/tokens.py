"""Tokens: what may be one, and how many wrong ones are heard."""

from __future__ import annotations

import secrets
import time
from collections import deque
from collections.abc import Callable

from likewise.errors import MethodError

_LONGEST = 256  # characters
_MOST_PER_ADDRESS, _MOST = 10, 100  # wrong tokens a minute
_MINUTE = 60.0


def new_token() -> str:
    """Return a token that nobody can guess."""
    return secrets.token_urlsafe(24)


def require_token(token: str, source: str = "the token") -> str:
    """Return a token that can be used as it is.

    Parameters
    ----------
    token
        The token; any text that a header can carry.
    source
        Where it comes from, for the sentence.

    Raises
    ------
    MethodError
        If it is empty, too long, or cannot be sent.
    """
    if not token.strip():
        raise MethodError(
            f"{source} is empty, perhaps because a variable is not set; give a token, or leave it "
            "out and one is made up"
        )
    if token != token.strip() or not token.isprintable():
        raise MethodError(
            f"{source} must be one line without blanks around it; give another, or leave it out"
        )
    if len(token) > _LONGEST:
        raise MethodError(f"{source} must have at most {_LONGEST} characters, not {len(token)}")
    return token


class WrongTokens:
    """Counts wrong tokens, by address and altogether.

    Whoever can make it look as if every guess came from another address has no more than a hundred
    guesses a minute.

    Parameters
    ----------
    clock
        Monotonic seconds; replaced in tests.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._latest: deque[tuple[float, str]] = deque()

    def too_many(self, address: str) -> bool:
        """Return whether no more tokens are heard from this address for now."""
        while self._latest and self._clock() - self._latest[0][0] > _MINUTE:
            self._latest.popleft()
        here = sum(one == address for _, one in self._latest)
        return here >= _MOST_PER_ADDRESS or len(self._latest) >= _MOST

    def add(self, address: str) -> None:
        """Count one more."""
        self._latest.append((self._clock(), address))
