"""Clusterers that ask: their algorithm is a dialogue, replayed from the start at every fit."""

from likewise.clusterers.dialogue.base import Completed, DialogueClusterer, Step
from likewise.clusterers.dialogue.cobras import COBRA, COBRAS

__all__ = [
    "COBRA",
    "COBRAS",
    "Completed",
    "DialogueClusterer",
    "Step",
]
