"""The owner's token as the command line, a file or the environment gives it."""

from __future__ import annotations

import os
from pathlib import Path

from likewise.errors import MethodError

VARIABLE = "LIKEWISE_TOKEN"
_LONGEST_FILE = 4096  # bytes; what is longer is no token


def owner_token(option: str | None = None, file: Path | None = None) -> str | None:
    """Return the token that was given, checked; None if none was.

    Parameters
    ----------
    option : str, optional
        What `--token` said.
    file : Path, optional
        What `--token-file` said: a file, also a pipe, with the token in its first line.

    Raises
    ------
    MethodError
        If it cannot be used. An empty one never means that none is demanded.
    """
    from likewise.web.security.tokens import require_token

    if option is not None and file is not None:
        raise MethodError("--token and --token-file both give the token; leave one of them out")
    if option is not None:
        return require_token(option, "--token")
    if file is not None:
        return require_token(_first_line(file), f"the token in {file}")
    if VARIABLE in os.environ:
        return require_token(os.environ[VARIABLE], VARIABLE)
    return None


def _first_line(file: Path) -> str:
    """Return the first line of a file."""
    try:
        with file.open("rb") as opened:
            text = opened.readline(_LONGEST_FILE).decode()
    except (OSError, UnicodeDecodeError) as error:
        raise MethodError(f"--token-file {file} cannot be read: {error}") from error
    return text.rstrip("\r\n")
