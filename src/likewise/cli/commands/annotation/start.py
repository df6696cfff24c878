"""`likewise start`: group a pile on the page or, with `--terminal`, here."""

from __future__ import annotations

from typing import Annotated

import typer

from likewise.cli.commands._opening import begin
from likewise.cli.commands._pile_opener import SourceOpener, opening_of, recent_piles
from likewise.cli.commands.annotation.answer import answer_in_terminal
from likewise.cli.commands.annotation.serve import say_link, say_note
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
    settings = {"method": method, "n_clusters": clusters, "seed": seed}
    if terminal or budget is not None:
        pile, study = begin(pile_source, **settings, budget=budget)
        answer_in_terminal(pile_source, pile, study, budget=budget, verb="start")
        return
    from likewise.web.start import Choice, serve_start

    pile_source.require_place()
    source = pile_source
    counts = (source.text, source.image, source.drop)
    choice = Choice(source.path.absolute(), *counts, stacks=source.stacks)
    # Only what the start page can choose again is remembered by it.
    again = PileSource(
        source.path, source.drop, text=source.text, image=source.image, stacks=source.stacks
    )
    serve_start(
        recent=recent_piles(),
        opening=opening_of(source, **settings),
        choice=choice if source == again else None,
        identity=source.identity,
        token=token,
        access_file=source.beside(ACCESS),
        port=port,
        open_browser=browser,
        on_start=say_link,
        on_note=say_note,
    )


def start_page(port: int | None, browser: bool) -> None:
    """Serve the page on which a pile is chosen, then its study; what `likewise` alone does."""
    from likewise.web.start import serve_start

    serve_start(
        recent=recent_piles(),
        opener=SourceOpener(),
        token=owner_token(),
        port=port,
        open_browser=browser,
        on_start=say_link,
        on_note=say_note,
    )
