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
    """Print one sentence as it is: nothing in it is taken for markup, nothing is wrapped."""
    to.print(Text(safe(sentence)), soft_wrap=True)


@contextmanager
def working(on: str) -> Iterator[None]:
    """Show a spinner while the block runs; nothing when standard error is no terminal."""
    if not err.is_terminal:
        yield
        return
    with err.status(Text(safe(f"{on} …"))):
        yield


@contextmanager
def progress(on: str, *, transient: bool = True) -> Iterator[Callable[[int, int], None]]:
    """Show a progress bar while the block runs; nothing when standard error is no terminal.

    Yields a function that takes how many are done, of how many. A bar that is not `transient`
    stays in view when the block is over.
    """
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeRemainingColumn,
    )

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    with Progress(
        *columns,
        TimeRemainingColumn(),
        console=err,
        transient=transient,
        disable=not err.is_terminal,
    ) as bar:
        task = bar.add_task(safe(on).replace("[", r"\["), total=None)
        yield lambda done, of: bar.update(task, completed=done, total=of)


def print_json(data: Any) -> None:
    """Print data as JSON for a program, without anything made fit for a terminal."""
    import json

    out.file.write(json.dumps(data, indent=2, ensure_ascii=False) + "\n")
