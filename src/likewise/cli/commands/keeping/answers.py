"""`likewise answers`: every answer to a file, and back."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from likewise.cli.commands._opening import open_study
from likewise.cli.console import print_json, say
from likewise.cli.options import JsonOption, RawOption, takes_pile
from likewise.cli.pile_source import PileSource
from likewise.errors import StoreError


class Direction(StrEnum):
    """Out of the study, or into it."""

    EXPORT = "export"
    IMPORT = "import"


class Layout(StrEnum):
    """What is written; reading recognises it by itself."""

    ANSWERS = "answers"
    LINKS = "links"
    DEDUPE = "dedupe"


@takes_pile
def answers(
    pile_source: PileSource,
    direction: Annotated[Direction, typer.Argument(help="Out of the study, or into it.")],
    file: Annotated[
        Path, typer.Argument(metavar="FILE", help="Ends in csv, jsonl, parquet or json.")
    ],
    layout: Annotated[
        Layout,
        typer.Option("--as", help="All that is known, links alone, or dedupe's training file."),
    ] = Layout.ANSWERS,
    who: Annotated[
        str,
        typer.Option("--who", metavar="NAME", help="Who signs imported answers without a name."),
    ] = "",
    raw_cells: RawOption = False,
    as_json: JsonOption = False,
) -> None:
    """Export the answers with who and when, or import them; what is there already stays once."""
    from likewise.exchange import export_answers, import_answers

    pile_source.read_only = direction is Direction.EXPORT
    study = open_study(pile_source)
    if direction is Direction.EXPORT:
        if file.resolve() in (path.resolve() for path in (pile_source.path, pile_source.journal)):
            raise StoreError(f"{file} holds the pile or its answers; choose another file")
        n = export_answers(study, file, layout=layout.value, raw_cells=raw_cells)
        if as_json:
            print_json({"exported": n, "file": str(file)})
        else:
            say(f"wrote {n} answers to {file}")
        return
    result = import_answers(study, file, who=who)
    if as_json:
        print_json(
            {
                "added": len(result.added),
                "known": result.known,
                "strangers": list(result.strangers),
                "disputes": [dispute.describe(study.items.ids) for dispute in result.disputes],
            }
        )
    else:
        say(result.sentence(study.items.ids))
