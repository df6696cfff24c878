"""Reading a pile aloud, and opening its study: what the commands that ask begin with."""

from __future__ import annotations

from typing import TYPE_CHECKING

from likewise.cli.console import progress, say, working
from likewise.cli.formatting import count
from likewise.cli.pile_source import DATABASE, PileSource

if TYPE_CHECKING:
    from collections.abc import Callable

    from likewise.features.cache import Progress
    from likewise.journal.group_number import NumberOfGroups
    from likewise.piles import Pile
    from likewise.study import Study


def begin(
    pile_source: PileSource,
    *,
    method: str | None,
    n_clusters: NumberOfGroups,
    seed: int | None,
    budget: int | None = None,
    ending: str = DATABASE,
) -> tuple[Pile, Study]:
    """Read the pile, say what it holds, and get the first question ready.

    Parameters
    ----------
    pile_source : PileSource
        The pile.
    method, n_clusters, seed
        Settings of a new study, None where the user gave none; one that was begun refuses others.
    budget : int, optional
        Checked before anything is read: who asks for no answers need not wait for the pile.
    ending : str
        What kind of journal a new study gets.

    Returns
    -------
    tuple of Pile and Study
        The study has computed its first question.
    """
    from likewise.cli.terminal.loop import require_budget

    require_budget(budget)
    pile_source.require_place()
    pile = read_aloud(pile_source, pile_source.read)
    with working("Looking for the first question"):
        study = pile_source.begin_study(
            pile, method=method, n_clusters=n_clusters, seed=seed, ending=ending
        )
        study.ask()
    if study.reduced is not study:
        n_items, n_few = len(study.items), len(study.reduced.items)
        say(
            f"  so many {pile.noun}s ({n_items:,}) are compared through {n_few:,} of them, more "
            "where answers show that to be needed."
        )
    return pile, study


def read_aloud(pile_source: PileSource, reader: Callable[[Progress], Pile]) -> Pile:
    """Read the pile with a progress bar, and print what it is and what was noticed in it."""
    with progress(f"Reading {pile_source.path}") as bar:
        pile = reader(bar)
    named = f"named by {pile.named_by}" if pile.named_by else "numbered from 0"
    known = "" if pile.named_by == "" else f"; they are {named}"
    n_items = count(len(pile.items), pile.noun)
    say(f"{pile_source.path}: {n_items}, compared by {pile.compared_by}{known}.")
    for note in pile.notes:
        say(f"  {note}.")
    return pile


def open_study(pile_source: PileSource) -> Study:
    """Read the pile, and open its study, which must have been begun."""
    with working(f"Reading {pile_source.path}"):
        return pile_source.open_study()


def open_or_begin(pile_source: PileSource) -> Study:
    """Read the pile, and open its study; where there is none, begin one with the usual settings."""
    if pile_source.journal_file.is_begun:
        return open_study(pile_source)
    pile_source.require_place()
    with working(f"Reading {pile_source.path}"):
        return pile_source.begin_study(pile_source.read(), method=None, n_clusters=None, seed=None)
