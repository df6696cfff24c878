"""`likewise split`: make a group of its own of some items."""

from __future__ import annotations

from typing import Annotated

import typer

from likewise.cli.commands._opening import open_study
from likewise.cli.commands.editing._group_edits import (
    ForceOption,
    WhoOption,
    item_position,
    say_edit,
)
from likewise.cli.options import JsonOption, takes_pile
from likewise.cli.pile_source import PileSource


@takes_pile
def split(
    pile_source: PileSource,
    items: Annotated[list[str], typer.Argument(metavar="ITEM...", help="Items by their ids.")],
    force: ForceOption = False,
    who: WhoOption = "",
    as_json: JsonOption = False,
) -> None:
    """Make a group of its own of some items."""
    from likewise.study import edits

    study = open_study(pile_source)
    picked = [item_position(study.items, item) for item in items]
    say_edit(study, edits.split(study, picked, who=who, force=force), as_json)
