"""`likewise plugins`: what other packages add, and what of it could not be loaded."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rich.table import Table
from rich.text import Text

from likewise.cli.console import out, print_json, say
from likewise.cli.formatting import ACCENT
from likewise.cli.options import JsonOption

if TYPE_CHECKING:
    from likewise._plugins import Plugins


def plugins(as_json: JsonOption = False) -> None:
    """List what other packages add: methods, stores, feature models, answerers."""
    found = plugin_list()
    if as_json:
        print_json(found)
    elif found:
        out.print(plugin_table(found))
    else:
        say("no package adds anything; docs/howto/extend.md says how one would")


def plugin_list() -> list[dict[str, str]]:
    """List group, name and problem of every entry point; the problem is empty if it loads."""
    return [
        {"group": group.group, "name": name, "problem": group.problem(name) or ""}
        for group in _groups()
        for name in group.entry_names()
    ]


def plugin_table(found: list[dict[str, str]]) -> Table:
    """Return the same list as a table for people."""
    table = Table(box=None, padding=(0, 2, 0, 0), header_style="dim")
    table.add_column("group", no_wrap=True)
    table.add_column("name", style=ACCENT, no_wrap=True)
    table.add_column("problem", ratio=1)
    for plugin in found:
        table.add_row(*(Text(plugin[key]) for key in ("group", "name", "problem")))
    return table


def _groups() -> list[Plugins[Any]]:
    from likewise.features.models import plugins as feature_models
    from likewise.methods import METHODS
    from likewise.simulation.offered_answerers import plugins as answerers
    from likewise.stores.resolve import plugins as stores

    return [METHODS.plugins, stores, feature_models, answerers]
