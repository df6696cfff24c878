"""`likewise answer`: questions about the rows of a CSV file, with every answer kept beside it."""

from __future__ import annotations

from likewise.cli.consoles import say, working
from likewise.cli.dialogue import converse, require_budget
from likewise.cli.endings import Ending
from likewise.cli.facts import group_sizes, in_words
from likewise.cli.rows import Rows
from likewise.cli.show import count
from likewise.cli.stage import person
from likewise.cli.table import Source
from likewise.pairs import Verdict
from likewise.study import Study


def answer(
    source: Source,
    *,
    method: str | None,
    n_clusters: int | None,
    seed: int | None,
    budget: int | None,
) -> Ending:
    """Ask about the rows until somebody stops, and say how to go on."""
    require_budget(budget)
    with working(f"Reading {source.path}"):
        items = source.items()
        study = source.begin(items, method, n_clusters, seed)
        study.ask()
    so_far = f"{count(study.n_answers, 'answer')} so far." if study.n_answers else ""
    say(f"{source.path}: {count(len(items), 'row')}, {source.compared(items)}.")
    scene = Rows(str(source.path), items.rows or [], source.names(items))
    with person(scene) as respond:
        ending = converse(study, respond, budget=budget, note=so_far)
    _conclude(study, ending, source)
    return ending


def _conclude(study: Study, ending: Ending, source: Source) -> None:
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
        say(f"  {source.command('answer')}   goes on")
    say(f"  {source.command('labels')}   writes the groups")
