"""`likewise report`: what was found, as one HTML file."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from likewise.cli.console import err, say, working
from likewise.cli.options import reads_pile
from likewise.cli.pile_source import PileSource
from likewise.errors import StoreError


@reads_pile
def report(
    pile_source: PileSource,
    to: Annotated[
        Path, typer.Option("--out", metavar="FILE.html", help="Where the report goes.")
    ] = Path("report.html"),
    title: Annotated[
        str | None, typer.Option(help="What stands above it.", show_default="the pile's name")
    ] = None,
) -> None:
    """Write one HTML file with the groups, their members, a map and how sure all that is."""
    from likewise.report import report as render_report

    if to.resolve() in (path.resolve() for path in (pile_source.path, pile_source.journal)):
        raise StoreError(f"{to} holds the pile or its answers; choose another file for --out")
    with working("Writing the report"):
        study = pile_source.open_study()
        page = render_report(study, title or pile_source.path.resolve().name)
        try:
            to.write_text(page, encoding="utf-8")
        except OSError as error:
            raise StoreError(f"{to} cannot be written: {error.strerror}") from error
    say(f"wrote {to}", to=err)
