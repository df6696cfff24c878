"""What the start page needs of who reads piles: the command line, or a test."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from likewise.features.cache import Progress
from likewise.journal.group_number import NumberOfGroups
from likewise.piles import Pile
from likewise.study import Study
from likewise.web.growth import WatchedPile


@dataclass(frozen=True)
class Choice:
    """A pile as it was chosen, and what should count.

    Attributes
    ----------
    path
        The folder or file.
    text, image
        The column of texts, or of picture files, that rows are compared by.
    drop
        Columns that do not count.
    n_clusters
        How many groups there are, or between how many; None if nobody knows.
    stacks
        Whether photographs of one burst count as one.
    """

    path: Path
    text: str | None = None
    image: str | None = None
    drop: tuple[str, ...] = ()
    n_clusters: NumberOfGroups = None
    stacks: bool = False


@dataclass(frozen=True)
class Opening:
    """A pile that is about to be read, and what becomes of it.

    Attributes
    ----------
    name
        What the page calls it.
    path
        The folder or file.
    read
        Reads it; called with whom to tell of progress.
    begin
        Begins its study, or goes on with it, and finds the first question.
    access_file
        The private file of the study's tokens.
    kept
        Where answers are kept.
    answers
        How many there are already; None if the study has not been begun.
    watched
        The pile as a server watches it.
    """

    name: str
    path: Path
    read: Callable[[Progress], Pile]
    begin: Callable[[Pile], Study]
    access_file: Path
    kept: Path
    answers: int | None
    watched: WatchedPile


class PileOpener(Protocol):
    """Opens piles."""

    def open(self, choice: Choice) -> Opening:
        """Return what is to be read; refuse what cannot be, or where nothing can be kept."""
