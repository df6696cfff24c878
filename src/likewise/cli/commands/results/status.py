"""`likewise status`: how far a pile has got."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from rich.table import Table
from rich.text import Text

from likewise.cli.console import out, print_json, working
from likewise.cli.formatting import ACCENT, count, review_in_words, safe, sizes_in_words
from likewise.cli.options import JsonOption, reads_pile
from likewise.cli.pile_source import PileSource
from likewise.views.group_sizes import group_sizes

if TYPE_CHECKING:
    from likewise.study import Study

_MOST_LISTED = 20  # contradictions in the table for people


@reads_pile
def status(pile_source: PileSource, as_json: JsonOption = False) -> None:
    """Say how far a pile has got: answers, groups, what was inferred, what is disputed."""
    with working("Looking at the answers"):
        pile = pile_source.read()
        found = study_status(pile_source.open_study(pile.items), pile_source, pile.changes)
    if as_json:
        print_json(found)
    else:
        out.print(status_table(found))


def study_status(
    study: Study, pile_source: PileSource, changes: Sequence[str] = ()
) -> dict[str, Any]:
    """Return how things stand, as plain data; `changes` are those of the pile."""
    from likewise.journal.pairs import Verdict
    from likewise.quality import advise, answers_in_doubt, placed

    verdicts = Counter(answer.verdict for answer in study.answers)
    advice = advise(study)
    return {
        "file": str(pile_source.path),
        "journal": str(pile_source.journal),
        "items": len(study.items),
        "changes": list(changes),
        "method": study.method,
        "clusters": study.n_clusters,
        "seed": study.random_state,
        "answers": study.n_answers,
        **{verdict.value: verdicts[verdict] for verdict in Verdict},
        "groups": list(group_sizes(study.labels_).values()),
        "placed": placed(study),
        "names": {str(label): name for label, name in study.names_.items()},
        "collections": {str(k): " / ".join(path) for k, path in study.collections_.items()},
        "also": {study.items.ids[k]: groups for k, groups in study.also_.items()},
        "reviews": [
            {"id": study.items.ids[k], "note": one.note, "who": one.who}
            for k, one in study.reviews.items()
        ],
        "inferred_pairs": advice.settled_pairs,
        "recently_as_predicted": advice.as_predicted,
        "right": advice.right,
        "right_low": advice.low,
        "right_high": advice.high,
        "gain_of_next_50": advice.gain,
        "questions_left": advice.questions_left,
        "may_stop": advice.may_stop,
        "advice": advice.sentence,
        "disputes": [dispute.describe(study.items.ids) for dispute in study.disputes()],
        "doubtful": [doubt.answer.describe(study.items.ids) for doubt in answers_in_doubt(study)],
    }


def status_table(status: dict[str, Any]) -> Table:
    """Return the same data as a table for people."""
    table = Table.grid(padding=(0, 3, 0, 0))
    from likewise.journal.group_number import described_number

    known = f"{described_number(status['clusters'])} groups"
    if status["clusters"] is None:
        known = "unknown number of groups"
    for name, value in (
        ("file", f"{status['file']}, {count(status['items'], 'item')}"),
        *([("changes", _changes(status["changes"]))] if status["changes"] else []),
        ("journal", status["journal"]),
        ("method", f"{status['method']}, {known}, seed {status['seed']}"),
        (
            "answers",
            f"{status['answers']}: {status['same']} same, {status['different']} different, "
            f"{status['unsure']} not sure",
        ),
        ("groups", sizes_in_words(status["groups"])),
        ("placed", f"{status['placed']} of {status['items']} items, by answers"),
        ("inferred", f"{count(status['inferred_pairs'], 'pair')} that nobody had to answer"),
        ("foreseen", _predicted(status["recently_as_predicted"])),
        ("disputes", _listed(status["disputes"])),
        ("doubtful", "\n".join(status["doubtful"]) or "none"),
        *(
            [("review", _listed([review_in_words(**one) for one in status["reviews"]]))]
            if status["reviews"]
            else []
        ),
        ("advice", status["advice"]),
    ):
        table.add_row(Text(name, style=ACCENT), Text(safe(value)))
    return table


def _listed(sentences: list[str]) -> str:
    """Return as many as anybody reads through, and how many more there are."""
    left = len(sentences) - _MOST_LISTED
    more = [f"and {left} more, all with --json"] if left > 0 else []
    return "\n".join([*sentences[:_MOST_LISTED], *more]) or "none"


def _changes(changes: list[str]) -> str:
    """Say what has changed in the pile, and when the study takes it in."""
    return "\n".join([*changes, "taken in by whoever answers next; nothing was written"])


def _predicted(share: float | None) -> str:
    """Say which share of the latest answers was predicted."""
    return "no answer yet" if share is None else f"{share:.0%} of the latest answers"
