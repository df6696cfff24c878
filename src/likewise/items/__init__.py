"""What is grouped: features, names and what to show; and groups for items that come later."""

from likewise.items.items import Items, Matrix, Rows, Units, numbered

__all__ = [
    "Items",
    "Matrix",
    "Rows",
    "Units",
    "numbered",
]
