"""The server: where it listens, who may come, and opening the page."""

from __future__ import annotations

import gc
import socket
import sys
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from likewise.errors import MethodError
from likewise.study import Study
from likewise.web.address import LOOPBACK_NAMES, address, is_loopback, link
from likewise.web.port import listen_for

if TYPE_CHECKING:
    import uvicorn

    from likewise.answerers import LanguageModel
    from likewise.web.growth import WatchedPile
    from likewise.web.people.names import People

_SWITCH_SECONDS = 0.0005  # seconds; Python's own 0.005 is felt when a request changes threads


def serve(
    study: Study,
    *,
    host: str = "127.0.0.1",
    port: int | None = 0,
    name: str = "",
    token: str | None = None,
    access_file: Path | None = None,
    demand_token: bool = True,
    invite: Sequence[str] = (),
    trusted_hosts: Sequence[str] = (),
    proxies: Sequence[str] = (),
    overlap: int = 1,
    gold_every: int = 0,
    prices: Mapping[str, float] = MappingProxyType({}),
    lease_seconds: float = 60.0,
    pile: WatchedPile | None = None,
    guest: LanguageModel | None = None,
    open_browser: bool = True,
    on_start: Callable[[str], object] = lambda _: None,
    on_note: Callable[[str], object] = lambda _: None,
    on_invite: Callable[[str, str], object] = lambda _name, _link: None,
) -> None:
    """Serve a study until Ctrl-C.

    Parameters
    ----------
    study
        The study; nobody else may write to it from this process while it is served.
    host
        Where to listen; by default on this computer alone.
    port
        0 lets the system choose one. None is the study's own, the same every time, so that answers
        that wait in a browser find it; if another program is there, the system chooses.
    name
        What the page calls the study.
    token
        The owner's token, demanded of everybody who was not invited. None takes the one that
        `access_file` keeps, or makes one up.
    access_file
        A private file that keeps tokens across restarts; made if there is none.
    demand_token
        False lets in whoever can reach the server; only on this computer.
    invite
        Names of people who get links of their own: they can answer, and not more.
    trusted_hosts
        Names, with a port if it is not the usual one, under which a proxy offers the page.
    proxies
        Addresses of proxies, which are believed when they say where a request comes from.
    overlap
        How many people are asked about the same pair; 0 asks somebody else where what is believed
        is doubtful.
    gold_every
        Among so many questions of a person is one whose answer is known (`exchange.import_gold`);
        0: none.
    prices
        What an answer of each person costs, of whoever is not named nothing: easy questions go to
        those who cost least.
    lease_seconds
        How long an offered question stays reserved for a person who does not ask for it again.
    pile
        What is read again when it has grown; None: the study keeps to its items.
    guest
        A language model that the owner may let answer in the background.
    open_browser
        Whether to open the page, if there is a browser.
    on_start
        Called with the owner's link before the first request.
    on_invite
        Called with the name and the link of everybody who was invited, now or earlier.
    on_note
        Called with a sentence when the study's own port is taken.

    Raises
    ------
    MethodError
        If `overlap` or `gold_every` is below 0, the token cannot be used or is not demanded of
        other computers, or nothing can listen at `host` and `port`.
    StoreError
        If other users could read the `access_file`.
    """
    offered = offer(
        study,
        host=host,
        port=port,
        name=name,
        token=token,
        access_file=access_file,
        demand_token=demand_token,
        invite=invite,
        trusted_hosts=trusted_hosts,
        proxies=proxies,
        overlap=overlap,
        gold_every=gold_every,
        prices=prices,
        lease_seconds=lease_seconds,
        pile=pile,
        guest=guest,
        on_note=on_note,
    )
    run(offered, open_browser=open_browser, on_start=on_start, on_invite=on_invite)


@dataclass(frozen=True)
class Offered:
    """An application that is ready to be served.

    Attributes
    ----------
    app : FastAPI
        Of a study.
    listening : socket
        Where it is reached.
    link : str
        The owner's.
    invited : mapping of str to str
        The links of everybody who was invited, now or earlier, by name.
    """

    app: Any
    listening: socket.socket
    link: str
    invited: Mapping[str, str]


def offer(
    study: Study,
    *,
    host: str,
    port: int | None,
    name: str,
    token: str | None,
    access_file: Path | None,
    demand_token: bool,
    invite: Sequence[str],
    trusted_hosts: Sequence[str],
    proxies: Sequence[str],
    overlap: int,
    gold_every: int,
    prices: Mapping[str, float],
    lease_seconds: float,
    pile: WatchedPile | None,
    guest: LanguageModel | None,
    on_note: Callable[[str], object],
) -> Offered:
    """Get a study ready to be served; parameters are those of `serve`."""
    from likewise.web.app import create_app
    from likewise.web.security import Access

    for what, number in (("overlap", overlap), ("gold_every", gold_every)):
        if number < 0:
            raise MethodError(f"{what} must be at least 0 but got {number}")
    alone = is_loopback(host)
    if not demand_token:
        _require_alone(host, token)
    access = Access(token=token, path=access_file) if demand_token else None
    # Others may call this computer by any of its names; then the token is what protects it.
    hosts = {*LOOPBACK_NAMES, host} if alone or trusted_hosts else None
    app = create_app(
        study,
        name=name,
        access=access,
        hosts=hosts,
        trusted_hosts=trusted_hosts,
        proxies=proxies,
        shared=not alone or bool(trusted_hosts or invite),
        overlap=overlap,
        gold_every=gold_every,
        prices=prices,
        lease_seconds=lease_seconds,
        worker_process=True,
        pile=pile,
        guest=guest,
        # Whoever may have files written here must be the user of this computer, beyond doubt.
        sorts_beside=pile.path if pile and alone and access and not trusted_hosts else None,
    )
    people: People = app.state.service.people
    for one in invite:
        people.invite(one)
    listening = listen_for(study.identity, host, port, on_note)
    outside = address(host, listening.getsockname()[1])
    if trusted_hosts:
        outside = f"{'https' if proxies else 'http'}://{trusted_hosts[0]}/"
    return Offered(
        app,
        listening,
        link(outside, None if access is None else access.token),
        {one: link(outside, theirs) for one, theirs in people.invited.items()},
    )


def run(
    offered: Offered,
    *,
    open_browser: bool,
    on_start: Callable[[str], object],
    on_invite: Callable[[str, str], object],
) -> None:
    """Serve what is ready until Ctrl-C; parameters are those of `serve`."""
    server = make_server(offered.app)
    on_start(offered.link)
    for one, theirs in offered.invited.items():
        on_invite(one, theirs)
    if open_browser:
        open_browser_soon(offered.link)
    with offered.listening:
        server.run(sockets=[offered.listening])


def make_server(app: Any) -> uvicorn.Server:
    """Return a server for an application, with the limits that all of ours have."""
    import uvicorn

    from likewise.web.security.header_timeout import HeaderTimeoutProtocol

    settings: dict[str, Any] = {"log_level": "warning", "access_log": False, "server_header": False}
    settings["proxy_headers"] = False  # the middleware knows whom to believe, uvicorn does not
    limits: dict[str, Any] = {"timeout_keep_alive": 15, "limit_concurrency": 1000}
    # While one thread computes, the others must not wait long for their turn.
    sys.setswitchinterval(_SWITCH_SECONDS)
    # What is loaded by now stays: to walk through all of it again and again would hold everybody up
    # for a tenth of a second each time.
    gc.collect()
    gc.freeze()
    return uvicorn.Server(
        uvicorn.Config(app, lifespan="on", http=HeaderTimeoutProtocol, **limits, **settings)
    )


def require_door(
    host: str, port: int | None, *, token: str | None, demand_token: bool, invite: Sequence[str]
) -> None:
    """Refuse what could not be served, before a pile is read for it; parameters as of `serve`."""
    from likewise.web.security.access import invited_name

    if not demand_token:
        _require_alone(host, token)
        if invite:
            raise MethodError("this server asks nobody for a token, so everybody may come")
    for name in invite:
        invited_name(name)
    if port:
        listen_for("", host, port, lambda _: None).close()


def _require_alone(host: str, token: str | None) -> None:
    """Refuse to serve other computers without a token, or with one that nobody is asked for."""
    if not is_loopback(host):
        raise MethodError(f"other computers can reach a server at {host}, so it needs a token")
    if token is not None:
        raise MethodError("there is a token, but nobody is to be asked for it; leave one out")


def open_browser_soon(url: str) -> None:
    """Open the page once the server has had time to start; nothing happens without a browser."""
    import webbrowser

    timer = threading.Timer(0.8, webbrowser.open, [url])
    timer.daemon = True
    timer.start()
