"""`likewise models`: what texts and pictures can be compared by."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING

from rich.table import Table
from rich.text import Text

from likewise.cli.console import out, print_json, say
from likewise.cli.formatting import ACCENT
from likewise.cli.options import JsonOption

if TYPE_CHECKING:
    from collections.abc import Iterable

    from likewise.features.catalogue import ModelEntry


def models(as_json: JsonOption = False) -> None:
    """List the models that texts and pictures can be compared by."""
    from likewise.features.catalogue import entries, figures

    listed = entries()
    about = {serves: {**measured} for serves, measured in figures().items()}
    for measured in about.values():
        del measured["models"]
    if as_json:
        print_json({"models": [asdict(entry) for entry in listed], "figures": about})
        return
    for serves, measured in about.items():
        ours = (entry for entry in listed if entry.vote is not None and entry.serves == serves)
        out.print(_table_of_measured(serves, ours))
        say(f"Means over {len(measured['piles'])} piles of up to {measured['items']:,} {serves}.\n")
    say(
        "ms: of a processor for one; MB: on the disk; vote: share whose ten nearest elect the "
        "right kind; k-means: its ARI when told the number of groups; area: mean ARI over 200 "
        "questions.\n"
    )
    out.print(_table_of_others(entry for entry in listed if entry.vote is None))


def _table_of_measured(serves: str, entries: Iterable[ModelEntry]) -> Table:
    """Return what each model costs and how good it is, a line each."""
    table = Table(box=None, padding=(0, 2, 0, 0), header_style="dim")
    table.add_column("model", style=ACCENT, no_wrap=True)
    table.add_column(f"what {serves} are compared by", ratio=1)
    for name in ("ms", "MB", "vote", "k-means", "area"):
        table.add_column(name, justify="right", no_wrap=True)
    for entry in entries:
        quality = [_number(value, 2) for value in (entry.vote, entry.kmeans, entry.area)]
        cost = [_number(entry.ms, 1), _number(entry.mb, 0)]
        table.add_row(*map(Text, (entry.name, entry.summary, *cost, *quality)))
    return table


def _table_of_others(entries: Iterable[ModelEntry]) -> Table:
    """Return the models that nobody has measured here, and how to get them."""
    table = Table(box=None, padding=(0, 2, 0, 0), header_style="dim")
    table.add_column("model", style=ACCENT, overflow="fold")
    table.add_column("for", no_wrap=True)
    table.add_column("what it is", ratio=1)
    table.add_column("to be installed first", style="dim", overflow="fold")
    for entry in entries:
        table.add_row(*map(Text, (entry.name, entry.serves, entry.summary, entry.install)))
    return table


def _number(value: float | None, digits: int) -> str:
    return "" if value is None else f"{value:.{digits}f}"
