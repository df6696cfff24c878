"""The program: commands from `commands/`; what they raise on purpose becomes a sentence."""

from __future__ import annotations

from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from likewise._version import __version__
from likewise.cli import commands
from likewise.cli.console import err, say
from likewise.cli.outcome import INTERRUPTED
from likewise.errors import LikewiseError


class _Polite(TyperGroup):
    """Commands whose errors are sentences."""

    def invoke(self, ctx: Any) -> Any:
        """Run a command; an error raised on purpose becomes a sentence and exit code 2."""
        try:
            return super().invoke(ctx)
        except LikewiseError as error:
            say(f"likewise: {error}", to=err)
            raise typer.Exit(2) from None
        except KeyboardInterrupt:
            say("\nlikewise: stopped; nothing is lost, the same command goes on", to=err)
            raise typer.Exit(INTERRUPTED) from None


app = typer.Typer(
    cls=_Polite,
    no_args_is_help=True,
    add_completion=True,
    pretty_exceptions_enable=False,
    help="Group any pile of things the way you mean it: likewise shows two of them and asks "
    "whether they are of the same kind.",
)
commands.register(app)


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
