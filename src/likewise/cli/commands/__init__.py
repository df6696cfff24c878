"""The commands of `likewise`, a module each: its options and its work."""

from __future__ import annotations

import typer

from likewise.cli.commands import (
    answer,
    answers,
    audit,
    bench,
    demo,
    labels,
    merge,
    methods,
    name,
    not_here,
    rate,
    report,
    retract,
    serve,
    split,
    start,
    status,
)

# In this order `likewise --help` lists them.
_COMMANDS = (
    demo.demo,
    start.start,
    answer.answer,
    rate.rate,
    serve.serve,
    labels.labels,
    status.status,
    retract.retract,
    report.report,
    audit.audit,
    name.name,
    merge.merge,
    split.split,
    not_here.not_here,
    answers.answers,
    methods.methods,
)


def register(app: typer.Typer) -> None:
    """Add every command to the program."""
    for command in _COMMANDS:
        app.command()(command)
    app.add_typer(bench.app, name="bench")
