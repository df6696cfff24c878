"""What is grouped: features, names and what to show; and groups for items that come later."""

from likewise.items._matrices import Matrix
from likewise.items.frame_rows import FrameRows
from likewise.items.items import Items, numbered
from likewise.items.units import Units

__all__ = [
    "FrameRows",
    "Items",
    "Matrix",
    "Units",
    "numbered",
]
