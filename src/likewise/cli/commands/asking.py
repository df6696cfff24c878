"""`likewise answer` and `likewise rate`: the commands that ask."""

from __future__ import annotations

from typing import Annotated

import typer

from likewise.cli.endings import leave
from likewise.cli.options import (
    BudgetOption,
    ClustersOption,
    DropOption,
    FileArgument,
    IdOption,
    MethodOption,
    SeedOption,
)


def register(app: typer.Typer) -> None:
    """Add the commands."""
    app.command()(answer)
    app.command()(rate)


def answer(
    file: FileArgument,
    drop: DropOption = None,
    id_column: IdOption = None,
    method: MethodOption = None,
    clusters: ClustersOption = None,
    seed: SeedOption = None,
    budget: BudgetOption = None,
) -> None:
    """Answer questions about the rows of a table; every answer is kept beside it."""
    from likewise.cli.answering import answer as play
    from likewise.cli.table import Source

    source = Source(file, tuple(drop or ()), id_column)
    leave(play(source, method=method, n_clusters=clusters, seed=seed, budget=budget))


def rate(
    file: FileArgument,
    drop: DropOption = None,
    id_column: IdOption = None,
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
    """Rate from 1 to 10 how alike rows of a table are; every rating is kept beside it."""
    from likewise.cli.rating import rate as play
    from likewise.cli.table import Source

    source = Source(file, tuple(drop or ()), id_column)
    leave(
        play(source, method=method, n_clusters=clusters, repeats=repeats, seed=seed, budget=budget)
    )
