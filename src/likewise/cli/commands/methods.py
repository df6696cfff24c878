"""`likewise methods`: the methods that choose what to ask."""

from __future__ import annotations

from rich.table import Table
from rich.text import Text

from likewise.cli.console import out, print_json
from likewise.cli.formatting import ACCENT
from likewise.cli.options import JsonOption


def methods(as_json: JsonOption = False) -> None:
    """List the methods that choose what to ask."""
    if as_json:
        print_json(method_list())
    else:
        out.print(method_table())


def method_list() -> list[dict[str, str]]:
    """List name, summary and reference of every method."""
    from likewise.methods import METHODS

    return [
        {"name": name, "summary": recipe.summary, "reference": recipe.reference}
        for name, recipe in METHODS.items()
    ]


def method_table() -> Table:
    """Return the same list as a table for people."""
    table = Table(box=None, padding=(0, 2, 0, 0), header_style="dim")
    table.add_column("method", style=ACCENT, no_wrap=True)
    table.add_column("what it asks about", ratio=1)
    table.add_column("reference", style="dim", ratio=1)
    for method in method_list():
        table.add_row(*(Text(method[key]) for key in ("name", "summary", "reference")))
    return table
