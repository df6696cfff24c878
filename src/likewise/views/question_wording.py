"""How questions are put: by what the items are, the same on the page, in the terminal and files."""

from __future__ import annotations

from dataclasses import dataclass

from likewise.features.regions import PictureRegion
from likewise.items import Items


@dataclass(frozen=True)
class QuestionWording:
    """The sentences that ask about some kind of items.

    Parameters
    ----------
    pair : str
        Asks about two of them.
    place : str
        Asks where one of them belongs.
    sheet : str
        Asks which of many are like the first.
    group : str
        Asks which of many are of a group without a name.
    """

    pair: str
    place: str
    sheet: str
    group: str

    def of_sheet(self, *, placed: bool, name: str = "") -> str:
        """Return how a sheet is put whose first item is `placed` in a group, or in none yet.

        >>> THINGS.of_sheet(placed=True, name="invoices")
        'Which of these are invoices?'
        """
        if name:
            return f"Which of these are {name}?"
        return self.group if placed else self.sheet


THINGS = QuestionWording(
    pair="Same kind, or different?",
    place="Where does this one belong?",
    sheet="Which of these belong with this one?",
    group="Which of these belong here?",
)
PEOPLE = QuestionWording(
    pair="Same person, or different people?",
    place="Which person is this?",
    sheet="Which of these are this person?",
    group="Which of these are this person?",
)


def wording_of(items: Items) -> QuestionWording:
    """Return how to ask about items: faces, which are parts of photographs, are people."""
    pictures = items.pictures
    are_faces = pictures is not None and isinstance(pictures[0], PictureRegion)
    return PEOPLE if are_faces else THINGS
