"""Our own models of pictures: what is on them, how they look, and both."""

from likewise.features.pictures.looks import EdgesTextureColour
from likewise.features.pictures.mobilenet import MobileNet
from likewise.features.pictures.photographs import Photographs

__all__ = ["EdgesTextureColour", "MobileNet", "Photographs"]
