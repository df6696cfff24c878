"""`likewise backup`: a study in one file, also while it is being answered."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from likewise.cli.console import say, working
from likewise.cli.formatting import count
from likewise.cli.study_place import StudyArgument, study_place


def backup(
    study: StudyArgument,
    to: Annotated[Path, typer.Argument(metavar="FILE", help="Where to: a .db or .jsonl file.")],
    overwrite: Annotated[
        bool, typer.Option("--overwrite", help="Replace a file that is there.")
    ] = False,
    salvage: Annotated[
        bool,
        typer.Option("--salvage", help="Save what can be read of a damaged study, to .jsonl."),
    ] = False,
) -> None:
    """Copy a study to one file and read it again; people may go on answering meanwhile."""
    from likewise.stores import back_up
    from likewise.stores import salvage as save

    place = study_place(study)
    with working(f"Copying {study}"):
        if not salvage:
            n_events = back_up(place, to, overwrite=overwrite)
            about = "it was read again and is sound"
        else:
            saved = save(place, to)
            n_events = saved.saved
            about = f"{len(saved.lost)} were lost" if saved.lost else "none was lost"
    say(f"{to} holds {count(n_events, 'event')} of {study}; {about}")
