"""`likewise serve`: a pile for several people."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from likewise.cli.consoles import working
from likewise.cli.options import (
    ClustersOption,
    DropOption,
    FileArgument,
    IdOption,
    MethodOption,
    SeedOption,
)

HostOption = Annotated[
    str, typer.Option(help="Where to listen; anything but this computer demands a token.")
]
PortOption = Annotated[
    int, typer.Option(min=0, max=65535, help="0 lets the system choose.", show_default="free")
]
BrowserOption = Annotated[bool, typer.Option(help="Open the page in a browser.")]


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(serve)


def serve(
    file: FileArgument,
    drop: DropOption = None,
    id_column: IdOption = None,
    method: MethodOption = None,
    clusters: ClustersOption = None,
    seed: SeedOption = None,
    host: HostOption = "127.0.0.1",
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
    from likewise.cli.serving import show_page
    from likewise.cli.table import Source

    source = Source(file, tuple(drop or ()), id_column)
    with working("Reading the pile"):
        study = source.begin(source.items(), method, clusters, seed)
    show_page(
        study,
        Path(file).stem,
        host=host,
        port=port,
        token=token,
        overlap=overlap,
        lease_seconds=lease,
        open_browser=browser,
    )
