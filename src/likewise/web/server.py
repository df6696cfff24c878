"""The server: where it listens, who may come, and opening the page."""

from __future__ import annotations

import ipaddress
import secrets
import socket
import sys
import threading
from collections.abc import Callable
from typing import Any

from likewise.errors import MethodError
from likewise.study import Study

_SWITCH_SECONDS = 0.0005  # seconds; Python's own 0.005 is felt when a request changes threads
_LOOPBACK_NAMES = ("localhost", "127.0.0.1", "::1")


def serve(
    study: Study,
    *,
    host: str = "127.0.0.1",
    port: int = 0,
    name: str = "",
    token: str | None = None,
    overlap: int = 1,
    lease_seconds: float = 60.0,
    open_browser: bool = True,
    on_start: Callable[[str], object] = lambda _: None,
) -> None:
    """Serve a study until Ctrl-C.

    Parameters
    ----------
    study
        The study; nobody else may write to it from this process while it is served.
    host
        Where to listen. On this computer alone (the default) no token is needed.
    port
        0 lets the system choose one.
    name
        What the page calls the study.
    token
        Demanded of everybody. When others can reach the server and none is given, one is made up.
    overlap
        How many people are asked about the same pair; at least 1.
    lease_seconds
        How long an offered question stays reserved for a person who does not ask for it again.
    open_browser
        Whether to open the page, if there is a browser.
    on_start
        Called with the address, which carries the token, before the first request.

    Raises
    ------
    MethodError
        If `overlap` is less than 1, or nothing can listen at `host` and `port`.
    """
    import uvicorn

    from likewise.web.app import create_app
    from likewise.web.header_timeout import HeaderTimeoutProtocol

    if overlap < 1:
        raise MethodError(f"overlap must be at least 1 but got {overlap}")
    alone = is_loopback(host)
    if token is None and not alone:
        token = secrets.token_urlsafe(24)
    listening = _listen(host, port)
    # Others may call this computer by any of its names; then the token is what protects it.
    hosts = {*_LOOPBACK_NAMES, host} if alone else None
    app = create_app(
        study,
        name=name,
        token=token,
        hosts=hosts,
        overlap=overlap,
        lease_seconds=lease_seconds,
        worker_process=True,
    )
    url = address(host, listening.getsockname()[1], token)
    settings: dict[str, Any] = {"log_level": "warning", "access_log": False, "server_header": False}
    limits: dict[str, Any] = {"timeout_keep_alive": 15, "limit_concurrency": 1000}
    server = uvicorn.Server(
        uvicorn.Config(app, lifespan="on", http=HeaderTimeoutProtocol, **limits, **settings)
    )
    # While one thread computes, the others must not wait long for their turn.
    sys.setswitchinterval(_SWITCH_SECONDS)
    on_start(url)
    if open_browser:
        _open_browser_soon(url)
    with listening:
        server.run(sockets=[listening])


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


def address(host: str, port: int, token: str | None = None) -> str:
    """Return what to type into a browser.

    >>> address("0.0.0.0", 8000, "secret").endswith(":8000/?token=secret")
    True
    """
    if host in ("0.0.0.0", "::"):  # everywhere: named by what others call this computer
        host = socket.gethostname()
    shown = f"[{host}]" if ":" in host else host
    return f"http://{shown}:{port}/" + ("" if token is None else f"?token={token}")


def _listen(host: str, port: int) -> socket.socket:
    """Return a socket that is bound to the address."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # The protocol is named: asyncio switches off the waiting for more to send only where it is.
    listening = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind((host, port))
    except (OSError, OverflowError) as error:
        listening.close()
        raise MethodError(
            f"the server cannot listen at {host}, port {port}: {error}; choose another --port"
        ) from error
    return listening


def _open_browser_soon(url: str) -> None:
    """Open the page once the server has had time to start; nothing happens without a browser."""
    import webbrowser

    timer = threading.Timer(0.8, webbrowser.open, [url])
    timer.daemon = True
    timer.start()
