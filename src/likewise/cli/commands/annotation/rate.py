"""`likewise rate`: how alike two items of a pile are, from 1 to 10."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from likewise.cli.commands._opening import read_aloud
from likewise.cli.commands.annotation.serve import say_link, say_note
from likewise.cli.console import say, working
from likewise.cli.formatting import count, sizes_in_words
from likewise.cli.options import (
    BrowserOption,
    BudgetOption,
    OwnPortOption,
    SeedOption,
    takes_pile,
)
from likewise.cli.outcome import exit_if_interrupted
from likewise.cli.owner_token import owner_token
from likewise.cli.pile_source import PileSource
from likewise.errors import MethodError
from likewise.views.group_sizes import group_sizes

if TYPE_CHECKING:
    from likewise.cli.terminal.keys import RatingResponse
    from likewise.cli.terminal.loop import OpenRating
    from likewise.cli.terminal.screen import QuestionPage
    from likewise.piles import Pile
    from likewise.study import SimilarityStudy
    from likewise.study.loop import Outcome


@takes_pile
def rate(
    pile_source: PileSource,
    method: Annotated[
        str | None, typer.Option(help="iu-red, s-and-t or random.", show_default="iu-red")
    ] = None,
    clusters: Annotated[int | None, typer.Option(help="How many groups.", show_default="2")] = None,
    repeats: Annotated[
        int | None, typer.Option(help="Show a pair up to so many times.", show_default="1")
    ] = None,
    seed: SeedOption = None,
    budget: BudgetOption = None,
    page: Annotated[bool, typer.Option("--page", help="Rate in the browser, not here.")] = False,
    price: Annotated[
        float, typer.Option(min=0, help="What a rating on the page costs, in any money.")
    ] = 1.0,
    invite: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME", help="Make a link for somebody who rates too (repeatable)."),
    ] = None,
    host: Annotated[
        str, typer.Option(help="Where the page is; by default nobody else can reach it.")
    ] = "127.0.0.1",
    port: OwnPortOption = None,
    browser: BrowserOption = True,
) -> None:
    """Rate from 1 to 10 how alike things of a pile are; every rating is kept beside it."""
    from likewise.cli.terminal.loop import require_budget

    require_budget(budget)
    if page and budget is not None:
        raise MethodError("--budget is for rating in the terminal; leave it out, or leave --page")
    token = owner_token() if page else None
    pile = read_aloud(pile_source, pile_source.read_for_rating)
    with working("Looking for the first pair"):
        study = pile_source.begin_rating(pile.items, method, clusters, repeats, seed)
        study.ask()
    if not page:
        _rate_in_terminal(pile_source, pile, study, budget)
        return
    from likewise.web.rating import serve_rating

    serve_rating(
        study,
        pile.items,
        host=host,
        port=port,
        identity=f"{pile_source.identity} rated",
        name=pile_source.path.name,
        price=price,
        token=token,
        access_file=pile_source.beside(".ratings.access"),
        invite=invite or (),
        open_browser=browser,
        on_start=say_link,
        on_note=say_note,
        on_invite=lambda who, url: say(f"for {who}: {url}"),
    )


def _rate_in_terminal(
    pile_source: PileSource, pile: Pile, study: SimilarityStudy, budget: int | None
) -> None:
    """Ask here, until there is nothing left or the person stops."""
    from likewise.cli.terminal.loop import rating_loop
    from likewise.cli.terminal.pair_page import PairLayout, RatingPage
    from likewise.cli.terminal.screen import respondent

    so_far = f"{count(study.n_measurements, 'rating')} so far." if study.n_measurements else ""
    page: QuestionPage[OpenRating, RatingResponse] = RatingPage(
        PairLayout.of(pile_source.path, pile)
    )
    with respondent(page) as respond:
        outcome = rating_loop(study, respond, budget=budget, note=so_far)
    _conclude(study, outcome, pile_source)
    exit_if_interrupted(outcome)


def _conclude(study: SimilarityStudy, outcome: Outcome, pile_source: PileSource) -> None:
    """Say what there is now, and what can be done with it."""
    from likewise.study.loop import Outcome

    if outcome is Outcome.NOTHING_LEFT:
        say("Every pair has been rated.")
    groups = sizes_in_words(group_sizes(study.labels_).values())
    say(f"{count(study.n_measurements, 'rating')} in all made {groups}.")
    say(f"Every rating is kept in {pile_source.ratings}.")
    if outcome is not Outcome.NOTHING_LEFT:
        say(f"  {pile_source.command('rate')}   goes on")
    say(f"  {pile_source.command('labels')} --ratings   writes the groups")
