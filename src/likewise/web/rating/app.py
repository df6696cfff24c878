"""The application on which people rate how alike two items are."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager

from fastapi import FastAPI

from likewise.errors import DataError
from likewise.items import Items
from likewise.study import SimilarityStudy
from likewise.web.page_app import page_app
from likewise.web.rating.routes import router
from likewise.web.rating.service import RatingService
from likewise.web.security import Access, Origins


def create_rating_app(
    study: SimilarityStudy,
    items: Items,
    *,
    name: str = "",
    price: float = 1.0,
    access: Access | None = None,
    hosts: Iterable[str] | None = None,
) -> FastAPI:
    """Return an ASGI application that serves one study of similarities.

    Parameters
    ----------
    study
        The study; nobody else may write to it from this process while it is served.
    items
        What is rated, as many as the study has.
    name
        What the page calls it.
    price
        What a rating costs.
    access
        Whose the tokens are; None lets everybody in.
    hosts
        The names the server may be called by, None for any.

    Raises
    ------
    DataError
        If there are more or fewer items than in the study.
    """
    if len(items) != study.n:
        raise DataError(f"the study is about {study.n} items but got {len(items)}")
    service = RatingService(study, items, name=name, price=price)

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        yield
        service.close()

    app = page_app(
        "rate",
        [router],
        title="likewise, how alike",
        lifespan=lifespan,
        origins=Origins(hosts=hosts),
        access=access,
    )
    app.state.ratings = service
    return app
