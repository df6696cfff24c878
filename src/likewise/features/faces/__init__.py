"""Faces on photographs: where they are, and vectors by which those of one person are near."""

from likewise.features.faces.base import Face, FaceModel
from likewise.features.faces.dlib_faces import DlibFaces
from likewise.features.faces.found import find_faces

__all__ = ["DlibFaces", "Face", "FaceModel", "find_faces"]
