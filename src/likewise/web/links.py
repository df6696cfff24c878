"""Addresses to type into a browser."""

from __future__ import annotations

import socket
from urllib.parse import quote


def address(host: str, port: int) -> str:
    """Return the address of a server that listens at `host`.

    >>> address("::1", 8000)
    'http://[::1]:8000/'
    """
    if host in ("0.0.0.0", "::"):  # everywhere: named by what others call this computer
        host = socket.gethostname()
    shown = f"[{host}]" if ":" in host else host
    return f"http://{shown}:{port}/"


def link(address: str, token: str | None) -> str:
    """Return an address that carries a token, whatever characters that has.

    >>> link("http://127.0.0.1:8000", "1 € & more")
    'http://127.0.0.1:8000/?token=1%20%E2%82%AC%20%26%20more'
    """
    base = address.rstrip("/") + "/"
    return base if token is None else f"{base}?token={quote(token, safe='')}"
