"""`likewise collect`: put a group into a collection of groups."""

from __future__ import annotations

from typing import Annotated

import typer

from likewise.cli.commands._opening import open_study
from likewise.cli.commands.editing._group_edits import WhoOption, item_position
from likewise.cli.console import say
from likewise.cli.formatting import count
from likewise.cli.options import takes_pile
from likewise.cli.pile_source import PileSource


@takes_pile
def collect(
    pile_source: PileSource,
    item: Annotated[
        str, typer.Argument(metavar="ITEM", help="An item of the group; with --rename, see there.")
    ],
    collection: Annotated[
        str,
        typer.Argument(
            help='Like animals, or "living things / animals"; "" takes the group out of all.'
        ),
    ],
    rename: Annotated[
        bool,
        typer.Option("--rename", help="ITEM is a collection, which is to be called otherwise."),
    ] = False,
    who: WhoOption = "",
) -> None:
    """Put the group in which an item lies into a collection, or rename a collection."""
    study = open_study(pile_source)
    if rename:
        n = study.rename_collection(item, collection, who=who)
        say(f"{count(n, 'group')} of {item} {'is' if n == 1 else 'are'} in {collection or 'none'}")
        return
    study.collect(item_position(study.items, item), collection, who=who)
    say(f"the group of {item} is in {collection or 'no collection'} now")
