"""`likewise serve`: a pile for several people."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from likewise.cli.commands._opening import begin
from likewise.cli.console import say
from likewise.cli.options import (
    BrowserOption,
    ClustersOption,
    MethodOption,
    PortOption,
    SeedOption,
    takes_pile,
)
from likewise.cli.pile_source import PileSource

if TYPE_CHECKING:
    from likewise.study import Study


@takes_pile
def serve(
    pile_source: PileSource,
    method: MethodOption = None,
    clusters: ClustersOption = None,
    seed: SeedOption = None,
    host: Annotated[
        str, typer.Option(help="Where to listen; anything but this computer demands a token.")
    ] = "127.0.0.1",
    port: PortOption = 8000,
    token: Annotated[
        str | None, typer.Option(help="What everybody must know.", show_default="made up")
    ] = None,
    overlap: Annotated[int, typer.Option(min=1, help="Ask so many people about each pair.")] = 1,
    lease: Annotated[
        float, typer.Option(min=5, help="Seconds a question is reserved without a sign of life.")
    ] = 60.0,
    browser: BrowserOption = False,
) -> None:
    """Let others answer too: serve the page of a pile, on this computer or beyond it."""
    _, study = begin(pile_source, method=method, n_clusters=clusters, seed=seed)
    serve_page(
        study,
        pile_source.path.resolve().name,
        host=host,
        port=port,
        token=token,
        overlap=overlap,
        lease_seconds=lease,
        open_browser=browser,
    )


def serve_page(study: Study, name: str, **settings: Any) -> None:
    """Serve the page of a study until Ctrl-C, and say where it is.

    Parameters
    ----------
    study : Study
        The study.
    name : str
        The title of the page.
    **settings
        Passed on to `likewise.web.serve`.
    """
    from likewise.web import serve

    serve(
        study,
        name=name,
        on_start=lambda url: say(f"{url}   (Ctrl-C stops; nothing is lost)"),
        **settings,
    )
