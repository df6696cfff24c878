"""Several questions at once, each chosen as if those before it had been answered as is likely."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from likewise.journal.pairs import Pair, Question, Verdict
from likewise.strategies import IndependentBatch

if TYPE_CHECKING:
    from likewise.study.study import Study

# Questions that are looked at for the next one: some depend on those already chosen.
_OFFERED = 8


def chosen_in_turn(study: Study, n: int, pending: frozenset[Pair]) -> list[Question]:
    """Return up to `n` questions, none of which settles another.

    The first is the one that would be asked alone. Then its likeliest answer is supposed, the
    groups are found anew, and the next question is the best one there, and so on: a batch sees the
    groups that its own questions are likely to bring to light. It costs a fit for every question.

    References
    ----------
    Ginsbourger, Le Riche and Carraro, "Kriging is well-suited to parallelize optimization", 2010:
    the "kriging believer", of which this is the counterpart for questions about pairs.
    """
    from likewise.study.branch import Branch

    view, branch = study._view(pending), Branch.of(study)
    batch = IndependentBatch(view)
    found: list[Question] = []
    supposed: list[tuple[Pair, Verdict]] = []
    while len(found) < n:
        with branch.assuming_all(supposed):
            offered = branch._propose(_OFFERED if found else 1, pending)
        chosen = next((one for one in offered if batch.add(one.pair)), None)
        if chosen is None:
            break
        likely = Verdict.SAME if chosen.same_probability >= 0.5 else Verdict.DIFFERENT
        supposed.append((chosen.pair, likely))
        found.append(replace(chosen, same_probability=study._forecast(view, chosen.pair)))
    if found and len(found) < n:  # nothing is left to ask if all that was supposed came true
        taken = pending | {question.pair for question in found}
        others = study._propose(n - len(found), taken)
        found += [question for question in others if batch.add(question.pair)]
    return found
