"""`likewise retract`: take back one answer."""

from __future__ import annotations

from typing import Annotated

import typer

from likewise.cli.commands.editing._group_edits import WhoOption
from likewise.cli.console import say
from likewise.cli.options import takes_pile
from likewise.cli.pile_source import PileSource


@takes_pile
def retract(
    pile_source: PileSource,
    number: Annotated[int, typer.Argument(help="The answer's number, as `likewise status` says.")],
    who: WhoOption = "",
) -> None:
    """Take back one answer by its number, for instance to resolve a dispute."""
    study = pile_source.open_study()
    study.retract(number, who=who)
    say(f"took back answer {number}; {study.n_disputes} disputes are left")
