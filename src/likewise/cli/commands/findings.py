"""`likewise labels`, `status` and `retract`: what the answers have come to."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from likewise.cli.consoles import err, out, print_json, say, working
from likewise.cli.options import DropOption, FileArgument, IdOption, JsonOption


def register(app: typer.Typer) -> None:
    """Add the commands."""
    app.command()(labels)
    app.command()(status)
    app.command()(retract)


def labels(
    file: FileArgument,
    drop: DropOption = None,
    id_column: IdOption = None,
    to: Annotated[
        Path | None, typer.Option("--out", metavar="FILE", help="Write here, not to the screen.")
    ] = None,
    ratings: Annotated[
        bool, typer.Option("--ratings", help="From the ratings of `likewise rate`.")
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """Write the group of every row: id, group, confidence."""
    from likewise.cli import results
    from likewise.cli.table import Source

    source = Source(file, tuple(drop or ()), id_column)
    with working("Grouping the rows"):
        items = source.items()
        study = source.open_ratings(items) if ratings else source.open(items)
        text = results.labels(study, items.ids, as_json=as_json)
    if to is None:
        out.file.write(text)
    else:
        results.write(text, to, source)
        say(f"wrote {to}", to=err)


def status(
    file: FileArgument,
    drop: DropOption = None,
    id_column: IdOption = None,
    as_json: JsonOption = False,
) -> None:
    """Say how far a table has got: answers, groups, what was inferred, what is disputed."""
    from likewise.cli import results
    from likewise.cli.table import Source

    source = Source(file, tuple(drop or ()), id_column)
    with working("Looking at the answers"):
        facts = results.status(source.open(source.items()), source)
    if as_json:
        print_json(facts)
    else:
        out.print(results.status_table(facts))


def retract(
    file: FileArgument,
    number: Annotated[int, typer.Argument(help="The answer's number, as `likewise status` says.")],
    drop: DropOption = None,
    id_column: IdOption = None,
) -> None:
    """Take back one answer by its number, for instance to resolve a dispute."""
    from likewise.cli.table import Source

    source = Source(file, tuple(drop or ()), id_column)
    study = source.open(source.items())
    study.retract(number)
    say(f"took back answer {number}; {len(study.disputes())} disputes are left")
