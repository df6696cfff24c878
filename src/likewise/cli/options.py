"""Options that several commands have."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import Annotated, Any, get_type_hints

import typer

from likewise.cli.pile_source import PileSource

_RANGE = re.compile(r"\s*(\d+)\s*(?:-\s*(\d+)\s*)?")  # 3, 5-20


def number_of_groups(given: Any) -> int | tuple[int, int]:
    """Return the number of groups, or the range, that was given in an option.

    >>> number_of_groups("3"), number_of_groups("5-20")
    (3, (5, 20))
    """
    found = _RANGE.fullmatch(str(given))
    if found is None:
        raise typer.BadParameter(
            f"{str(given)!r} is no number of groups; give one, like 3, or a range, like 5-20"
        )
    low, high = found.groups()
    return int(low) if high is None else (int(low), int(high))


PileArgument = Annotated[
    Path,
    typer.Argument(
        metavar="PILE",
        help="A folder of pictures, or a file: csv, tsv, parquet, jsonl, txt, npy, npz.",
    ),
]
DropOption = Annotated[
    list[str] | None, typer.Option("--drop", metavar="COL", help="Leave a column out (repeatable).")
]
IdOption = Annotated[
    str | None, typer.Option("--id", metavar="COL", help="The column that names the rows.")
]
TextOption = Annotated[
    str | None, typer.Option("--text", metavar="COL", help="Compare by the texts in a column.")
]
ImageOption = Annotated[
    str | None, typer.Option("--image", metavar="COL", help="Compare by the pictures it names.")
]
FeaturesOption = Annotated[
    Path | None,
    typer.Option("--features", metavar="FILE", help="Vectors of your own: npy, npz, csv, parquet."),
]
ModelOption = Annotated[
    str | None,
    typer.Option(
        "--model",
        metavar="NAME",
        help="What texts or pictures are compared by: see `likewise models`.",
    ),
]
ScalingOption = Annotated[
    str,
    typer.Option(
        "--scaling",
        metavar="HOW",
        help="Columns of numbers: auto, columns (each to unit variance) or none.",
    ),
]
SendOption = Annotated[
    bool,
    typer.Option("--send", help="Allow a model that is elsewhere: items leave this machine."),
]
NearOption = Annotated[
    bool, typer.Option("--near-duplicates", help="Pictures that look the same count as one.")
]
StacksOption = Annotated[
    bool,
    typer.Option("--stacks", help="Photographs of one burst count as one: a stack to be opened."),
]
AnywhereOption = Annotated[
    bool,
    typer.Option(
        "--images-anywhere", help="Let the image column name files outside the pile's folder."
    ),
]
FacesOption = Annotated[
    bool,
    typer.Option("--faces", help="Group the faces on the photographs: a group per person."),
]
RepresentativesOption = Annotated[
    int | None,
    typer.Option(
        "--representatives", metavar="N", help="Let N items stand for a folder of parquet or npy."
    ),
]
DaskOption = Annotated[
    str | None,
    typer.Option("--dask", metavar="tcp://…", help="Read such a folder on a dask cluster."),
]
StoreOption = Annotated[
    Path | None,
    typer.Option("--store", metavar="FILE.db", help="Keep the study here and not beside the pile."),
]
RawOption = Annotated[
    bool,
    typer.Option(
        "--raw-cells", help="In CSV, keep cells that a spreadsheet would run as formulas."
    ),
]
JsonOption = Annotated[bool, typer.Option("--json", help="As JSON, for programs.")]
MethodOption = Annotated[
    str | None, typer.Option(help="See `likewise methods`.", show_default="auto")
]
ClustersOption = Annotated[
    Any,
    typer.Option(
        parser=number_of_groups,
        metavar="K or A-B",
        help="The number of groups, if it is known, or about: 5-20.",
        show_default="unknown",
    ),
]
SeedOption = Annotated[
    int | None, typer.Option(help="Same seed, same questions.", show_default="0")
]
BudgetOption = Annotated[
    int | None, typer.Option(help="Stop after so many answers.", show_default="none")
]
PortOption = Annotated[
    int, typer.Option(min=0, max=65535, help="Where the page is; 0 lets the system choose.")
]
OwnPortOption = Annotated[
    int | None,
    typer.Option(
        min=0,
        max=65535,
        help="Where the page is; 0 lets the system choose.",
        show_default="the pile's own, the same every time",
    ),
]
BrowserOption = Annotated[bool, typer.Option(help="Open the page in a browser.")]

_PILE = {
    "path": PileArgument,
    "drop": DropOption,
    "id_column": IdOption,
    "text": TextOption,
    "image": ImageOption,
    "features": FeaturesOption,
    "model": ModelOption,
    "scaling": ScalingOption,
    "send": SendOption,
    "near_duplicates": NearOption,
    "stacks": StacksOption,
    "images_anywhere": AnywhereOption,
    "faces": FacesOption,
    "representatives": RepresentativesOption,
    "dask": DaskOption,
    "store": StoreOption,
}
_DEFAULTS: dict[str, Any] = {
    "path": inspect.Parameter.empty,
    "scaling": "auto",
    "near_duplicates": False,
    "stacks": False,
    "images_anywhere": False,
    "faces": False,
    "send": False,
}


def takes_pile(command: Callable[..., None], *, read_only: bool = False) -> Callable[..., None]:
    """Return a command with the options that describe a pile in place of its `PileSource`.

    Every command must read a pile in the same way, so these options are listed only here. The
    command is called with a `PileSource` as its first argument; one that is `read_only` writes
    nothing to the journal.
    """
    hints = get_type_hints(command, include_extras=True)
    _, *own = inspect.signature(command).parameters.values()

    @wraps(command)
    def with_options(**given: Any) -> None:
        described = {name: given.pop(name) for name in _PILE}
        described["drop"] = tuple(described["drop"] or ())
        command(PileSource(**described, read_only=read_only), **given)

    keyword = inspect.Parameter.KEYWORD_ONLY
    pile = [
        inspect.Parameter(name, keyword, default=_DEFAULTS.get(name), annotation=annotation)
        for name, annotation in _PILE.items()
    ]
    # Arguments come in the order of the parameters: the pile, then the command's own.
    rest = [one.replace(kind=keyword, annotation=hints[one.name]) for one in own]
    parameters = [pile[0], *rest, *pile[1:]]
    with_options.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    with_options.__annotations__ = {one.name: one.annotation for one in parameters}
    return with_options


def reads_pile(command: Callable[..., None]) -> Callable[..., None]:
    """Return a command as `takes_pile` does, for one that only looks."""
    return takes_pile(command, read_only=True)
