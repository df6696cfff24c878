"""Texts: the lines of a file, or a column of a table."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from likewise.errors import DataError
from likewise.features.base import FeatureModel
from likewise.features.cache import Progress
from likewise.features.text_views import text_views
from likewise.items import FrameRows
from likewise.items.digests import text_digest
from likewise.items.encoders import TextPileEncoder
from likewise.items.table_features import other_columns
from likewise.piles._text_encoding import read_text
from likewise.piles.pile import Contents, Features


def read_lines(path: Path, *, model: str | FeatureModel | None) -> Contents:
    """Find the lines of a text file, named by their numbers; empty ones are no items."""
    text, notes = read_text(path)
    lines = {str(k): line for k, line in enumerate(text.splitlines(), start=1) if line.strip()}
    if not lines:
        raise DataError(f"{path} is empty; it needs a line per item")
    return text_contents(list(lines), list(lines.values()), "line", "their words", notes, model)


def text_contents(
    ids: list[str],
    content: list[str],
    named_by: str | None,
    compared_by: str,
    notes: list[str],
    model: str | FeatureModel | None,
    *,
    rows: FrameRows | None = None,
    column: str | None = None,
) -> Contents:
    """Return texts, compared by what they are about."""
    digests = [text_digest(text) for text in content]

    def features(kept: list[int], progress: Progress | None) -> Features:
        chosen, keys = [content[k] for k in kept], [digests[k] for k in kept]
        views, said = text_views(model, chosen, keys, progress)
        if rows is not None and column is not None:
            views = views.beside(other_columns(rows.take(np.array(kept)).narwhals, column))
        return Features(kept, views.whole, said, views.several)

    return Contents(
        noun="text",
        ids=ids,
        digests=digests,
        features=features,
        compared_by=compared_by,
        named_by=named_by,
        rows=rows,
        texts=content,
        notes=notes,
        by_content=True,
        encoder=TextPileEncoder(model, column),
    )
