"""Answers leave a study for other programs, and come back."""

from __future__ import annotations

from likewise.exchange.answers import export_answers, import_answers
from likewise.exchange.dataset_columns import with_groups
from likewise.exchange.files import FORMATS
from likewise.exchange.gold import import_gold
from likewise.exchange.imported import Imported
from likewise.exchange.notes import ImportedNotes, export_notes, import_notes

__all__ = [
    "FORMATS",
    "Imported",
    "ImportedNotes",
    "export_answers",
    "export_notes",
    "import_answers",
    "import_gold",
    "import_notes",
    "with_groups",
]
