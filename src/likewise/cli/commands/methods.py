"""`likewise methods`."""

from __future__ import annotations

import typer

from likewise.cli.consoles import out, print_json
from likewise.cli.options import JsonOption


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(methods)


def methods(as_json: JsonOption = False) -> None:
    """List the methods that choose what to ask."""
    from likewise.cli.listing import method_list, method_table

    if as_json:
        print_json(method_list())
    else:
        out.print(method_table())
