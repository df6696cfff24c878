"""What is grouped: features, names and what to show; and groups for items that come later."""

from likewise.items._matrices import LARGEST, Matrix, doubles, finite_numbers
from likewise.items.frame_rows import FrameRows
from likewise.items.items import Items
from likewise.items.labelling import numbered
from likewise.items.table_features import table_features
from likewise.items.units import SCALINGS, Units

__all__ = [
    "LARGEST",
    "SCALINGS",
    "FrameRows",
    "Items",
    "Matrix",
    "Units",
    "doubles",
    "finite_numbers",
    "numbered",
    "table_features",
]
