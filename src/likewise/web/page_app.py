"""What the applications of all our pages share: the page, its files, security and errors."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import AbstractAsyncContextManager
from importlib.resources import files
from string import Template

from fastapi import APIRouter, FastAPI, Response
from fastapi.staticfiles import StaticFiles

from likewise._version import __version__
from likewise.web.errors import add_error_handlers
from likewise.web.routes.replies import EVERYWHERE
from likewise.web.security import Access, Origins, SecurityMiddleware
from likewise.web.security.proxies import Networks

_STATIC = files("likewise.web") / "static"

Lifespan = Callable[[FastAPI], AbstractAsyncContextManager[None]]


def page_app(
    script: str,
    routers: Iterable[APIRouter],
    *,
    title: str,
    lifespan: Lifespan,
    origins: Origins,
    access: Access | None = None,
    proxies: Networks = (),
    openapi_url: str = "/openapi.json",
) -> FastAPI:
    """Return an ASGI application of one page and the paths that it asks.

    Parameters
    ----------
    script
        The name of the page's script, without its ending.
    routers
        The paths.
    title
        What the description of the paths is called.
    lifespan
        What begins and ends with the server.
    origins
        From where the page may be asked for.
    access
        Whose the tokens are; None lets everybody in.
    proxies
        Networks of proxies that are believed when they say where a request comes from.
    openapi_url
        Where the paths are described.
    """
    # The interactive documentation would load scripts from the network.
    app = FastAPI(
        title=title,
        version=__version__,
        docs_url=None,
        redoc_url=None,
        openapi_url=openapi_url,
        lifespan=lifespan,
        responses=EVERYWHERE,
    )
    for router in routers:
        app.include_router(router)
    template = Template((_STATIC / "page.html").read_text(encoding="utf-8"))
    text = template.substitute(script=script)

    async def page() -> Response:
        """Return the page itself."""
        return Response(text, media_type="text/html; charset=utf-8")

    app.add_api_route("/", page, methods=["GET"], include_in_schema=False)
    app.mount("/static", StaticFiles(directory=str(_STATIC)), name="static")
    app.add_middleware(SecurityMiddleware, access=access, origins=origins, proxies=proxies)
    add_error_handlers(app)
    return app
