"""`likewise report` and `likewise audit`: what was found, and how far it can be trusted."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from likewise.cli.consoles import err, say, working
from likewise.cli.options import takes_pile
from likewise.cli.source import Source
from likewise.errors import StoreError


def register(app: typer.Typer) -> None:
    """Add the commands."""
    for command in (report, audit):
        app.command()(takes_pile(command))


def report(
    source: Source,
    to: Annotated[
        Path, typer.Option("--out", metavar="FILE.html", help="Where the report goes.")
    ] = Path("report.html"),
    title: Annotated[
        str | None, typer.Option(help="What stands above it.", show_default="the pile's name")
    ] = None,
) -> None:
    """Write one HTML file with the groups, their members, a map and how sure all that is."""
    from likewise.report import report

    if to.resolve() in (path.resolve() for path in (source.path, source.journal)):
        raise StoreError(f"{to} holds the pile or its answers; choose another file for --out")
    with working("Writing the report"):
        study = source.open(source.items())
        page = report(study, title or source.path.resolve().name)
        try:
            to.write_text(page, encoding="utf-8")
        except OSError as error:
            raise StoreError(f"{to} cannot be written: {error.strerror}") from error
    say(f"wrote {to}", to=err)


def audit(
    source: Source,
    pairs: Annotated[
        int, typer.Option(help="How many random pairs; 59 without an error show 5% at most.")
    ] = 59,
    delta: Annotated[
        float, typer.Option(help="With what probability the bound may be wrong.")
    ] = 0.05,
    answer_error: Annotated[
        float, typer.Option(help="How often answers are wrong; taken off the bound.")
    ] = 0.0,
) -> None:
    """Answer random pairs, half within groups and half across, to bound how many are wrong."""
    from likewise.cli.auditing import audit as play

    done = play(source, n_pairs=pairs, delta=delta, answer_error=answer_error)
    say(done.sentence)
