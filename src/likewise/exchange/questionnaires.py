"""Answers that a colleague gave in a questionnaire, one HTML file, and sent back.

The reply is JSON: {"questionnaire": 1, "study": ..., "who": ..., "answers": [{"question": ...,
"verdict": ..., "seconds": ..., "when": ...}]}. Questions are named as the server's are, so that an
answer about an item that has changed since, or from another study, is recognised.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from likewise.errors import DataError
from likewise.exchange.records import AnswerRecord
from likewise.study import Study
from likewise.study.item_keys import OtherItem, OtherStudy, pair_asked

FORMAT = 1  # of the reply


def is_reply(data: Any) -> bool:
    """Return whether this is what a questionnaire sends back."""
    return isinstance(data, Mapping) and "questionnaire" in data


def from_reply(data: Mapping[str, Any], study: Study, name: str) -> list[AnswerRecord]:
    """Return the answers of a reply; those about items that have changed name no item of the pile.

    Raises
    ------
    DataError
        If it belongs to another study, or is no reply.
    """
    if data["questionnaire"] != FORMAT:
        raise DataError(
            f"{name} was made by a newer likewise, which is needed to read it: its format is "
            f"{data['questionnaire']!r}, not {FORMAT}"
        )
    answers = data.get("answers")
    if not isinstance(answers, list):
        raise DataError(f"{name} holds no list of answers; ask for it to be sent again")
    return [
        _record(one, study, data, f"{name}, answer {number}")
        for number, one in enumerate(answers, start=1)
    ]


def _record(one: Any, study: Study, data: Mapping[str, Any], where: str) -> AnswerRecord:
    if not isinstance(one, Mapping) or not isinstance(one.get("question"), str):
        raise DataError(f"{where}: an answer must name its question but is {one!r}")
    try:
        pair = pair_asked(study, one["question"])
        item, other = (study.items.ids[k] for k in pair)
    except OtherStudy as error:
        raise DataError(
            f"{where}: this questionnaire belongs to another study; give the pile it was made of"
        ) from error
    except OtherItem:
        item, other = "an item that has changed since", "another item"
    except (ValueError, IndexError) as error:
        raise DataError(f"{where}: there is no question {one['question']!r}") from error
    signed = {"who": data.get("who"), **one, "item": item, "other": other}
    return AnswerRecord.of(signed, where)
