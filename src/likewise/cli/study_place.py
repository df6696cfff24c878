"""Where a study is kept that was given as a pile, a file or an address."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from likewise.cli.pile_source import LINES, PileSource
from likewise.errors import StoreError

_KEPT = (".db", ".sqlite", ".sqlite3", LINES, ".ratings.jsonl")

StudyArgument = Annotated[
    str,
    typer.Argument(
        metavar="PILE", help="A pile, or the study itself: a .db or .jsonl file, or an address."
    ),
]


def study_place(given: str) -> str | Path:
    """Return where the study of a pile is kept; what is no pile is the place itself.

    >>> study_place("postgresql://host/name")
    'postgresql://host/name'
    """
    if "://" in given:
        return given
    path = Path(given)
    if path.name.endswith(_KEPT):
        if not path.exists():
            raise StoreError(f"there is no {path}")
        return path
    source = PileSource(path, read_only=True)
    if not source.journal_file.path.exists():
        raise StoreError(
            f"nobody has answered anything about {path} yet; begin with: {source.command('start')}"
        )
    return source.journal
