"""`likewise verify`: whether what is kept is sound."""

from __future__ import annotations

from typing import TYPE_CHECKING

import typer

from likewise.cli.console import print_json, say, working
from likewise.cli.formatting import count
from likewise.cli.options import JsonOption, reads_pile
from likewise.cli.pile_source import PileSource
from likewise.cli.study_place import study_place

if TYPE_CHECKING:
    from likewise.piles import Pile

_UNSOUND = 1  # the exit code when something is wrong
_NAMED = 5  # items in a sentence


@reads_pile
def verify(pile_source: PileSource, as_json: JsonOption = False) -> None:
    """Say whether a study is sound: the file, its events, what follows from them, its items."""
    from likewise.stores import verify_store

    place = study_place(str(pile_source.path))
    with working(f"Verifying {pile_source.path}"):
        problems = verify_store(place)
        if place == pile_source.path or "://" in str(place):
            notes = ["the items were not compared; give the pile for that"]
        elif problems:
            notes = ["the items were not compared, since the study cannot be relied upon"]
        else:
            pile = pile_source.read()
            problems, notes = _altered(pile), pile.changes
    if as_json:
        sound = not problems
        print_json({"study": str(place), "sound": sound, "problems": problems, "notes": notes})
    else:
        for sentence in (*problems, *notes):
            say(f"{sentence}.")
        say(f"{place} is {'not ' if problems else ''}sound.")
    if problems:
        raise typer.Exit(_UNSOUND)


def _altered(pile: Pile) -> list[str]:
    """Return what is to be said about items that are no longer what was answered about."""
    if not pile.altered:
        return []
    named = ", ".join(pile.altered[:_NAMED]) + (", …" if len(pile.altered) > _NAMED else "")
    return [
        f"{count(len(pile.altered), pile.noun)} now with other content than was answered about: "
        f"{named}; bring it back, or look at those answers again"
    ]
