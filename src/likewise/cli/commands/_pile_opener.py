"""Piles as the start page opens them: read aloud in the terminal, too."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from likewise.cli.commands._opening import read_aloud
from likewise.cli.commands.annotation.serve import watched
from likewise.cli.console import working
from likewise.cli.own_place import own_folder, own_place, unwritable
from likewise.cli.pile_source import ACCESS, PileSource

if TYPE_CHECKING:
    from likewise.features.cache import Progress
    from likewise.journal.group_number import NumberOfGroups
    from likewise.piles import Pile
    from likewise.study import Study
    from likewise.web.start import Choice, Opening, RecentPiles


class SourceOpener:
    """Opens what is chosen on the start page; a study without a place beside gets one of ours."""

    def open(self, choice: Choice) -> Opening:
        """Return what is to be read."""
        source = PileSource(
            choice.path, choice.drop, text=choice.text, image=choice.image, stacks=choice.stacks
        )
        if unwritable(source.journal):
            source = replace(source, store=own_place(choice.path))
        source.require_place()
        return opening_of(source, n_clusters=choice.n_clusters)


def opening_of(
    source: PileSource,
    *,
    method: str | None = None,
    n_clusters: NumberOfGroups = None,
    seed: int | None = None,
) -> Opening:
    """Return a pile that is about to be read, for the page and for the terminal.

    Parameters
    ----------
    source : PileSource
        The pile.
    method, n_clusters, seed
        Settings of a new study, None where the user gave none.
    """
    from likewise.journal import Answered
    from likewise.web.start import Opening

    source.quick = True  # the server takes in the rest as it is read

    def read(progress: Progress) -> Pile:
        def reader(bar: Progress) -> Pile:
            def both(done: int, of: int) -> None:
                bar(done, of)
                progress(done, of)

            return source.read(both)

        return read_aloud(source, reader)

    def begin(pile: Pile) -> Study:
        with working("Looking for the first question"):
            study = source.begin_study(pile, method=method, n_clusters=n_clusters, seed=seed)
            study.ask()
        return study

    answers = None
    if source.journal_file.is_begun:
        answers = sum(isinstance(one, Answered) for one in source.journal_file.journal.events)
    return Opening(
        name=source.path.resolve().name,
        path=source.path,
        read=read,
        begin=begin,
        access_file=source.beside(ACCESS),
        kept=source.journal,
        answers=answers,
        watched=watched(source),
    )


def recent_piles() -> RecentPiles:
    """Return the list of piles that this user has opened lately."""
    from likewise.web.start import RecentPiles

    return RecentPiles(own_folder() / "recent.json")
