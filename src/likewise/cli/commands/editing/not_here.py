"""`likewise not-here`: send an item out of its group."""

from __future__ import annotations

from likewise.cli.commands._opening import open_study
from likewise.cli.commands.editing._group_edits import (
    ForceOption,
    ItemArgument,
    WhoOption,
    item_position,
    say_edit,
)
from likewise.cli.options import JsonOption, takes_pile
from likewise.cli.pile_source import PileSource


@takes_pile
def not_here(
    pile_source: PileSource,
    item: ItemArgument,
    force: ForceOption = False,
    who: WhoOption = "",
    as_json: JsonOption = False,
) -> None:
    """Send an item out of its group; where it belongs instead is left open."""
    from likewise.study import edits

    study = open_study(pile_source)
    edit = edits.not_here(study, item_position(study.items, item), who=who, force=force)
    say_edit(study, edit, as_json)
