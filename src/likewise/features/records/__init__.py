"""Rows that may be duplicates of each other: which to compare, and how alike their cells are.

===============  ================================================================================
file             what it holds
===============  ================================================================================
`normalising`    cells as they are compared: case, accents and punctuation do not matter
`columns`        `ComparedColumn`: what a column holds, and the level at which two cells agree
`blocking`       which pairs of rows are worth comparing: nearest neighbours by rare pieces
`records`        `Records`: the rows, their columns and the pairs, made when first looked at
===============  ================================================================================
"""

from likewise.features.records.columns import ColumnKind, ComparedColumn
from likewise.features.records.records import Records

__all__ = ["ColumnKind", "ComparedColumn", "Records"]
