"""`likewise labels`, `status` and `retract`: what the answers have come to."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from likewise.cli.consoles import err, out, print_json, say, working
from likewise.cli.options import JsonOption, takes_pile
from likewise.cli.source import Source


def register(app: typer.Typer) -> None:
    """Add the commands."""
    for command in (labels, status, retract):
        app.command()(takes_pile(command))


def labels(
    source: Source,
    to: Annotated[
        Path | None,
        typer.Option(
            "--out",
            metavar="FILE",
            help="Write here: csv, parquet, json; or a folder.",
        ),
    ] = None,
    copy_to: Annotated[
        Path | None,
        typer.Option("--copy-to", metavar="DIR", help="Copy pictures here, a folder per group."),
    ] = None,
    ratings: Annotated[
        bool, typer.Option("--ratings", help="From the ratings of `likewise rate`.")
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """Write the group of every item: id, group, name, confidence."""
    from likewise.cli import labelling
    from likewise.partitions import Represented

    with working("Grouping the items"):
        items = source.rated_pile().items if ratings else source.items()
        study = source.open_ratings(items) if ratings else source.open(items)
        if isinstance(items, Represented):
            written = labelling.write_parts(study, items, to)
            say(f"wrote {len(written)} files to {to}", to=err)
            return
        rows = labelling.rows(study, items, source)
    if copy_to is not None:
        copied = labelling.copy_pictures(rows, copy_to)
        say(f"copied {copied} pictures to {copy_to}", to=err)
    if to is not None:
        labelling.write(rows, to, source)
        say(f"wrote {to}", to=err)
    if to is None and (copy_to is None or as_json):
        out.file.write(labelling.as_json(rows) if as_json else labelling.as_csv(rows))


def status(source: Source, as_json: JsonOption = False) -> None:
    """Say how far a pile has got: answers, groups, what was inferred, what is disputed."""
    from likewise.cli import results

    with working("Looking at the answers"):
        facts = results.status(source.open(source.items()), source)
    if as_json:
        print_json(facts)
    else:
        out.print(results.status_table(facts))


def retract(
    source: Source,
    number: Annotated[int, typer.Argument(help="The answer's number, as `likewise status` says.")],
) -> None:
    """Take back one answer by its number, for instance to resolve a dispute."""
    study = source.open(source.items())
    study.retract(number)
    say(f"took back answer {number}; {len(study.disputes())} disputes are left")
