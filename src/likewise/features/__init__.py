"""Features: numbers by which pictures, texts and table rows can be compared."""

from likewise.features.base import PictureModel, RemoteModel, TextModel

__all__ = ["PictureModel", "RemoteModel", "TextModel"]
