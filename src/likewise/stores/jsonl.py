"""A store that is one text file: an event per line, as JSON."""

from __future__ import annotations

import json
import logging
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from likewise.errors import NewerFormat, Overtaken, StoreError
from likewise.journal import Event, from_record, to_record
from likewise.stores.leases import MemoryLeases

try:
    import fcntl
except ImportError:  # pragma: no cover - Windows has no fcntl; there one process at a time
    fcntl = None  # type: ignore[assignment]

_log = logging.getLogger(__name__)

NUMBER = "line"  # the field by which a line says which one it is
SALVAGE = "save the others with: likewise backup --salvage"  # the end of a sentence


class JsonLinesStore:
    """Events in a file that grows by a line each; fits `LeasingStore`.

    Every append is written through to the disk. A last line cut short by a crash was never
    acknowledged: it is left out, and overwritten by the next event. Any other damage is reported
    with its line number; every line says which one it is, so that a missing or doubled one is
    noticed. Leases hold among those who share the program.

    Parameters
    ----------
    path : str or Path
        The file; it is made by the first append, its folder must exist.

    Examples
    --------
    >>> import tempfile
    >>> from likewise.journal import Opened
    >>> store = JsonLinesStore(Path(tempfile.mkdtemp()) / "pile.likewise.jsonl")
    >>> store.append([Opened(4, fingerprint="", method="auto", n_clusters=2, random_state=0)])
    >>> [event.method for event in store.read()]
    ['auto']
    """

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)
        self.leases = MemoryLeases()
        self._n_bytes = 0  # of whole lines that this object has read or written
        self._n_lines = 0  # the same in lines

    def __str__(self) -> str:
        return str(self.path)

    def append(self, events: Sequence[Event]) -> None:
        """Add the events; all of them are on the disk when this returns."""
        lines = "".join(
            json.dumps({NUMBER: number, **to_record(event)}) + "\n"
            for number, event in enumerate(events, start=self._n_lines + 1)
        ).encode()
        with self._opened("ab") as file:
            end = file.seek(0, os.SEEK_END)
            whole = _whole_lines(self.path.read_bytes()) if end != self._n_bytes else end
            if whole != self._n_bytes:
                overtaken = whole > self._n_bytes
                raise (Overtaken if overtaken else StoreError)(
                    f"{self.path} was {'written to' if overtaken else 'cut short'} by another "
                    "program since it was read; open the study again and repeat the answer"
                )
            try:
                file.truncate(whole)
                written = 0
                while written < len(lines):  # a disk that is nearly full takes a part
                    written += file.write(lines[written:])
                os.fsync(file.fileno())
            except OSError as error:
                file.truncate(whole)
                raise StoreError(
                    f"{self.path} cannot be written: {error.strerror}; the answer was not kept, "
                    "all earlier ones are"
                ) from error
            self._n_bytes = whole + len(lines)
            self._n_lines += len(events)

    def read(self, since: int = 0) -> list[Event]:
        """Return all events from position `since` on; none when the file does not exist yet."""
        try:
            with self._opened("rb") as file:
                content = file.read()
        except StoreError as error:
            if isinstance(error.__cause__, FileNotFoundError):
                return []
            raise
        self._n_bytes = _whole_lines(content)
        if self._n_bytes < len(content):
            _log.warning("%s: the last line was cut short and is left out", self.path)
        lines = content[: self._n_bytes].splitlines()
        self._n_lines = len(lines)
        later = enumerate(lines[since:], start=since + 1)
        return [self._event(line, number) for number, line in later]

    def _event(self, line: bytes, number: int) -> Event:
        try:
            record = json.loads(line)
            said = record.pop(NUMBER, number) if isinstance(record, dict) else number
            event = from_record(record)
        except NewerFormat:
            raise
        except (ValueError, RecursionError, StoreError) as error:
            raise StoreError(
                f"{self.path}, line {number}, cannot be read ({error}); mend it, or {SALVAGE}"
            ) from error
        if said != number:
            raise StoreError(self._misplaced(number, said))
        return event

    def _misplaced(self, number: int, said: object) -> str:
        """Return what is wrong with a line that says it is another."""
        here = f"{self.path}, line {number}, says that it is line {said}"
        if isinstance(said, int) and said > number:
            return (
                f"{here}: {said - number} before it are missing; take the file from your backup, "
                f"or {SALVAGE}"
            )
        return f"{here}: it stands there twice; delete one of the two, or {SALVAGE}"

    @contextmanager
    def _opened(self, mode: str) -> Iterator[Any]:
        try:
            # Unbuffered: what could not be written must not be tried again on closing.
            file = open(self.path, mode, buffering=0)  # noqa: SIM115 - closed below
        except (OSError, ValueError) as error:
            reason = error.strerror if isinstance(error, OSError) else error
            raise StoreError(f"{self.path} cannot be opened: {reason}") from error
        with file:
            if fcntl is not None:
                fcntl.flock(file, fcntl.LOCK_SH if mode == "rb" else fcntl.LOCK_EX)
            yield file


def _whole_lines(content: bytes) -> int:
    """Return how many bytes belong to lines that were finished."""
    return content.rfind(b"\n") + 1
