"""Addresses: those that only this computer can reach, and those to type into a browser."""

from __future__ import annotations

import ipaddress
import socket
from urllib.parse import quote

LOOPBACK_NAMES = ("localhost", "127.0.0.1", "::1")


def is_loopback(host: str) -> bool:
    """Return whether only programs on this computer can reach the address.

    >>> is_loopback("127.0.0.1"), is_loopback("localhost"), is_loopback("0.0.0.0")
    (True, True, False)
    """
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


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
