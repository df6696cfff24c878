"""Servers on the network that are asked for something: addresses, keys, and waiting for them."""

from __future__ import annotations

import os
from urllib.parse import urlsplit

from likewise.errors import DataError

LONGEST_WAIT = 60.0  # seconds between two tries, whatever a server asks for
_OURS = ("localhost", "127.0.0.1", "::1")


def is_address(address: str) -> bool:
    """Return whether this is an http or https address with a host.

    >>> is_address("http://localhost:8000/v1"), is_address("localhost:8000")
    (True, False)
    """
    try:
        found = urlsplit(address)
        return bool(found.hostname) and found.scheme in ("http", "https")
    except ValueError:
        return False


def require_no_secret(address: str, variable: str) -> None:
    """Refuse an address that holds a password or a query; keys belong into the environment."""
    found = urlsplit(address)
    if found.username or found.password or found.query:
        raise DataError(
            f"the address of an endpoint must hold no password and no question mark; put the key "
            f"into the environment variable {variable}"
        )


def authorisation(address: str, variable: str) -> dict[str, str]:
    """Return the header with the key, if there is one; it never crosses the network in the clear.

    Parameters
    ----------
    address : str
        Where it is sent.
    variable : str
        The environment variable that holds the key.
    """
    key = os.environ.get(variable)
    if not key:
        return {}
    found = urlsplit(address)
    if found.scheme != "https" and found.hostname not in _OURS:
        raise DataError(
            f"the key in {variable} would cross the network unencrypted; use an https address, or "
            "unset the variable"
        )
    try:
        key.encode("ascii")
    except UnicodeEncodeError as error:
        raise DataError(f"the key in {variable} holds letters that no key has") from error
    return {"Authorization": f"Bearer {key}"}


def remedy(status: int, variable: str) -> str:
    """Return what to do about a refusal, as the end of a sentence."""
    if status in (401, 403):
        return f"; put a valid key into the environment variable {variable}"
    if status == 404:
        return "; check the address, which usually ends in /v1, and the name of the model"
    return "; check the address and the name of the model"


def wished_wait(header: str | None, otherwise: float) -> float:
    """Return the seconds that a server asks to wait.

    >>> wished_wait("2", 1.0), wished_wait(None, 1.0)
    (2.0, 1.0)
    """
    try:
        wished = max(0.0, float(header or ""))
    except ValueError:
        return otherwise
    return wished if wished == wished else otherwise
