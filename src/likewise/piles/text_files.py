"""Texts: the lines of a file, or a column of a table."""

from __future__ import annotations

from pathlib import Path

from likewise.errors import DataError
from likewise.features import models, texts
from likewise.features.cache import Progress
from likewise.items import FrameRows
from likewise.piles._text_encoding import read_text
from likewise.piles.pile import Contents, Features, digest

TF_IDF, WORDLLAMA = "tf-idf", "wordllama"  # models that need nothing but likewise


def read_lines(path: Path, *, model: str | None) -> Contents:
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
    model: str | None,
    *,
    rows: FrameRows | None = None,
) -> Contents:
    """Return texts, compared by what they are about."""
    digests = [digest(text.encode("utf-8", "surrogatepass")) for text in content]

    def features(kept: list[int], progress: Progress | None) -> Features:
        chosen, keys = [content[k] for k in kept], [digests[k] for k in kept]
        if model == TF_IDF:
            return Features(kept, texts.tf_idf(chosen))
        if model in (None, WORDLLAMA):
            try:
                return Features(kept, texts.embed(chosen, keys, progress))
            except ImportError:
                note = "wordllama is not installed, so texts are compared by tf-idf alone"
                return Features(kept, texts.tf_idf(chosen), [note])
        assert model is not None
        return Features(kept, models.embed_texts(model, chosen, keys, progress))

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
    )
