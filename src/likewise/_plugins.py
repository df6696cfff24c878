"""Parts that other packages offer as entry points, each loaded when it is asked for."""

from __future__ import annotations

import logging
from collections.abc import Callable, Container, Iterator
from functools import cached_property
from importlib.metadata import EntryPoint, entry_points
from typing import Generic, TypeVar, cast

_log = logging.getLogger(__name__)

T = TypeVar("T")


class Plugins(Generic[T]):
    """The entry points of one group: names, and the part that each name stands for.

    Nothing is imported before a name is asked for; iterating asks for all of them. An entry that
    cannot be loaded, or is not what the group is for, is left out: one sentence says why, as a
    logged warning and in `problem` and `problems`. It harms no other entry.

    Parameters
    ----------
    group : str
        Name of the group in the entry points of a package, such as "likewise.methods".
    kind : str
        What its entries must be, in words for the sentence about one that is not.
    accepts : callable
        Whether a loaded object is of that kind.
    reserved : container of str
        Names that likewise uses itself; entries of such a name are left out.
    """

    def __init__(
        self,
        group: str,
        *,
        kind: str,
        accepts: Callable[[object], bool],
        reserved: Container[str] = (),
    ) -> None:
        self.group = group
        self._kind = kind
        self._accepts = accepts
        self._reserved = reserved
        self._parts: dict[str, T | None] = {}  # what was asked for; None: it is left out
        self._problems: dict[str, str] = {}

    def get(self, name: str) -> T | None:
        """Load the part called `name`; None where there is no such entry or it is left out."""
        if name in self._entries and name not in self._parts:
            entry = self._entries[name]
            try:
                self._parts[name] = self._load(entry)
            except _PluginError as error:
                self._parts[name] = None
                self._problems[name] = self._sentence(entry, str(error))
                _log.warning("%s", self._problems[name])
        return self._parts.get(name)

    def names(self) -> list[str]:
        """List the names that packages offer, without loading what they stand for."""
        return sorted(name for name in self._entries if name not in self._reserved)

    def entry_names(self) -> list[str]:
        """List the names of all entries, also of those whose name likewise uses itself."""
        return sorted(self._entries)

    def __iter__(self) -> Iterator[str]:
        """Load every part, and iterate over the names of those that can be used."""
        return iter([name for name in sorted(self._entries) if self.get(name) is not None])

    def problem(self, name: str) -> str | None:
        """Return the sentence that says why `name` is left out; None if it is not."""
        self.get(name)
        return self._problems.get(name)

    def problems(self) -> list[str]:
        """Load every part, and return a sentence for each that is left out."""
        list(self)
        return [self._problems[name] for name in sorted(self._problems)]

    @cached_property
    def _entries(self) -> dict[str, EntryPoint]:
        # Of two packages with the same name for something, the alphabet decides, not the disk.
        found = sorted(entry_points(group=self.group), key=lambda entry: entry.value, reverse=True)
        return {entry.name: entry for entry in found}

    def _load(self, entry: EntryPoint) -> T:
        if entry.name in self._reserved:
            raise _PluginError("has a name that likewise uses itself; rename it")
        try:
            part: object = entry.load()
        except (Exception, SystemExit) as error:
            _log.debug("loading %s failed", entry.value, exc_info=True)
            first_line = next(iter(str(error).splitlines()), "")
            reason = f"{type(error).__name__}: {first_line}".removesuffix(": ")
            raise _PluginError(f"cannot be loaded ({reason})") from error
        if not self._accepts(part):
            raise _PluginError(f"must be {self._kind} but is {_described(part)}")
        return cast(T, part)

    def _sentence(self, entry: EntryPoint, reason: str) -> str:
        owner = f" of the package {entry.dist.name}" if entry.dist is not None else ""
        return f"{entry.name} = {entry.value!r} in {self.group}{owner} is left out: it {reason}"


class _PluginError(Exception):
    """An entry that is left out; its message goes on from "it"."""


def _described(part: object) -> str:
    return f"the class {part.__name__}" if isinstance(part, type) else f"a {type(part).__name__}"
