"""Why a dialogue is over."""

from __future__ import annotations

from enum import Enum

import typer

INTERRUPTED = 130  # what shells report for Ctrl-C


class Outcome(Enum):
    """Why a sitting is over."""

    STOPPED = "stopped"
    INTERRUPTED = "interrupted"
    NO_MORE_INPUT = "the input has ended"
    BUDGET_SPENT = "that was the last answer of this sitting"
    NOTHING_LEFT = "nothing is left to ask"


def exit_if_interrupted(ending: Outcome) -> None:
    """Tell the shell if the person was interrupted."""
    if ending is Outcome.INTERRUPTED:
        raise typer.Exit(INTERRUPTED)
