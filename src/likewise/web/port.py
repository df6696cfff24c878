"""The port of a study: the same every time, so that a page left open finds its server again.

A browser keeps what belongs to a page, such as answers that wait, by address and port.
"""

from __future__ import annotations

import hashlib
import socket
from collections.abc import Callable

from likewise.errors import MethodError

# Below what systems give to outgoing connections, above what most services are at.
_FIRST, _LAST = 20_000, 32_000


def own_port(identity: str) -> int:
    """Return the port of the study with this identity.

    >>> own_port("0123456789abcdef") == own_port("0123456789abcdef")
    True
    """
    digest = hashlib.blake2b(identity.encode(), digest_size=8).digest()
    return _FIRST + int.from_bytes(digest) % (_LAST - _FIRST)


def listen_for(
    identity: str, host: str, port: int | None, on_note: Callable[[str], object]
) -> socket.socket:
    """Return a socket at `port`; None is the port of the study with this identity.

    If that one is taken the system chooses another, and `on_note` is called with a sentence.
    """
    if port is not None:
        return _listen(host, port)
    own = own_port(identity)
    try:
        return _listen(host, own)
    except MethodError:
        listening = _listen(host, 0)
        on_note(
            f"port {own}, which is this pile's own, is taken by another program; the page is at "
            f"port {listening.getsockname()[1]} this time, and answers that wait in a browser "
            "are sent when it is at its own again"
        )
        return listening


def _listen(host: str, port: int) -> socket.socket:
    """Return a socket that listens at the address; port 0 lets the system choose one."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # The protocol is named: asyncio switches off the waiting for more to send only where it is.
    listening = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind((host, port))
        listening.listen()  # whoever follows the link at once waits, and is not turned away
    except (OSError, OverflowError) as error:
        listening.close()
        raise MethodError(
            f"the server cannot listen at {host}, port {port}: {error}; choose another --port"
        ) from error
    return listening
