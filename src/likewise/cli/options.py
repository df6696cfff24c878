"""Options that several commands have."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

FileArgument = Annotated[Path, typer.Argument(metavar="FILE.csv", help="One row per item.")]
DropOption = Annotated[
    list[str] | None, typer.Option("--drop", metavar="COL", help="Leave a column out (repeatable).")
]
IdOption = Annotated[
    str | None, typer.Option("--id", metavar="COL", help="The column that names the rows.")
]
JsonOption = Annotated[bool, typer.Option("--json", help="As JSON, for programs.")]
MethodOption = Annotated[
    str | None, typer.Option(help="See `likewise methods`.", show_default="auto")
]
ClustersOption = Annotated[
    int | None, typer.Option(help="The number of groups, if it is known.", show_default="unknown")
]
SeedOption = Annotated[
    int | None, typer.Option(help="Same seed, same questions.", show_default="0")
]
BudgetOption = Annotated[
    int | None, typer.Option(help="Stop after so many answers.", show_default="none")
]
