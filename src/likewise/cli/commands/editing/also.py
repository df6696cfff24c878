"""`likewise also`: let an item belong to a further group."""

from __future__ import annotations

from typing import Annotated

import typer

from likewise.cli.commands._opening import open_study
from likewise.cli.commands.editing._group_edits import ItemArgument, WhoOption, item_position
from likewise.cli.console import say
from likewise.cli.options import takes_pile
from likewise.cli.pile_source import PileSource


@takes_pile
def also(
    pile_source: PileSource,
    item: ItemArgument,
    other: Annotated[
        str, typer.Argument(metavar="OTHER", help="An item of the further group, by its id.")
    ],
    remove: Annotated[
        bool, typer.Option("--remove", help="It does not belong there any more.")
    ] = False,
    who: WhoOption = "",
) -> None:
    """Let an item belong to a further group, beside its own; groups stay as they are."""
    study = open_study(pile_source)
    one, another = (item_position(study.items, name) for name in (item, other))
    if not remove:
        study.add_to_group(one, another, who=who)
        if study.labels_[one] != study.labels_[another]:
            say(f"{item} belongs to the group of {other}, too")
        else:
            say(f"{item} and {other} lie in one group; it is noted, and counts when they part")
    elif study.remove_from_group(one, another, who=who):
        say(f"{item} does not belong to the group of {other} any more")
    else:
        say(f"nothing to do: {item} was not noted for the group of {other}")
