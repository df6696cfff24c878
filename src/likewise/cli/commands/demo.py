"""`likewise demo`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from likewise.cli.endings import leave
from likewise.cli.options import ClustersOption


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(demo)


def demo(
    simulate: Annotated[
        bool, typer.Option("--simulate", help="Answer by itself, from the true labels.")
    ] = False,
    budget: Annotated[int, typer.Option(help="How many answers at most.")] = 100,
    items: Annotated[int, typer.Option(help="How many digits, chosen by the seed.")] = 300,
    method: Annotated[str, typer.Option(help="See `likewise methods`.")] = "auto",
    clusters: ClustersOption = None,
    seed: Annotated[int, typer.Option(help="Same seed, same questions.")] = 0,
    save: Annotated[
        Path | None, typer.Option(metavar="FILE.jsonl", help="Keep the answers, to go on later.")
    ] = None,
) -> None:
    """Group handwritten digits: likewise shows two, you say whether they are the same."""
    from likewise.cli.demo import Settings
    from likewise.cli.demo import demo as play

    leave(play(Settings(items, budget, method, clusters, seed, save), simulate=simulate))
