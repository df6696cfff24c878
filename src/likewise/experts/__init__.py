"""Experts: different ideas of likeness, each of which judges who belongs to which group."""

from likewise.experts.base import Expert, Opinion, Seeds
from likewise.experts.forest import Forest
from likewise.experts.gaussian import Clouds
from likewise.experts.islands import Islands
from likewise.experts.landscape import Landscape
from likewise.experts.merging import MergeTree
from likewise.experts.stacking import sharpened, sharpness, stacked_weights
from likewise.experts.walks import Walks

__all__ = [
    "Clouds",
    "Expert",
    "Forest",
    "Islands",
    "Landscape",
    "MergeTree",
    "Opinion",
    "Seeds",
    "Walks",
    "sharpened",
    "sharpness",
    "stacked_weights",
]
