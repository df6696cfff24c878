"""`likewise rate`: how alike are two items of a pile, with every rating kept beside it."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from likewise.cli.answering import read
from likewise.cli.cards import RatedCards, Sheet
from likewise.cli.consoles import say, working
from likewise.cli.dialogue import require_budget
from likewise.cli.endings import Ending
from likewise.cli.facing import facing
from likewise.cli.facts import in_words
from likewise.cli.ratings import AnswerRecord, RatingMoment, converse
from likewise.cli.show import count
from likewise.cli.source import Source
from likewise.cli.stage import Scene, person

if TYPE_CHECKING:
    from likewise.study import SimilarityStudy


def rate(
    source: Source,
    *,
    method: str | None,
    n_clusters: int | None,
    repeats: int | None,
    seed: int | None,
    budget: int | None,
) -> Ending:
    """Show pairs of items until somebody stops, and say how to go on."""
    require_budget(budget)
    pile = read(source, source.rated_pile)
    with working("Looking for the first pair"):
        study = source.begin_rating(pile.items, method, n_clusters, repeats, seed)
        study.ask()
    so_far = f"{count(study.n_measurements, 'rating')} so far." if study.n_measurements else ""
    sheet = Sheet(str(source.path), facing(pile.items), pile.names(), pile.noun)
    scene: Scene[RatingMoment, AnswerRecord] = RatedCards(sheet)
    with person(scene) as respond:
        ending = converse(study, respond, budget=budget, note=so_far)
    _conclude(study, ending, source)
    return ending


def _conclude(study: SimilarityStudy, ending: Ending, source: Source) -> None:
    if ending is Ending.NOTHING_LEFT:
        say("Every pair has been rated.")
    sizes = sorted(Counter(study.labels_.tolist()).values(), reverse=True)
    say(f"{count(study.n_measurements, 'rating')} in all made {in_words(sizes)}.")
    say(f"Every rating is kept in {source.ratings}.")
    if ending is not Ending.NOTHING_LEFT:
        say(f"  {source.command('rate')}   goes on")
    say(f"  {source.command('labels')} --ratings   writes the groups")
