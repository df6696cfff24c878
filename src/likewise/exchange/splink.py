"""The clerical labels of splink: two ids, and how surely they match, from 0 to 1."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from likewise.exchange.records import AnswerRecord
from likewise.journal.pairs import Verdict

COLUMNS = (
    "source_dataset_l", "unique_id_l", "source_dataset_r", "unique_id_r", "clerical_match_score",
)  # fmt: skip
_SCORES = {Verdict.SAME: 1.0, Verdict.DIFFERENT: 0.0, Verdict.UNSURE: 0.5}


def rows(answers: Iterable[AnswerRecord], dataset: str) -> list[tuple[Any, ...]]:
    """Return the answers as rows of splink's table; `dataset` is the name of the one data set."""
    return [(dataset, a.item, dataset, a.other, _SCORES[a.verdict]) for a in answers]


def is_label(row: Mapping[str, Any]) -> bool:
    """Return whether a row is a clerical label."""
    return {"unique_id_l", "unique_id_r", "clerical_match_score"} <= row.keys()


def as_answer(row: Mapping[str, Any]) -> dict[str, Any]:
    """Return a row as answers are written: a score above one half is "same".

    >>> as_answer({"unique_id_l": 1, "unique_id_r": 2, "clerical_match_score": "0.9"})["verdict"]
    'same'
    """
    score = float(row["clerical_match_score"])
    verdict = "unsure" if score == 0.5 else "same" if score > 0.5 else "different"
    ids = {"item": row["unique_id_l"], "other": row["unique_id_r"]}
    return {**row, **ids, "verdict": verdict}
