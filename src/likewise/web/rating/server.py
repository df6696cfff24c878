"""The server of ratings: where it listens, who may come, and opening the page."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from likewise.items import Items
from likewise.study import SimilarityStudy
from likewise.web.address import LOOPBACK_NAMES, address, is_loopback, link
from likewise.web.port import listen_for
from likewise.web.rating.app import create_rating_app
from likewise.web.security import Access
from likewise.web.server import Offered, run


def serve_rating(
    study: SimilarityStudy,
    items: Items,
    *,
    host: str = "127.0.0.1",
    port: int | None = 0,
    identity: str = "ratings",
    name: str = "",
    price: float = 1.0,
    token: str | None = None,
    access_file: Path | None = None,
    invite: Sequence[str] = (),
    open_browser: bool = True,
    on_start: Callable[[str], object] = lambda _: None,
    on_note: Callable[[str], object] = lambda _: None,
    on_invite: Callable[[str, str], object] = lambda _name, _link: None,
) -> None:
    """Serve a study of similarities until Ctrl-C.

    Parameters
    ----------
    study, items, name, price
        As of `create_rating_app`.
    host
        Where to listen; by default on this computer alone.
    port
        0 lets the system choose one; None is that of the `identity`, the same every time.
    identity
        Whose port it is.
    token, access_file
        The owner's token, and the private file that keeps tokens; without either one is made up.
    invite
        Names of people who get links of their own: they rate under that name.
    open_browser
        Whether to open the page, if there is a browser.
    on_start
        Called with the owner's link before the first request.
    on_note
        Called with a sentence when the port is taken.
    on_invite
        Called with the name and the link of everybody who was invited, now or earlier.

    Raises
    ------
    MethodError
        If the token cannot be used, or nothing can listen at `host` and `port`.
    """
    access = Access(token=token, path=access_file)
    for one in invite:
        access.invite(one)
    hosts = {*LOOPBACK_NAMES, host} if is_loopback(host) else None
    app = create_rating_app(study, items, name=name, price=price, access=access, hosts=hosts)
    listening = listen_for(identity, host, port, on_note)
    outside = address(host, listening.getsockname()[1])
    invited = {one: link(outside, theirs) for one, theirs in access.invited.items()}
    offered = Offered(app, listening, link(outside, access.token), invited)
    run(offered, open_browser=open_browser, on_start=on_start, on_invite=on_invite)
