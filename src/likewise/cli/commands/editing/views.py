"""`likewise views`: what the items are compared by, and what of it counts."""

from __future__ import annotations

from typing import Annotated

import typer
from rich.table import Table

from likewise.cli.commands.editing._group_edits import WhoOption
from likewise.cli.console import out, print_json, say, working
from likewise.cli.formatting import safe
from likewise.cli.options import JsonOption, takes_pile
from likewise.cli.pile_source import PileSource


@takes_pile
def views(
    pile_source: PileSource,
    off: Annotated[
        list[str] | None,
        typer.Option("--off", metavar="VIEW", help="It does not matter any more (repeatable)."),
    ] = None,
    on: Annotated[
        list[str] | None,
        typer.Option("--on", metavar="VIEW", help="It matters again (repeatable)."),
    ] = None,
    who: WhoOption = "",
    as_json: JsonOption = False,
) -> None:
    """List the views of the items, such as colour or time, and switch them off and on."""
    from likewise.study import Study

    with working("Reading the pile"):
        pile = pile_source.read()
        begun = pile_source.journal_file.is_begun
        if not begun:
            # In memory first: what is refused must not leave a study behind.
            Study(pile.items).switch_views(off=off or (), on=on or (), who=who)
        if off or on or begun:
            study = pile_source.begin_study(pile, method=None, n_clusters=None, seed=None)
            study.switch_views(off=off or (), on=on or (), who=who)
            found = study.views
        else:
            found = {} if pile.items.views is None else dict.fromkeys(pile.items.views.blocks, True)
    if as_json:
        print_json(found)
    elif not found:
        say(
            f"{pile_source.path} has one view only: its {pile.noun}s are compared by "
            f"{pile.compared_by}"
        )
    else:
        table = Table("view", "counts", box=None)
        for name, counts in found.items():
            table.add_row(safe(name), "yes" if counts else "no")
        out.print(table)
