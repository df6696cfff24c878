"""The file in which tokens survive a restart: lines that are only appended, for one user's eyes.

{"event": "made", "token": "...", "secret": "..."}
{"event": "invited", "name": "Ada", "token": "..."}
{"event": "withdrawn", "name": "Ada"}
"""

from __future__ import annotations

import errno
import json
import os
import stat
from pathlib import Path

from likewise.errors import StoreError

_PRIVATE = 0o600
_FIELDS = {
    "made": {"event", "token", "secret"},
    "invited": {"event", "name", "token"},
    "withdrawn": {"event", "name"},
}


class AccessFile:
    """A private file of events; whoever else could read or write it makes it unusable.

    Parameters
    ----------
    path
        Where it is; made when something is appended.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._seen: tuple[int, int] | None = None

    def changed(self) -> bool:
        """Return whether there may be more in it than at the last call of `read`."""
        try:
            found = self.path.stat()
        except OSError:
            return False  # who is in stays in, though the file is gone
        return (found.st_mtime_ns, found.st_size) != self._seen

    def read(self) -> list[dict[str, str]]:
        """Return the events so far, oldest first; none if there is no file.

        Raises
        ------
        StoreError
            If others have access to the file, or it holds something else.
        """
        try:
            with os.fdopen(self._open(os.O_RDONLY), "rb") as file:
                found = os.fstat(file.fileno())
                lines = file.read().splitlines()
        except FileNotFoundError:
            return []
        self._seen = (found.st_mtime_ns, found.st_size)
        events = [self._event(line) for line in lines]
        if events and events[0]["event"] != "made":
            raise self._damaged()
        return events

    def append(self, event: dict[str, str]) -> None:
        """Write one more event, in one piece, so that two programs do not lose each other's."""
        try:
            with os.fdopen(self._open(os.O_WRONLY | os.O_APPEND | os.O_CREAT), "wb") as file:
                file.write(json.dumps(event).encode() + b"\n")
        except OSError as error:
            why = error.strerror
            if error.errno == errno.ENOSPC and event["event"] == "made":
                why = (
                    "the disk is full; nothing was begun: make room, or keep the study in "
                    "another folder"
                )
            raise StoreError(f"{self.path} cannot be written: {why}") from error

    def _open(self, flags: int) -> int:
        """Return a descriptor of the file, which must be ours alone."""
        try:
            if flags & os.O_CREAT:
                self.path.parent.mkdir(parents=True, exist_ok=True)
            # A link could lead to somebody else's file.
            descriptor = os.open(self.path, flags | getattr(os, "O_NOFOLLOW", 0), _PRIVATE)
        except FileNotFoundError:
            raise
        except OSError as error:
            raise StoreError(
                f"{self.path}, which keeps the tokens, cannot be opened: {error.strerror}; "
                "move it away, and new ones are made"
            ) from error
        found = os.fstat(descriptor)
        if hasattr(os, "geteuid") and (
            found.st_uid != os.geteuid() or stat.S_IMODE(found.st_mode) & 0o077
        ):
            os.close(descriptor)
            raise StoreError(
                f"{self.path} keeps tokens, but other users have access to it; delete it, and new "
                "ones are made"
            )
        return descriptor

    def _event(self, line: bytes) -> dict[str, str]:
        """Return the event of a line."""
        try:
            event = json.loads(line)
            fields = {str(name): value for name, value in event.items() if isinstance(value, str)}
            if fields.keys() == event.keys() == _FIELDS[fields["event"]]:
                return fields
        except (ValueError, AttributeError, KeyError):
            pass
        raise self._damaged()

    def _damaged(self) -> StoreError:
        """Return the error of a file that is none of tokens."""
        return StoreError(
            f"{self.path} should keep tokens but holds something else; move it away, and new ones "
            "are made"
        )
