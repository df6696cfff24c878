"""Gestures that become several answers: merge, split, move, place, sort a sheet, name, take back.

A gesture is nothing but a few answers that are kept in one piece. So it is stored, replayed,
disputed and taken back like any others. What it means for the groups is what follows from those
answers: items that nobody answered about are still placed by likeness.
"""

from likewise.study.edits.classes import ask_class, tell_class
from likewise.study.edits.groups import merge, not_here, split
from likewise.study.edits.members import confirm, move
from likewise.study.edits.placement import foreseen_place, place
from likewise.study.edits.plan import Edit, take_back
from likewise.study.edits.retraction import retract_all
from likewise.study.edits.sheets import foreseen_sheet, sort_sheet

__all__ = [
    "Edit",
    "ask_class",
    "confirm",
    "foreseen_place",
    "foreseen_sheet",
    "merge",
    "move",
    "not_here",
    "place",
    "retract_all",
    "sort_sheet",
    "split",
    "take_back",
    "tell_class",
]
