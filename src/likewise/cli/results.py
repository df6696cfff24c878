"""What a study of a table has found: the group of every row, and how things stand."""

from __future__ import annotations

import csv
import io
import json
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.table import Table
from rich.text import Text

from likewise.cli.facts import (
    group_sizes,
    in_words,
    inferred_pairs,
    placed,
    shares_as_predicted,
)
from likewise.cli.show import ACCENT, count, safe
from likewise.errors import StoreError
from likewise.pairs import Verdict

if TYPE_CHECKING:
    from likewise.cli.table import Source
    from likewise.constraints import Dispute
    from likewise.similarity import SimilarityStudy
    from likewise.study import Study


def labels(study: Study | SimilarityStudy, ids: Sequence[str], *, as_json: bool) -> str:
    """Id, group and confidence of every item, as CSV or JSON."""
    rows = [
        {"id": name, "group": int(group), "confidence": round(float(confidence), 4)}
        for name, group, confidence in zip(ids, study.labels_, study.confidence_, strict=True)
    ]
    if as_json:
        return json.dumps(rows, indent=2, ensure_ascii=False) + "\n"
    text = io.StringIO()
    writer = csv.DictWriter(text, ["id", "group", "confidence"], lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue()


def write(text: str, to: Path, source: Source) -> None:
    """Write results to a file, but never over what they were made from."""
    if to.resolve() in (path.resolve() for path in (source.path, source.journal, source.ratings)):
        raise StoreError(f"{to} is what the groups are made from; choose another file for --out")
    try:
        to.write_text(text, encoding="utf-8")
    except OSError as error:
        raise StoreError(f"{to} cannot be written: {error.strerror}") from error


def status(study: Study, source: Source) -> dict[str, Any]:
    """How things stand, as plain data."""
    said = Counter(answer.verdict for answer in study.answers)
    return {
        "file": str(source.path),
        "journal": str(source.journal),
        "items": len(study.items),
        "method": study.method,
        "clusters": study.n_clusters,
        "seed": study.random_state,
        "answers": study.n_answers,
        **{verdict.value: said[verdict] for verdict in Verdict},
        "groups": group_sizes(study),
        "placed": placed(study),
        "inferred_pairs": inferred_pairs(study),
        "recently_as_predicted": next(reversed(shares_as_predicted(study)), None),
        "disputes": [_sentence(dispute, study.items.ids) for dispute in study.disputes()],
    }


def status_table(facts: dict[str, Any]) -> Table:
    """The same for people."""
    table = Table.grid(padding=(0, 3, 0, 0))
    known = (
        "unknown number of groups" if facts["clusters"] is None else f"{facts['clusters']} groups"
    )
    for name, value in (
        ("file", f"{facts['file']}, {count(facts['items'], 'row')}"),
        ("journal", facts["journal"]),
        ("method", f"{facts['method']}, {known}, seed {facts['seed']}"),
        (
            "answers",
            f"{facts['answers']}: {facts['same']} same, {facts['different']} different, "
            f"{facts['unsure']} not sure",
        ),
        ("groups", in_words(facts["groups"])),
        ("placed", f"{facts['placed']} of {facts['items']} rows, by answers"),
        ("inferred", f"{count(facts['inferred_pairs'], 'pair')} that nobody had to answer"),
        ("foreseen", _foreseen(facts["recently_as_predicted"])),
        ("disputes", "\n".join(facts["disputes"]) or "none"),
    ):
        table.add_row(Text(name, style=ACCENT), Text(safe(value)))
    return table


def _foreseen(share: float | None) -> str:
    return "no answer yet" if share is None else f"{share:.0%} of the latest answers"


def _sentence(dispute: Dispute, ids: list[str]) -> str:
    """A contradiction, told by the items' own names."""
    others = ", ".join(answer.told(ids) for answer in dispute.chain)
    known = " and the given number of groups" if dispute.by_elimination else ""
    return f"{dispute.answer.told(ids)} contradicts {others}{known}; take one of them back"
