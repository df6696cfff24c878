"""Questions about the items of a pile in the terminal, with every answer kept beside it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from likewise.cli.cards import Cards, Sheet
from likewise.cli.consoles import progress, say, working
from likewise.cli.dialogue import converse, require_budget
from likewise.cli.endings import Ending
from likewise.cli.facing import facing
from likewise.cli.facts import group_sizes, in_words
from likewise.cli.show import count
from likewise.cli.source import DATABASE, Source
from likewise.cli.stage import person
from likewise.journal.pairs import Verdict

if TYPE_CHECKING:
    from collections.abc import Callable

    from likewise.features.cache import Progress
    from likewise.piles import Pile
    from likewise.study import Study


@dataclass(frozen=True)
class Sitting:
    """A pile, and the study of it that is about to go on."""

    source: Source
    pile: Pile
    study: Study


def begin(
    source: Source,
    *,
    method: str | None,
    n_clusters: int | None,
    seed: int | None,
    budget: int | None = None,
    ending: str = DATABASE,
) -> Sitting:
    """Read the pile, say what was found, and get the first question ready."""
    require_budget(budget)
    pile = read(source, source.pile)
    with working("Looking for the first question"):
        study = source.begin(pile, method=method, n_clusters=n_clusters, seed=seed, ending=ending)
        study.ask()
    return Sitting(source, pile, study)


def read(source: Source, reader: Callable[[Progress], Pile]) -> Pile:
    """The pile, with a word about what it is and what was noticed in it."""
    with progress(f"Reading {source.path}") as bar:
        pile = reader(bar)
    named = f"named by {pile.named_by}" if pile.named_by else "numbered from 0"
    known = "" if pile.named_by == "" else f"; they are {named}"
    found = count(len(pile.items), pile.noun)
    say(f"{source.path}: {found}, compared by {pile.compared_by}{known}.")
    for note in pile.notes:
        say(f"  {note}.")
    return pile


def answer(sitting: Sitting, *, budget: int | None, verb: str) -> Ending:
    """Ask about the items until somebody stops, and say how to go on."""
    source, pile, study = sitting.source, sitting.pile, sitting.study
    so_far = f"{count(study.n_answers, 'answer')} so far." if study.n_answers else ""
    sheet = Sheet(str(source.path), facing(pile.items), pile.names(), pile.noun)
    with person(Cards(sheet)) as respond:
        ending = converse(study, respond, budget=budget, note=so_far)
    _conclude(study, ending, source, verb)
    return ending


def _conclude(study: Study, ending: Ending, source: Source, verb: str) -> None:
    """What there is now, and what can be done with it."""
    if ending in (Ending.NOTHING_LEFT, Ending.BUDGET_SPENT):
        open_still = ending is Ending.NOTHING_LEFT and any(
            answer.verdict is Verdict.UNSURE for answer in study.answers
        )
        but = ", except what you were not sure about" if open_still else ""
        say(f"{ending.value.capitalize()}{but}.")
    say(f"{count(study.n_answers, 'answer')} in all made {in_words(group_sizes(study))}.")
    say(f"Every answer is kept in {source.journal}.")
    if ending is not Ending.NOTHING_LEFT:
        say(f"  {source.command(verb)}   goes on")
    say(f"  {source.command('labels')}   writes the groups")
