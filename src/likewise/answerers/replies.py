"""Reading what a language model replied: whatever can be used of it, and nothing else."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from likewise.answerers.prompts import Asked

# One entry, also of a reply that broke off: {"id": "q3", "answer": "same"}
_ENTRY = re.compile(r"\{[^{}]*\}")


def answers_in(text: str, questions: Mapping[str, Asked]) -> dict[str, str]:
    """Return the answers that a reply holds, by the id of the question.

    Entries may come in any order. What is not asked, not allowed, or answered twice in two ways is
    left out, and so has to be asked again.

    >>> from likewise.answerers.prompts import ItemPrompt, PairAsked
    >>> asked = {f"q{k}": PairAsked(ItemPrompt("a"), ItemPrompt("b")) for k in (1, 2)}
    >>> answers_in('{"answers": [{"id": "q2", "answer": "Same"}, {"id": "q1", "ans', asked)
    {'q2': 'same'}
    """
    found: dict[str, set[str]] = {}
    for entry in _entries(text):
        name = str(entry.get("id", "")).strip()
        said = str(entry.get("answer", entry.get("verdict", ""))).strip().lower()
        if name in questions and said in questions[name].allowed:
            found.setdefault(name, set()).add(said)
    return {name: said.pop() for name, said in found.items() if len(said) == 1}


def _entries(text: str) -> list[Mapping[str, Any]]:
    """Return the objects of the list of answers; of half a reply those that are whole."""
    try:
        data: Any = json.loads(text)
    except (ValueError, RecursionError):
        return [entry for found in _ENTRY.findall(text) if (entry := _object(found))]
    if isinstance(data, Mapping) and isinstance(data.get("answers"), list):
        data = data["answers"]
    return [one for one in data if isinstance(one, Mapping)] if isinstance(data, list) else []


def _object(text: str) -> Mapping[str, Any]:
    try:
        found: Any = json.loads(text)
    except ValueError:
        return {}
    return found if isinstance(found, Mapping) else {}
