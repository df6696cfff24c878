"""`likewise answers`: every answer to a file, and back."""

from __future__ import annotations

from dataclasses import asdict
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from likewise.cli.commands._opening import open_or_begin, open_study
from likewise.cli.console import print_json, say
from likewise.cli.options import JsonOption, RawOption, takes_pile
from likewise.cli.pile_source import PileSource
from likewise.errors import DataError, StoreError

if TYPE_CHECKING:
    from likewise.study import Study


class Direction(StrEnum):
    """Out of the study, or into it."""

    EXPORT = "export"
    IMPORT = "import"


class Layout(StrEnum):
    """What is written; reading recognises it by itself."""

    ANSWERS = "answers"
    LINKS = "links"
    DEDUPE = "dedupe"
    SPLINK = "splink"
    LABEL_STUDIO = "label-studio"
    ARGILLA = "argilla"
    NOTES = "notes"
    QUESTIONNAIRE = "questionnaire"


@takes_pile
def answers(
    pile_source: PileSource,
    direction: Annotated[Direction, typer.Argument(help="Out of the study, or into it.")],
    file: Annotated[
        Path, typer.Argument(metavar="FILE", help="Ends in csv, jsonl, parquet, json or html.")
    ],
    layout: Annotated[
        Layout | None,
        typer.Option(
            "--as",
            help="All that is known, links alone, a file of another tool; notes instead: marks for "
            "review, collections, further groups; or, as html, the next questions for a colleague "
            "to answer without a server.",
            show_default="by FILE",
        ),
    ] = None,
    who: Annotated[
        str,
        typer.Option(
            "--who",
            metavar="NAME",
            help="Who signs imported answers without a name; for whom a questionnaire is.",
        ),
    ] = "",
    questions: Annotated[
        int, typer.Option("--questions", metavar="N", help="How many a questionnaire has at most.")
    ] = 40,
    title: Annotated[
        str, typer.Option("--title", metavar="TEXT", help="The heading of a questionnaire.")
    ] = "Which belong together?",
    raw_cells: RawOption = False,
    as_json: JsonOption = False,
) -> None:
    """Export the answers with who and when, or import them; what is there already stays once."""
    from likewise.exchange import export_answers, import_answers
    from likewise.exchange.notes import export_notes, holds_notes, import_notes

    if layout is None:
        is_page = file.suffix.lower() in (".html", ".htm")
        layout = Layout.QUESTIONNAIRE if is_page else Layout.ANSWERS
    # What others answer may be the first that is known of a pile.
    if direction is Direction.IMPORT or layout is Layout.QUESTIONNAIRE:
        study = open_or_begin(pile_source)
    else:
        pile_source.read_only = True
        study = open_study(pile_source)
    if direction is Direction.EXPORT:
        if file.resolve() in (path.resolve() for path in (pile_source.path, pile_source.journal)):
            raise StoreError(f"{file} holds the pile or its answers; choose another file")
        if layout is Layout.QUESTIONNAIRE:
            _write_questionnaire(study, file, title, questions, who)
            return
        if layout is Layout.NOTES:
            n = export_notes(study, file)
            noun = "note" if n == 1 else "notes"
        else:
            n, noun = (
                export_answers(study, file, layout=layout.value, raw_cells=raw_cells),
                "answers",
            )
        if as_json:
            print_json({"exported": n, "file": str(file)})
        else:
            say(f"wrote {n} {noun} to {file}")
        return
    if holds_notes(file):
        notes = import_notes(study, file, who=who)
        if as_json:
            print_json(asdict(notes))
        else:
            say(notes.sentence())
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


def _write_questionnaire(study: Study, file: Path, title: str, n: int, who: str) -> None:
    """Write the next questions to a file that a colleague opens, answers and sends back."""
    from likewise.report import questionnaire

    if file.suffix.lower() not in (".html", ".htm"):
        raise DataError(f"a questionnaire is written to .html, not to {file.name!r}")
    page = questionnaire(study, title, n=n, who=who)
    try:
        file.write_text(page, encoding="utf-8")
    except OSError as error:
        raise StoreError(f"{file} cannot be written: {error.strerror}") from error
    say(
        f"wrote a questionnaire to {file}; whoever answers it sends back a file ending in .json, "
        "for `likewise answers PILE import`"
    )
