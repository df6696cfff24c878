"""What the shell is told when a dialogue is over."""

from __future__ import annotations

from typing import TYPE_CHECKING

import typer

if TYPE_CHECKING:
    from likewise.study.loop import Outcome

INTERRUPTED = 130  # what shells report for Ctrl-C


def exit_if_interrupted(outcome: Outcome) -> None:
    """Exit with the shell's code for Ctrl-C if that ended the dialogue."""
    from likewise.study.loop import Outcome

    if outcome is Outcome.INTERRUPTED:
        raise typer.Exit(INTERRUPTED)
