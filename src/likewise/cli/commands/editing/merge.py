"""`likewise merge`: make one group of two."""

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
def merge(
    pile_source: PileSource,
    first: ItemArgument,
    second: ItemArgument,
    force: ForceOption = False,
    who: WhoOption = "",
    as_json: JsonOption = False,
) -> None:
    """Make one group of the two in which two items lie."""
    from likewise.study import edits

    study = open_study(pile_source)
    a, b = (item_position(study.items, item) for item in (first, second))
    say_edit(study, edits.merge(study, a, b, who=who, force=force), as_json)
