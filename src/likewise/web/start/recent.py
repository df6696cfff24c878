"""Piles that were opened lately, in a file of the user's own."""

from __future__ import annotations

import json
import os
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from likewise.journal.events import timestamp
from likewise.web.start.opening import Choice

_MOST = 12


@dataclass(frozen=True)
class RecentPile:
    """A pile, what counted when it was opened, how much it held, and when that was."""

    choice: Choice
    summary: str
    when: str


class RecentPiles:
    """The list of recent piles; that it cannot be read or written is no reason to stop.

    Parameters
    ----------
    path
        The file; made when the first pile is added.
    """

    def __init__(self, path: Path) -> None:
        self.path = path

    def all(self) -> list[RecentPile]:
        """Return the piles that are still there, the latest first."""
        return [one for one in self._read() if _exists(one.choice.path)]

    def of(self, path: Path) -> Choice | None:
        """Return what counted when this pile was opened last, None if it never was."""
        return next((one.choice for one in self._read() if one.choice.path == path), None)

    def add(self, choice: Choice, summary: str) -> None:
        """Put a pile first."""
        others = [one for one in self._read() if one.choice.path != choice.path]
        kept = [RecentPile(choice, summary, timestamp()), *others][:_MOST]
        text = json.dumps([_record(one) for one in kept], indent=1)
        new = self.path.with_name(f"{self.path.name}.{os.getpid()}")
        with suppress(OSError, UnicodeEncodeError):
            self.path.parent.mkdir(parents=True, exist_ok=True)
            # For one user's eyes: it says where private things are.
            with os.fdopen(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
                file.write(text)
            new.replace(self.path)

    def _read(self) -> list[RecentPile]:
        try:
            records = json.loads(self.path.read_text(encoding="utf-8"))
            return [_pile(record) for record in records][:_MOST]
        except (OSError, ValueError, TypeError, KeyError, AttributeError):
            return []


def _exists(path: Path) -> bool:
    try:
        return path.exists()
    except OSError:
        return False


def _record(pile: RecentPile) -> dict[str, Any]:
    choice = pile.choice
    return {
        "path": str(choice.path),
        "text": choice.text,
        "image": choice.image,
        "drop": list(choice.drop),
        "stacks": choice.stacks,
        "summary": pile.summary,
        "when": pile.when,
    }


def _pile(record: dict[str, Any]) -> RecentPile:
    choice = Choice(
        Path(record["path"]),
        record["text"],
        record["image"],
        tuple(map(str, record["drop"])),
        stacks=record.get("stacks") is True,
    )
    return RecentPile(choice, str(record["summary"]), str(record["when"]))
