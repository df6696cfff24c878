"""`likewise name`: call the group of an item something."""

from __future__ import annotations

from typing import Annotated

import typer

from likewise.cli.commands._opening import open_study
from likewise.cli.commands.editing._group_edits import ItemArgument, WhoOption, item_position
from likewise.cli.console import say
from likewise.cli.options import takes_pile
from likewise.cli.pile_source import PileSource


@takes_pile
def name(
    pile_source: PileSource,
    item: ItemArgument,
    name: Annotated[str, typer.Argument(help='What the group is called; "" takes it away.')],
    who: WhoOption = "",
) -> None:
    """Name the group in which an item lies."""
    study = open_study(pile_source)
    study.name(item_position(study.items, item), name, who=who)
    say(f"the group of {item} is called {name}" if name else f"the group of {item} has no name now")
