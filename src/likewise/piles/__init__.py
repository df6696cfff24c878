"""Piles: folders and files that become items."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from likewise.piles.load import load_items, read_pile
from likewise.piles.partitioned import read_partitioned
from likewise.piles.pile import Pile

if TYPE_CHECKING:
    from likewise.piles.growth import begin_study, resume_study, stacks_apart

__all__ = [
    "Pile",
    "begin_study",
    "load_items",
    "read_partitioned",
    "read_pile",
    "resume_study",
    "stacks_apart",
]


def __getattr__(name: str) -> Any:
    # Loaded when first used: who only reads a pile need not wait for databases.
    if name in ("begin_study", "resume_study", "stacks_apart"):
        return getattr(import_module("likewise.piles.growth"), name)
    raise AttributeError(f"module 'likewise.piles' has no attribute {name!r}")
