"""What `name`, `merge`, `split` and `not-here` share: items by their ids, edits in words."""

from __future__ import annotations

from difflib import get_close_matches
from typing import TYPE_CHECKING, Annotated

import typer

from likewise.cli.console import print_json, say
from likewise.errors import AnswerError

if TYPE_CHECKING:
    from likewise.items import Items
    from likewise.study import Study
    from likewise.study.edits import Edit

ItemArgument = Annotated[str, typer.Argument(metavar="ITEM", help="An item by its id.")]
ForceOption = Annotated[
    bool, typer.Option("--force", help="Take back earlier answers that say otherwise.")
]
WhoOption = Annotated[str, typer.Option("--who", metavar="NAME", help="Who says so.")]


def item_position(items: Items, name: str) -> int:
    """Return where the item with this id is in the pile.

    Raises
    ------
    AnswerError
        If there is none; the message names the closest id there is.
    """
    positions = items.position()
    if name in positions:
        return positions[name]
    close = get_close_matches(name, positions, n=1)
    hint = f"did you mean {close[0]}?" if close else f"ids look like {items.ids[0]}"
    raise AnswerError(f"the pile has no item {name}; {hint}")


def say_edit(study: Study, edit: Edit, as_json: bool) -> None:
    """Print which answers an edit has given and taken back, for people or as JSON."""
    ids = study.items.ids
    if as_json:
        print_json(
            {
                "answers": [answer.id for answer in edit],
                "taken_back": [answer.id for answer in edit.retracted],
                "groups": len(set(study.labels_.tolist())),
            }
        )
        return
    for answer in edit.retracted:
        say(f"took back {answer.describe(ids)}")
    for answer in edit:
        say(answer.describe(ids))
    if not edit:
        say("nothing to do: that follows from the answers already")
