"""Who is on each photograph: labels of faces, put together by the photograph they are on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from likewise.cli.commands.results.labels import LabelledItem

_BETWEEN = "; "  # people in one cell


@dataclass(frozen=True)
class PhotographPeople:
    """A photograph and the people on it.

    Parameters
    ----------
    photograph : str
        Its name in the folder.
    groups : list of int
        The numbers of the people, from left to right, each once.
    people : list of str
        Their names; the number of one who has no name.
    confidence : float
        How sure the least sure of them is.
    """

    photograph: str
    groups: list[int]
    people: list[str]
    confidence: float

    def record(self) -> dict[str, Any]:
        """Return the columns that are written."""
        return {
            "photograph": self.photograph,
            "people": _BETWEEN.join(self.people),
            "groups": _BETWEEN.join(map(str, self.groups)),
            "confidence": self.confidence,
        }


def people_on_photographs(faces: Sequence[LabelledItem]) -> list[PhotographPeople]:
    """List the photographs on which faces are, each with the people on it."""
    by_photograph: dict[str, list[LabelledItem]] = {}
    for face in faces:
        by_photograph.setdefault(face.photograph, []).append(face)
    found = []
    for photograph, on_it in sorted(by_photograph.items()):
        people = {face.group: face.name or str(face.group) for face in on_it}
        least = min(face.confidence for face in on_it)
        found.append(PhotographPeople(photograph, list(people), list(people.values()), least))
    return found
