"""Cells of CSV files that a spreadsheet would run as a formula, kept from being run.

Ids and names come from whoever made the pile. A cell that begins like a formula gets an apostrophe
in front, which spreadsheets take for "this is text" and `plain` takes away again.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Sequence
from typing import Any

_RUN = re.compile(r"'*[=+\-@\t\r\n]")
_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?")


def neutral(value: Any) -> Any:
    """Return a value that no spreadsheet runs; numbers, and texts that are numbers, as they are.

    >>> neutral("=1+2"), neutral("-1.5"), neutral(-1.5), neutral("'=x"), neutral("cat")
    ("'=1+2", '-1.5', -1.5, "''=x", 'cat')
    """
    if isinstance(value, str) and _RUN.match(value) and not _NUMBER.fullmatch(value):
        return "'" + value
    return value


def plain(value: str) -> str:
    """Return what `neutral` was given.

    >>> plain("'=1+2"), plain("''=x"), plain("'tis"), plain("-1.5")
    ('=1+2', "'=x", "'tis", '-1.5')
    """
    return value[1:] if value.startswith("'") and _RUN.match(value) else value


def csv_text(
    columns: Sequence[str], rows: Iterable[Sequence[Any]], *, raw_cells: bool = False
) -> str:
    """Return a table as CSV.

    Parameters
    ----------
    columns : sequence of str
        The header.
    rows : iterable of sequences
        The cells of each row, in the order of the columns.
    raw_cells : bool
        Whether cells that a spreadsheet would run are kept as they are.
    """
    lines = []
    for row in (columns, *rows):
        line = io.StringIO(newline="")
        # Ended by both, so that a cell which holds either is put into quotes.
        writer = csv.writer(line, lineterminator="\r\n")
        writer.writerow(row if raw_cells else [neutral(cell) for cell in row])
        lines.append(line.getvalue().removesuffix("\r\n") + "\n")
    return "".join(lines)
