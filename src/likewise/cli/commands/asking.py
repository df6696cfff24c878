"""`likewise start`, `answer` and `rate`: the commands that ask."""

from __future__ import annotations

from typing import Annotated

import typer

from likewise.cli.endings import leave
from likewise.cli.options import (
    BrowserOption,
    BudgetOption,
    ClustersOption,
    MethodOption,
    PortOption,
    SeedOption,
    takes_pile,
)
from likewise.cli.source import LINES, Source


def register(app: typer.Typer) -> None:
    """Add the commands."""
    for command in (start, answer, rate):
        app.command()(takes_pile(command))


def start(
    source: Source,
    terminal: Annotated[
        bool, typer.Option("--terminal", help="Answer here, not in the browser.")
    ] = False,
    method: MethodOption = None,
    clusters: ClustersOption = None,
    seed: SeedOption = None,
    budget: BudgetOption = None,
    port: PortOption = 0,
    browser: BrowserOption = True,
) -> None:
    """Group a pile: begin with it, or go on where you stopped; every answer is kept beside it."""
    from likewise.cli import answering
    from likewise.cli.page import show_page

    sitting = answering.begin(source, method=method, n_clusters=clusters, seed=seed, budget=budget)
    if terminal or budget is not None:
        leave(answering.answer(sitting, budget=budget, verb="start"))
    else:
        name = sitting.source.path.resolve().name
        show_page(sitting.study, name, port=port, open_browser=browser)


def answer(
    source: Source,
    method: MethodOption = None,
    clusters: ClustersOption = None,
    seed: SeedOption = None,
    budget: BudgetOption = None,
) -> None:
    """Answer questions about a pile in the terminal; every answer is kept beside it."""
    from likewise.cli import answering

    sitting = answering.begin(
        source, method=method, n_clusters=clusters, seed=seed, budget=budget, ending=LINES
    )
    leave(answering.answer(sitting, budget=budget, verb="answer"))


def rate(
    source: Source,
    method: Annotated[
        str | None, typer.Option(help="iu-red, s-and-t or random.", show_default="iu-red")
    ] = None,
    clusters: Annotated[int | None, typer.Option(help="How many groups.", show_default="2")] = None,
    repeats: Annotated[
        int | None, typer.Option(help="Show a pair up to so many times.", show_default="1")
    ] = None,
    seed: SeedOption = None,
    budget: BudgetOption = None,
) -> None:
    """Rate from 1 to 10 how alike things of a pile are; every rating is kept beside it."""
    from likewise.cli.rating import rate as play

    leave(
        play(source, method=method, n_clusters=clusters, repeats=repeats, seed=seed, budget=budget)
    )
