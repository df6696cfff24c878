"""The application on which people rate how alike two items are."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from importlib.resources import files

from fastapi import FastAPI, Response
from fastapi.staticfiles import StaticFiles

from likewise._version import __version__
from likewise.errors import DataError
from likewise.items import Items
from likewise.study import SimilarityStudy
from likewise.web.errors import add_error_handlers
from likewise.web.rating.routes import router
from likewise.web.rating.service import RatingService
from likewise.web.routes.replies import EVERYWHERE
from likewise.web.security import Access, Origins, SecurityMiddleware

_STATIC = files("likewise.web") / "static"


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

    app = FastAPI(
        title="likewise, how alike",
        version=__version__,
        docs_url=None,
        redoc_url=None,
        lifespan=lifespan,
        responses=EVERYWHERE,
    )
    app.state.ratings = service
    app.include_router(router)
    app.add_api_route("/", _page, methods=["GET"], include_in_schema=False)
    app.mount("/static", StaticFiles(directory=str(_STATIC)), name="static")
    app.add_middleware(SecurityMiddleware, access=access, origins=Origins(hosts=hosts))
    add_error_handlers(app)
    return app


async def _page() -> Response:
    """Return the page itself."""
    text = (_STATIC / "rate.html").read_text(encoding="utf-8")
    return Response(text, media_type="text/html; charset=utf-8")
