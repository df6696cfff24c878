"""`likewise undo`: take back the last step as a whole."""

from __future__ import annotations

from likewise.cli.commands.editing._group_edits import WhoOption
from likewise.cli.console import say
from likewise.cli.options import takes_pile
from likewise.cli.pile_source import PileSource


@takes_pile
def undo(pile_source: PileSource, who: WhoOption = "") -> None:
    """Take back the last step: an answer, a name, or a whole merge or split; of --who, if given."""
    study = pile_source.open_study()
    step = study.last_step(who=who or None)
    study.undo(who=who or None)
    say(f"undone: {step}")
