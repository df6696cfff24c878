"""`likewise name`, `merge`, `split`, `not-here`: groups edited as a whole, items by their ids."""

from __future__ import annotations

from difflib import get_close_matches
from typing import TYPE_CHECKING, Annotated

import typer

from likewise.cli.consoles import print_json, say, working
from likewise.cli.options import JsonOption, takes_pile
from likewise.cli.source import Source
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


def register(app: typer.Typer) -> None:
    """Add the commands."""
    for command in (name, merge, split):
        app.command()(takes_pile(command))
    app.command("not-here")(takes_pile(not_here))


def name(
    source: Source,
    item: ItemArgument,
    name: Annotated[str, typer.Argument(help='What the group is called; "" takes it away.')],
    who: WhoOption = "",
) -> None:
    """Name the group in which an item lies."""
    study = _opened(source)
    study.name(_position(study.items, item), name, who=who)
    say(f"the group of {item} is called {name}" if name else f"the group of {item} has no name now")


def merge(
    source: Source,
    first: ItemArgument,
    second: ItemArgument,
    force: ForceOption = False,
    who: WhoOption = "",
    as_json: JsonOption = False,
) -> None:
    """Make one group of the two in which two items lie."""
    from likewise.study.edits import merge

    study = _opened(source)
    a, b = (_position(study.items, item) for item in (first, second))
    _tell(study, merge(study, a, b, who=who, force=force), as_json)


def split(
    source: Source,
    items: Annotated[list[str], typer.Argument(metavar="ITEM...", help="Items by their ids.")],
    force: ForceOption = False,
    who: WhoOption = "",
    as_json: JsonOption = False,
) -> None:
    """Make a group of its own of some items."""
    from likewise.study.edits import split

    study = _opened(source)
    picked = [_position(study.items, item) for item in items]
    _tell(study, split(study, picked, who=who, force=force), as_json)


def not_here(
    source: Source,
    item: ItemArgument,
    force: ForceOption = False,
    who: WhoOption = "",
    as_json: JsonOption = False,
) -> None:
    """Send an item out of its group; where it belongs instead is left open."""
    from likewise.study.edits import not_here

    study = _opened(source)
    edit = not_here(study, _position(study.items, item), who=who, force=force)
    _tell(study, edit, as_json)


def _opened(source: Source) -> Study:
    with working(f"Reading {source.path}"):
        return source.open(source.items())


def _position(items: Items, name: str) -> int:
    """Where the item of that id lies, or a sentence with the nearest id there is."""
    positions = items.position()
    if name in positions:
        return positions[name]
    close = get_close_matches(name, positions, n=1)
    hint = f"did you mean {close[0]}?" if close else f"ids look like {items.ids[0]}"
    raise AnswerError(f"the pile has no item {name}; {hint}")


def _tell(study: Study, edit: Edit, as_json: bool) -> None:
    """Say which answers an edit has given and taken back."""
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
