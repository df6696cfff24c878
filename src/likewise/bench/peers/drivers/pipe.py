"""The driver's end of the pipe: one JSON object per line, questions out and answers in."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterable
from time import process_time
from types import TracebackType
from typing import Any


class Pipe:
    """A driver's connection to the bench: questions go out, labels too.

    `due` is true from the moment a checkpoint is reached until labels have been reported.
    """

    def __init__(self) -> None:
        # What the tools print must not end up between the messages: it goes to stderr.
        self._out = os.fdopen(os.dup(1), "w", encoding="utf-8")
        os.dup2(2, 1)
        sys.excepthook = self._report_failure
        self.due = False
        self._began = 0.0

    def problem(self) -> dict[str, Any]:
        """Return what to solve; call it when all is imported, since the clock starts here."""
        self._send({"ready": True})
        problem = self._receive()
        self._began = process_time()
        self.due = problem["due"]
        return problem

    def ask(self, i: int, j: int) -> bool:
        """Return whether two items are of the same kind."""
        self._send({"ask": [int(i), int(j)]})
        reply = self._receive()
        self.due = self.due or reply["due"]
        return bool(reply["same"])

    def report(self, labels: Iterable[Any], *, done: bool = False) -> None:
        """Give labels, and the processor seconds so far; `done`: there is nothing left to ask."""
        used = process_time() - self._began
        given = {"labels": [int(label) for label in labels], "done": done, "processor": used}
        self._send(given)
        self.due = False

    def _send(self, message: dict[str, Any]) -> None:
        self._out.write(json.dumps(message) + "\n")
        self._out.flush()

    def _receive(self) -> dict[str, Any]:
        line = sys.stdin.readline()
        if not line:
            raise SystemExit  # the bench has gone
        message: dict[str, Any] = json.loads(line)
        return message

    def _report_failure(
        self, kind: type[BaseException], error: BaseException, trace: TracebackType | None
    ) -> None:
        self._send({"error": f"{kind.__name__}: {error}"})
        sys.__excepthook__(kind, error, trace)
