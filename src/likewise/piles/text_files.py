"""Texts: the lines of a file, or a column of a table."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from likewise.errors import DataError
from likewise.features.base import FeatureModel
from likewise.features.cache import Progress
from likewise.features.text_views import compute_ahead, computed_before, text_views
from likewise.items import FrameRows
from likewise.items.digests import text_digest
from likewise.items.encoders import TextPileEncoder
from likewise.items.table_features import other_columns
from likewise.piles._text_encoding import read_text
from likewise.piles.first_reading import FirstReading
from likewise.piles.pile import Contents, Features

_ENOUGH = 1_000  # texts that take some seconds


def read_lines(
    path: Path, *, model: str | FeatureModel | None, first: FirstReading | None = None
) -> Contents:
    """Find the lines of a text file, named by their numbers; empty ones are no items."""
    text, notes = read_text(path)
    lines = {str(k): line for k, line in enumerate(text.splitlines(), start=1) if line.strip()}
    if not lines:
        raise DataError(f"{path} is empty; it needs a line per item")
    ids, content = list(lines), list(lines.values())
    return text_contents(ids, content, "line", "their words", notes, model, first=first)


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
    first: FirstReading | None = None,
) -> Contents:
    """Return texts, compared by what they are about."""
    digests, n_all = [text_digest(text) for text in content], len(content)
    if first is not None:
        computed = computed_before(model, digests)
        now = first.positions(ids, computed, [one.hex() for one in digests], _ENOUGH)
        ids, content = [ids[k] for k in now], [content[k] for k in now]
        digests = [digests[k] for k in now]
        rows = None if rows is None else rows.take(np.array(now, dtype=np.int64))

    def features(kept: list[int], progress: Progress | None) -> Features:
        chosen, keys = [content[k] for k in kept], [digests[k] for k in kept]
        views, said = text_views(model, chosen, keys, progress)
        if rows is not None and column is not None:
            views = views.beside(other_columns(rows.take(np.array(kept)).narwhals, column))
        return Features(kept, views.whole, said, views.several)

    def ahead(some: list[int]) -> None:
        compute_ahead(model, [content[k] for k in some], [digests[k] for k in some])

    return Contents(
        noun="text",
        ids=ids,
        digests=digests,
        features=features,
        ahead=ahead,
        n_later=n_all - len(content),
        compared_by=compared_by,
        named_by=named_by,
        rows=rows,
        texts=content,
        notes=notes,
        by_content=True,
        encoder=TextPileEncoder(model, column),
    )
