"""`likewise unstack`: take a stack of photographs apart."""

from __future__ import annotations

from dataclasses import replace

from likewise.cli.commands._opening import open_study
from likewise.cli.commands.editing._group_edits import ItemArgument, WhoOption, item_position
from likewise.cli.console import say
from likewise.cli.formatting import count
from likewise.cli.options import takes_pile
from likewise.cli.pile_source import PileSource


@takes_pile
def unstack(pile_source: PileSource, item: ItemArgument, who: WhoOption = "") -> None:
    """Take the stack in which a photograph is apart: each is asked about by itself from now on."""
    source = replace(pile_source, stacks=True)
    study = open_study(source)
    position = item_position(study.items, item)
    n = len(study.items.stacks.get(position, ())) + 1
    study.unstack(position, who=who)
    say(f"the stack of {count(n, 'photograph')} is taken apart; all of them are items of their own")
