"""Items of tables and of texts: what names them, what they are compared by, what is shown."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from typing import Any

from likewise.features.feature_views import Floats
from likewise.features.records import Records
from likewise.features.text_views import text_views
from likewise.items._matrices import require_columns, require_two
from likewise.items.columns import (
    about_gaps,
    about_other_columns,
    naming_column,
    text_column,
    texts_of,
)
from likewise.items.digests import content_fingerprint, text_digest
from likewise.items.encoders import TablePileEncoder, TextPileEncoder
from likewise.items.frame_rows import FrameRows
from likewise.items.given import Table, Texts
from likewise.items.labelling import numbered
from likewise.items.table_features import other_columns, table_features

_log = logging.getLogger(__name__)


def made_of_texts(given: Texts) -> dict[str, Any]:
    """Return the fields of items that are texts, compared by what they are about."""
    return _made_of_texts(given, {})


def _made_of_texts(given: Texts, beside: Mapping[str, Floats]) -> dict[str, Any]:
    """Return the same, with other views beside what the texts are about."""
    require_two(len(given.texts))
    digests = [text_digest(text) for text in given.texts]
    views, notes = text_views(None, given.texts, digests)
    return {
        "features": views.whole,
        "views": views.beside(beside).several,
        "ids": given.names or numbered(len(given.texts)),
        "texts": given.texts,
        "digests": digests,
        # Vectors may differ by a hair between machines; the texts do not.
        "content": content_fingerprint(digests),
        "notes": _noted(notes),
        "encoder": TextPileEncoder(),
    }


def made_of_table(given: Table, scaling: str, *, guess: bool = True) -> dict[str, Any]:
    """Return the fields of items that are rows of a table.

    Parameters
    ----------
    given : Table
        The table, with the names of its index.
    scaling : {"auto", "columns", "none"}
        As for `Items.of`.
    guess : bool
        Whether columns may name rows or hold their texts; else all of them are compared.
    """
    frame, names = given.frame, given.names
    require_two(len(frame))
    require_columns(frame)
    notes: list[str] = []
    if guess and len(frame.columns) > 1 and (naming := naming_column(frame)) is not None:
        names = [str(name) for name in frame[naming].to_list()]
        frame = frame.drop(naming)
        notes.append(f"column {naming!r} names the items and is not compared")
    shown = {"ids": names or numbered(len(frame)), "rows": FrameRows(frame)}
    if guess and (column := text_column(frame)) is not None:
        if len(frame.columns) > 1:
            notes.append(about_other_columns(column, "drop it to compare those alone"))
        texts = Texts(texts_of(frame[column].to_list()))
        made = _made_of_texts(texts, other_columns(frame, column))
        made |= shown | {"notes": [*_noted(notes), *made["notes"]]}
        return made | {"encoder": TextPileEncoder(column=column)}
    features, filled, said = table_features(frame, scaling)
    notes += [about_gaps(filled)] if filled else []
    return {
        "features": features,
        **shown,
        "scaling": said,
        "notes": _noted(notes),
        "records": Records.of_frame(frame),
        "encoder": TablePileEncoder(scaling),
    }


def _noted(notes: list[str]) -> list[str]:
    """Log sentences for whoever listens, and return them."""
    for note in notes:
        _log.info("%s", note)
    return notes
