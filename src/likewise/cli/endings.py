"""Why a dialogue is over."""

from __future__ import annotations

from enum import Enum


class Ending(Enum):
    """Why a sitting is over."""

    STOPPED = "stopped"
    INTERRUPTED = "interrupted"
    NO_MORE_INPUT = "the input has ended"
    BUDGET_SPENT = "that was the last answer of this sitting"
    NOTHING_LEFT = "nothing is left to ask"
