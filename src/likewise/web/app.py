"""The application: routes, page, middleware and error handlers around one study."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from types import MappingProxyType

from fastapi import FastAPI

from likewise.answerers import LanguageModel
from likewise.study import Study
from likewise.web.growth import WatchedPile, follow
from likewise.web.page_app import page_app
from likewise.web.people.guest import Guest
from likewise.web.routes import ROUTERS
from likewise.web.security import Access, Origins, networks
from likewise.web.service import StudyService


def create_app(
    study: Study,
    *,
    name: str = "",
    access: Access | None = None,
    hosts: Iterable[str] | None = None,
    trusted_hosts: Iterable[str] = (),
    proxies: Iterable[str] = (),
    shared: bool = False,
    overlap: int = 1,
    gold_every: int = 0,
    prices: Mapping[str, float] = MappingProxyType({}),
    lease_seconds: float = 60.0,
    worker_process: bool = False,
    pile: WatchedPile | None = None,
    guest: LanguageModel | None = None,
    sorts_beside: Path | None = None,
) -> FastAPI:
    """Return an ASGI application that serves one study; `likewise.web.serve` runs it.

    Parameters
    ----------
    study
        The study; nobody else may write to it from this process while it is served.
    name
        What the page calls it.
    access
        Whose the tokens are, one of which every request must bring; None lets everybody in as the
        owner of the study.
    hosts
        The names the server may be called by, None for any.
    trusted_hosts
        Names, with a port if it is not the usual one, under which a proxy offers the page.
    proxies
        Addresses of proxies, which are believed when they say where a request comes from.
    shared
        Whether several people are expected, who should give their names.
    overlap
        How many people are asked about the same pair; with 1 nobody repeats another's question,
        with 0 somebody else is asked where what is believed is doubtful.
    gold_every
        Among so many questions of a person is one whose answer is known; 0: none.
    prices
        What an answer of each person costs, of whoever is not named nothing: easy questions go to
        those who cost least.
    lease_seconds
        How long an offered question stays reserved for a person who does not ask for it again.
    worker_process
        Choose questions for several people in a second process, so that requests are not held up.
    pile
        What is read again when it has grown; None: the study keeps to its items.
    guest
        A language model that the owner may let answer in the background.
    sorts_beside
        The pile beside which, or elsewhere on this computer, the owner may have folders of groups
        written; None: nobody may, as it must be where others can reach the server.

    Returns
    -------
    FastAPI
        The application; the service of the study is its `state.service`.

    Raises
    ------
    MethodError
        If `trusted_hosts` are no names, or `proxies` no addresses.
    """
    origins = Origins(hosts=hosts, trusted_hosts=trusted_hosts)
    believed = networks(proxies)
    service = StudyService(
        study,
        name=name,
        overlap=overlap,
        gold_every=gold_every,
        prices=prices,
        lease_seconds=lease_seconds,
        shared=shared or overlap > 1 or gold_every > 0 or bool(prices),
        access=access,
        worker_process=worker_process,
    )

    # Not first when the server runs: what changes until then must be noticed too.
    known = None if pile is None else pile.signature()

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        service.expect_people()
        if pile is not None:
            service.run_in_background(follow(service, pile, known))
        yield
        if app.state.guest is not None:
            app.state.guest.stop()
        service.close()

    app = page_app(
        "app",
        ROUTERS,
        title="likewise",
        lifespan=lifespan,
        origins=origins,
        access=access,
        proxies=believed,
    )
    app.state.service = service
    app.state.guest = None if guest is None else Guest(service, guest)
    app.state.sorts_beside = None if sorts_beside is None else sorts_beside.resolve()
    return app
