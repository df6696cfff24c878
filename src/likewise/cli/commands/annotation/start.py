"""`likewise start`: group a pile on the page or, with `--terminal`, here."""

from __future__ import annotations

from typing import Annotated

import typer

from likewise.cli.commands._opening import begin
from likewise.cli.commands.annotation.answer import answer_in_terminal
from likewise.cli.commands.annotation.serve import serve_page, watched
from likewise.cli.options import (
    BrowserOption,
    BudgetOption,
    ClustersOption,
    MethodOption,
    OwnPortOption,
    SeedOption,
    takes_pile,
)
from likewise.cli.owner_token import owner_token
from likewise.cli.pile_source import ACCESS, PileSource


@takes_pile
def start(
    pile_source: PileSource,
    terminal: Annotated[
        bool, typer.Option("--terminal", help="Answer here, not in the browser.")
    ] = False,
    method: MethodOption = None,
    clusters: ClustersOption = None,
    seed: SeedOption = None,
    budget: BudgetOption = None,
    port: OwnPortOption = None,
    browser: BrowserOption = True,
) -> None:
    """Group a pile: begin with it, or go on where you stopped; every answer is kept beside it."""
    token = owner_token()
    pile_source.quick = not terminal and budget is None  # the page goes on with better ones
    pile, study = begin(pile_source, method=method, n_clusters=clusters, seed=seed, budget=budget)
    if terminal or budget is not None:
        answer_in_terminal(pile_source, pile, study, budget=budget, verb="start")
    else:
        serve_page(
            study,
            pile_source.path.resolve().name,
            token=token,
            access_file=pile_source.beside(ACCESS),
            pile=watched(pile_source),
            port=port,
            open_browser=browser,
        )
