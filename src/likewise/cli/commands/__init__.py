"""The commands of `likewise`, a module each, in folders by what they are for."""

from __future__ import annotations

import typer

from likewise.cli.commands import bench, methods, models, plugins
from likewise.cli.commands.annotation import answer, audit, demo, mcp, rate, serve, start
from likewise.cli.commands.editing import (
    also,
    collect,
    merge,
    name,
    not_here,
    retract,
    review,
    split,
    undo,
    unstack,
    views,
)
from likewise.cli.commands.keeping import answers, backup, verify
from likewise.cli.commands.results import labels, plan, report, status
from likewise.cli.model_help import NamesModels

# In this order `likewise --help` lists them.
_COMMANDS = (
    demo.demo,
    start.start,
    answer.answer,
    rate.rate,
    serve.serve,
    mcp.mcp,
    labels.labels,
    status.status,
    plan.plan,
    retract.retract,
    undo.undo,
    report.report,
    audit.audit,
    name.name,
    merge.merge,
    split.split,
    not_here.not_here,
    collect.collect,
    also.also,
    review.review,
    unstack.unstack,
    views.views,
    answers.answers,
    backup.backup,
    verify.verify,
    methods.methods,
    models.models,
    plugins.plugins,
)


def register(app: typer.Typer) -> None:
    """Add every command to the program."""
    for command in _COMMANDS:
        app.command(cls=NamesModels)(command)
    app.add_typer(bench.app, name="bench")
