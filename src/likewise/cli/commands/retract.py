"""`likewise retract`: take back one answer."""

from __future__ import annotations

from typing import Annotated

import typer

from likewise.cli.console import say
from likewise.cli.options import takes_pile
from likewise.cli.pile_source import PileSource


@takes_pile
def retract(
    pile_source: PileSource,
    number: Annotated[int, typer.Argument(help="The answer's number, as `likewise status` says.")],
) -> None:
    """Take back one answer by its number, for instance to resolve a dispute."""
    study = pile_source.open_study()
    study.retract(number)
    say(f"took back answer {number}; {len(study.disputes())} disputes are left")
