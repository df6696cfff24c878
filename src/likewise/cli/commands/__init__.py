"""The commands, a module per subject; each module's `register` adds its own to the program."""

from __future__ import annotations

import typer

from likewise.cli.commands import (
    asking,
    demo,
    editing,
    exchanging,
    findings,
    judging,
    methods,
    serving,
)

# In this order `likewise --help` lists them.
_SUBJECTS = (demo, asking, serving, findings, judging, editing, exchanging, methods)


def register(app: typer.Typer) -> None:
    """Add every command."""
    for subject in _SUBJECTS:
        subject.register(app)
