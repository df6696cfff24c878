"""The program: commands from `commands/`; what they raise on purpose becomes a sentence."""

from __future__ import annotations

from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from likewise._extras import extra_explained
from likewise._version import __version__
from likewise.cli import commands
from likewise.cli.console import err, out, say
from likewise.cli.outcome import INTERRUPTED
from likewise.errors import LikewiseError


class _Polite(TyperGroup):
    """Commands whose errors are sentences."""

    def invoke(self, ctx: Any) -> Any:
        """Run a command; an error raised on purpose becomes a sentence and exit code 2."""
        try:
            with extra_explained():
                return super().invoke(ctx)
        except LikewiseError as error:
            say(f"likewise: {error}", to=err)
            raise typer.Exit(2) from None
        except KeyboardInterrupt:
            say("\nlikewise: stopped; nothing is lost, the same command goes on", to=err)
            raise typer.Exit(INTERRUPTED) from None


app = typer.Typer(
    cls=_Polite,
    invoke_without_command=True,
    add_completion=True,
    pretty_exceptions_enable=False,
    help="Group any pile of things the way you mean it: likewise shows two of them and asks "
    "whether they are of the same kind. Without a command, a page opens on which to choose a pile.",
)
commands.register(app)


def _show_version(wanted: bool) -> None:
    if wanted:
        say(f"likewise {__version__}")
        raise typer.Exit


@app.callback()
def _likewise(
    ctx: typer.Context,
    version: Annotated[
        bool,
        typer.Option("--version", callback=_show_version, is_eager=True, help="Show the version."),
    ] = False,
    port: Annotated[
        int | None,
        typer.Option(
            min=0,
            max=65535,
            help="Where the start page is; 0 lets the system choose.",
            show_default="the same every time",
        ),
    ] = None,
    browser: Annotated[
        bool | None,
        typer.Option(help="Open the start page in a browser.", show_default="in a terminal"),
    ] = None,
) -> None:
    if ctx.invoked_subcommand is not None:
        return
    # A script that names no command wants to know which there are; a person wants to begin.
    if port is None and browser is None and not out.is_terminal:
        say(ctx.get_help())
        return
    from likewise.cli.commands.annotation.start import start_page

    start_page(port, browser is not False)
