"""`likewise serve`: a pile for several people."""

from __future__ import annotations

from typing import Annotated

import typer

from likewise.cli.options import (
    BrowserOption,
    ClustersOption,
    MethodOption,
    PortOption,
    SeedOption,
    takes_pile,
)
from likewise.cli.source import Source


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(takes_pile(serve))


def serve(
    source: Source,
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
    from likewise.cli import answering
    from likewise.cli.page import show_page

    sitting = answering.begin(source, method=method, n_clusters=clusters, seed=seed)
    show_page(
        sitting.study,
        sitting.source.path.resolve().name,
        host=host,
        port=port,
        token=token,
        overlap=overlap,
        lease_seconds=lease,
        open_browser=browser,
    )
