"""The command line: `likewise demo`, `answer`, `labels`, `status` and `methods`."""

from __future__ import annotations

import io
import sys


def main() -> None:
    """Run the command that the shell asked for; the entry point of `likewise`."""
    from likewise.cli.app import app

    for stream in (sys.stdout, sys.stderr):
        # A terminal that lacks a letter shows another; it must not end the program.
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")
    app()
