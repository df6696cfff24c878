"""Clusterers that ask: their algorithm is a dialogue, replayed from the start at every fit."""

from likewise.clusterers.dialogue.a3s import A3S
from likewise.clusterers.dialogue.base import Completed, DialogueClusterer, Step
from likewise.clusterers.dialogue.cobras import COBRA, COBRAS
from likewise.clusterers.dialogue.dsl import DSL

__all__ = [
    "A3S",
    "COBRA",
    "COBRAS",
    "DSL",
    "Completed",
    "DialogueClusterer",
    "Step",
]
