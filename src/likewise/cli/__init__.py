"""The command line: `likewise demo`, `answer`, `labels`, `status` and `methods`."""

from __future__ import annotations

import io
import sys

from likewise._extras import extra_explained
from likewise.errors import MissingExtra


def main() -> None:
    """Run the command that the shell asked for; the entry point of `likewise`."""
    try:
        with extra_explained():
            from likewise.cli.app import app
    except MissingExtra as error:
        sys.exit(_without_commands(error))
    for stream in (sys.stdout, sys.stderr):
        # A terminal that lacks a letter shows another; it must not end the program.
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")
    app()


def _without_commands(error: MissingExtra) -> int:
    """Say which extra the commands need, as they would; return the exit code."""
    sys.stderr.write(f"likewise: {error}\n")
    return 2
