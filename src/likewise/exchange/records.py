"""An answer between two programs: items by their ids, and whatever else is known of it."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any

from likewise.errors import AnswerError, DataError
from likewise.journal.pairs import AnswerDraft, Pair, Verdict


@dataclass(frozen=True)
class AnswerRecord:
    """An answer as files hold it: items by their ids; only the first three fields are always known.

    Parameters
    ----------
    item, other : str
        The ids of the two items.
    verdict : Verdict
        Same, different or unsure.
    answer : int, optional
        Its number in the study it comes from.
    who, when : str
        Who gave it, and when in ISO format; empty if unknown.
    seconds : float, optional
        How long it took.
    weight : float
        How much it counts.
    same_probability : float, optional
        What was predicted before it was given.
    model_version : str
        Which program answered, if one did.
    where : str
        Its place in the file, for error messages; not written.
    """

    item: str
    other: str
    verdict: Verdict
    answer: int | None = None
    who: str = ""
    when: str = ""
    seconds: float | None = None
    weight: float = 1.0
    same_probability: float | None = None
    model_version: str = ""
    where: str = ""

    def record(self) -> dict[str, Any]:
        """Return the fields of a file, in their order."""
        return {name: getattr(self, name) for name in COLUMNS} | {"verdict": self.verdict.value}

    def draft(self, position: Mapping[str, int], who: str) -> AnswerDraft:
        """Return the answer to be kept; `position` finds items by id, `who` signs the unsigned."""
        return AnswerDraft(
            Pair(position[self.item], position[self.other]),
            self.verdict,
            who=self.who or who,
            seconds=self.seconds,
            weight=self.weight,
            same_probability=self.same_probability,
            when=self.when,
            model_version=self.model_version,
        )

    @classmethod
    def of(cls, record: Mapping[str, Any], where: str) -> AnswerRecord:
        """Read a record of a file; missing fields are unknown, wrong ones are named."""
        missing = [name for name in ("item", "other", "verdict") if _empty(record.get(name))]
        if missing:
            raise DataError(
                f"{where} has no {missing[0]!r}; each answer needs two ids and a verdict"
            )
        try:
            verdict = Verdict.of(str(record["verdict"]).strip().lower())
        except AnswerError as error:
            raise DataError(f"{where}: {error}") from error
        weight = _number(record, "weight", where)
        if weight is not None and not weight > 0:
            raise DataError(f"{where}: weight must be above 0 but is {weight}")
        return cls(
            item=str(record["item"]),
            other=str(record["other"]),
            verdict=verdict,
            who=_text(record, "who"),
            when=_text(record, "when"),
            seconds=_number(record, "seconds", where),
            weight=1.0 if weight is None else weight,
            same_probability=_number(record, "same_probability", where),
            model_version=_text(record, "model_version"),
            where=where,
        )


COLUMNS = tuple(field.name for field in fields(AnswerRecord) if field.name != "where")


def _empty(value: Any) -> bool:
    """Return whether a field holds nothing; NaN is a gap in a frame."""
    return value is None or value == "" or value != value  # NaN: a gap in a frame


def _text(record: Mapping[str, Any], name: str) -> str:
    """Return a field as text, "" if it holds nothing."""
    value = record.get(name)
    return "" if _empty(value) else str(value)


def _number(record: Mapping[str, Any], name: str, where: str) -> float | None:
    """Return a field as a number, None if it holds nothing; refuse anything else with its place."""
    value = record.get(name)
    if _empty(value):
        return None
    try:
        number = float(value)  # type: ignore[arg-type]
    except (TypeError, ValueError, OverflowError):
        number = math.nan
    if not math.isfinite(number):
        raise DataError(f"{where}: {name} must be a number but is {value!r}")
    return number
