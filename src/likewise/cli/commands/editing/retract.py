"""`likewise retract`: take back one answer, or all of one answerer."""

from __future__ import annotations

from typing import Annotated

import typer

from likewise.cli.commands.editing._group_edits import WhoOption
from likewise.cli.console import say
from likewise.cli.formatting import count
from likewise.cli.options import takes_pile
from likewise.cli.pile_source import PileSource
from likewise.errors import AnswerError


@takes_pile
def retract(
    pile_source: PileSource,
    number: Annotated[
        int | None,
        typer.Argument(help="The answer's number, as `likewise status` says.", show_default=False),
    ] = None,
    of: Annotated[
        str | None,
        typer.Option("--all-of", metavar="NAME", help="Take back all answers of one answerer."),
    ] = None,
    who: WhoOption = "",
) -> None:
    """Take back one answer by its number, or all of one answerer; `undo` brings them back."""
    if (number is None) == (of is None):
        raise AnswerError("say which answer to take back: its number, or --all-of NAME")
    study = pile_source.open_study()
    if number is None:
        from likewise.study.edits import retract_all

        assert of is not None
        n = retract_all(study, of, who=who)
        say(f"took back {count(n, 'answer')} of {of}; {study.n_disputes} disputes are left")
        return
    study.retract(number, who=who)
    say(f"took back answer {number}; {study.n_disputes} disputes are left")
