"""Kinds of question beside the pair: place an item, sort a sheet; and which is worth its seconds.

All kinds have one measure, the items that are expected to be put right, and one price, the
seconds that a person takes (`Pace`). None of them belongs to a method: what is believed of the
items is read off the method's clustering (`GroupBeliefs`).
"""

from likewise.strategies.kinds.beliefs import GroupBeliefs
from likewise.strategies.kinds.pace import Pace
from likewise.strategies.kinds.places import Candidates, candidate_groups, place_question
from likewise.strategies.kinds.sheets import SheetChooser

__all__ = [
    "Candidates",
    "GroupBeliefs",
    "Pace",
    "SheetChooser",
    "candidate_groups",
    "place_question",
]
