"""`likewise audit`: random pairs, asked in the terminal and held against the groups."""

from __future__ import annotations

from contextlib import suppress
from time import perf_counter
from typing import TYPE_CHECKING

from likewise.cli.answering import read
from likewise.cli.cards import Cards, Sheet
from likewise.cli.consoles import working
from likewise.cli.dialogue import VERDICTS, Moment, Respond
from likewise.cli.facing import facing
from likewise.cli.keys import Action
from likewise.cli.source import Source
from likewise.cli.stage import person
from likewise.journal.pairs import Question
from likewise.quality import Audit

if TYPE_CHECKING:
    from likewise.study import Study


def audit(source: Source, *, n_pairs: int, delta: float, answer_error: float) -> Audit:
    """Ask about the pairs until all are answered or somebody stops; the answers are kept as well.

    The groups are judged as they were at the beginning, whatever the answers change.
    """
    pile = read(source, source.pile)
    with working("Drawing the pairs"):
        study = source.open(pile.items)
        current = Audit.of(study, n_pairs, delta=delta, answer_error=answer_error)
    sheet = Sheet(str(source.path), facing(pile.items), pile.names(), pile.noun)
    with person(Cards(sheet)) as respond:
        return _ask(study, current, respond)


def _ask(study: Study, current: Audit, respond: Respond) -> Audit:
    left = current.open
    before: list[Audit] = []  # as it was before each answer, for whoever takes one back
    note = ""
    with suppress(KeyboardInterrupt):  # what was answered so far counts
        while left:
            pair = left[0]
            shown = perf_counter()
            to_go = f"Audit: {len(left)} to go."
            # Even odds: nobody is to be led by what the groups say.
            moment = Moment(study, Question(pair, 0.5), f"{to_go} {note}".strip(), [])
            action = respond(moment)
            note = ""
            if action is None or action is Action.STOP:
                break
            if action in VERDICTS:
                said = VERDICTS[action]
                study.tell(pair, said, seconds=round(perf_counter() - shown, 3))
                before.append(current)
                current = current.with_answer(pair, said)
                left = [one for one in left if one != pair]
            elif action is Action.SKIP:
                left = [*left[1:], pair]
            elif action is Action.UNDO and before:
                study.undo()
                current = before.pop()
                left = [*(one for one in current.open if one not in left), *left]
                note = "Taken back."
    return current
