"""Answers leave a study for other programs, and come back."""

from __future__ import annotations

from likewise.exchange.answers import Imported, export_answers, import_answers, import_gold
from likewise.exchange.dataset_columns import with_groups
from likewise.exchange.files import FORMATS

__all__ = ["FORMATS", "Imported", "export_answers", "import_answers", "import_gold", "with_groups"]
