"""`likewise demo`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from likewise.cli.endings import leave
from likewise.cli.options import BrowserOption, ClustersOption, PortOption


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(demo)


def demo(
    simulate: Annotated[
        bool, typer.Option("--simulate", help="Answer by itself, from the true labels.")
    ] = False,
    terminal: Annotated[
        bool, typer.Option("--terminal", help="Answer here, not in the browser.")
    ] = False,
    budget: Annotated[int, typer.Option(help="How many answers at most, here or simulated.")] = 100,
    items: Annotated[int, typer.Option(help="How many digits, chosen by the seed.")] = 300,
    method: Annotated[str, typer.Option(help="See `likewise methods`.")] = "auto",
    clusters: ClustersOption = None,
    seed: Annotated[int, typer.Option(help="Same seed, same questions.")] = 0,
    save: Annotated[
        Path | None, typer.Option(metavar="FILE.jsonl", help="Keep the answers, to go on later.")
    ] = None,
    port: PortOption = 0,
    browser: BrowserOption = True,
) -> None:
    """Group handwritten digits: likewise shows two, you say whether they are the same."""
    from likewise.cli.demo import Settings, serve_demo
    from likewise.cli.demo import demo as play

    settings = Settings(items, budget, method, clusters, seed, save)
    if terminal or simulate:
        leave(play(settings, simulate=simulate))
    else:
        serve_demo(settings, port=port, open_browser=browser)
