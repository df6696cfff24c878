"""`likewise review`: which items need a second pair of eyes."""

from __future__ import annotations

from typing import Annotated

import typer

from likewise.cli.commands._opening import open_study
from likewise.cli.commands.editing._group_edits import WhoOption, item_position
from likewise.cli.console import print_json, say
from likewise.cli.formatting import review_in_words
from likewise.cli.options import JsonOption, takes_pile
from likewise.cli.pile_source import PileSource
from likewise.errors import AnswerError


@takes_pile
def review(
    pile_source: PileSource,
    items: Annotated[
        list[str] | None,
        typer.Argument(metavar="[ITEM]...", help="Items by their ids; none: list what is marked."),
    ] = None,
    note: Annotated[
        str, typer.Option("--note", metavar="TEXT", help="What is to be looked at.")
    ] = "",
    clear: Annotated[
        bool, typer.Option("--clear", help="It was looked at: take the mark away.")
    ] = False,
    who: WhoOption = "",
    as_json: JsonOption = False,
) -> None:
    """Mark items for review, clear marks, or list what is marked."""
    if (note or clear) and not items:
        raise AnswerError("say which items are meant; without any, the marked ones are listed")
    if note and clear:
        raise AnswerError("a mark is set with --note or taken away with --clear, not both")
    study = open_study(pile_source)
    for position in [item_position(study.items, item) for item in items or ()]:
        if clear:
            study.clear_review(position, who=who)
        else:
            study.mark_for_review(position, note, who=who)
    listed = [
        {"id": study.items.ids[k], "note": one.note, "who": one.who, "when": one.when}
        for k, one in study.reviews.items()
    ]
    if as_json:
        print_json(listed)
        return
    for row in listed:
        say(review_in_words(row["id"], row["note"], row["who"]))
    if not listed:
        say("nothing needs review")
