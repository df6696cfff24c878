"""The two ends of the program: results go to standard output, everything else to standard error."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from rich.console import Console
from rich.text import Text

from likewise.cli.formatting import safe

out = Console(highlight=False)
err = Console(stderr=True, highlight=False)


def say(sentence: str, *, to: Console = out) -> None:
    """Print one sentence as it stands: nothing in it is taken for markup, nothing is wrapped."""
    to.print(Text(safe(sentence)), soft_wrap=True)


@contextmanager
def working(on: str) -> Iterator[None]:
    """Show that something takes its time; silent when nobody is watching."""
    if not err.is_terminal:
        yield
        return
    with err.status(Text(safe(f"{on} …"))):
        yield


@contextmanager
def progress(on: str) -> Iterator[Callable[[int, int], None]]:
    """A bar that fills; its function is told how many are done, of how many."""
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeRemainingColumn,
    )

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    with Progress(
        *columns, TimeRemainingColumn(), console=err, transient=True, disable=not err.is_terminal
    ) as bar:
        task = bar.add_task(safe(on).replace("[", r"\["), total=None)
        yield lambda done, of: bar.update(task, completed=done, total=of)


def print_json(data: Any) -> None:
    """Print data for a program, as it is: it must not be made fit for a terminal."""
    import json

    out.file.write(json.dumps(data, indent=2, ensure_ascii=False) + "\n")
