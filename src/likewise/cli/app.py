"""The commands; each of them only says which part of the library does the work."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from likewise import __version__
from likewise.cli import bench
from likewise.cli.consoles import err, out, say, working
from likewise.cli.endings import Ending
from likewise.errors import LikewiseError

_INTERRUPTED = 130  # what shells report for Ctrl-C


class _Polite(TyperGroup):
    """Commands whose errors are sentences."""

    def invoke(self, ctx: Any) -> Any:
        """Run a command; what it raises on purpose is said, not shown as a traceback."""
        try:
            return super().invoke(ctx)
        except LikewiseError as error:
            say(f"likewise: {error}", to=err)
            raise typer.Exit(2) from None
        except KeyboardInterrupt:
            say("\nlikewise: stopped; nothing is lost, the same command goes on", to=err)
            raise typer.Exit(_INTERRUPTED) from None


app = typer.Typer(
    cls=_Polite,
    no_args_is_help=True,
    add_completion=True,
    pretty_exceptions_enable=False,
    help="Group any pile of things the way you mean it: likewise shows two of them and asks "
    "whether they are of the same kind.",
)

app.add_typer(bench.app, name="bench")

FileArgument = Annotated[Path, typer.Argument(metavar="FILE.csv", help="One row per item.")]
DropOption = Annotated[
    list[str] | None, typer.Option("--drop", metavar="COL", help="Leave a column out (repeatable).")
]
IdOption = Annotated[
    str | None, typer.Option("--id", metavar="COL", help="The column that names the rows.")
]
JsonOption = Annotated[bool, typer.Option("--json", help="As JSON, for programs.")]
ClustersOption = Annotated[
    int | None, typer.Option(help="The number of groups, if it is known.", show_default="unknown")
]


def _show_version(wanted: bool) -> None:
    if wanted:
        say(f"likewise {__version__}")
        raise typer.Exit


@app.callback()
def _likewise(
    version: Annotated[
        bool,
        typer.Option("--version", callback=_show_version, is_eager=True, help="Show the version."),
    ] = False,
) -> None:
    pass


@app.command()
def methods(as_json: JsonOption = False) -> None:
    """List the methods that choose what to ask."""
    from likewise.cli.listing import method_list, method_table

    if as_json:
        _print_json(method_list())
    else:
        out.print(method_table())


@app.command()
def demo(
    simulate: Annotated[
        bool, typer.Option("--simulate", help="Answer by itself, from the true labels.")
    ] = False,
    budget: Annotated[int, typer.Option(help="How many answers at most.")] = 100,
    items: Annotated[int, typer.Option(help="How many digits, chosen by the seed.")] = 300,
    method: Annotated[str, typer.Option(help="See `likewise methods`.")] = "auto",
    clusters: ClustersOption = None,
    seed: Annotated[int, typer.Option(help="Same seed, same questions.")] = 0,
    save: Annotated[
        Path | None, typer.Option(metavar="FILE.jsonl", help="Keep the answers, to go on later.")
    ] = None,
) -> None:
    """Group handwritten digits: likewise shows two, you say whether they are the same."""
    from likewise.cli.demo import Settings
    from likewise.cli.demo import demo as play

    _end(play(Settings(items, budget, method, clusters, seed, save), simulate=simulate))


@app.command()
def answer(
    file: FileArgument,
    drop: DropOption = None,
    id_column: IdOption = None,
    method: Annotated[
        str | None, typer.Option(help="See `likewise methods`.", show_default="auto")
    ] = None,
    clusters: ClustersOption = None,
    seed: Annotated[
        int | None, typer.Option(help="Same seed, same questions.", show_default="0")
    ] = None,
    budget: Annotated[
        int | None, typer.Option(help="Stop after so many answers.", show_default="none")
    ] = None,
) -> None:
    """Answer questions about the rows of a table; every answer is kept beside it."""
    from likewise.cli.answering import answer as play
    from likewise.cli.table import Source

    source = Source(file, tuple(drop or ()), id_column)
    _end(play(source, method=method, n_clusters=clusters, seed=seed, budget=budget))


@app.command()
def rate(
    file: FileArgument,
    drop: DropOption = None,
    id_column: IdOption = None,
    method: Annotated[
        str | None, typer.Option(help="iu-red, s-and-t or random.", show_default="iu-red")
    ] = None,
    clusters: Annotated[int | None, typer.Option(help="How many groups.", show_default="2")] = None,
    repeats: Annotated[
        int | None, typer.Option(help="Show a pair up to so many times.", show_default="1")
    ] = None,
    seed: Annotated[
        int | None, typer.Option(help="Same seed, same pairs.", show_default="0")
    ] = None,
    budget: Annotated[
        int | None, typer.Option(help="Stop after so many ratings.", show_default="none")
    ] = None,
) -> None:
    """Rate from 1 to 10 how alike rows of a table are; every rating is kept beside it."""
    from likewise.cli.rating import rate as play
    from likewise.cli.table import Source

    source = Source(file, tuple(drop or ()), id_column)
    _end(
        play(source, method=method, n_clusters=clusters, repeats=repeats, seed=seed, budget=budget)
    )


@app.command()
def labels(
    file: FileArgument,
    drop: DropOption = None,
    id_column: IdOption = None,
    to: Annotated[
        Path | None, typer.Option("--out", metavar="FILE", help="Write here, not to the screen.")
    ] = None,
    ratings: Annotated[
        bool, typer.Option("--ratings", help="From the ratings of `likewise rate`.")
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """Write the group of every row: id, group, confidence."""
    from likewise.cli import results
    from likewise.cli.table import Source

    source = Source(file, tuple(drop or ()), id_column)
    with working("Grouping the rows"):
        items = source.items()
        study = source.open_ratings(items) if ratings else source.open(items)
        text = results.labels(study, items.ids, as_json=as_json)
    if to is None:
        out.file.write(text)
    else:
        results.write(text, to, source)
        say(f"wrote {to}", to=err)


@app.command()
def status(
    file: FileArgument,
    drop: DropOption = None,
    id_column: IdOption = None,
    as_json: JsonOption = False,
) -> None:
    """Say how far a table has got: answers, groups, what was inferred, what is disputed."""
    from likewise.cli import results
    from likewise.cli.table import Source

    source = Source(file, tuple(drop or ()), id_column)
    with working("Looking at the answers"):
        facts = results.status(source.open(source.items()), source)
    if as_json:
        _print_json(facts)
    else:
        out.print(results.status_table(facts))


@app.command()
def retract(
    file: FileArgument,
    number: Annotated[int, typer.Argument(help="The answer's number, as `likewise status` says.")],
    drop: DropOption = None,
    id_column: IdOption = None,
) -> None:
    """Take back one answer by its number, for instance to resolve a dispute."""
    from likewise.cli.table import Source

    source = Source(file, tuple(drop or ()), id_column)
    study = source.open(source.items())
    study.retract(number)
    say(f"took back answer {number}; {len(study.disputes())} disputes are left")


def _print_json(data: Any) -> None:
    import json

    # Written as it is: data for a program must not be made fit for a terminal.
    out.file.write(json.dumps(data, indent=2, ensure_ascii=False) + "\n")


def _end(ending: Ending) -> None:
    """Tell the shell if the person was interrupted."""
    if ending is Ending.INTERRUPTED:
        raise typer.Exit(_INTERRUPTED)
